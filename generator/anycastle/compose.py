"""Where the stages meet: the only module besides `cli` that knows them all. Each function is one path through them.

Stages are imported where they are used: `validate` never pays for pydantic, `new` never for Helm.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from anycastle.finding import Explanation, Finding, Misuse, Refused, Severity, in_order
from anycastle.report import Report, gathered, inside, report, said_once

if TYPE_CHECKING:
    from anycastle.network.model import Network
    from anycastle.reader import Part
    from anycastle.schemas.fetched import Pack
    from anycastle.site.model import Site
    from anycastle.yamlio import Document

Echo = Callable[[str], None]
"""Takes text with its line ends."""
Ask = Callable[[str, str], str]
"""(prompt, default) -> what was typed."""


class Judged(NamedTuple):
    """A site and the network that follows from it; both are absent where the site cannot be read."""

    site: Site | None
    network: Network | None
    findings: tuple[Finding, ...]


def site_findings(data: object) -> Judged:
    """Plain data of a site file, judged field by field and then as a network. Places are keys of the site file."""
    from anycastle.plan import plan
    from anycastle.rules import judge
    from anycastle.site.load import parse

    parsed = parse(data)
    if parsed.site is None:
        return Judged(None, None, parsed.findings)
    network = plan(parsed.site)
    return Judged(parsed.site, network, in_order([*parsed.findings, *judge(network)]))


def site_document_findings(document: Document) -> Judged:
    """The same for a document of a file; places are its lines."""
    from anycastle.site.load import with_lines
    from anycastle.sitefile import keys_of

    judged = site_findings(document.value)
    placed = with_lines(judged.findings, document.path, lambda key: document.line(keys_of(key)))
    return judged._replace(findings=placed)


def generate(answers: Mapping[str, str], target: Path, echo: Echo) -> int:
    """Flat answers to a new repository at `target`: 0, or 1 where findings stood against it and nothing was written.

    Raises `Refused` for answers that cannot be used and for a target that is taken.
    """
    from anycastle.wizard.answers import site_data

    judged = site_findings(site_data(answers))
    echo(plan_shown(judged) + _nested(judged, target))
    return write(judged, target, echo)


def new(source: Source, output_dir: Path, ask: Ask | None, echo: Echo) -> int:
    """The same with the repository's folder named after the site, and with questions where `ask` is given."""
    from anycastle.wizard.answers import from_file, outweighed, site_data, unknown_names

    if strangers := unknown_names(source.pairs):
        raise Misuse(strangers)
    held = from_file(source.file) if source.file else None
    if held is not None and held.site is not None:
        if source.pairs:
            raise Misuse(outweighed(source.pairs))
        return _unasked(site_document_findings(held.site), output_dir, echo)
    answers = {**(held.answers if held else {}), **source.pairs}
    if ask is None:
        return _unasked(site_findings(site_data(answers)), output_dir, echo)
    from anycastle.asked import ask_site

    return write(*ask_site(answers, output_dir, ask, echo), echo)


def _unasked(judged: Judged, output_dir: Path, echo: Echo) -> int:
    """Show the plan and write, unless the place is taken, which no plan would change. Raises `Refused`."""
    from anycastle.repo.place import place_faults

    target = output_dir / (judged.site.name if judged.site else "")
    if judged.site is not None and (taken := tuple(place_faults(target))):
        raise Refused([*taken, *judged.findings])
    echo(plan_shown(judged) + _nested(judged, target))
    return write(judged, target, echo)


def _nested(judged: Judged, target: Path) -> str:
    """A line where the new repository would lie inside another one."""
    from anycastle.repo.place import nesting

    if judged.site is None or refused(judged.findings):
        return ""
    warning = nesting(target, judged.site.gitops.path)
    return f"warning: {warning}\n" if warning else ""


class Source(NamedTuple):
    """Where answers come from besides a person: a file of answers or a whole site file, and single ones over it."""

    file: Path | None
    pairs: Mapping[str, str]


def plan_shown(judged: Judged) -> str:
    """Findings first, then the plan where there is one."""
    from anycastle.report.plan_text import plan_text
    from anycastle.report.text import findings_text

    findings = findings_text(judged.findings) + "\n" if judged.findings else ""
    plan = plan_text(judged.network) + "\n" if judged.network and not refused(judged.findings) else ""
    return findings + plan


def write(judged: Judged, target: Path, echo: Echo) -> int:
    """Render and write, unless an error stands against it."""
    if judged.site is None or judged.network is None or refused(judged.findings):
        echo("Nothing was written. Correct what is named above and run the command again.\n")
        return 1
    _create(judged.site, judged.network, target)
    echo(f"Written: {target}\nNext: read {target}/README.md and follow its bring-up, step by step.\n")
    return 0


