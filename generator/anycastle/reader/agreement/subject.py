"""What the checks of this package look at: a repository that has been read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from anycastle.network.addresses import IPAddress
from anycastle.network.cluster import Node, Role
from anycastle.network.model import Network
from anycastle.reader import declared
from anycastle.reader.agreement.cluster_kinds import scopes
from anycastle.reader.argocd import Application, Source
from anycastle.reader.charts import Answered
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes


@dataclass(frozen=True)
class Subject:
    """A repository. `early` are pods that stand only while `kubeadm init` runs, `brought` what upstream charts get.

    `applied` is what each unit applies, by its key, as far as it is known.
    """

    tree: Tree
    network: Network
    machine: Sequence[Object]
    pods: Sequence[Object]
    early: Sequence[Object]
    engine: Sequence[Object]
    objects: Sequence[Object]
    units: Sequence[Application]
    brought: Sequence[tuple[Source, Answered]]
    applied: Mapping[str, Sequence[Object]]

    @cached_property
    def one_hand(self) -> bool:
        """Whether all files follow from a site file.

        Only then what differs in one of them is a slip, and what no file makes is made by nobody.
        """
        return declared.is_here(self.tree, Notes())

    @cached_property
    def scopes(self) -> Mapping[tuple[str, str], bool]:
        """Whether a kind, by group and kind, lives in a namespace, as far as that is known."""
        return scopes(self.objects)

    @cached_property
    def nodes(self) -> Mapping[str, Node]:
        """The nodes by name."""
        return {node.name: node for node in self.network.nodes}

    @cached_property
    def folders(self) -> Mapping[str, Node]:
        """The folder of each kubeadm document with the node that it describes, in order."""
        names = {item.folder: item.scope.partition(":")[2] for item in self.machine if item.folder}
        return {folder: self.nodes[name] for folder, name in sorted(names.items()) if name in self.nodes}

    def beside(self, name: str, notes: Notes) -> Iterator[tuple[str, Node, str]]:
        """Files of that name beside a kubeadm document: path, node, text."""
        for folder, node in self.folders.items():
            path = f"{folder}/{name}"
            text = self.tree.text(path, notes) if self.tree.has_file(path) else None
            if text is not None:
                yield path, node, text

    @cached_property
    def masters(self) -> tuple[Node, ...]:
        """The control planes."""
        return tuple(node for node in self.network.nodes if node.role is Role.CONTROL_PLANE)

    @property
    def vips(self) -> tuple[IPAddress, ...]:
        """The API addresses."""
        return self.network.api.vips if self.network.api else ()
