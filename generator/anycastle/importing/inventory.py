"""An Ansible inventory as a graph of groups: hosts, children, variables, and what a host inherits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any, NamedTuple

from anycastle.finding import Place
from anycastle.records import dataclass

ALL = "all"


class Variable(NamedTuple):
    """A value, not yet judged, and where it stands."""

    value: Any
    where: Place


@dataclass(slots=True)
class Group:
    """A group as the inventory has it; `files` are its variables from the files beside the inventory."""

    hosts: dict[str, Place] = field(default_factory=dict)
    children: dict[str, Place] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    files: dict[str, Variable] = field(default_factory=dict)


@dataclass(slots=True)
class Inventory:
    """Groups by name, and the variables of single hosts."""

    groups: dict[str, Group] = field(default_factory=dict)
    hosts: dict[str, dict[str, Variable]] = field(default_factory=dict)
    host_files: dict[str, dict[str, Variable]] = field(default_factory=dict)

    def group(self, name: str) -> Group:
        """The group of that name, which is made where it is new."""
        return self.groups.setdefault(name, Group())

    def host(self, name: str) -> dict[str, Variable]:
        """The own variables of a host."""
        return self.hosts.setdefault(name, {})

    def place(self, host: str) -> Place:
        """Where a host is first named."""
        return next((group.hosts[host] for group in self.groups.values() if host in group.hosts), Place())

    def members(self, name: str) -> dict[str, Place]:
        """Hosts of a group and of all below it, in the order of the text."""
        found: dict[str, Place] = {}
        for one in self._below(name):
            for host, place in self.groups[one].hosts.items():
                found.setdefault(host, place)
        return found

    def _below(self, name: str) -> Iterator[str]:
        """A group and everything below it; a circle ends where it began."""
        todo, seen = [name], set()
        while todo:
            one = todo.pop(0)
            if one in seen or one not in self.groups:
                continue
            seen.add(one)
            yield one
            todo = [*self.groups[one].children, *todo]

    def variables(self, host: str, groups: Iterable[str]) -> Mapping[str, Variable]:
        """What a host inherits from `groups`, the nearest last, and what is its own.

        Files beside the inventory outweigh its own lines, the host outweighs its groups, in the order of Ansible.
        """
        names = [ALL, *(name for name in groups if name != ALL)]
        found: dict[str, Variable] = {}
        for name in names:
            found |= self.groups[name].variables if name in self.groups else {}
        for name in names:
            found |= self.groups[name].files if name in self.groups else {}
        return found | self.hosts.get(host, {}) | self.host_files.get(host, {})

    def groups_of(self) -> Mapping[str, tuple[str, ...]]:
        """For each host the groups that hold it, those nearer to it later, then by name."""
        depth = self._depths()
        found: dict[str, list[str]] = {host: [] for host in self.hosts}
        for name in sorted(self.groups, key=lambda name: (depth.get(name, 1), name)):
            for host in self.members(name):
                found.setdefault(host, []).append(name)
        return {host: tuple(names) for host, names in found.items()}

    def _depths(self) -> Mapping[str, int]:
        """Steps from the top: 0 for `all`, 1 for groups that no other holds."""
        inner = {child for name, group in self.groups.items() if name != ALL for child in group.children}
        depth = {name: 0 if name == ALL else 1 for name in self.groups if name not in inner}
        todo = list(depth)
        while todo:
            name = todo.pop(0)
            for child in self.groups[name].children if name in self.groups else ():
                if depth.get(child, 0) < depth[name] + 1 <= len(self.groups) and child in inner:
                    depth[child] = depth[name] + 1
                    todo.append(child)
        return depth
