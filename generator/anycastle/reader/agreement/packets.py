"""nftables chains walked through with packets: what becomes of one, or that nobody can tell.

Known are matches on interfaces, addresses, connection state, TCP ports and echo requests. Behind any other match
the verdict is unknown, unless an earlier rule decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from itertools import pairwise

from anycastle.network.model import IPAddress, IPNetwork

_TOKEN = re.compile(r'"[^"]*"|[{};,]|[^\s{};,"]+')
_VERDICTS = ("accept", "drop", "reject")
_PADDING = frozenset(("counter", "log"))


@dataclass(frozen=True, slots=True)
class Packet:
    """What the rules look at; `port` is that of TCP, 0 for an echo request."""

    source: IPAddress
    target: IPAddress
    port: int
    state: str
    came: str
    goes: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as words, with its line."""

    words: tuple[str, ...]
    line: int


@dataclass(slots=True)
class Chain:
    """A base chain: hook, policy and rules."""

    table: str
    name: str
    line: int
    hook: str = ""
    policy: str = "accept"
    rules: list[Rule] = field(default_factory=list)


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
    for rule in chain.rules:
        matches = _matches(rule.words, packet, sets)
        if matches is None:
            return "", rule.line
        if matches:
            found = next((word for word in rule.words if word in _VERDICTS), "")
            if found:
                return ("drop" if found == "reject" else found), rule.line
            if any(word in ("jump", "goto", "return", "queue", "vmap") for word in rule.words):
                return "", rule.line
    return chain.policy, chain.line


def _matches(words: tuple[str, ...], packet: Packet, sets: Mapping[str, tuple[str, ...]]) -> bool | None:
    """Whether a rule matches; None where it has a match that is not known here and all others hold."""
    unknown, rest = False, list(words)
    while rest:
        held = _held(rest, packet, sets)
        if held is False:
            return False
        unknown = unknown or held is None
    return None if unknown else True


def _held(rest: list[str], packet: Packet, sets: Mapping[str, tuple[str, ...]]) -> bool | None:
    """Take one match from the front and say whether it holds; None for one that is not known."""
    word = rest.pop(0)
    if word in _VERDICTS:
        rest.clear()
        return True
    if word in _PADDING:
        return True
    if word in ("iifname", "oifname"):
        return (packet.came if word == "iifname" else packet.goes) in [item.strip('"') for item in _operand(rest, sets)]
    field = (word, rest.pop(0)) if rest else (word, "")
    if field[0] in ("ip", "ip6") and field[1] in ("saddr", "daddr"):
        return _within(packet.source if field[1] == "saddr" else packet.target, _operand(rest, sets))
    holds = _PLAIN.get(field)
    if holds is None:
        rest.clear()
        return None
    return holds(packet, _operand(rest, sets))


_PLAIN: Mapping[tuple[str, str], Callable[[Packet, list[str]], bool]] = {
    ("ct", "state"): lambda packet, words: packet.state in words,
    ("tcp", "dport"): lambda packet, words: packet.port > 0 and str(packet.port) in words,
    ("udp", "dport"): lambda _packet, _words: False,
    ("icmp", "type"): lambda packet, words: packet.port == 0 and "echo-request" in words,
}
"""Matches on a field with a value."""


def _operand(rest: list[str], sets: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The words of a value, of `a,b`, of `{ a, b }` or of a named set."""
    found: list[str] = []
    depth = 0
    while rest:
        word = rest.pop(0)
        depth += {"{": 1, "}": -1}.get(word, 0)
        if word not in ("{", "}", ","):
            found += sets.get(word[1:], ()) if word.startswith("@") else [word]
        if depth == 0 and word != "," and rest[:1] != [","]:
            break
    return found


def _within(address: IPAddress, words: list[str]) -> bool | None:
    if str(address) in words:
        return True
    known = [network(word) for word in words]
    if any(isinstance(item, tuple) and item[0] <= address <= item[1] for item in known if item):  # type: ignore[operator]
        return True
    return None if None in known else False


def network(word: str) -> tuple[IPAddress, IPAddress] | None:
    """First and last address of `address`, `network` or `first-last`."""
    first, dash, last = word.partition("-")
    try:
        if dash:
            return ip_address(first), ip_address(last)
        found: IPNetwork = ip_network(word)
    except ValueError:
        return None
    return found[0], found[-1]
