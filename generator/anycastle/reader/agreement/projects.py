"""What a project allows, and what the Applications in it do; the namespaces that they go to."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from fnmatch import fnmatchcase

from anycastle.reader.agreement.applications import applications, destinations, permitted, projects
from anycastle.reader.agreement.cluster_kinds import CLUSTER_WIDE, OF_CHARTS, SWITCHES
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.argocd import Application, Source
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.reader.value_files import sources
from anycastle.schemas.shape import mapping, mappings, sequence, text

DEFAULT = "default"
_NEAR = 0.85
_ALWAYS = frozenset(("default", "kube-system", "kube-public", "kube-node-lease"))


def check(subject: Subject, notes: Notes) -> None:
    """Every Application."""
    known = projects(subject)
    units = {unit.name: unit for unit in subject.units}
    made = {item.name for item in subject.objects if item.kind == "Namespace" and not item.group}
    for item in applications(subject):
        unit = units.get(item.name)
        name = text(item.spec, "project")
        project = known.get(name)
        if project is not None:
            _allows(project, item, notes)
            _kinds(project, item, unit, subject, notes)
        elif name != DEFAULT and known:
            notes.add(
                "ARGO010",
                item.place(("spec", "project")),
                f"There is no AppProject {name}; Argo CD refuses {item.name}.",
                f"Write {', '.join(sorted(known))}, or add the project.",
            )
        _namespace(item, made, subject, notes)
    created = _created(subject)
    for thing in subject.objects if made else ():
        space = text(thing.value, "metadata", "namespace")
        if space not in created and _missing(space, made, subject):
            notes.add(
                "ARGO012",
                thing.place(("metadata", "namespace")),
                f"Nothing makes the namespace {space}, so {thing.kind} {thing.name} has no place.",
                f"Write one of {', '.join(sorted(made))}, or add the namespace.",
            )
    for project in known.values():
        _home(project, subject, notes)
        _listed(project, notes)


def _home(project: Object, subject: Subject, notes: Notes) -> None:
    """Argo CD looks for projects where it looks for Applications."""
    homes = {item.namespace for item in applications(subject)}
    if len(homes) == 1 and project.namespace and project.namespace not in homes:
        notes.add(
            "ARGO010",
            project.place(("metadata", "namespace")),
            f"The project {project.name} is in {project.namespace}, its Applications are in {min(homes)}: Argo CD does "
            "not see it.",
            f"Write namespace: {min(homes)}.",
        )


def _listed(project: Object, notes: Notes) -> None:
    """A kind in the list that is nearly one that is known: what it was meant for is refused."""
    for keys, entry in mappings(project.spec, "clusterResourceWhitelist", ("spec",)):
        group, kind = text(entry, "group"), text(entry, "kind")
        kinds = sorted(name for of, name in CLUSTER_WIDE if of == group)
        groups = sorted({of for of, name in CLUSTER_WIDE if name == kind})
        near = difflib.get_close_matches(kind, kinds, 1, _NEAR) if kind not in kinds else []
        near += difflib.get_close_matches(group, groups, 1, _NEAR) if group not in groups else []
        if near:
            notes.add(
                "ARGO011",
                project.place(keys),
                f"There is no kind {kind} of the group {group}, so the entry allows nothing.",
                f"Write {near[0]}.",
            )


def _allows(project: Object, item: Object, notes: Notes) -> None:
    repositories = [url for url in sequence(project.spec, "sourceRepos") if isinstance(url, str)]
    for keys, entry in sources(item):
        url = text(entry, "repoURL")
        if url and not permitted(repositories, url):
            _refused(project, item, (*keys, "repoURL"), f"the repository {url}", notes)
    server, space = text(item.spec, "destination", "server"), text(item.spec, "destination", "namespace")
    server = server or text(item.spec, "destination", "name")
    allowed = any(
        fnmatchcase(server, where) and fnmatchcase(space, name or "*") for where, name in destinations(project)
    )
    if not allowed:
        _refused(project, item, ("spec", "destination"), f"the namespace {space} on {server}", notes)


def _refused(project: Object, item: Object, keys: tuple[str | int, ...], what: str, notes: Notes) -> None:
    notes.add(
        "ARGO011",
        item.place(keys),
        f"The project {project.name} does not allow {what}; Argo CD refuses {item.name}.",
        f"Add it to {project.place().path}, or correct it here.",
    )


def _kinds(project: Object, item: Object, unit: Application | None, subject: Subject, notes: Notes) -> None:
    lists = mapping(project.spec)
    if unit is None or "clusterResourceWhitelist" not in lists:
        return
    allowed = [(text(e, "group"), text(e, "kind")) for _keys, e in mappings(project.spec, "clusterResourceWhitelist")]
    for group, kind in sorted(set(_brought(unit, subject))):
        if not any(fnmatchcase(group, one) and fnmatchcase(kind, other) for one, other in allowed):
            _refused(project, item, ("spec", "project"), f"the kind {kind} of {group or 'the core group'}", notes)


def _brought(unit: Application, subject: Subject) -> Iterator[tuple[str, str]]:
    for source in unit.sources:
        yield from OF_CHARTS.get(source.path, ())
        yield from _switched_on(source, subject)
        for item in subject.objects:
            inside = item.source.startswith(f"{source.path}/")
            if inside and (item.group, item.kind) in CLUSTER_WIDE:
                yield item.group, item.kind


def _switched_on(source: Source, subject: Subject) -> Iterator[tuple[str, str]]:
    """Cluster-wide objects of the operator's chart that its values switch off, and that are on by default."""
    for other, given in subject.brought:
        if other == source and source.path == "tigera-operator":
            for key, kind in SWITCHES.items():
                if mapping(given.values, key).get("enabled") is not False:
                    yield "operator.tigera.io", kind


def _created(subject: Subject) -> set[str]:
    """Namespaces that the engine makes itself; that of Flux's own objects is there before them."""
    made = {
        text(item.spec, "destination", "namespace")
        for item in applications(subject)
        if "CreateNamespace=true" in sequence(item.spec, "syncPolicy", "syncOptions")
    }
    flux = [item for item in subject.engine if item.group.endswith(".toolkit.fluxcd.io")]
    made |= {item.namespace for item in flux}
    return made | {
        text(item.spec, "targetNamespace")
        for item in flux
        if mapping(item.spec, "install").get("createNamespace") is True
    }


def _missing(space: str, made: set[str], subject: Subject) -> bool:
    """Whether nothing makes a namespace. Where files are not of one hand, others may: only a slip counts."""
    if not space or space in made | _ALWAYS:
        return False
    return subject.one_hand or bool(difflib.get_close_matches(space, sorted(made), 1, _NEAR))


def _namespace(item: Object, made: set[str], subject: Subject, notes: Notes) -> None:
    space = text(item.spec, "destination", "namespace")
    options = sequence(item.spec, "syncPolicy", "syncOptions")
    if made and "CreateNamespace=true" not in options and _missing(space, made, subject):
        notes.add(
            "ARGO012",
            item.place(("spec", "destination", "namespace")),
            f"Nothing makes the namespace {space}, so the objects of {item.name} have no place.",
            f"Write one of {', '.join(sorted(made))}, or add the namespace.",
        )
