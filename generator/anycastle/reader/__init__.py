"""Read a repository: files on disk to objects with file and line, and from these to the network.

It knows nothing of the site model and of the templates that may have made the files: what a file says is read as
kubelet, Helm, Argo CD, Calico and the router would read it.
"""

from __future__ import annotations

from anycastle.reader.codes import CODES
from anycastle.reader.documents import Object
from anycastle.reader.repository import Repository, read
from anycastle.reader.sites import Part, parts

__all__ = ["CODES", "Object", "Part", "Repository", "parts", "read"]
