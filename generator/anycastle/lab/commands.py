"""The one door to other programs: argument lists, never a shell, and an error that can be pasted into one."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

FRR = "/usr/lib/frr"
_ELSEWHERE = ("/usr/sbin", "/sbin")
"""Where Debian keeps the programs of an administrator; not in everybody's PATH."""


_AT_ONCE = 8

Item = TypeVar("Item")


class LabError(Exception):
    """The lab cannot go on; the message is meant for people."""


def environment() -> Mapping[str, str]:
    """The caller's, with the administrator's programs in PATH and untranslated messages."""
    paths = [part for part in os.environ.get("PATH", "").split(os.pathsep) if part]
    paths += [part for part in ("/usr/bin", "/bin", *_ELSEWHERE) if part not in paths]
    return {**os.environ, "PATH": os.pathsep.join(paths), "LC_ALL": "C"}


def found(program: str) -> str:
    """The full path of a program; empty where there is none."""
    return shutil.which(program, path=environment()["PATH"]) or ""


def run(argv: Sequence[str], *, text: str = "", timeout: float = 60) -> str:
    """What a program prints. Raises `LabError` where it fails, is not there, or takes longer than `timeout` seconds."""
    done = attempt(argv, text=text, timeout=timeout)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise LabError(f"`{shlex.join(argv)}` failed ({done.returncode}): {' / '.join(said[-4:])}")
    return done.stdout


def attempt(argv: Sequence[str], *, text: str = "", timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """The same where failure is an answer, too."""
    try:
        return subprocess.run(  # noqa: S603 - a list, never a shell
            list(argv),
            input=text,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            env=environment(),
            errors="replace",
        )
    except FileNotFoundError as error:
        raise LabError(f"{argv[0]} is not there.") from error
    except subprocess.TimeoutExpired as error:
        raise LabError(f"`{shlex.join(argv)}` did not end within {timeout:g} s.") from error


def spawn(argv: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """A program that stays; what it says goes to a file."""
    with log.open("ab") as file:
        return subprocess.Popen(  # noqa: S603 - a list, never a shell
            list(argv), stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, env=environment()
        )


def in_parallel(work: Callable[[Item], object], items: Iterable[Item]) -> None:
    """The same for many: most of the time a process is waited for. Raises what one of them raises."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for done in [pool.submit(work, item) for item in items]:
            done.result()
