"""Addresses, networks, ports and communities in texts: what is wrong with one, in words.

Python's own parser takes netmasks and zones where Go does not, so those are refused here first.
"""

from __future__ import annotations

import ipaddress
import re

from anycastle.schemas.fault import Complaint

DNS_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_CIDR = re.compile(r"[0-9a-fA-F.:]+/(0|[1-9]\d{0,2})")


def network(value: str) -> Complaint | None:
    """A network in CIDR form on its own boundary (CAL001, CAL002)."""
    exact = interface(value)
    return _no_cidr(value) if exact is None else _host_bits(exact, value)


def network_or_address(value: str) -> Complaint | None:
    """The same, or a single address, which stands for itself."""
    return None if is_address(value) else network(value)


def interface(value: str) -> ipaddress.IPv4Interface | ipaddress.IPv6Interface | None:
    """Address and prefix length; None for anything else, a netmask or a zone included."""
    if _CIDR.fullmatch(value) is None:
        return None
    try:
        return ipaddress.ip_interface(value)
    except ValueError:
        return None


def _no_cidr(value: str) -> Complaint:
    return Complaint(
        "CAL001",
        f"`{value}` is no network in CIDR form: Calico takes the text and then hands out and announces nothing",
        "Write address, slash and prefix length, such as 192.0.2.0/24 or 2001:db8::/64.",
    )


def _host_bits(written: ipaddress.IPv4Interface | ipaddress.IPv6Interface, value: str) -> Complaint | None:
    exact = written.network
    if written.ip == exact.network_address:
        return None
    return Complaint(
        "CAL002",
        f"{value} is not on its boundary: read as a network it starts at {exact.network_address}, so addresses "
        "before the one written are included",
        f"Write {exact}, or a network that starts where it is meant to.",
    )


def address(value: str) -> Complaint | None:
    """A plain IP address (CAL021); an empty text means not set."""
    if value and not is_address(value):
        return Complaint(
            "CAL021",
            f"`{value}` is no IP address, so the session it belongs to is never configured",
            "Write a plain address such as 192.0.2.1 or 2001:db8::1.",
        )
    return None


def is_address(value: str) -> bool:
    """Whether the text is one IP address, without zone."""
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return "%" not in value


def plain_address(value: str) -> Complaint | None:
    """One IP address, where an empty text is none (OBJ008)."""
    if is_address(value):
        return None
    return Complaint("OBJ008", f"`{value}` is no IP address", "Write a plain address such as 10.96.0.10.")


def peer_address(value: str) -> Complaint | None:
    """An address with or without port: `192.0.2.1`, `192.0.2.1:179`, `2001:db8::1`, `[2001:db8::1]:179`."""
    host = split_port(value)
    if not value or (host is not None and is_address(host)):
        return None
    return Complaint(
        "CAL021",
        f"`{value}` is neither an address nor address and port, so the session is never configured",
        "Write 192.0.2.1, 192.0.2.1:179, 2001:db8::1 or [2001:db8::1]:179.",
    )


def split_port(value: str) -> str | None:
    """The host of `host:port`, `[v6]:port` or a bare host; None where the port is no port."""
    match = re.fullmatch(r"\[([^\]]+)\](?::(\d+))?|([^:]+):(\d+)", value)
    if match is None:
        return None if value.startswith("[") or value.count(":") == 1 else value
    port = match[2] or match[4]
    if port is not None and not 1 <= int(port) <= 65535:
        return None
    return match[1] or match[3]


def community(value: str) -> Complaint | None:
    """`aa:nn` with 16-bit parts or `aa:nn:mm` with 32-bit parts, in decimal (CAL042)."""
    parts = value.split(":")
    top = {2: 2**16, 3: 2**32}.get(len(parts), 0)
    if all(re.fullmatch(r"0|[1-9]\d{0,9}", part) and int(part) < top for part in parts):
        return None
    return Complaint(
        "CAL042",
        f"`{value}` is no BGP community",
        "Write aa:nn with parts up to 65535, or aa:nn:mm with parts up to 4294967295.",
    )


def ignored_interface(value: str) -> Complaint | None:
    """An interface name with wildcards, not `*` alone (CAL044)."""
    if value != "*" and re.fullmatch(r"[a-zA-Z0-9_.*-]{1,15}", value):
        return None
    return Complaint("CAL044", f"`{value}` is no interface name that can be ignored", "Write e.g. docker0 or veth*.")


def endpoint(value: str, *, port_needed: bool = False) -> Complaint | None:
    """An address or DNS name, with a port if need be; no scheme (KUBEADM002)."""
    host = split_port(value)
    bare = host == value
    good = host is not None and not (port_needed and bare) and (is_address(host) or DNS_NAME.fullmatch(host))
    if good:
        return None
    return Complaint(
        "KUBEADM002",
        f"`{value}` is not {'a host with its port' if port_needed else 'a host, with or without a port'}, so "
        "kubeadm stops before it reaches the API server",
        "Write e.g. api.example.com:6443 or 192.0.2.1:6443: lower case, no scheme, no path.",
    )


def join_endpoint(value: str) -> Complaint | None:
    """The same with its port, as a join needs it."""
    return endpoint(value, port_needed=True)


def cluster_networks(value: str) -> Complaint | None:
    """One network, or one of each family joined by a comma; empty means not set (KUBEADM009)."""
    for part in value.split(",") if value else ():
        if network(part.strip()) is not None:
            return Complaint(
                "KUBEADM009",
                f"`{part}` is no network in CIDR form on its own boundary",
                "Write e.g. 10.96.0.0/12, or one network of each family joined by a comma.",
            )
    return None


def advertised(value: str) -> Complaint | None:
    """An address that the API server can listen on (KUBEADM011)."""
    if is_address(value) and not ipaddress.ip_address(value).is_unspecified:
        return None
    return Complaint(
        "KUBEADM011",
        f"`{value}` is no address that the API server can listen on",
        "Write the plain address of the node itself.",
    )


def certificate_name(value: str) -> Complaint | None:
    """An entry of certSANs (KUBEADM012)."""
    if is_address(value) or DNS_NAME.fullmatch(value.removeprefix("*.")):
        return None
    return Complaint(
        "KUBEADM012",
        f"`{value}` is neither an address nor a DNS name",
        "Write an address, a lower-case DNS name or `*.` and a domain; no port.",
    )
