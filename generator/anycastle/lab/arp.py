"""Who answers to ARP for an address on a link: asked as a neighbour asks, every answer counted."""

from __future__ import annotations

import socket
import struct
import time

from anycastle.lab.namespace import inside
from anycastle.lab.wiring import Port
from anycastle.network.addresses import IPAddress

_ETHER_ARP = 0x0806
_EVERYBODY = b"\xff" * 6
_REQUEST, _REPLY = 1, 2
_PATIENCE = 0.4


def answers(machine: str, port: Port, address: IPAddress) -> frozenset[str]:
    """The hardware addresses that claim to have `address`."""
    with inside(machine):
        link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETHER_ARP))
        link.bind((port.interface, _ETHER_ARP))
    with link:
        own = link.getsockname()[4]
        head = _EVERYBODY + own + struct.pack("!H", _ETHER_ARP)
        body = struct.pack("!HHBBH", 1, 0x0800, 6, 4, _REQUEST) + own + port.addresses[0].ip.packed
        link.send(head + body + bytes(6) + address.packed)
        return frozenset(_replies(link, address))


def _replies(link: socket.socket, address: IPAddress) -> list[str]:
    found: list[str] = []
    end = time.monotonic() + _PATIENCE
    while (left := end - time.monotonic()) > 0:
        link.settimeout(left)
        try:
            frame = link.recv(128)
        except TimeoutError:
            break
        if struct.unpack_from("!H", frame, 20)[0] == _REPLY and frame[28:32] == address.packed:
            found.append(frame[22:28].hex(":"))
    return found
