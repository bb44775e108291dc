"""What keeps Flux from taking the foundation away, held the same way by all of its objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from anycastle.reader import flux
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, text

_ACTIONS = ("install", "upgrade", "rollback", "uninstall")
_FEWEST = 3
"""Objects that make a habit: of two that differ nobody can say which one is wrong."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A field of `spec`, the value that guards, and what happens without it."""

    path: tuple[str, ...]
    value: bool
    without: str

    def held(self, item: Object) -> bool:
        """Whether an object has it, or has a text that something fills in."""
        found = mapping(item.spec, *self.path[:-1]).get(self.path[-1])
        return found is self.value or isinstance(found, str)

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {str(self.value).lower()}"


_OF_KUSTOMIZATIONS = (Guard(("prune",), False, "what vanishes from its folder for a moment is deleted in the cluster"),)
_OF_RELEASES = (
    *(Guard((action, "disableHooks"), True, "the hooks of its chart run") for action in _ACTIONS),
    Guard(("uninstall", "keepHistory"), True, "an uninstall forgets what Helm knows, and nothing can be rolled back"),
)


def check(subject: Subject, notes: Notes) -> None:
    """Guarded objects, each kind by itself."""
    for guarded, guards in ((_orphaning, _OF_KUSTOMIZATIONS), (_without_hooks, _OF_RELEASES)):
        alike = [item for item in subject.engine if guarded(item) and not item.unsettled]
        for guard in guards:
            held = sum(map(guard.held, alike))
            for item in _odd(alike, guard.held):
                _unguarded(item, guard, held, notes)


def _orphaning(item: Object) -> bool:
    return flux.is_kustomization(item) and text(item.spec, "deletionPolicy") == "Orphan"


def _without_hooks(item: Object) -> bool:
    """Whether a release has most of the guards; one action without hooks may be meant so."""
    return flux.is_release(item) and sum(guard.held(item) for guard in _OF_RELEASES) > len(_OF_RELEASES) // 2


def _odd(alike: Sequence[Object], held: Callable[[Object], bool]) -> Iterator[Object]:
    """Those without it, where at least three have it and twice as many as have it not."""
    without = [item for item in alike if not held(item)]
    if len(alike) - len(without) >= max(_FEWEST, 2 * len(without)):
        yield from without


def _unguarded(item: Object, guard: Guard, held: int, notes: Notes) -> None:
    notes.add(
        "FLUX011",
        item.place(("spec", *guard.path)),
        f"{item.name} is guarded as {held} others are, but without {guard}: {guard.without}.",
        f"Write {guard} below spec as the others have it, or drop the other guards if none is meant.",
    )
