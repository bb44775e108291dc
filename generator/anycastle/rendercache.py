"""What Helm made of a chart, remembered by everything that it depends on; beside `helm`, the door to the engine.

A hit never loads the engine. The key covers every byte of the chart, the values, the release, the Kubernetes version,
the engine, and the code that reads its answers. An entry that is damaged counts as absent; old ones make room for new.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any, NamedTuple

from anycastle import __version__, cache, helm, textfile
from anycastle.finding import Finding, Place, Severity

FORMAT = 1
MAX_BYTES = 64 * 1024 * 1024
"""Of all entries together; a chart of this project takes about 5 KiB."""
MAX_ENTRY = MAX_BYTES // 8

_FOLDER = "renders"


class Task(NamedTuple):
    """A chart to be rendered as `helm.judged` does. `entry` is where the result is remembered, if anywhere."""

    chart: Path
    values: Mapping[str, Any]
    release: helm.Release
    label: str
    entry: Path | None
    linted: bool = True

    def known(self) -> helm.Rendered | None:
        """What is remembered."""
        return None if self.entry is None else _read(self.entry)

    def made(self) -> helm.Rendered:
        """What Helm makes of it now, remembered from now on."""
        made = helm.judged(self.chart, self.values, self.release, self.label, linted=self.linted)
        unsure = any(finding.code == "HELM003" for finding in made.findings)  # that depends on the machine, too
        if self.entry is not None and not unsure:
            _keep(self.entry, made)
        return made


def task(
    chart: Path,
    values: Mapping[str, Any],
    release: helm.Release,
    label: str,
    store: Path | None,
    *,
    linted: bool = True,
) -> Task:
    """`store` is the cache, if any; `linted` as for `helm.judged`."""
    key = _key(chart, values, release, label, linted) if store else None
    return Task(chart, values, release, label, store / _FOLDER / key if store and key else None, linted)


def render(
    chart: Path,
    values: Mapping[str, Any],
    release: helm.Release,
    label: str,
    store: Path | None,
    *,
    linted: bool = True,
) -> helm.Rendered:
    """What is remembered, or else what Helm makes of it now."""
    asked = task(chart, values, release, label, store, linted=linted)
    found = asked.known()
    return asked.made() if found is None else found


def _key(chart: Path, values: Mapping[str, Any], release: helm.Release, label: str, linted: bool) -> str | None:
    """SHA-256 of everything that decides the result; None where that cannot be told."""
    import hashlib

    try:
        given = json.dumps([FORMAT, __version__, label, astuple(release), linted, values], allow_nan=False)
        digest = hashlib.sha256(given.encode())
        digest.update(_engine())
        for name, data in _files(chart, ""):
            digest.update(f"\0{name}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
            digest.update(data)
    except (OSError, ImportError, TypeError, ValueError, RecursionError):
        return None
    return digest.hexdigest()


@functools.cache
def _engine() -> bytes:
    """What the engine is, and the code of this program that reads its answers. Raises as `helm.identity` does."""
    code = sorted(Path(helm.__file__).parent.glob("*.py"))
    return json.dumps(helm.identity()).encode() + b"".join(path.read_bytes() for path in code)


def _files(chart: Path, folder: str) -> Iterator[tuple[str, bytes]]:
    """Files of a chart in one order. Raises `ValueError` for a link to a folder, which Helm would follow."""
    with os.scandir(chart / folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        name = f"{folder}{entry.name}"
        if entry.is_dir():
            if entry.is_symlink():
                raise ValueError(name)
            yield from _files(chart, f"{name}/")
        else:
            yield name, textfile.read(Path(entry.path), MAX_BYTES)


def _read(path: Path) -> helm.Rendered | None:
    import hashlib

    try:
        head, _, body = path.read_bytes().partition(b"\n")
        if head.decode() != hashlib.sha256(body).hexdigest():
            return None
        value = json.loads(body)
        result = helm.Rendered(
            tuple((str(name), str(text)) for name, text in value["texts"]), tuple(map(_finding, value["findings"]))
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    with contextlib.suppress(OSError):  # perhaps somebody else's cache
        os.utime(path)  # what is used stays
    return result


def _finding(row: list[Any]) -> Finding:
    code, severity, (path, line, key), message, fix = row
    return Finding(code, Severity(severity), Place(path, line, key), message, fix)


def _keep(path: Path, result: helm.Rendered) -> None:
    """Write an entry if it is no giant; whatever forbids it costs only time."""
    import hashlib

    value = {"texts": result.texts, "findings": [astuple(finding) for finding in result.findings]}
    body = json.dumps(value, separators=(",", ":")).encode()
    if len(body) > MAX_ENTRY:
        return
    try:
        cache.write(path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        _make_room(path.parent)
    except OSError:
        return


def _make_room(folder: Path) -> None:
    """Remove what was not used for the longest time, until the entries take at most three quarters of their room."""
    with os.scandir(folder) as found:
        entries = sorted((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in found)
    total = sum(size for _used, size, _path in entries)
    if total <= MAX_BYTES:
        return
    for _used, size, path in entries:
        if total <= MAX_BYTES * 3 // 4:
            return
        Path(path).unlink(missing_ok=True)
        total -= size
