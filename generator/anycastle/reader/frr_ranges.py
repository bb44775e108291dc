"""The numbers that FRR takes in its statements. Anything else it refuses with the whole line (vtysh of FRR 8 to 10).

Bounds that depend on how FRR was built (how many paths it can keep) are not told: those of the largest build hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from anycastle.reader.frr_words import whole

_LARGEST = 2**32 - 1
RANGES: Mapping[tuple[str, str], tuple[int, int]] = {
    ("neighbor", "timers"): (0, 65535),
    ("neighbor", "connect"): (1, 65535),
    ("neighbor", "maximum-prefix"): (1, _LARGEST),
    ("neighbor", "restart"): (1, 65535),
    ("neighbor", "ebgp-multihop"): (1, 255),
    ("neighbor", "hops"): (1, 254),
    ("neighbor", "advertisement-interval"): (0, 600),
    ("neighbor", "allowas-in"): (1, 10),
    ("neighbor", "weight"): (0, 65535),
    ("timers", "bgp"): (0, 65535),
    ("maximum-paths", "maximum-paths"): (1, 999),
    ("maximum-paths", "ibgp"): (1, 999),
    ("bgp", "restart-time"): (0, 4095),
    ("bgp", "stalepath-time"): (1, 4095),
    ("bgp", "select-defer-time"): (0, 3600),
    ("bgp", "limit"): (1, 65535),
    ("bgp", "local-preference"): (0, _LARGEST),
    ("ip", "seq"): (1, _LARGEST),
    ("ip", "ge"): (0, 32),
    ("ip", "le"): (0, 32),
    ("ip", "blackhole"): (1, 255),
    ("ipv6", "seq"): (1, _LARGEST),
    ("ipv6", "ge"): (0, 128),
    ("ipv6", "le"): (0, 128),
    ("ipv6", "blackhole"): (1, 255),
    ("route-map", "permit"): (1, 65535),
    ("route-map", "deny"): (1, 65535),
}
"""By the first word of a statement and the word before the number."""


def beyond(words: list[str]) -> tuple[str, int, int] | None:
    """The first number of a statement that FRR does not take, with the least and the greatest that it takes."""
    words = words[1:] if words[0] == "no" else words
    if words[:1] == ["neighbor"] and words[2:3] in (["description"], ["password"]):
        return None
    for before, word in pairwise(words):
        bounds = RANGES.get((words[0], before))
        if bounds and word.isdecimal():
            number = whole(word)
            if number is None or not bounds[0] <= number <= bounds[1]:
                return word, *bounds
    return None
