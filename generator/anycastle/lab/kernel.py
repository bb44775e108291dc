"""The kernel's routing table over one netlink socket: about a millisecond a look, no process started."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from ipaddress import ip_address, ip_network

from anycastle.lab.namespace import inside
from anycastle.network.addresses import IPAddress, IPNetwork

FROM_BGP = 186
"""RTPROT_BGP: FRR's bgpd by way of zebra."""
STATIC = 196
"""RTPROT_ZSTATIC: FRR's staticd by way of zebra."""

_GETROUTE, _NEWROUTE, _DONE, _ERROR = 26, 24, 3, 2
_REQUEST_DUMP = 0x301
_RTA_DST, _RTA_GATEWAY, _RTA_MULTIPATH = 1, 5, 9
_MAIN_TABLE, _UNICAST = 254, 1
_LENGTH = {socket.AF_INET: 4, socket.AF_INET6: 16}


class RouteSocket:
    """Reads the main tables of both families of one namespace, into which it was opened. For one thread."""

    def __init__(self, namespace: str) -> None:
        with inside(namespace):
            self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 0)
        self._socket.settimeout(2)
        self._sequence = 0

    def close(self) -> None:
        """Give the socket back."""
        self._socket.close()

    def routes(self, protocol: int = FROM_BGP) -> dict[IPNetwork, frozenset[IPAddress]]:
        """Prefix -> next hops, of the routes that one protocol has put in."""
        self._sequence += 1
        body = struct.pack("=BBBBBBBBI", socket.AF_UNSPEC, 0, 0, 0, 0, 0, 0, 0, 0)
        head = struct.pack("=IHHII", 16 + len(body), _GETROUTE, _REQUEST_DUMP, self._sequence, 0)
        self._socket.send(head + body)
        return dict(self._answers(protocol))

    def _answers(self, protocol: int) -> Iterator[tuple[IPNetwork, frozenset[IPAddress]]]:
        while True:
            received = self._socket.recv(1 << 18)
            for kind, sequence, payload in _messages(received):
                if sequence != self._sequence:
                    continue
                if kind in (_DONE, _ERROR):
                    return
                if kind == _NEWROUTE and (route := _route(payload, protocol)) is not None:
                    yield route


def _messages(received: bytes) -> Iterator[tuple[int, int, bytes]]:
    at = 0
    while at + 16 <= len(received):
        length, kind, _flags, sequence, _pid = struct.unpack_from("=IHHII", received, at)
        yield kind, sequence, received[at + 16 : at + length]
        at += (length + 3) & ~3


def _route(payload: bytes, protocol: int) -> tuple[IPNetwork, frozenset[IPAddress]] | None:
    family, bits, _source, _tos, table, origin, _scope, kind, _flags = struct.unpack_from("=BBBBBBBBI", payload)
    if family not in _LENGTH or origin != protocol or table != _MAIN_TABLE or kind != _UNICAST:
        return None
    attributes = dict(_attributes(payload[12:]))
    prefix = ip_network((attributes.get(_RTA_DST, bytes(_LENGTH[family])), bits))
    return prefix, frozenset(_hops(attributes))


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 4 <= len(data):
        length, kind = struct.unpack_from("=HH", data, at)
        if length < 4:
            return
        yield kind & 0x3FFF, data[at + 4 : at + length]
        at += (length + 3) & ~3


def _hops(attributes: dict[int, bytes]) -> Iterator[IPAddress]:
    if _RTA_GATEWAY in attributes:
        yield ip_address(attributes[_RTA_GATEWAY])
    several = attributes.get(_RTA_MULTIPATH, b"")
    at = 0
    while at + 8 <= len(several):
        length, _flags, _weight, _interface = struct.unpack_from("=HBBi", several, at)
        inner = dict(_attributes(several[at + 8 : at + length]))
        if _RTA_GATEWAY in inner:
            yield ip_address(inner[_RTA_GATEWAY])
        at += (length + 3) & ~3
