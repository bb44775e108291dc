"""API servers and Service endpoints: one loop owns the listening sockets of all nodes.

Each answers any request with the name of its node. A socket belongs to the namespace in which it was made, so one
thread is enough for two hundred nodes.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from anycastle.lab.namespace import inside

_BACKLOG = 256
_PATIENCE = 5
"""Seconds for a client that has connected to say something."""


class Servers:
    """Listens where it is told to, in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._open: dict[tuple[str, int], asyncio.Server] = {}
        threading.Thread(target=self._loop.run_forever, name="servers", daemon=True).start()

    def listen(self, node: str, port: int) -> None:
        """Answer on every address of a node, of both families where its kernel has IPv6."""
        with inside(node):
            both = Path("/proc/thread-self/net/if_inet6").exists()
            listening = socket.socket(socket.AF_INET6 if both else socket.AF_INET, socket.SOCK_STREAM)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if both:
                listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            listening.bind(("", port))
        listening.setblocking(False)
        self._open[node, port] = self._do(self._start(node, listening))

    def close(self, node: str, port: int) -> None:
        """Stop: whoever connects afterwards is refused."""
        server = self._open.pop((node, port))
        self._do(self._stop(server))

    def stop(self) -> None:
        """Close everything."""
        for node, port in tuple(self._open):
            self.close(node, port)
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _start(self, node: str, listening: socket.socket) -> asyncio.Server:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await _answer(node, reader, writer)

        return await asyncio.start_server(answer, sock=listening, backlog=_BACKLOG)

    async def _stop(self, server: asyncio.Server) -> None:
        server.close()


async def _answer(node: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _PATIENCE)
        body = f"{node}\n".encode()
        head = (
            f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode() + body)
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
        pass  # the client has gone, or its way back is cut: just what scenarios do
    finally:
        writer.close()
