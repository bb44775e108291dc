"""`nftables.conf`: which destinations may turn around inside the node subnet.

A node that talks to an announced address sends to the router, and the answer comes back directly. The router sees
one direction only, so connection tracking calls the second packet invalid: such traffic must be accepted without
state, before `ct state invalid drop`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address, ip_network, summarize_address_range

from anycastle.finding import Place
from anycastle.network.addresses import IPNetwork
from anycastle.reader.notes import Notes

EVERYTHING: tuple[IPNetwork, ...] = (ip_network("0.0.0.0/0"), ip_network("::/0"))

_TOKEN = re.compile(r'"[^"]*"|[{};,]|[^\s{};,"]+')
_INTERFACES = re.compile(r'\biifname "?([^"\s]+)"? oifname "?([^"\s]+)"?')
_DESTINATION = re.compile(r"\bip6? daddr (?:\{ ([^}]*) \}|(\S+))")
_INVALID = re.compile(r"\bct state (?:\{ )?(?:\w+ , )*invalid\b[^;]*\bdrop\b|\bct state vmap [^;]*invalid : drop")
_PLAIN = re.compile(r"ip6? ([sd])addr (?:\{ ([^}]*) \}|(\S+)) accept")
_STATEFUL = re.compile(r"\bct state (?!.*\buntracked\b)")


def hairpin(text: str, path: str, notes: Notes) -> tuple[IPNetwork, ...]:
    """Destinations that come through; everything where no rule drops what is invalid."""
    sets = dict(_named_sets(text))
    rules = list(_forward_rules(text))
    if not any(_INVALID.search(rule) for rule, _line in rules):
        return EVERYTHING
    found: list[IPNetwork] = []
    for rule, line in rules:
        if _INVALID.search(rule):
            break
        turning = _INTERFACES.search(rule)
        if not turning or turning[1] != turning[2] or _STATEFUL.search(rule) or not rule.endswith(" accept"):
            continue
        destination = _DESTINATION.search(rule)
        words = _members(destination[1] or destination[2], sets) if destination else ["0.0.0.0/0", "::/0"]
        for word in words:
            found += _networks(word, Place(path, line), notes)
    return tuple(dict.fromkeys(found))


def one_way(text: str, path: str, notes: Notes) -> tuple[IPNetwork, ...]:
    """Prefixes to and from which packets pass that connection tracking calls invalid; everything where none is dropped.

    A rule that drops what is invalid towards some destinations only leaves what comes from them alone.
    """
    sets = dict(_named_sets(text))
    rules = list(_forward_rules(text))
    if not any(_INVALID.search(rule) for rule, _line in rules):
        return EVERYTHING
    to: dict[IPNetwork, None] = {}
    back: dict[IPNetwork, None] = {}
    answers_pass = all(_DESTINATION.search(rule) for rule, _line in rules if _INVALID.search(rule))
    for rule, line in rules:
        if _INVALID.search(rule):
            break
        plain = _PLAIN.fullmatch(rule)
        if plain:
            found = _members(plain[2] or plain[3], sets)
            (to if plain[1] == "d" else back).update(
                dict.fromkeys(net for word in found for net in _networks(word, Place(path, line), notes))
            )
    return tuple(prefix for prefix in to if answers_pass or prefix in back)


def forward_line(text: str) -> int:
    """The line of the first rule for forwarded packets; 1 where there is none."""
    return next((line for rule, line in _forward_rules(text) if not rule.startswith("policy ")), 1)


def _members(words: str, sets: dict[str, list[str]]) -> list[str]:
    return [
        member
        for word in words.replace(",", " ").split()
        for member in (sets.get(word[1:], []) if word.startswith(("@", "$")) else [word])
    ]


def _networks(word: str, place: Place, notes: Notes) -> list[IPNetwork]:
    first, dash, last = word.partition("-")
    if not dash:
        network = notes.network(word, place, "a destination of the firewall")
        return [] if network is None else [network]
    try:
        return list(summarize_address_range(ip_address(first), ip_address(last)))
    except (ValueError, TypeError):
        notes.add("READ001", place, f"{word!r} is no range of addresses; nft refuses the file.", "Write first-last.")
        return []


def _named_sets(text: str) -> Iterator[tuple[str, list[str]]]:
    plain = _without_comments(text)
    for name, body in re.findall(r"\bset\s+(\w+)\s*\{[^{}]*elements\s*=\s*\{([^{}]*)\}", plain):
        yield name, body.replace(",", " ").split()
    for name, body in re.findall(r"\bdefine\s+(\w+)\s*=\s*\{([^{}]*)\}", plain):
        yield name, body.replace(",", " ").split()
    for name, body in re.findall(r"\bdefine\s+(\w+)\s*=\s*([^\s{}]+)", plain):
        yield name, [body]


def _without_comments(text: str) -> str:
    return re.sub(r"#[^\n]*", "", text)


def _forward_rules(text: str) -> Iterator[tuple[str, int]]:
    """Rules of chains with the forward hook as words joined by blanks, each with its line."""
    depth, rule, in_forward, chain_depth = 0, list[str](), False, -1
    first_line = 0
    for word, line in _tokens(text):
        if word == "{" and rule[:1] == ["chain"]:
            depth, chain_depth, rule, in_forward = depth + 1, depth + 1, [], False
        elif word == "{" and depth == chain_depth:
            rule.append(word)
            depth += 1
        elif word == "}" and depth > chain_depth >= 0:
            rule.append(word)
            depth -= 1
        elif word in ("{", "}") or (word == ";" and depth <= max(chain_depth, 0)):
            if rule[:1] == ["type"]:
                in_forward = "forward" in rule
            elif in_forward and depth == chain_depth and rule:
                yield " ".join(rule), first_line
            rule = []
            depth += {"{": 1, "}": -1}.get(word, 0)
            if word == "}" and depth < chain_depth:
                chain_depth, in_forward = -1, False
        elif word != ";":
            first_line = first_line if rule else line
            rule.append(word)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Words, braces and `;`; the end of a line outside of braces of a set counts as `;`."""
    for number, line in enumerate(text.split("\n"), start=1):
        words = _TOKEN.findall(re.sub(r"#.*", "", line))
        for word in words:
            yield word, number
        if words and words[-1] not in ("{", ",", ";"):
            yield ";", number
