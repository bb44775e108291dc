"""What may stand in `protocol bgp` of BIRD: options that mean something to a session, and words that are only known.

The others can be named. The grammar is in `bird_syntax`; policies are in `bird_filters`.
"""

from __future__ import annotations

from anycastle.reader.frr import Neighbour
from anycastle.reader.frr_words import vocabulary, whole
from anycastle.reader.passwords import CLEAR_TEXT, reference

_KNOWN = vocabulary(
    "add advertise advertisement aigp allow as authentication base bfd capabilities cluster confederation connect "
    "cost debug default description deterministic direct disable disabled dynamic enable enforce error export "
    "extended flow4 flow6 free gateway graceful hold hostname igp import interface interpret ipv4 ipv6 keep "
    "keepalive link llgr local long mandatory med medium min missing mpls multicast multihop neighbor next onlink "
    "passive password path preexport prefer preference receive require restart role route rpki rr rs secondary send "
    "sender setkey source startup strict table tag ttl tx vpn4 vpn6 vrf"
)


def whom(neighbour: Neighbour, words: list[str], line: int) -> None:
    """`neighbor ADDRESS as N`, `neighbor range NET as N`, and the words in between."""
    asn = after(words, "as") or next((word for word in words[1:] if word in ("external", "internal")), "")
    neighbour.remote_as = asn or neighbour.remote_as
    if words[1:2] and words[1] not in ("range", "as", "port", "external", "internal"):
        neighbour.name, neighbour.line = words[1], line


def limit(neighbour: Neighbour, words: list[str], line: int) -> None:
    """`limit N`, which disables the protocol, unless it says `action warn` or `block` (BIRD documentation, limits)."""
    number = whole(words[0]) if words else None
    if number and words[1:3] not in (["action", "warn"], ["action", "block"]):
        neighbour.limit = max(neighbour.limit or 0, number)
        neighbour.at.setdefault("limit", line)


def setting(neighbour: Neighbour, words: list[str]) -> bool:
    """Take in what matters; whether BIRD knows the words."""
    match words:
        case ["local", address, "as", *_] | ["source", "address", address] if "." in address or ":" in address:
            neighbour.update_source = address
        case ["multihop", *rest] if len(rest) < 2:
            neighbour.hops = (whole(rest[0]) if rest else None) or 255
        case ["hold", "time", value]:
            neighbour.hold = whole(value)
        case ["keepalive", "time", value]:
            neighbour.keepalive = whole(value)
        case ["hold" | "keepalive" | "multihop", *_]:
            return False
        case ["password", *rest]:
            neighbour.password = reference(" ".join(rest)) or CLEAR_TEXT
        case ["disabled", *rest]:
            neighbour.shutdown = rest[:1] not in (["no"], ["off"])
        case ["rr", "client", *_] | ["next", "hop", "self", *_]:
            neighbour.reflected = neighbour.reflected or words[0] == "rr"
            neighbour.next_hop_self = neighbour.next_hop_self or words[0] == "next"
        case ["ttl", "security", value, *_]:
            neighbour.ttl_security = value in ("on", "yes")
        case _:
            return bool(words) and words[0] in _KNOWN
    return True


def after(words: list[str], word: str) -> str:
    """The word behind another one; empty where there is none."""
    return words[words.index(word) + 1] if word in words[:-1] else ""
