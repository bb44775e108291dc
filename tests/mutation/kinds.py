"""Other plausible values for a value: what a slip of the finger, a copied line or an old version would leave there."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network


@dataclass(frozen=True)
class Change:
    """Part of a text, from `start` to `end`, becomes `new`; `kind` is a word of the trade."""

    start: int
    end: int
    new: str
    kind: str


MEASURES = frozenset(("number", "duration"))
"""Kinds of amounts: most neighbours of a count or of a time serve as well. All other kinds name or switch something."""
FLIPS = {"true": "false", "false": "true", "yes": "no", "no": "yes", "True": "False", "False": "True"}

# Members of closed sets; the next one takes the place of one, the first that of the last.
SETS = (
    ("Enabled", "Disabled"),
    ("Local", "Cluster"),
    ("Automatic", "Manual"),
    ("automatic", "manual"),
    ("RequestedServicesOnly", "AllServices"),
    ("requested", "all"),
    ("BPF", "Iptables"),
    ("VXLANCrossSubnet", "VXLAN", "None"),
    ("Accept", "Reject"),
    ("In", "NotIn"),
    ("control-plane", "worker"),
    ("workers", "all"),
    ("host-routes", "aggregate"),
    ("restricted", "privileged"),
    ("File", "Directory"),
    ("IfNotPresent", "Always"),
    ("VersionTLS12", "VersionTLS13"),
    ("Info", "Debug"),
    ("websecure", "web"),
    ("https", "http"),
    ("DoNotSchedule", "ScheduleAnyway"),
    ("Honor", "Ignore"),
    ("RollingUpdate", "Recreate"),
    ("argocd", "flux"),
    ("frr", "bird"),
    ("annotation", "label"),
    ("system-node-critical", "system-cluster-critical"),
    ("disabled", "kept"),
    ("permit", "deny"),
    ("accept", "drop"),
    ("tcp", "udp"),
    ("Ready", "Available"),
    ("permanent", "temporary"),
)
_NEXT = {word: members[(at + 1) % len(members)] for members in reversed(SETS) for at, word in enumerate(members)}

_TOKEN = re.compile(
    r"(?P<cidr>(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}/\d{1,2}(?![\w.]))"
    r"|(?P<address>(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]))"
    r"|(?P<version>(?<![\w.])v?\d+\.\d+(?:\.\d+)?(?![\w.]))"
    r"|(?P<duration>(?<![\w.])(?:\d+(?:h|ms|m|s))+(?![\w.]))"
    r"|(?P<number>(?<![\w.@-])\d+(?![\w.]))"
    r"|(?P<negation>!(?=has\())"
    r"|(?P<flag>(?<==)(?:true|false)\b)"
    r"|(?P<word>[A-Za-z][\w-]*)"
)
OUTSIDE = "10.199.7.9"
OTHER_PRIVATE_AS = 64900


def changes(text: str, key: str, waves: Sequence[int] = ()) -> Iterator[Change]:
    """Every change of one scalar; `key` is the word that it stands under, `waves` are those of the repository."""
    whole = text.strip()
    if whole in FLIPS:
        yield Change(0, len(text), FLIPS[whole], "boolean")
    elif "sync-wave" in key and re.fullmatch(r"-?\d+", whole):
        yield from (Change(0, len(text), str(new), "wave") for new in _beyond(int(whole), waves))
    elif whole in _NEXT:
        yield Change(0, len(text), _NEXT[whole], "enum")
    elif re.fullmatch(r"-?\d+", whole):
        yield from (Change(0, len(text), new, kind) for new, kind in _number(int(whole), key))
    else:
        yield from _parts(text, key)


def _beyond(wave: int, waves: Sequence[int]) -> Iterator[int]:
    """Just before the wave before this one, and just after the wave after it: the order changes."""
    lower, higher = [one for one in waves if one < wave], [one for one in waves if one > wave]
    yield from [max(lower) - 1] if lower else []
    yield from [min(higher) + 1] if higher else []


def _number(value: int, key: str) -> Iterator[tuple[str, str]]:
    if re.search(r"(?i)asn|asNumber|_as$|peeras|remote-as|router bgp", key):
        yield str(value + 1), "AS number"
        yield str(OTHER_PRIVATE_AS if value != OTHER_PRIVATE_AS else 64901), "AS number"
    elif re.search(r"(?i)port", key):
        yield str(value + 1), "port"
    else:
        yield str(value + 1), "number"
        if value > 0:
            yield str(value - 1), "number"


def _parts(text: str, key: str) -> Iterator[Change]:
    tokens = list(_TOKEN.finditer(text))
    words = [token for token in tokens if token.lastgroup == "word"]
    for token in tokens:
        kind = token.lastgroup or ""
        if kind == "word" and token not in (words[0], words[-1]):
            continue
        for new in _others(kind, token[0], key):
            if new != token[0]:
                yield Change(token.start(), token.end(), new, {"word": "name", "flag": "boolean"}.get(kind, kind))


def _others(kind: str, text: str, key: str) -> Iterator[str]:
    if kind == "cidr":
        yield from _networks(IPv4Network(text, strict=False))
    elif kind == "address":
        if not IPv4Address(text).is_loopback:  # any address of the loopback is the loopback
            yield str(IPv4Address(int(IPv4Address(text)) ^ 3))
        yield OUTSIDE
    elif kind == "version":
        yield _older(text)
    elif kind == "duration":
        yield re.sub(r"\d+", lambda match: str(int(match[0]) * 2 + 1), text, count=1)
    elif kind == "number":
        yield from (new for new, _kind in _number(int(text), key))
    elif kind == "negation":
        yield ""
    elif kind == "flag":
        yield FLIPS[text]
    elif kind == "word" and len(text) > 1:
        yield _misspelt(text)


def _networks(network: IPv4Network) -> Iterator[str]:
    length = network.prefixlen
    if length > 8:
        yield str(network.supernet(new_prefix=length - 1))
    if length < 32:
        yield f"{network.network_address}/{length + 1}"
    yield str(IPv4Network((int(IPv4Address(OUTSIDE)), length), strict=False))


def _older(text: str) -> str:
    numbers = [int(part) for part in text.removeprefix("v").split(".")]
    for at in reversed(range(len(numbers))):
        if numbers[at] > 0:
            numbers[at] -= 1
            break
    return ("v" if text.startswith("v") else "") + ".".join(map(str, numbers))


def _misspelt(text: str) -> str:
    """The letter in the middle becomes its neighbour in the alphabet."""
    for at in sorted(range(len(text)), key=lambda place: abs(place - len(text) // 2)):
        letter = text[at]
        if letter.isascii() and letter.isalpha():
            other = {"z": "y", "Z": "Y"}.get(letter, chr(ord(letter) + 1))
            return text[:at] + other + text[at + 1 :]
    return text
