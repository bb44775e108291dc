"""What the GitOps engine brings: units of Argo CD and Flux, what their charts make, and what the engine is told."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, NamedTuple

from anycastle.finding import Place
from anycastle.network.model import Unread
from anycastle.reader import (
    applicationsets,
    apps,
    argocd,
    charts,
    flux,
    flux_laws,
    kustomize,
    projection,
    substitution,
    unread,
)
from anycastle.reader.argocd import Application, Form, Source
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.found import Found
from anycastle.reader.network import Engine
from anycastle.reader.notes import Notes
from anycastle.records import dataclass

if TYPE_CHECKING:
    from anycastle.renderahead import Pending

_LEVELS = 5
"""Charts that render Applications whose charts render Applications."""
_BRINGING = frozenset(("argoproj.io", flux.KUSTOMIZE, flux.HELM))
_FOLLOWED = frozenset(("Application", "ApplicationSet", "AppProject", "Kustomization", "HelmRelease"))


@dataclass(slots=True)
class Delivered:
    """`rendered` are the objects of charts, `upstream` the charts that are not here, each with what it is given.

    `reached` are the files of what some unit applies, `brought` what each unit applies, by its key, as far as known.
    """

    units: tuple[Application, ...] = ()
    rendered: list[Object] = field(default_factory=list)
    upstream: list[tuple[Source, charts.Answered]] = field(default_factory=list)
    engine: Engine = field(default_factory=Engine)
    values: set[str] = field(default_factory=set)
    health: set[str] = field(default_factory=set)
    reached: frozenset[str] = frozenset()
    brought: defaultdict[str, list[Object]] = field(default_factory=lambda: defaultdict(list))


def deliver(found: Found, tree: Tree, setting: charts.Setting, notes: Notes) -> Delivered:
    """Follow every unit in its order."""
    made = [one for item in found.engine if applicationsets.is_set(item) for one in _of_set(item, tree, notes)]
    by_argo = argocd.applications([*found.engine, *made], tree, found.statements.repository, notes)
    by_flux = _by_flux(found, tree, notes)
    for item in found.engine:
        _not_followed(item, notes)
    result = Delivered((*by_argo, *by_flux))
    brought = result.brought
    waiting = result.units
    for _level in range(_LEVELS):
        before = len(result.rendered)
        for unit, source, chart in _begun(waiting, found, tree, setting, notes):
            result.values.update(source.value_files)
            if source.form is Form.FOLDER:
                brought[unit.key] += below(source, (*found.manifests, *found.engine))
            elif chart is None:
                _lost(source, tree, notes)
            else:
                brought[unit.key] += _charted(source, chart, tree, setting, result, notes)
        nested = [item for item in result.rendered[before:] if argocd.is_application(item)]
        if not nested:
            break
        waiting = argocd.applications(nested, tree, found.statements.repository, notes)
        result.units += waiting
    charts.unused(tree, [source for unit in result.units for source in unit.sources], notes)
    _refusing(found, setting, notes)
    _asked(found, result, notes)
    result.reached = frozenset(item.source for items in brought.values() for item in items)
    _left_out(found, result, notes)
    versions = tuple(apps.versions(result.units, tree, notes))
    result.engine = Engine(tuple(apps.apps(result.units, brought)), versions, frozenset(result.health))
    return result


def _by_flux(found: Found, tree: Tree, notes: Notes) -> Sequence[Application]:
    """What Flux is told once its variables and patches are in place, and the laws of its objects."""
    if not any(flux.is_kustomization(item) or flux.is_release(item) for item in found.engine):
        flux_laws.check(found.engine, found.manifests, {}, tree, notes)
        return ()
    from anycastle.reader import flux_units, flux_words

    given = flux_units.variables(found.engine, found.manifests, tree)
    found.engine, found.manifests = substitution.apply(found.engine, given), substitution.apply(found.manifests, given)
    if any(flux.is_kustomization(item) for item in found.engine):
        from anycastle.reader import flux_patches

        found.engine, found.manifests = flux_patches.applied(found.engine, found.manifests, tree)
    units = flux_units.units(found.engine, found.manifests, tree, notes)
    flux_laws.check(found.engine, found.manifests, units.files, tree, notes)
    if units.applications:
        flux_words.check(found.engine, found.manifests, tree, notes)
    return units.applications


def _asked(found: Found, result: Delivered, notes: Notes) -> None:
    if any(flux.is_release(item) for item in found.engine):
        from anycastle.reader import flux_words

        flux_words.asked(found.engine, result.units, result.brought, notes)


def _left_out(found: Found, result: Delivered, notes: Notes) -> None:
    """Objects below a folder that is applied, and not among its files: whoever listed the others left them out."""
    sources = [source for unit in result.units for source in unit.sources if source.files is not None]
    bases = tuple(sorted({f"{source.path}/" if source.path else "" for source in sources}))
    listed = result.reached.union(*(source.files or () for source in sources))

    def mark(item: Object) -> Object:
        made = posixpath.basename(item.source) in kustomize.FILES  # what it generates
        aside = item.source.startswith(bases) and item.source not in listed and not made
        return replace(item, unsettled=True) if aside and not item.unsettled else item

    before = {item.source for item in (*found.engine, *found.manifests) if item.unsettled}
    found.engine, found.manifests = [mark(item) for item in found.engine], [mark(item) for item in found.manifests]
    after = {item.source for item in (*found.engine, *found.manifests) if item.unsettled} - before
    if bases and after:
        notes.add(
            "READ023",
            Place(min(after)),
            f"{len(after)} files below what the engine applies are in no list of resources, so nothing applies them; "
            "they were not checked.",
            "List them, or move them away.",
        )


def _of_set(item: Object, tree: Tree, notes: Notes) -> list[Object]:
    return list(applicationsets.applications(item, tree, notes))


def _not_followed(item: Object, notes: Notes) -> None:
    if item.group in _BRINGING and item.kind not in _FOLLOWED:
        notes.add(
            "READ007", item.place(("kind",)), f"What {item.kind} {item.name} brings to the cluster was not checked."
        )


class _Chart(NamedTuple):
    """A chart whose values are all there, and what Helm is making of it, if it is here and may be rendered."""

    given: charts.Answered
    pending: Pending | None


def _begun(
    units: Iterable[Application], found: Found, tree: Tree, setting: charts.Setting, notes: Notes
) -> list[tuple[Application, Source, _Chart | None]]:
    """Every source of every unit, with its chart if it is a chart: Helm has begun with all of them."""
    from anycastle.renderahead import Ahead

    ahead = Ahead()
    result: list[tuple[Application, Source, _Chart | None]] = []
    for unit in units:
        for source in unit.sources:
            chart = None
            lost = source.incomplete or any(found.lost(path) for path in source.value_files)
            if source.form is not Form.FOLDER and not lost:
                given = charts.answered(source, tree, notes)
                task = charts.task(source, given, tree, setting) if source.form is Form.CHART else None
                chart = _Chart(given, ahead.ask(task) if task else None)
            result.append((unit, source, chart))
    if ahead.start():
        setting.meanwhile()
    return result


def _charted(
    source: Source, chart: _Chart, tree: Tree, setting: charts.Setting, result: Delivered, notes: Notes
) -> list[Object]:
    """Objects of a chart."""
    given = chart.given
    if source.form is Form.CHART:
        made = list(charts.objects(source, given, chart.pending, tree, setting, notes)) if chart.pending else []
    else:
        made = list(projection.project(source, given, notes))
        result.health.update(projection.health_keys(source, given.values))
        result.upstream.append((source, given))
        if source.path not in unread.OF_CHART:
            notes.unread(*unread.parts_elsewhere(source.path))
    result.rendered += made
    return made


def _lost(source: Source, tree: Tree, notes: Notes) -> None:
    """A chart of which not all values are there: what it would bring is unread."""
    if source.form is Form.CHART:
        notes.unread(Unread.APPS, *unread.parts_below(source.path, tree, notes))
    else:
        notes.unread(Unread.APPS, *unread.OF_CHART.get(source.path, unread.parts_elsewhere(source.path)))


def _refusing(found: Found, setting: charts.Setting, notes: Notes) -> None:
    """Charts that want another Kubernetes: one mistake, where the version is written."""
    if not setting.refusing:
        return
    cluster = next((item for item in found.machine if item.kind == "ClusterConfiguration"), None)
    names = ", ".join(dict.fromkeys(label for label, _wanted in setting.refusing))
    wanted = sorted({text.partition(" which")[0] for _label, text in setting.refusing})
    place = cluster.place(("kubernetesVersion",)) if cluster else notes.findings[-1].where
    notes.add(
        "HELM001",
        place,
        f"With Kubernetes {setting.kube_version} Helm refuses {names}, which want {' and '.join(wanted)}: nothing of "
        "them reaches the cluster.",
        "Write a release that all of them take.",
    )


def below(source: Source, items: Iterable[Object]) -> Iterator[Object]:
    """The objects that a folder brings."""
    base = f"{source.path}/" if source.path else ""
    for item in items:
        if source.files is not None:
            if item.source in source.files:
                yield item
        elif item.source.startswith(base) and (source.recurse or "/" not in item.source[len(base) :]):
            yield item


def with_namespaces(manifests: Sequence[Object], units: Iterable[Application]) -> list[Object]:
    """Manifests with the namespace of the unit that applies them."""
    spaces = {
        item.source: source.namespace
        for unit in units
        for source in unit.sources
        if source.form is Form.FOLDER and source.namespace
        for item in below(source, manifests)
    }
    return [
        replace(item, release_namespace=spaces[item.source]) if item.source in spaces else item for item in manifests
    ]
