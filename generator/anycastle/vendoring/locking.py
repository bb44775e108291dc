"""The lock: which bytes of upstream the vendored charts are."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from anycastle import textfile, yamlio
from anycastle.finding import Finding, Severity
from anycastle.vendoring import codes
from anycastle.vendoring.wanted import FOLDER, Wanted

LOCK = f"{FOLDER}/charts.lock.yaml"
MAX_LOCK = 1024 * 1024
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""Of a chart; what Helm takes, and never a way out of the folder."""
_FIELDS = ("repository", "name", "version", "digest", "content")
_HEADER = (
    "Written by `anycastle vendor`: which bytes of upstream lie beside it. `digest` is that of the packed chart, as\n"
    "the index of its repository gives it; `content` covers the path and the bytes of every file."
)


class Locked(NamedTuple):
    """A chart with the SHA-256 of its archive and of its unpacked files, both in hexadecimal."""

    wanted: Wanted
    digest: str
    content: str


def text(entries: Iterable[Locked]) -> str:
    """The lock file."""
    charts = [
        {**entry.wanted._asdict(), "digest": f"sha256:{entry.digest}", "content": f"sha256:{entry.content}"}
        for entry in sorted(entries)
    ]
    return yamlio.header(_HEADER) + yamlio.dump({"charts": charts})


def read(root: Path) -> tuple[Locked, ...] | Finding:
    """The entries of a repository's lock, none where it has no lock; a finding where that cannot be read."""
    try:
        data = textfile.read(root / LOCK, MAX_LOCK)
    except FileNotFoundError:
        return ()
    except OSError as error:
        return codes.unreadable_lock(LOCK, f"cannot be read ({error.strerror})")
    loaded = yamlio.load(data, LOCK)
    value = loaded.documents[0].value if len(loaded.documents) == 1 else None
    charts = value.get("charts") if isinstance(value, dict) else None
    if any(finding.severity is Severity.ERROR for finding in loaded.findings) or not isinstance(charts, list):
        return codes.unreadable_lock(LOCK, "is not the file that was written")
    entries = tuple(entry for one in charts if (entry := _entry(one)) is not None)
    return entries if len(entries) == len(charts) else codes.unreadable_lock(LOCK, "has an entry that is not whole")


def _entry(value: object) -> Locked | None:
    if not isinstance(value, dict) or set(value) != set(_FIELDS) or not all(isinstance(v, str) for v in value.values()):
        return None
    if not _NAME.fullmatch(value["name"]):
        return None
    digest, content = (value[key].removeprefix("sha256:") for key in ("digest", "content"))
    return Locked(Wanted(value["repository"], value["name"], value["version"]), digest, content)


def content_of(files: Mapping[str, bytes]) -> str:
    """SHA-256 of the files of a chart by their paths inside it."""
    whole = hashlib.sha256()
    for path, data in sorted(files.items()):
        whole.update(f"{path}\0{len(data)}\0".encode())
        whole.update(data)
    return whole.hexdigest()


def changed(root: Path) -> Iterator[Finding]:
    """One finding for each vendored chart that is not what the lock says; none where there is no lock."""
    entries = read(root)
    if isinstance(entries, Finding):
        yield entries
        return
    for entry in entries:
        if on_disk(root / FOLDER / entry.wanted.name) != entry.content:
            yield codes.edited(entry.wanted.name, LOCK)


def on_disk(chart: Path) -> str:
    """`content_of` the files of a folder; empty where one is a link or cannot be read, or there is no such folder."""
    found: dict[str, bytes] = {}
    try:
        for path in sorted(chart.rglob("*")):
            if path.is_symlink() or len(found) > MAX_FILES:
                return ""
            if not path.is_dir():
                found[path.relative_to(chart).as_posix()] = textfile.read(path, MAX_FILE)
    except OSError:
        return ""
    return content_of(found) if found else ""


MAX_FILES = 5000
"""Of a chart."""
MAX_FILE = 16 * 1024 * 1024
"""Bytes; the largest definition in wide use has two million."""
