"""The cache of upstream definitions: one pack for each source, written whole, read in milliseconds.

A pack is a file of JSON lines. The first says what the pack is (`Source`) and carries a digest of the rest; each
further line is one kind and is parsed when an object of that kind occurs. A pack that is damaged, or written by
another version of this tool, is reported and left aside.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, astuple, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from anycastle.cache import write
from anycastle.finding import Finding, Place, Refused, Severity
from anycastle.records import dataclass
from anycastle.schemas.crd import Definition, Name, Rule

FORMAT = 1
FROM_FOLDER = "folder"
Echo = Callable[[str], None]
"""Takes text with its line ends."""

_FOLDER = "schemas"
_SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a pack came from: an upstream project at a version, or a folder (whose version nobody knows).

    `inputs` are the sha256 of the files that held definitions, by their path below `origin`.
    """

    name: str
    version: str
    origin: str
    inputs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Pack:
    """Every definition in the cache; where two sources define a kind, the later name wins (`folder` is last)."""

    sources: tuple[Source, ...]
    findings: tuple[Finding, ...]
    lines: Mapping[Name, bytes] = field(repr=False)

    def find(self, name: Name) -> Definition | None:
        """The definition of a kind, or None where the cache has none."""
        line = self.lines.get(name)
        return None if line is None else _definition(line)


def load(cache: Path) -> Pack | None:
    """What the cache holds; None where nothing was ever fetched."""
    sources: list[Source] = []
    findings: list[Finding] = []
    lines: dict[Name, bytes] = {}
    for path in _paths(cache):
        try:
            source, found = _read(path)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            findings.append(_damaged(path.name, error))
        else:
            sources.append(source)
            lines.update(found)
    return Pack(tuple(sources), tuple(findings), lines) if sources or findings else None


def _paths(cache: Path) -> list[Path]:
    """Packs by name, that of a folder last: what a person has brought along outweighs what was downloaded."""
    try:
        found = [path for path in (cache / _FOLDER).iterdir() if path.suffix == _SUFFIX]
    except OSError:
        return []
    return sorted(found, key=lambda path: (path.stem == FROM_FOLDER, path.name))


def _read(path: Path) -> tuple[Source, dict[Name, bytes]]:
    first, _, body = path.read_bytes().partition(b"\n")
    head = json.loads(first)
    if head["format"] != FORMAT:
        raise ValueError(f"it has the format {head['format']}, not {FORMAT}")
    if hashlib.sha256(body).hexdigest() != head["body"]:
        raise ValueError("its digest does not match")
    source = Source(**{key: head["source"][key] for key in Source.__slots__})
    names = [(str(api_version), str(kind)) for api_version, kind in head["kinds"]]
    lines = body.splitlines()
    if len(lines) != len(names):
        raise ValueError(f"it names {len(names)} kinds and holds {len(lines)}")
    return source, dict(zip(names, lines, strict=True))


def _damaged(name: str, error: Exception) -> Finding:
    return Finding(
        "OBJ017",
        Severity.UNCHECKED,
        Place(key=f"{_FOLDER}/{name}"),
        f"The fetched definitions in {name} cannot be used ({_reason(error)}), so their kinds are judged by what "
        "this tool knows itself, if at all.",
        "Run `anycastle schemas fetch` again, or delete the file in the cache.",
    )


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return "it is not JSON"
    if isinstance(error, OSError):
        return error.strerror or "it cannot be read"
    return str(error) if type(error) is ValueError else "it has another shape"


@lru_cache(maxsize=1024)
def _definition(line: bytes) -> Definition:
    schema, rules = json.loads(line)
    if not isinstance(schema, dict):
        raise TypeError("a schema is no mapping")
    return Definition(schema, tuple(_rule(*each) for each in rules))


def _rule(place: list[Any], text: str, message: str, expression: str, blamed: list[str]) -> Rule:
    return Rule(tuple(place), text, message, expression, tuple(blamed))


def save(source: Source, definitions: Mapping[Name, Definition], cache: Path) -> Path:
    """Write a pack whole or not at all, over an earlier one of its name. Raises `Refused`."""
    names = sorted(definitions)
    body = b"".join(_line(definitions[name]) for name in names)
    head = {
        "format": FORMAT,
        "source": {**asdict(source), "inputs": dict(sorted(source.inputs.items()))},
        "kinds": names,
        "body": hashlib.sha256(body).hexdigest(),
    }
    path = cache / _FOLDER / f"{source.name}{_SUFFIX}"
    try:
        write(path, _compact(head) + body)
    except OSError as error:
        raise refused(
            f"The cache {cache} cannot be written: {error.strerror}.",
            "Make the folder writable, or name another one in ANYCASTLE_CACHE.",
        ) from error
    return path


def _line(definition: Definition) -> bytes:
    return _compact([definition.schema, [astuple(rule) for rule in definition.rules]])


def _compact(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode() + b"\n"


def refused(message: str, fix: str) -> Refused:
    """The reason why nothing was fetched."""
    return Refused([Finding("OBJ018", Severity.ERROR, Place(key="schemas"), message, fix)])


def run_fetch(from_dir: Path | None, cache: Path, echo: Echo) -> int:
    """Fill the cache from a folder, or else from the pinned releases; 0, or 1 where nothing was changed."""
    from anycastle.schemas import fetching

    try:
        packs = fetching.fetch_from(from_dir, cache) if from_dir else fetching.fetch(fetching.PINNED, cache)
    except Refused as reasons:
        echo("".join(f"{finding.message} {finding.fix}\n" for finding in reasons.findings) + "Nothing was changed.\n")
        return 1
    for gathered in packs:
        echo("".join(f"note: {note}\n" for note in gathered.notes))
        rules = sum(len(definition.rules) for definition in gathered.definitions.values())
        echo(f"{_titled(gathered.source)}: {len(gathered.definitions)} kinds, {rules} rules\n")
    return 0


def run_status(cache: Path, echo: Echo) -> int:
    """Say what the cache holds; 0, or 1 where a part of it cannot be used."""
    pack = load(cache)
    if pack is None:
        echo(f"{cache}: no definitions; `anycastle schemas fetch` brings them.\n")
        return 0
    echo(f"{cache}: {len(pack.lines)} kinds\n")
    echo("".join(f"{_titled(source)}: {len(source.inputs)} files from {source.origin}\n" for source in pack.sources))
    echo("".join(f"{finding.message} {finding.fix}\n" for finding in pack.findings))
    return 1 if pack.findings else 0


def _titled(source: Source) -> str:
    return " ".join(part for part in (source.name, source.version) if part)
