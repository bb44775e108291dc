"""nftables chains walked through with packets: what becomes of one, or that nobody can tell.

Known are matches on interfaces, addresses, connection state, TCP ports, echo requests and packets that are too big.
Behind any other match the verdict is unknown, unless an earlier rule decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from heapq import merge
from ipaddress import ip_address, ip_network, summarize_address_range
from itertools import pairwise

from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.prefixes import Prefixes
from anycastle.records import dataclass

_TOKEN = re.compile(r'"[^"]*"|[{};,]|[^\s{};,"]+')
_VERDICTS = ("accept", "drop", "reject")
TOO_BIG = -1
_ICMP = {
    4: {"echo-reply": 0, "destination-unreachable": 3, "redirect": 5, "echo-request": 8, "time-exceeded": 11}
    | {"parameter-problem": 12},
    6: {"destination-unreachable": 1, "packet-too-big": 2, "time-exceeded": 3, "parameter-problem": 4}
    | {"echo-request": 128, "echo-reply": 129, "nd-router-solicit": 133, "nd-router-advert": 134}
    | {"nd-neighbor-solicit": 135, "nd-neighbor-advert": 136, "nd-redirect": 137},
}
"""Types by name (RFC 792, RFC 4443, RFC 4861)."""
_TYPES = {0: {4: 8, 6: 128}, TOO_BIG: {4: 3, 6: 2}}
_SERVICES = {"ssh": 22, "bgp": 179, "http": 80, "https": 443}
_PADDING = frozenset(("counter", "log"))


@dataclass(frozen=True, slots=True)
class Packet:
    """What the rules look at; `port` is that of TCP, 0 for an echo request, `TOO_BIG` for that error."""

    source: IPAddress
    target: IPAddress
    port: int
    state: str
    came: str
    goes: str = ""


Test = Callable[[Packet], bool | None]
"""Whether a match holds for a packet; None where that is not known."""


@dataclass(slots=True)
class Rule:
    """A rule as words, with its line."""

    words: tuple[str, ...]
    line: int
    _made: tuple[Test, ...] | None = None

    def tests(self, sets: Mapping[str, tuple[str, ...]]) -> tuple[Test, ...]:
        """Its matches; worked out once, since thousands of packets are asked about."""
        if self._made is None:
            self._made = tuple(_tests(self.words, sets))
        return self._made


@dataclass(slots=True)
class Chain:
    """A base chain: hook, policy and rules."""

    table: str
    name: str
    line: int
    hook: str = ""
    policy: str = "accept"
    rules: list[Rule] = field(default_factory=list)
    _index: tuple[Prefixes[int], list[int]] | None = None

    def candidates(self, target: IPAddress, sets: Mapping[str, tuple[str, ...]]) -> Iterator[Rule]:
        """The rules in their order, without those for other targets; routers with thousands of ranges have many."""
        if self._index is None:
            bound = [(at, _targets(rule.words, sets)) for at, rule in enumerate(self.rules)]
            near = Prefixes((prefix, at) for at, prefixes in bound for prefix in prefixes or ())
            self._index = near, [at for at, prefixes in bound if prefixes is None]
        near, others = self._index
        return (self.rules[at] for at in merge(dict.fromkeys(near.around(ip_network(target))), others))


@dataclass(frozen=True, slots=True)
class Rules:
    """A file: chains and named sets."""

    chains: tuple[Chain, ...]
    sets: Mapping[str, tuple[str, ...]]


def parse(text: str) -> Rules:
    """The chains and sets of a file, in their order."""
    chains: list[Chain] = []
    sets: dict[str, tuple[str, ...]] = {}
    blocks: list[list[str]] = []
    words: list[str] = []
    first = 0
    for word, line in _tokens(text):
        inside = blocks[-1][:1] if blocks else []
        if word == "{" and inside != ["chain"] and words[:1] in (["table"], ["chain"], ["set"], ["map"]):
            blocks.append(words)
            if words[:1] == ["chain"]:
                chains.append(Chain(blocks[0][-1], words[1] if len(words) > 1 else "", line))
            words = []
        elif word == "}" and not _open(words) and blocks:
            _statement(words, first, blocks, chains, sets)
            blocks.pop()
            words = []
        elif word == ";" and not _open(words):
            _statement(words, first, blocks, chains, sets)
            words = []
        elif word != ";":
            first = first if words else line
            words.append(word)
    return Rules(tuple(chains), sets)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(text.splitlines(), start=1):
        words = _TOKEN.findall(re.sub(r"#.*", "", line))
        yield from ((word, number) for word in words)
        if words and words[-1] not in ("{", ","):
            yield ";", number


def _open(words: Sequence[str]) -> bool:
    return words.count("{") > words.count("}")


def _statement(
    words: list[str], line: int, blocks: list[list[str]], chains: list[Chain], sets: dict[str, tuple[str, ...]]
) -> None:
    kind = blocks[-1] if blocks else []
    if not words or not kind:
        return
    if kind[0] == "set" and words[0] == "elements":
        sets[kind[1]] = tuple(word for word in words[2:] if word not in ("{", "}", ","))
    elif kind[0] == "chain" and words[0] in ("type", "policy"):
        for word, following in pairwise(words):
            if word == "hook":
                chains[-1].hook = following
            elif word == "policy":
                chains[-1].policy = following
    elif kind[0] == "chain":
        chains[-1].rules.append(Rule(tuple(words), line))


def verdict(chain: Chain, packet: Packet, sets: Mapping[str, tuple[str, ...]]) -> tuple[str, int]:
    """`accept` or `drop` and the line that says so; empty where that cannot be told."""
    for rule in chain.candidates(packet.target, sets):
        matches = _matches(rule.tests(sets), packet)
        if matches is None:
            return "", rule.line
        if matches:
            found = next((word for word in rule.words if word in _VERDICTS), "")
            if found:
                return ("drop" if found == "reject" else found), rule.line
            if any(word in ("jump", "goto", "return", "queue", "vmap") for word in rule.words):
                return "", rule.line
    return chain.policy, chain.line


def _matches(tests: Sequence[Test], packet: Packet) -> bool | None:
    """Whether a rule matches; None where it has a match that is not known here and all others hold."""
    unknown = False
    for test in tests:
        held = test(packet)
        if held is False:
            return False
        unknown = unknown or held is None
    return None if unknown else True


def _tests(words: Sequence[str], sets: Mapping[str, tuple[str, ...]]) -> Iterator[Test]:
    """The matches of a rule, up to its verdict or to the first that is not known here."""
    at = 0
    while at < len(words) and words[at] not in _VERDICTS:
        word, at = words[at], at + 1
        if word in _PADDING:
            continue
        name = (word, "")
        if word not in ("iifname", "oifname") and at < len(words):
            name, at = (word, words[at]), at + 1
        if name not in _KNOWN:
            yield lambda _packet: None
            return
        asks_about, make = _KNOWN[name]
        negated = words[at : at + 1] == ("!=",)
        operand, at = _operand(words, at + negated, sets)
        yield _where(asks_about, make(operand), negated=negated)


def _operand(words: Sequence[str], at: int, sets: Mapping[str, tuple[str, ...]]) -> tuple[list[str], int]:
    """The words of a value, of `a,b`, of `{ a, b }` or of a named set, and where they end."""
    found: list[str] = []
    depth = 0
    while at < len(words):
        word, at = words[at], at + 1
        depth += {"{": 1, "}": -1}.get(word, 0)
        if word not in ("{", "}", ","):
            found += sets.get(word[1:], ()) if word.startswith("@") else [word]
        if depth == 0 and word != "," and words[at : at + 1] != (",",):
            break
    return found, at


def _where(asks_about: Test, test: Test, *, negated: bool) -> Test:
    """A match of a protocol holds for no packet of another one, whatever it says, `!=` included."""

    def whole(packet: Packet) -> bool | None:
        held = test(packet) if asks_about(packet) else False
        return held if not negated or held is None or not asks_about(packet) else not held

    return whole


def _numbers(words: Sequence[str], names: Mapping[str, int]) -> Callable[[int], bool | None]:
    """Whether a number is one of these, or in one of these ranges; None where a word is neither, and no other holds."""
    ranges: list[tuple[int, int]] = []
    unknown = False
    for word in words:
        first, dash, last = (str(names.get(word, word)), "", "") if word in names else word.partition("-")
        ends = (first, last if dash else first)
        if all(end.isascii() and end.isdecimal() for end in ends):
            ranges.append((int(ends[0][:9]), int(ends[1][:9])))
        else:
            unknown = True
    return lambda number: any(low <= number <= high for low, high in ranges) or (None if unknown else False)


def _port(words: list[str]) -> Test:
    held = _numbers(words, _SERVICES)
    return lambda packet: held(packet.port)


def _icmp(words: list[str]) -> Test:
    held = {family: _numbers(words, names) for family, names in _ICMP.items()}
    return lambda packet: held[packet.target.version](_TYPES[packet.port][packet.target.version])


def _came(words: list[str]) -> Test:
    names = {word.strip('"') for word in words}
    return lambda packet: packet.came in names


def _goes(words: list[str]) -> Test:
    names = {word.strip('"') for word in words}
    return lambda packet: packet.goes in names


def _targets(words: Sequence[str], sets: Mapping[str, tuple[str, ...]]) -> list[IPNetwork] | None:
    """The networks of a rule that begins with `ip daddr`, or has only interfaces before it; None for any other."""
    at = 0
    while words[at : at + 1] in (("iifname",), ("oifname",)):
        _operand_of, at = _operand(words, at + 1, sets)
    if words[at : at + 2] not in (("ip", "daddr"), ("ip6", "daddr")):
        return None
    ranges = [network(word) for word in _operand(words, at + 2, sets)[0]]
    return None if None in ranges else [net for item in ranges if item for net in summarize_address_range(*item)]


def _source(words: list[str]) -> Test:
    held = _addresses(words)
    return lambda packet: held(packet.source)


def _target(words: list[str]) -> Test:
    held = _addresses(words)
    return lambda packet: held(packet.target)


def _addresses(words: list[str]) -> Callable[[IPAddress], bool | None]:
    """Whether an address is one of these, or in one of these ranges; None where a word is neither."""
    ranges = [network(word) for word in words]
    listed = Prefixes((prefix, None) for item in ranges if item for prefix in summarize_address_range(*item))
    otherwise = None if None in ranges else False
    return lambda address: listed.hold(ip_network(address)) or otherwise


_ANY: Test = lambda _packet: True  # noqa: E731
_OF_4: Test = lambda packet: packet.target.version == 4  # noqa: E731
_OF_6: Test = lambda packet: packet.target.version == 6  # noqa: E731
_KNOWN: Mapping[tuple[str, str], tuple[Test, Callable[[list[str]], Test]]] = {
    ("iifname", ""): (_ANY, _came),
    ("oifname", ""): (_ANY, _goes),
    ("ip", "saddr"): (_OF_4, _source),
    ("ip", "daddr"): (_OF_4, _target),
    ("ip6", "saddr"): (_OF_6, _source),
    ("ip6", "daddr"): (_OF_6, _target),
    ("ct", "state"): (_ANY, lambda words: lambda packet: packet.state in words),
    ("tcp", "dport"): (lambda packet: packet.port > 0, _port),
    ("udp", "dport"): (lambda _packet: False, _port),
    ("icmp", "type"): (lambda packet: packet.port in _TYPES and packet.target.version == 4, _icmp),
    ("icmpv6", "type"): (lambda packet: packet.port in _TYPES and packet.target.version == 6, _icmp),
}
"""What a rule can ask of a packet, by the words that begin it: of which packets, and what."""


def network(word: str) -> tuple[IPAddress, IPAddress] | None:
    """First and last address of `address`, `network` or `first-last`."""
    first, dash, last = word.partition("-")
    try:
        if dash:
            low, high = ip_address(first), ip_address(last)
            return (low, high) if low.version == high.version and int(low) <= int(high) else None
        found: IPNetwork = ip_network(word)
    except ValueError:
        return None
    return found[0], found[-1]
