"""Waves out of dependencies: an object of Flux comes one level after everything that it waits for."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence

After = Mapping[str, Sequence[str]]
"""name -> names that must come before."""


def levels(after: After, inside: Mapping[str, str]) -> dict[str, int]:
    """The level of each name, 0 where it waits for nothing.

    `inside` is the name in which another one lies: it comes no earlier than that, and what waits for the outer one
    comes after the inner one, too. Circles are cut where they are met.
    """
    found_circles = circles(after)
    cut = {(circle[-1], circle[0]) for circle in found_circles} | {(circle[0], circle[-1]) for circle in found_circles}
    names = sorted({*after, *inside, *inside.values()})
    lying = _within(inside)
    within = {name: tuple(lying.get(name, ())) for name in names}
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


def _within(inside: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    """Everything that lies in each name, however deep."""
    found: dict[str, list[str]] = defaultdict(list)
    for inner in inside:
        seen = {inner}
        outer = inside[inner]
        while outer not in seen:
            found[outer].append(inner)
            seen.add(outer)
            outer = inside.get(outer, outer)
    return found


def circles(after: After) -> list[tuple[str, ...]]:
    """Circles, each beginning with its first name; at least one of those that share a name."""
    found: set[tuple[str, ...]] = set()
    covered: set[str] = set()
    left = _without_ends(after)
    for start in sorted(left):
        circle = _back_to(start, left) if start not in covered else ()
        if circle:
            first = circle.index(min(circle))
            found.add((*circle[first:], *circle[:first]))
            covered |= set(circle)
    return sorted(found)


def _without_ends(after: After) -> dict[str, list[str]]:
    """What is left when names that wait for nothing are taken away again and again: all circles, and ways to them."""
    left = {name: [before for before in befores if before in after] for name, befores in after.items()}
    dependents: dict[str, list[str]] = defaultdict(list)
    for name, befores in left.items():
        for before in befores:
            dependents[before].append(name)
    open_ = {name: len(befores) for name, befores in left.items()}
    ends = [name for name, count in open_.items() if not count]
    while ends:
        end = ends.pop()
        del left[end]
        for name in dependents[end]:
            open_[name] -= 1
            if not open_[name]:
                ends.append(name)
    return {name: [before for before in befores if before in left] for name, befores in left.items()}


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
