"""Waves out of dependencies: an object of Flux comes one level after everything that it waits for."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

After = Mapping[str, Sequence[str]]
"""name -> names that must come before."""


def levels(after: After, inside: Mapping[str, str]) -> dict[str, int]:
    """The level of each name, 0 where it waits for nothing.

    `inside` is the name in which another one lies: it comes no earlier than that, and what waits for the outer one
    comes after the inner one, too. Circles are cut where they are met.
    """
    cut = {(circle[-1], circle[0]) for circle in circles(after)} | {
        (circle[0], circle[-1]) for circle in circles(after)
    }
    names = sorted({*after, *inside, *inside.values()})
    within = {name: tuple(_within(name, inside)) for name in names}
    edges = [
        (name, earlier)
        for name in names
        for before in after.get(name, ())
        if before in within and (name, before) not in cut
        for earlier in (before, *within[before])
        if earlier != name and name not in within.get(earlier, ())
    ]
    found = dict.fromkeys(names, 0)
    for _round in names:
        before = dict(found)
        for name, earlier in edges:
            found[name] = max(found[name], found[earlier] + 1)
        for inner, outer in inside.items():
            found[inner] = max(found[inner], found[outer])
        if found == before:
            break
    return found


def _within(name: str, inside: Mapping[str, str]) -> Iterator[str]:
    """Everything that lies in it, however deep."""
    for inner in inside:
        outer, steps = inside[inner], 0
        while outer != name and outer in inside and steps < len(inside):
            outer, steps = inside[outer], steps + 1
        if outer == name and inner != name:
            yield inner


def circles(after: After) -> list[tuple[str, ...]]:
    """Circles, each beginning with its first name; at least one of those that share a name."""
    found: set[tuple[str, ...]] = set()
    covered: set[str] = set()
    for start in sorted(after):
        circle = _back_to(start, after) if start not in covered else ()
        if circle:
            first = circle.index(min(circle))
            found.add((*circle[first:], *circle[:first]))
            covered |= set(circle)
    return sorted(found)


def _back_to(start: str, after: After) -> tuple[str, ...]:
    """A shortest way from a name back to itself; empty where there is none."""
    way: dict[str, str] = {}
    waiting = deque((start,))
    while waiting:
        name = waiting.popleft()
        for before in sorted(after.get(name, ())):
            if before == start:
                steps = [name]
                while steps[-1] != start:
                    steps.append(way[steps[-1]])
                return tuple(reversed(steps))
            if before not in way:
                way[before] = name
                waiting.append(before)
    return ()
