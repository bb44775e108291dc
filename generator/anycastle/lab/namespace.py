"""Being in a network namespace for a moment, thread by thread; sockets keep the namespace in which they were made."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CLONE_NEWNET = 0x40000000
_FOLDER = Path("/run/netns")
_libc = ctypes.CDLL(None, use_errno=True)


def enter(name: str) -> None:
    """Move the calling thread into a named network namespace for good."""
    descriptor = os.open(_FOLDER / name, os.O_RDONLY | os.O_CLOEXEC)
    try:
        _set(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def inside(name: str) -> Iterator[None]:
    """Move the calling thread there and back."""
    before = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        enter(name)
        yield
    finally:
        _set(before)
        os.close(before)


def _set(descriptor: int) -> None:
    if _libc.setns(descriptor, _CLONE_NEWNET):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), "setns")


def set_sysctl(key: str, value: str) -> bool:
    """Set a `net.*` key of the namespace that the thread is in; False where the kernel does not know it."""
    try:
        file = os.open("/".join(("/proc/sys", *_steps(key))), os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        os.write(file, value.encode())
    except OSError:
        return False
    finally:
        os.close(file)
    return True


def _steps(key: str) -> list[str]:
    """`net.ipv4.conf.eth1/100.x` as sysctl(8) reads it: where dots come first, a slash stands for a dot."""
    dot, slash = key.find("."), key.find("/")
    if slash != -1 and (dot == -1 or slash < dot):
        return key.split("/")
    return [part.replace("/", ".") for part in key.split(".")]
