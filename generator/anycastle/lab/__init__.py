"""The network of a repository on one machine: real daemons in namespaces, looked at and then broken on purpose.

A `Network` and the routers' own files come in. Pure modules derive what each daemon is told and what must follow
(`wiring`, `placement`, `expected`, `gobgp`, `bird`); the others build it, watch it and break it. Everything lives
in private namespaces of the kernel (`isolation`), so that the machine is as before whatever happens.
"""
