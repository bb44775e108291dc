"""Chart repositories over HTTP: the index, and the packed chart that it names (Helm's chart repository guide)."""

from __future__ import annotations

import hashlib
import re
import urllib.parse
from typing import NamedTuple

import yaml

from anycastle.download import Unreachable, download
from anycastle.finding import Refused
from anycastle.vendoring import archives, codes
from anycastle.vendoring.locking import Locked, content_of
from anycastle.vendoring.wanted import Wanted

MAX_INDEX = 64 * 1024 * 1024
MAX_CHART = 32 * 1024 * 1024
_DIGEST = re.compile(r"(?:sha256:)?([0-9a-f]{64})")
_NO_NETWORK = "Connect to the network, or name a mirror of the chart repositories: --charts URL."


class Entry(NamedTuple):
    """Where an index says that a packed chart lies, and its SHA-256 in hexadecimal; empty where it says none."""

    url: str
    digest: str


class Fetched(NamedTuple):
    """A chart with its files by path inside it."""

    locked: Locked
    files: dict[str, bytes]


def fetched(wanted: Wanted, mirror: str = "") -> Fetched:
    """One chart. `mirror` takes the place of its repository. Raises `Refused` with VEND001 or VEND002."""
    base = (mirror or wanted.repository).rstrip("/")
    entry = found_in(_get(f"{base}/index.yaml", MAX_INDEX, wanted), wanted, base)
    data = _get(entry.url, MAX_CHART, wanted)
    digest = hashlib.sha256(data).hexdigest()
    if entry.digest and digest != entry.digest:
        raise Refused([codes.other_bytes(wanted, f"The index of {base}", entry.digest, digest)])
    try:
        files = archives.unpacked(data, wanted.name)
    except archives.Unusable as error:
        raise Refused([codes.unreachable(wanted, f"what {entry.url} serves {error}", "Look at it by hand.")]) from error
    return Fetched(Locked(wanted, digest, content_of(files)), files)


def found_in(index: bytes, wanted: Wanted, base: str) -> Entry:
    """The entry of a chart in an index; relative addresses are completed by `base`. Raises `Refused` with VEND001."""
    try:
        value = yaml.load(index, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506
    except (yaml.YAMLError, RecursionError, ValueError):
        value = None
    charts = value.get("entries") if isinstance(value, dict) else None
    if not isinstance(charts, dict):
        raise Refused([codes.unreachable(wanted, f"{base}/index.yaml is no index of charts", "Check the address.")])
    listed = charts.get(wanted.name)
    versions = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    for one in versions:
        urls = one.get("urls")
        if _same(one.get("version"), wanted.version) and isinstance(urls, list) and urls and isinstance(urls[0], str):
            match = _DIGEST.fullmatch(str(one.get("digest", "")))
            return Entry(urllib.parse.urljoin(f"{base}/", urls[0]), match[1] if match else "")
    newest = ", ".join(str(one.get("version"))[:40] for one in versions[:3])
    known = f"its index has {newest}" if newest else "its index does not have the chart"
    raise Refused([codes.unreachable(wanted, f"{known}", "Write one of its versions under `versions` of site.yaml.")])


def _same(one: object, other: str) -> bool:
    """Helm takes a version with and without a leading v for the same."""
    return isinstance(one, str) and one.removeprefix("v") == other.removeprefix("v")


def _get(url: str, limit: int, wanted: Wanted) -> bytes:
    """What an address serves; charts in an OCI registry have to be mirrored first."""
    try:
        return download(url, limit)
    except Unreachable as error:
        raise Refused([codes.unreachable(wanted, f"{url[:200]} {error}", _NO_NETWORK)]) from error
