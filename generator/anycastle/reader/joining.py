"""Steps beside a machine's kubeadm document that change what the network is: the annotation of its AS number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from anycastle.network.model import Node
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes, as_number

SCRIPT = "install.sh"
_ANNOTATION = re.compile(rb"^[^#\n]*\bprojectcalico\.org/ASNumber=[\"']?([0-9.]+)", re.MULTILINE)
"""Calico's own AS number of a node (libcalico-go lib/backend/k8s/resources/node.go); dotted or not."""


def annotated(found: Iterable[tuple[Object, Node]], nodes: Iterable[Node], tree: Tree, notes: Notes) -> Iterator[Node]:
    """The nodes, with the AS number that the script beside their document gives them."""
    folders = {node.name: item.folder for item, node in found}
    for node in nodes:
        path = f"{folders.get(node.name, '')}/{SCRIPT}".lstrip("/")
        script = tree.data(path, notes) if tree.has_file(path) else None
        match = _ANNOTATION.search(script) if script and b"/ASNumber=" in script else None
        yield replace(node, asn=as_number(match[1].decode()) or 0) if match else node
