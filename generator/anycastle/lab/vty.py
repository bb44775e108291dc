"""The terminal of a running FRR daemon, as vtysh uses it: a command and a zero byte go in by a socket, text comes out.

The answer ends with three zero bytes and one with the result (FRR lib/vty.c, vtysh_read). A question takes about a
millisecond; vtysh itself takes thirty, most of it for its own start.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_END = b"\0\0\0"
_PATIENCE = 5.0


def show(directory: Path, words: str) -> Mapping[str, Any]:
    """What `show WORDS json` says on the router whose sockets lie here; empty where nobody answers just now."""
    daemon = "bgpd" if words.startswith("bgp") else "zebra"
    try:
        found = json.loads(_ask(directory / f"{daemon}.vty", f"show {words} json"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _ask(path: Path, command: str) -> str:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as terminal:
        terminal.settimeout(_PATIENCE)
        terminal.connect(str(path))
        terminal.sendall(command.encode() + b"\0")
        received = b""
        while not (len(received) >= 4 and received[-4:-1] == _END):
            chunk = terminal.recv(1 << 16)
            if not chunk:
                break
            received += chunk
    return received.rstrip(b"\0").decode("utf-8", "replace")
