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
from typing import Any

from anycastle import __version__, cache, helm, textfile
from anycastle.finding import Finding, Place, Severity

FORMAT = 1
MAX_BYTES = 64 * 1024 * 1024
"""Of all entries together; a chart of this project takes about 5 KiB."""
MAX_ENTRY = MAX_BYTES // 8

_FOLDER = "renders"


def render(
    chart: Path, values: Mapping[str, Any], release: helm.Release, label: str, store: Path | None
) -> helm.Rendered:
    """`helm.render`, with what `helm.lint` says where nothing else is wrong. `store` is the cache, if any."""
    key = _key(chart, values, release, label) if store else None
    if store is None or key is None:
        return _made(chart, values, release, label)
    path = store / _FOLDER / key
    found = _read(path)
    if found is None:
        found = _made(chart, values, release, label)
        if all(finding.code != "HELM003" for finding in found.findings):  # that depends on the machine, too
            _keep(path, found)
    return found


def _made(chart: Path, values: Mapping[str, Any], release: helm.Release, label: str) -> helm.Rendered:
    rendered = helm.render(chart, values, release, label)
    if rendered.findings:
        return rendered
    return helm.Rendered(rendered.texts, helm.lint(chart, values, release.kube_version, label))


def _key(chart: Path, values: Mapping[str, Any], release: helm.Release, label: str) -> str | None:
    """SHA-256 of everything that decides the result; None where that cannot be told."""
    import hashlib

    try:
        given = json.dumps([FORMAT, __version__, label, astuple(release), values], allow_nan=False)
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
