"""`import`: files of other tools to the first site file. Nothing is overwritten, and nothing is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from anycastle import textfile, yamlio
from anycastle.finding import Finding, Place, Refused, Severity, in_order
from anycastle.report.lines import counted

if TYPE_CHECKING:
    from anycastle.importing.draft import Draft
    from anycastle.importing.facts import Read, Source

Say = Callable[[str], None]
"""Takes text with its line ends."""

STANDARD_OUTPUT = "-"
NOT_STATED = "not stated by the source: check"

_BESIDE = ("group_vars", "host_vars")
_INVENTORIES = ("hosts.yaml", "hosts.yml", "inventory.yaml", "inventory.yml", "inventory.ini", "hosts.ini", "hosts")
_ENDINGS = frozenset(("", ".yml", ".yaml", ".json"))
_MOST_FILES = 500


class Made(NamedTuple):
    """A site file: its text, the keys whose values nobody stated, and what speaks against the site."""

    text: str
    unstated: tuple[str, ...]
    findings: tuple[Finding, ...]


def run(sources: Sequence[Path], kind: str, output: str, say: tuple[Say, Say]) -> int:
    """Write the site file that the sources make; `say` writes to standard output and to standard error.

    0; 1 where an error stands against the site that was written. Raises `Refused` where none was.
    """
    from anycastle.importing import codes
    from anycastle.importing.detect import read
    from anycastle.importing.draft import draft

    if output != STANDARD_OUTPUT and Path(output).exists():
        raise Refused([codes.taken(output)])
    reads = [read(*_source(path, kind)) for path in sources]
    drawn = draft(reads)
    made = _made(drawn, "site.yaml" if output == STANDARD_OUTPUT else output)
    if output == STANDARD_OUTPUT:
        say[0](made.text)
    else:
        _write(Path(output), made.text)
    tell = say[1] if output == STANDARD_OUTPUT else say[0]
    tell(_summary(reads, made, output))
    return int(any(finding.severity is Severity.ERROR for finding in made.findings))


def _made(drawn: Draft, label: str) -> Made:
    """The text of the site file, judged as any site file is. Raises `Refused` where it would not load."""
    from anycastle import compose
    from anycastle.render.site_file import site_yaml, written

    wrong = [finding for finding in drawn.findings if finding.severity is Severity.ERROR]
    if drawn.data is None or wrong:
        raise Refused(drawn.findings)
    judged = compose.site_findings(drawn.data)
    if judged.site is None:
        raise Refused([*drawn.findings, *(_placed(finding, drawn.stated) for finding in judged.findings)])
    unstated = tuple(_unstated(written(judged.site), drawn.stated))
    text = site_yaml(judged.site, _marks(unstated))
    again = compose.site_document_findings(yamlio.load(text, label).documents[0])
    return Made(text, unstated, in_order([*drawn.findings, *again.findings]))


def _placed(finding: Finding, stated: Mapping[str, Place]) -> Finding:
    """A fault of the site where its value comes from."""
    key = finding.where.key
    while key and key not in stated:
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    found = stated.get(key)
    return replace(finding, where=Place(found.path, found.line, finding.where.key)) if found is not None else finding


def _unstated(value: Any, stated: Mapping[str, Place], at: yamlio.Path = ()) -> Iterator[str]:
    """The keys of the written file whose values no source gave; names that only tell entries apart are none."""
    key = yamlio.dotted(at)
    if key in stated or key == "schema":
        return
    if isinstance(value, Mapping) and value:
        for name, item in value.items():
            yield from _unstated(item, stated, (*at, name))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _unstated(item, stated, (*at, index))
    elif not (at[-1] == "name" and isinstance(at[-2] if len(at) > 1 else "", int) and at[0] != "nodes"):
        yield key


def _marks(unstated: Iterable[str]) -> yamlio.Comments:
    """A comment above each key of a mapping; of entries in lists above their list, those of one sort together."""
    from anycastle.sitefile import keys_of

    plain: dict[yamlio.Path, str] = {}
    listed: dict[yamlio.Path, dict[str, int]] = {}
    for key in unstated:
        keys = keys_of(key)
        cut = next((index for index, part in enumerate(keys) if isinstance(part, int)), None)
        if cut is None:
            plain[keys] = NOT_STATED
        else:
            rest = [str(part) for part in keys[cut:] if not isinstance(part, int)]
            sorts = listed.setdefault(keys[:cut], {})
            sorts[rest[0] if rest else ""] = sorts.get(rest[0] if rest else "", 0) + 1
    return plain | {keys: _named(sorts) for keys, sorts in listed.items()}


def _named(sorts: Mapping[str, int]) -> str:
    names = ", ".join(f"{name} ({count})" if count > 1 else name for name, count in sorts.items() if name)
    return f"{NOT_STATED} {names}" if names else NOT_STATED


def _source(path: Path, kind: str) -> tuple[Source, str]:
    """A file with its kind, and for an inventory the variables beside it. A folder stands for the inventory in it."""
    from anycastle.importing import ansible, codes
    from anycastle.importing.detect import detected
    from anycastle.importing.facts import Source

    if path.is_dir():
        found = next((path / name for name in _INVENTORIES if (path / name).is_file()), None)
        if found is None:
            fix = f"Name the file, or call it one of: {', '.join(_INVENTORIES)}."
            raise Refused([codes.unreadable(Place(str(path)), "The folder holds no inventory.", fix)])
        path = found
    text = _text(path)
    found_kind = kind or detected(text, str(path))
    variables = _variables(path.parent) if found_kind == ansible.KIND else ()
    return Source(
        str(path), text, tuple((str(one.relative_to(path.parent)), _text(one)) for one in variables)
    ), found_kind


def _variables(folder: Path) -> Iterator[Path]:
    found = sorted(
        one for name in _BESIDE for one in (folder / name).rglob("*") if one.is_file() and one.suffix in _ENDINGS
    )
    yield from found[:_MOST_FILES]


def _text(path: Path) -> str:
    from anycastle.importing import codes

    try:
        return textfile.read(path, yamlio.MAX_BYTES).decode("utf-8-sig")
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
    except UnicodeDecodeError:
        message = "The file is not UTF-8."
    raise Refused([codes.unreadable(Place(str(path)), message, "Check its path, or export it anew.")])


def _write(path: Path, text: str) -> None:
    from anycastle.importing import codes

    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Refused([codes.taken(str(path))]) from None
    except OSError as error:
        message = f"The file cannot be written: {error.strerror}."
        raise Refused([codes.unreadable(Place(str(path)), message, "Name another with -o.")]) from error


def _summary(reads: Sequence[Read], made: Made, output: str) -> str:
    """What was read, what is wrong, what nobody stated, and what to do next."""
    from anycastle.report.text import findings_text

    said = findings_text(made.findings) + "\n" if made.findings else ""
    said += "".join(f"Read: {one.label} ({one.kind}), {counted(len(one.facts), 'value')}\n" for one in reads)
    if made.unstated:
        said += f"Not stated by any source, and taken from the defaults ({len(made.unstated)}):\n"
        said += "".join(f"  {line}\n" for line in _few(made.unstated))
    if output == STANDARD_OUTPUT:
        return said
    errors = sum(finding.severity is Severity.ERROR for finding in made.findings)
    against = f"; {counted(errors, 'error')} above against it" if errors else ""
    return (
        f"{said}Written: {output}{against}\nNext: check what is marked in it, then anycastle new --answers {output}\n"
    )


def _few(keys: Sequence[str]) -> Sequence[str]:
    return keys if len(keys) <= 60 else [*keys[:59], f"... and {len(keys) - 59} more"]
