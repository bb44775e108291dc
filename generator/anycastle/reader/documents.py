"""YAML documents of a repository as objects that know where each of their values stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import StrEnum
from typing import Any, Protocol

from anycastle import yamlio
from anycastle.finding import Place
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, text
from anycastle.yamlio import Path as Keys

CLUSTER = "cluster"
_MACHINE_GROUPS = frozenset(("kubeadm.k8s.io", "kubelet.config.k8s.io", "kubeproxy.config.k8s.io"))
_NODE_KINDS = frozenset(("InitConfiguration", "JoinConfiguration"))


class Locator(Protocol):
    """Knows the file and line of every value inside one object."""

    def place(self, keys: Keys) -> Place:
        """The place of the value at `keys`; where a key is missing, that of its nearest parent."""
        ...


class Family(StrEnum):
    """What reads a document."""

    MACHINE = "machine"  # kubeadm, kubelet
    ENGINE = "engine"  # Argo CD, Flux
    MANIFEST = "manifest"  # the API server


@dataclass(frozen=True, slots=True)
class Object:
    """One object that reaches a cluster or a node.

    `source` is the file or chart template it comes from. `scope` is `node:<name>` for what kubelet and kubeadm
    read on one machine, else `cluster`. `release_namespace` is where it goes if it names no namespace itself.
    `unsettled` is what something changes on the way in a manner that nobody imitates here.
    """

    value: dict[str, Any]
    source: str
    scope: str
    locator: Locator = field(repr=False, compare=False)
    release_namespace: str = ""
    unsettled: bool = field(default=False, compare=False)

    def place(self, keys: Keys = ()) -> Place:
        """File and line of the value at `keys`."""
        return self.locator.place(keys)

    @property
    def kind(self) -> str:
        """Empty where it is no text."""
        return text(self.value, "kind")

    @property
    def group(self) -> str:
        """API group; empty for the core group."""
        return text(self.value, "apiVersion").rpartition("/")[0]

    @property
    def name(self) -> str:
        """`metadata.name`."""
        return text(self.value, "metadata", "name")

    @property
    def namespace(self) -> str:
        """`metadata.namespace`, else that of the release."""
        return text(self.value, "metadata", "namespace") or self.release_namespace

    @property
    def annotations(self) -> dict[str, Any]:
        """`metadata.annotations`."""
        return mapping(self.value, "metadata", "annotations")

    @property
    def spec(self) -> dict[str, Any]:
        """`spec`, empty where it is no mapping."""
        return mapping(self.value, "spec")

    @property
    def family(self) -> Family:
        """What reads it."""
        if self.group in _MACHINE_GROUPS:
            return Family.MACHINE
        engine = self.group == "argoproj.io" or self.group.endswith(".toolkit.fluxcd.io")
        return Family.ENGINE if engine else Family.MANIFEST

    @property
    def folder(self) -> str:
        """Folder of the source."""
        return self.source.rpartition("/")[0]

    @property
    def describes_node(self) -> bool:
        """Whether kubeadm makes a machine a node with it."""
        return self.group == "kubeadm.k8s.io" and self.kind in _NODE_KINDS


_ROOM = 4 * 1024 * 1024
"""Bytes of text whose trees are remembered; with positions they take about 20 times as much."""


class _Recent:
    """Files that were parsed last: most are asked for several times."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bytes], yamlio.Loaded] = {}
        self._used = 0

    def load(self, data: bytes, path: str) -> yamlio.Loaded:
        """The oldest make room for what is new, however large that is."""
        found = self._known.get((path, data))
        if found is None:
            found = self._known[path, data] = yamlio.load(data, path)
            self._used += len(data)
            while self._used > _ROOM and len(self._known) > 1:
                oldest = next(iter(self._known))
                del self._known[oldest]
                self._used -= len(oldest[1])
        return found


_recent = _Recent()


def load(data: bytes, path: str) -> yamlio.Loaded:
    """`yamlio.load`, remembering the last files; nobody may change what it returns."""
    return _recent.load(data, path)


@dataclass(frozen=True, slots=True)
class InFile:
    """Places in a document of a file that people write."""

    data: bytes
    path: str
    index: int

    def place(self, keys: Keys) -> Place:
        """Parses the file again where it is not at hand."""
        return load(self.data, self.path).documents[self.index].place(*keys)


def objects(data: bytes, path: str) -> Iterator[Object]:
    """The documents of a file that are objects: those with apiVersion and kind. Lists are taken apart.

    A document that is a sequence of objects is what calicoctl reads, too.
    """
    for index, document in enumerate(load(data, path).documents):
        place = InFile(data, path, index)
        if is_object(document.value):
            yield from _unlisted(Object(document.value, path, CLUSTER, place))
        for number, value in enumerate(document.value if isinstance(document.value, list) else ()):
            if is_object(value):
                yield from _unlisted(Object(value, path, CLUSTER, Within(place, (number,))))


def is_object(value: object) -> bool:
    """Whether a document names what it is."""
    return isinstance(value, dict) and isinstance(value.get("apiVersion"), str) and isinstance(value.get("kind"), str)


@dataclass(frozen=True, slots=True)
class Within:
    """Places in a part of something else: an item of a `kind: List`, the template of a DaemonSet."""

    outer: Locator
    above: Keys

    def place(self, keys: Keys) -> Place:
        """That of the whole, further in."""
        return self.outer.place((*self.above, *keys))


def _unlisted(item: Object) -> Iterator[Object]:
    """`kind: List`, and the typed lists that calicoctl and kubectl write, whose items may leave out what they are."""
    items = item.value.get("items")
    if not item.kind.endswith("List") or not isinstance(items, list):
        yield item
        return
    what = {"apiVersion": item.value["apiVersion"], "kind": item.kind.removesuffix("List")}
    for index, entry in enumerate(items):
        value = {**what, **entry} if isinstance(entry, dict) and item.kind != "List" else entry
        if is_object(value):
            yield Object(value, item.source, item.scope, Within(item.locator, ("items", index)), item.release_namespace)


def part(item: Object, keys: Keys) -> yamlio.Document | None:
    """The mapping at `keys` as a document of its own, which still knows its lines; None where that cannot be told."""
    locator: Locator = item.locator
    above = keys
    while isinstance(locator, Within):
        above = (*locator.above, *above)
        locator = locator.outer
    if not isinstance(locator, InFile):
        return None
    document = load(locator.data, locator.path).documents[locator.index]
    return document.below(above)