def refused(findings: tuple[Finding, ...]) -> bool:
    """Whether nothing may be generated."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def _create(site: Site, network: Network, target: Path) -> None:
    from anycastle.render import EXECUTABLE, render
    from anycastle.repo import create

    create(target, render(site, network), EXECUTABLE, history=not site.gitops.path)


def validate_tree(root: Path, cache: Path | None = None) -> Report:
    """Everything that can be said of a repository, whoever wrote it, without what its comments accept.

    Where several clusters lie in one folder, each is judged alone.
    """
    from anycastle.reader import parts

    found = [_validated(root, part, cache) for part in parts(root, cache, _prepared)]
    return replace(gathered(found), root=str(root))


def _prepared() -> None:
    """Import what judges a repository that was read."""
    import anycastle.repo.manifest
    import anycastle.rules
    import anycastle.schemas  # noqa: F401


def _validated(root: Path, part: Part, cache: Path | None) -> Report:
    from anycastle.repo.manifest import lost_files
    from anycastle.rules import judge
    from anycastle.schemas import Item, check

    repository = part.repository
    items = [Item(item.value, item.place, item.scope, repository.space(item)) for item in repository.judged]
    findings = [
        *repository.findings,
        *check(items, repository.kube_version, _fetched(cache), cache),
        *judge(repository.network),
        *lost_files(root / part.folder),
        *_vendored(root / part.folder),
        *_edited_site(root / part.folder),
    ]
    exact = map(repository.exact, said_once(findings))
    looked_at = report(str(root), exact, repository.files, len(repository.objects))
    left = _without_accepted(looked_at, repository.addressed) if repository.addressed else looked_at
    return inside(part.folder, left) if part.folder else left


def _vendored(root: Path) -> Iterable[Finding]:
    """What is wrong with vendored charts; most repositories have none."""
    if not (root / "vendor" / "charts.lock.yaml").exists():
        return ()
    from anycastle.vendoring.locking import changed

    return changed(root)


def _edited_site(root: Path) -> Iterable[Finding]:
    """What `update` would refuse in a site file that was edited since; without an edit it was judged before."""
    from anycastle.repo.manifest import edited
    from anycastle.sitefile import SITE, document_of, keys_of

    if not edited(root, SITE):
        return ()
    from anycastle.site.load import parse, with_lines

    try:
        document = document_of(root / SITE)
    except Refused:  # whoever reads the repository says it
        return ()
    return with_lines(parse(document.value).findings, SITE, lambda key: document.line(keys_of(key)))


def _fetched(cache: Path | None) -> Pack | None:
    """The upstream definitions in the cache; most machines have none and never load what reads them."""
    if cache is None or not (cache / "schemas").is_dir():
        return None
    from anycastle.schemas.fetched import load

    return load(cache)


def _without_accepted(looked_at: Report, addressed: Mapping[str, bytes]) -> Report:
    from anycastle.report.comments import suppressions
    from anycastle.report.suppressing import sort_out

    said = suppressions(addressed, frozenset(entry.code for entry in explanations()))
    left, accepted = sort_out(looked_at.findings, said)
    return replace(looked_at, findings=in_order(left), suppressed=accepted)


def build(root: Path, echo: Echo, warn: Echo) -> int:
    """Every object as one YAML stream; 1 where something could not be read or rendered, which is said apart."""
    from anycastle.reader import read
    from anycastle.report.text import findings_text

    repository = read(root)
    for item in repository.objects:
        echo(f"---\n{_source(item.source)}{_document(item.value)}")
    wrong = [finding for finding in repository.findings if finding.severity is Severity.ERROR]
    if wrong:
        lacking = any(not finding.code.startswith("SEC") for finding in wrong)
        last = "lacks what is named here" if lacking else "is whole, and must not reach a cluster like this"
        warn(f"{findings_text(wrong)}The stream above {last}.\n")
    return 1 if wrong else 0


def _source(source: str) -> str:
    """The comment above a document; that it stands for a chart which is not here is said on a line of its own."""
    path, mark, note = source.partition(" (projected: ")
    return f"# Source: {path}\n" + (f"# As the values make it in: {note.rstrip(')')}\n" if mark else "")


def _document(value: Mapping[str, object]) -> str:
    """One document; as JSON, which is YAML, where it holds a float, whose digits differ between YAML writers."""
    from anycastle import yamlio

    try:
        return yamlio.dump(value)
    except TypeError:
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def site_schema(form: str) -> str:
    """The JSON Schema of the site file as `json`, or its reference as `markdown`."""
    from anycastle.report.site_reference import site_reference
    from anycastle.site.model import Site

    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Site.model_json_schema(by_alias=True)}
    return site_reference(schema) if form == "markdown" else json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def explanations() -> tuple[Explanation, ...]:
    """Every code that can be reported."""
    from anycastle import vendoring
    from anycastle.importing import codes as importing
    from anycastle.reader import codes as reader
    from anycastle.reader.agreement import codes as agreement
    from anycastle.repo import codes as repo
    from anycastle.report import codes as reports
    from anycastle.rules import RULES
    from anycastle.schemas import codes as schemas
    from anycastle.site import codes as site
    from anycastle.wizard import codes as wizard

    return (
        *vendoring.EXPLANATIONS,
        *(rule.explanation for rule in RULES),
        *reader.CODES,
        *agreement.CODES,
        *schemas.CODES.values(),
        *site.EXPLANATIONS,
        *wizard.EXPLANATIONS,
        *importing.EXPLANATIONS,
        *repo.EXPLANATIONS,
        *reports.EXPLANATIONS,
    )
