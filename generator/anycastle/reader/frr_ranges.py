"""The numbers that FRR takes in its statements. Anything else it refuses with the whole line (vtysh of FRR 8 to 10).

Bounds that depend on how FRR was built (how many paths it can keep) are not told: those of the largest build hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

_LARGEST = 2**32 - 1
_SECONDS = (1, 65535)
RANGES: Mapping[str, tuple[tuple[int, int], ...]] = {
    "neighbor * timers": ((0, 65535), (0, 65535)),
    "neighbor * timers connect": (_SECONDS,),
    "neighbor * maximum-prefix": ((1, _LARGEST), (1, 100)),
    "neighbor * maximum-prefix * restart": (_SECONDS,),
    "neighbor * maximum-prefix * * restart": (_SECONDS,),
    "neighbor * ebgp-multihop": ((1, 255),),
    "neighbor * ttl-security hops": ((1, 254),),
    "neighbor * advertisement-interval": ((0, 600),),
    "neighbor * allowas-in": ((1, 10),),
    "neighbor * weight": ((0, 65535),),
    "timers bgp": ((0, 65535), (0, 65535)),
    "maximum-paths": ((1, 999),),
    "maximum-paths ibgp": ((1, 999),),
    "bgp graceful-restart restart-time": ((0, 4095),),
    "bgp graceful-restart stalepath-time": ((1, 4095),),
    "bgp graceful-restart select-defer-time": ((0, 3600),),
    "bgp listen limit": (_SECONDS,),
    "bgp default local-preference": ((0, _LARGEST),),
    "ip route * blackhole": ((1, 255),),
    "ipv6 route * blackhole": ((1, 255),),
    "route-map * permit|deny": ((1, 65535),),
    **{
        f"{family} prefix-list * {entry}": ((low, high),)
        for family, longest in (("ip", 32), ("ipv6", 128))
        for entry, low, high in (
            ("seq", 1, _LARGEST),
            *((f"{seq}permit|deny * {word}", 0, longest) for seq in ("", "seq * ") for word in ("ge", "le")),
            *((f"{seq}permit|deny * ge * le", 0, longest) for seq in ("", "seq * ")),
        )
    },
}
"""How a statement begins (`*` is any word, `a|b` one of two), and the ranges of the numbers that follow."""


def _by_first() -> Mapping[str, tuple[tuple[tuple[frozenset[str] | None, ...], tuple[tuple[int, int], ...]], ...]]:
    found: dict[str, list[tuple[tuple[frozenset[str] | None, ...], tuple[tuple[int, int], ...]]]] = {}
    for beginning, ranges in RANGES.items():
        words = tuple(None if word == "*" else frozenset(word.split("|")) for word in beginning.split())
        found.setdefault(beginning.partition(" ")[0], []).append((words, ranges))
    return {first: tuple(entries) for first, entries in found.items()}


_BY_FIRST = _by_first()


def beyond(words: Sequence[str]) -> tuple[str, int, int] | None:
    """The first number of a statement that FRR does not take, with the least and the greatest that it takes."""
    words = words[1:] if words[0] == "no" else words
    return next(_wrong(words), None) if words else None


def _wrong(words: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    for beginning, ranges in _BY_FIRST.get(words[0], ()):
        if len(words) > len(beginning) and all(
            known is None or word in known for known, word in zip(beginning, words, strict=False)
        ):
            for word, (least, most) in zip(words[len(beginning) :], ranges, strict=False):
                if not (word.isascii() and word.isdecimal()):
                    break
                if not least <= int(word[:4000]) <= most:
                    yield word, least, most
