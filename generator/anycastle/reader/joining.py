"""Steps beside a machine's kubeadm document that change what the network is: annotations of its Node."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from ipaddress import AddressValueError, IPv4Address

from anycastle.network.cluster import Node
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes, as_number

SCRIPT = "install.sh"
_ANNOTATION = re.compile(rb"^[^#\n]*\bprojectcalico\.org/ASNumber=[\"']?([0-9.]+)", re.MULTILINE)
"""Calico's own AS number of a node (libcalico-go lib/backend/k8s/resources/node.go); dotted or not."""
_CLUSTER_ID = re.compile(rb"^[^#\n]*\bprojectcalico\.org/RouteReflectorClusterID=[\"']?([0-9.]+)", re.MULTILINE)
"""The cluster ID of a route reflector (as above), written as an IPv4 address (RFC 4456)."""


def annotated(found: Iterable[tuple[Object, Node]], nodes: Iterable[Node], tree: Tree, notes: Notes) -> Iterator[Node]:
    """The nodes, with the AS number and the cluster ID that the script beside their document gives them."""
    folders = {node.name: item.folder for item, node in found}
    for node in nodes:
        path = f"{folders.get(node.name, '')}/{SCRIPT}".lstrip("/")
        script = tree.data(path, notes) if tree.has_file(path) else None
        yield _told(node, script) if script else replace(node, annotated=False)


def _told(node: Node, script: bytes) -> Node:
    if b"projectcalico.org/" not in script:
        return node
    number, cluster = _ANNOTATION.search(script), _CLUSTER_ID.search(script)
    return replace(
        node,
        asn=(as_number(number[1].decode()) or 0) if number else node.asn,
        cluster_id=_address(cluster[1].decode()) if cluster else node.cluster_id,
    )


def _address(written: str) -> IPv4Address | None:
    try:
        return IPv4Address(written)
    except AddressValueError:
        return None
