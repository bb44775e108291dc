"""A packed chart to its files, in memory: nothing of an archive is trusted."""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from pathlib import PurePosixPath

from anycastle.vendoring.locking import MAX_FILE, MAX_FILES

MAX_UNPACKED = 64 * 1024 * 1024
"""Bytes of all files together; kube-prometheus-stack, the largest in wide use, has 9 million."""


class Unusable(ValueError):
    """Raised for an archive that is no chart; the message goes on after `it`."""


def unpacked(data: bytes, name: str) -> dict[str, bytes]:
    """The files of the chart by path inside it. Raises `Unusable`."""
    try:
        plain = _inflated(data)
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
            files = dict(_member(archive, member, name) for member in archive if not member.isdir())
    except (tarfile.TarError, EOFError, OSError, zlib.error, UnicodeError, OverflowError) as error:
        raise Unusable(f"is no packed chart ({error})") from error
    if "Chart.yaml" not in files:
        raise Unusable("has no Chart.yaml")
    return files


def _inflated(data: bytes) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        plain = stream.read(MAX_UNPACKED + 1)
    if len(plain) > MAX_UNPACKED:
        raise Unusable(f"unpacks to more than {MAX_UNPACKED >> 20} MiB")
    if plain.count(b"ustar") > MAX_FILES:
        raise Unusable(f"holds more than {MAX_FILES} files")
    return plain


def _member(archive: tarfile.TarFile, member: tarfile.TarInfo, name: str) -> tuple[str, bytes]:
    path = PurePosixPath(member.name)
    inside = path.parts[1:]
    if path.is_absolute() or path.parts[:1] != (name,) or not inside or ".." in inside or "\\" in member.name:
        raise Unusable(f"holds {member.name[:100]!r}, which is not below {name}/")
    if not member.isreg():
        raise Unusable(f"holds {member.name[:100]!r}, which is no regular file")
    if member.size > MAX_FILE:
        raise Unusable(f"holds {member.name[:100]!r} with more than {MAX_FILE >> 20} MiB")
    content = archive.extractfile(member)
    return "/".join(inside), content.read() if content is not None else b""
