"""What an AppProject of Argo CD allows (pkg/apis/application/v1alpha1/app_project_types.go, v3.5).

Cluster-wide kinds are denied unless they are listed; those in namespaces are allowed unless there is a list without
them. A list of what is denied is asked last. Groups, kinds, names and namespaces are globs; `!` before a source or a
namespace denies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from anycastle.reader.documents import Object
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, mappings, sequence, text

LISTS = (
    "clusterResourceWhitelist",
    "clusterResourceBlacklist",
    "namespaceResourceWhitelist",
    "namespaceResourceBlacklist",
)


@dataclass(frozen=True, slots=True)
class Allowed:
    """One project."""

    project: Object

    def source(self, url: str) -> bool:
        """Whether its Applications may fetch from there."""
        return permitted([one for one in sequence(self.project.spec, "sourceRepos") if isinstance(one, str)], url)

    def destination(self, server: str, space: str) -> bool:
        """Whether they may write to a namespace of a cluster; an empty `space` asks for the cluster alone."""
        there = [name for where, name in self.destinations() if fnmatchcase(server, where)]
        denied = any(name.startswith("!") and fnmatchcase(space, name[1:]) for name in there)
        return not denied and any(not space or fnmatchcase(space, name or "*") for name in there)

    def kind(self, group: str, kind: str, name: str, *, namespaced: bool) -> bool:
        """Whether they may write an object."""
        white, black = LISTS[2:] if namespaced else LISTS[:2]
        listed = self._matches(white, group, kind, "" if namespaced else name)
        if namespaced and mapping(self.project.value, "spec").get(white) is None:
            listed = True
        return listed and not self._matches(black, group, kind, "" if namespaced else name)

    def destinations(self) -> Iterator[tuple[str, str]]:
        """Server (or name) and namespace of each destination."""
        for _keys, entry in mappings(self.project.spec, "destinations"):
            yield text(entry, "server") or text(entry, "name"), text(entry, "namespace")

    @property
    def everything(self) -> bool:
        """Whether it keeps nobody from anything."""
        odd = "anything.example.com", "Anything"
        kinds = self.kind(*odd, "any", namespaced=True) and self.kind(*odd, "any", namespaced=False)
        return kinds and self.source("https://any.example.com/any") and self.destination("https://any", "any")

    def _matches(self, key: str, group: str, kind: str, name: str) -> bool:
        return any(
            fnmatchcase(group, text(entry, "group"))
            and fnmatchcase(kind, text(entry, "kind"))
            and (not name or not text(entry, "name") or fnmatchcase(name, text(entry, "name")))
            for _keys, entry in mappings(self.project.spec, key)
        )


def permitted(patterns: Sequence[str], value: str) -> bool:
    """Whether a list of sources allows one: globs, and `!` forbids."""
    denied = any(fnmatchcase(value, pattern[1:]) for pattern in patterns if pattern.startswith("!"))
    return not denied and any(fnmatchcase(value, pattern) for pattern in patterns if not pattern.startswith("!"))
