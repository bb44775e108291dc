"""Charts of the repository, linted and rendered as the GitOps engine renders them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from anycastle import yamlio
from anycastle.finding import Finding, Place
from anycastle.network.model import Unread
from anycastle.reader import documents, tracing, unread
from anycastle.reader.argocd import Source
from anycastle.reader.capabilities import served
from anycastle.reader.documents import CLUSTER, Object, is_object
from anycastle.reader.files import Tree
from anycastle.reader.merging import Values, merged
from anycastle.reader.notes import Notes
from anycastle.reader.origins import Answers, Guesses, Rendered
from anycastle.records import dataclass

if TYPE_CHECKING:
    from anycastle.renderahead import Pending
    from anycastle.rendercache import Task

NEWEST_KUBERNETES = "v1.37.0"
"""Taken where no ClusterConfiguration names a release."""
_REFUSES_VERSION = "chart requires kubeVersion:"
_HELMS_OWN = frozenset(("templates", "crds", "charts", "ci"))
_SCHEMA_PATH = re.compile(r"at '/([^']+)'")
_DOTTED_PATH = re.compile(r"(?:^|\s)([A-Za-z][\w-]*(?:\.[\w/-]+)+)")


@dataclass(frozen=True, slots=True)
class Answered:
    """The values of one source: what its files hold together, and where each answer stands."""

    values: Values
    answers: Answers


def answered(source: Source, tree: Tree, notes: Notes) -> Answered:
    """Value files in their order, inline values over them. Findings about the files were made elsewhere."""
    given = [document for path in source.value_files for document in _documents(path, tree, notes)]
    given += source.layers
    layers = [document.value for document in given if isinstance(document.value, dict)]
    return Answered(merged([*layers, *source.inline]), Answers(tuple(reversed(given))))


def _documents(path: str, tree: Tree, notes: Notes) -> tuple[yamlio.Document, ...]:
    data = tree.data(path, notes) if tree.has_file(path) else None
    return documents.load(data, path).documents[:1] if data is not None else ()


@dataclass(frozen=True, slots=True)
class Setting:
    """For which Kubernetes version charts are rendered, and the cache of what Helm made before, if there is one.

    `refusing` gathers charts that want another version, each with what it wants: they are rendered for the newest one,
    so that one mistake is said once. `guesses` gathers the places of rendered values. `meanwhile` is work that can be
    done while Helm renders.
    """

    kube_version: str
    cache: Path | None = None
    meanwhile: Callable[[], None] = lambda: None
    refusing: list[tuple[str, str]] = field(default_factory=list)
    guesses: Guesses = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Traced:
    """What is known of where the values of a chart stand."""

    answers: Answers
    tracer: tracing.Tracer
    guesses: Guesses


def task(source: Source, given: Answered, tree: Tree, setting: Setting) -> Task | None:
    """What Helm has to render for a source; None where it must not.

    Upstream's charts are not linted: no engine does it, and whoever vendors them cannot change them.
    """
    from anycastle import helm, rendercache

    if tree.links_out_of(source.path):  # Helm would follow the link; Argo CD refuses the repository
        return None
    release = helm.Release(source.release, source.namespace, setting.kube_version, served())
    upstream = posixpath.basename(source.path) in unread.OF_CHART
    label = source.path or "."
    return rendercache.task(tree.root / source.path, given.values, release, label, setting.cache, linted=not upstream)


def objects(
    source: Source, given: Answered, pending: Pending, tree: Tree, setting: Setting, notes: Notes
) -> Iterator[Object]:
    """The objects of a rendered chart; what Helm says becomes findings."""
    from anycastle import rendercache

    chart, _values, release, label, _entry, linted = pending.task
    rendered = pending.wait()
    if any(_REFUSES_VERSION in finding.message for finding in rendered.findings):
        setting.refusing.append((label, rendered.findings[0].message.rpartition(_REFUSES_VERSION)[2].strip()))
        release = replace(release, kube_version=NEWEST_KUBERNETES)
        rendered = rendercache.render(chart, given.values, release, label, setting.cache, linted=linted)
    notes.findings += [_placed(finding, given.answers) for finding in rendered.findings]
    if rendered.findings and not rendered.texts:
        notes.unread(Unread.APPS, *unread.parts_below(source.path, tree, notes))
    defaults = _documents(posixpath.join(source.path, "values.yaml"), tree, notes)
    answers = replace(given.answers, documents=(*given.answers.documents, *defaults))
    layers = answers.documents if defaults else (*answers.documents, yamlio.Document({}, ""))
    tracer = tracing.Tracer(chart, label, release, given.values, layers)
    for name, made in rendered.texts:
        yield from _objects(source, name, made, Traced(answers, tracer, setting.guesses), tree, notes)


def _placed(finding: Finding, answers: Answers) -> Finding:
    """The same finding at the answer that it speaks of, where its message names one."""
    if finding.where.line:
        return finding
    schema = _SCHEMA_PATH.search(finding.message)
    candidates = [schema[1].split("/")] if schema else []
    candidates += [match.split(".") for match in _DOTTED_PATH.findall(finding.message)]
    for keys in candidates:
        for length in range(len(keys), 0, -1):
            place = answers.at(keys[:length])
            if place is not None:
                return replace(finding, where=place)
    return finding


def _objects(source: Source, name: str, made: str, traced: Traced, tree: Tree, notes: Notes) -> Iterator[Object]:
    path = posixpath.join(source.path, name)
    loaded = yamlio.load(made, path)
    notes.findings += [_in_template(finding, path) for finding in loaded.findings]
    original = (tree.text(path, notes) or "") if tree.has_file(path) else ""
    for document in loaded.documents:
        if is_object(document.value):
            locator = Rendered(document.value, traced.answers, path, original, traced.tracer, traced.guesses)
            yield Object(document.value, path, CLUSTER, locator, source.namespace)


def _in_template(finding: Finding, path: str) -> Finding:
    """A line of rendered text is no line of the template."""
    where = Place(path, 0)
    message = finding.message.replace("The file", "What this template renders", 1)
    return Finding(
        finding.code, finding.severity, where, f"{message} (line {finding.where.line} of the result)", finding.fix
    )


def unused(tree: Tree, sources: Sequence[Source], notes: Notes) -> None:
    """Charts that nothing names."""
    used = {source.path for source in sources}
    for path in tree.paths:
        folder, _, name = path.rpartition("/")
        if name != "Chart.yaml" or folder in used or any(folder.startswith(f"{chart}/") for chart in used):
            continue
        if not sources:  # no engine: it may well be installed by hand
            notes.unread(Unread.APPS, *unread.parts_below(folder, tree, notes))
        notes.add(
            "READ006",
            Place(path),
            f"No Application uses the chart {folder or '.'}, so it was not rendered and nothing in it was checked.",
        )


def folders(tree: Tree) -> frozenset[str]:
    """Folders that are charts; the empty path where the repository itself is one."""
    return frozenset(path.rpartition("/")[0] for path in tree.paths if posixpath.basename(path) == "Chart.yaml")


def inside(path: str, charts: frozenset[str]) -> str | None:
    """The chart that a file belongs to; in a repository that is a chart, only Helm's own folders do."""
    folder = path.rpartition("/")[0]
    while folder:
        if folder in charts:
            return folder
        folder = folder.rpartition("/")[0]
    return "" if "" in charts and path.partition("/")[0] in _HELMS_OWN else None
