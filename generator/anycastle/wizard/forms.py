"""The form of an answer: `text -> canonical text`, or a `FieldError` that says what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import TypeVar

from anycastle import fields
from anycastle.fields import FieldError
from anycastle.site.age import parse_recipient
from anycastle.site.git_fields import parse_known_host
from anycastle.wizard.nodes import NONE, compact, expand

MAX_CALICO_ASN = 2_147_483_647
POD_BLOCK = 26
"""Prefix length of the block that each node takes from the pod range (Calico's default)."""

_V = TypeVar("_V", bound=IPv4Address | IPv6Address | IPv4Network | IPv6Network)


def address(text: str) -> str:
    """An IPv4 host address."""
    return str(_ipv4(fields.parse_address(text)))


def address_or_none(text: str) -> str:
    """The same, or the word none."""
    return NONE if text.lower() == NONE else address(text)


def host_keys_or_none(text: str) -> str:
    """Lines of a known_hosts file with `, ` between them, or the word none."""
    if text.lower() == NONE:
        return NONE
    return ", ".join(parse_known_host(line) for line in re.split(r",\s+", text))


def recipients_or_none(text: str) -> str:
    """Public age keys with commas between them, or the word none."""
    if text.lower() == NONE:
        return NONE
    return ", ".join(parse_recipient(part.strip()) for part in text.split(","))


def network(text: str) -> str:
    """An IPv4 network."""
    return str(_ipv4(fields.parse_cidr(text)))


def subnet(text: str) -> str:
    """A network with room for a router and the smallest cluster."""
    value = IPv4Network(network(text))
    if value.prefixlen < 8:
        raise FieldError(f"{value} is no subnet that nodes could share.", "Write a subnet such as 192.168.10.0/24.")
    least = ("a router", "a node")
    hosts = max(0, value.num_addresses - 2)
    if hosts < len(least):
        raise FieldError(
            f"{value} has {hosts} host addresses, too few for {', '.join(least[:-1])} and {least[-1]}.",
            "Write the whole subnet, such as 192.168.10.0/24.",
        )
    return str(value)


def pod_network(text: str) -> str:
    """A network that holds at least one block of pod addresses."""
    value = IPv4Network(network(text))
    if value.prefixlen > POD_BLOCK:
        raise FieldError(
            f"{value} is smaller than the /{POD_BLOCK} block that each node takes, so no pod would get an address.",
            "Write a large range, such as 172.20.0.0/16.",
        )
    return str(value)


def ranges(text: str) -> str:
    """One or more networks or first-last ranges, with commas between them."""
    parts = [part.strip(" \t") for part in text.split(",")]
    for part in parts:
        for value in fields.parse_range(part):
            _ipv4(value)
    return ", ".join(parts)


def asn(text: str) -> str:
    """An AS number."""
    return str(fields.parse_asn(text))


def asn_or_none(text: str) -> str:
    """The same, or the word none."""
    return NONE if text.lower() == NONE else asn(text)


def calico_asn(text: str) -> str:
    """An AS number that Calico's definitions can carry: they declare a signed 32-bit integer (calico#13494)."""
    number = fields.parse_asn(text)
    if number > MAX_CALICO_ASN:
        raise FieldError(
            f"{number} is above {MAX_CALICO_ASN}, which the API server refuses in Calico's objects.",
            "Write a private number that fits, from 64512 to 65534.",
        )
    return str(number)


def count(text: str) -> str:
    """A number of replicas, 1 to 1000."""
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= 1000):
        raise FieldError(f"{text[:60]!r} is not a number of replicas.", "Write a number from 1 to 1000, such as 2.")
    return str(int(text))


def one_of(*choices: str) -> Callable[[str], str]:
    """One of a few words."""

    def parse(text: str) -> str:
        if text.lower() in choices:
            return text.lower()
        raise FieldError(f"{text[:60]!r} is not one of the choices.", f"Write {' or '.join(choices)}.")

    return parse


def some_nodes(text: str) -> str:
    """A list of nodes that is not empty."""
    if (canonical := any_nodes(text)) == NONE:
        raise FieldError("A cluster without a control plane has no API server.", "Name one node or, better, three.")
    return canonical


def any_nodes(text: str) -> str:
    """A list of nodes, or the word none."""
    nodes = expand(text)
    for _, value in nodes:
        _ipv4(value)
    return compact(nodes)


def _ipv4(value: _V) -> _V:
    if value.version == 4:
        return value
    raise FieldError(f"{value} is IPv6, which the wizard does not ask for.", "Write an IPv4 address or network.")
