"""What other tools already know of a cluster, as the first site file of it.

One module for each kind of source, text to facts (`detect`); then the facts of all sources to the plain data of a site
(`draft`). Only keys that are known by name are read, so that a password beside them goes nowhere.
"""
