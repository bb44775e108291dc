"""anycastle: one description of a site, and everything a BGP-announced cluster needs from it."""

__version__ = "0.1.0"
