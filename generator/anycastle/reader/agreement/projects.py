"""What a project allows, and what the Applications in it do; the namespaces that they go to."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from anycastle.reader.agreement.applications import applications, projects
from anycastle.reader.agreement.chart_kinds import of_chart
from anycastle.reader.agreement.cluster_kinds import CLUSTER_WIDE, DOTLESS, NAMESPACED, WHOLE
from anycastle.reader.agreement.permissions import LISTS, Allowed
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.argocd import Application
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.reader.value_files import sources
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, mappings, sequence, text

DEFAULT = "default"
_NEAR = 0.85
_SLIPS = 2
"""Objects in a namespace, up to which its name may be a slip of the pen."""
_ALWAYS = frozenset(("default", "kube-system", "kube-public", "kube-node-lease"))


def check(subject: Subject, notes: Notes) -> None:
    """Every Application."""
    known = projects(subject)
    units = {unit.name: unit for unit in subject.units}
    made = _namespaces(subject)
    for item in applications(subject):
        unit = units.get(item.name)
        name = text(item.spec, "project")
        project = known.get(name)
        if project is not None:
            if _allows(project, item, notes) and unit is not None:
                _objects(project, item, unit, subject, notes)
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
    _locked(subject, known, notes)
    for project in known.values():
        _home(project, subject, notes)
        _listed(project, notes)
        _wide(project, subject, notes)


def _locked(subject: Subject, known: dict[str, Object], notes: Notes) -> None:
    """Argo CD makes a project by itself."""
    if subject.one_hand and known and DEFAULT not in known:
        first = min(known.values(), key=lambda project: project.place().path)
        notes.add(
            "ARGO021",
            first.place(("metadata", "name")),
            f"No project here is called {DEFAULT}: that of Argo CD itself allows everything, to any Application in it.",
            f"Add a project {DEFAULT} that allows nothing.",
        )


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
    """An entry of a kind that there is not, or nearly one that is known: what it was meant for is refused."""
    for key in LISTS:
        for keys, entry in mappings(project.spec, key, ("spec",)):
            near = _meant(text(entry, "group"), text(entry, "kind"))
            if near:
                notes.add(
                    "ARGO011",
                    project.place(keys),
                    f"There is no kind {text(entry, 'kind')} of the group {text(entry, 'group')!r}, so the entry says "
                    "nothing.",
                    f"Write {near}.",
                )


def _wide(project: Object, subject: Subject, notes: Notes) -> None:
    """What nobody needs: everything, or the namespace of Argo CD for Applications that write nothing there."""
    allowed = Allowed(project)
    if allowed.everything:
        notes.add(
            "ARGO021",
            project.place(("spec",)),
            f"The project {project.name} allows every object, everywhere, from any repository.",
            "List the repositories, namespaces and kinds of its Applications.",
        )
        return
    home = project.namespace
    users = [item for item in applications(subject) if text(item.spec, "project") == project.name]
    units = {unit.name: unit for unit in subject.units}
    if not users or not home or not subject.one_hand or not allowed.destination(_server(users[0]), home):
        return
    spaces = {one.space for item in users if item.name in units for one in _written(item, units[item.name], subject)}
    if home not in spaces | {text(item.spec, "destination", "namespace") for item in users}:
        notes.add(
            "ARGO021",
            project.place(("spec", "destinations")),
            f"The project {project.name} allows the namespace {home} of Argo CD, where its Applications write nothing.",
            "Take the namespace out.",
        )


def _meant(group: str, kind: str) -> str:
    """What was meant by an entry that is wrong for certain; empty for one that may be right."""
    if "*" in group + kind:
        return ""
    known = CLUSTER_WIDE | NAMESPACED
    kinds = sorted(name for of, name in known if of == group)
    groups = sorted({of for of, name in known if name == kind})
    near = difflib.get_close_matches(kind, kinds, 1, _NEAR) if kind not in kinds else []
    near += difflib.get_close_matches(group, groups, 1, _NEAR) if group not in groups else []
    if not near and "." not in group and group not in DOTLESS:
        near = [groups[0] if groups else "a group that exists"]
    if not near and group in WHOLE and kind not in kinds:
        near = [f"a kind of the group {group or 'v1'}, or the group of {kind}"]
    return near[0] if near else ""


def _allows(project: Object, item: Object, notes: Notes) -> bool:
    """Whether the Application may be at all: its sources and its destination."""
    allowed = Allowed(project)
    before = len(notes.findings)
    for keys, entry in sources(item):
        url = text(entry, "repoURL")
        if url and not allowed.source(url):
            _refused(project, item, (*keys, "repoURL"), f"the repository {url}", notes)
    if not allowed.destination(_server(item), text(item.spec, "destination", "namespace")):
        space = text(item.spec, "destination", "namespace")
        _refused(project, item, ("spec", "destination"), f"the namespace {space} on {_server(item)}", notes)
    return len(notes.findings) == before


def _server(item: Object) -> str:
    return text(item.spec, "destination", "server") or text(item.spec, "destination", "name")


def _refused(project: Object, item: Object, keys: tuple[str | int, ...], what: str, notes: Notes) -> None:
    notes.add(
        "ARGO011",
        item.place(keys),
        f"The project {project.name} does not allow {what}; Argo CD refuses {item.name}.",
        f"Add it to {project.place().path}, or correct it here.",
    )


def _objects(project: Object, item: Object, unit: Application, subject: Subject, notes: Notes) -> None:
    """Everything that it writes, kind by kind, and then the namespaces that it writes to."""
    allowed = Allowed(project)
    refused: dict[str, str] = {}
    for written in _written(item, unit, subject):
        what = f"the kind {written.kind} of {written.group or 'the core group'}"
        if written.name and not written.namespaced:
            what += f" with the name {written.name}"
        if not allowed.kind(written.group, written.kind, written.name, namespaced=written.namespaced):
            refused.setdefault(what, written.source)
        elif written.namespaced and not allowed.destination(_server(item), written.space):
            refused.setdefault(f"the namespace {written.space}", written.source)
    for what, source in sorted(refused.items()):
        _refused(project, item, ("spec", "project"), f"{what} ({source})", notes)


@dataclass(frozen=True, slots=True)
class _Written:
    """An object that an Application writes; `name` is empty where only its kind is known."""

    group: str
    kind: str
    namespaced: bool
    space: str
    source: str
    name: str = ""


def _written(app: Object, unit: Application, subject: Subject) -> Iterator[_Written]:
    namespaced = subject.scopes
    defines = not any(mapping(entry, "helm").get("skipCrds") is True for _keys, entry in sources(app))
    for item in subject.applied.get(unit.key, ()):
        scope = namespaced.get((item.group, item.kind))
        if scope is not None:
            space = item.namespace or unit.sources[0].namespace
            yield _Written(item.group, item.kind, scope, space if scope else "", item.source, item.name)
    for source, given in subject.brought:
        if source in unit.sources:
            for group, kind in of_chart(source.path, given.values, definitions=defines):
                yield _Written(group, kind, namespaced[group, kind], source.namespace, f"the chart {source.path}")


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


def _namespaces(subject: Subject) -> set[str]:
    return {item.name for item in subject.objects if item.kind == "Namespace" and not item.group}


def missing_namespaces(spaces: Iterable[str], subject: Subject) -> tuple[set[str], set[str]]:
    """Those of these namespaces that nothing makes, and the ones that the repository makes; else nothing at all."""
    made, created = _namespaces(subject), _created(subject)
    lacking = {space for space in spaces if made and space not in created and _missing(space, made, subject)}
    return lacking, made if lacking else set()


def _missing(space: str, made: set[str], subject: Subject) -> bool:
    """Whether nothing makes a namespace. Where files are not of one hand, others may: only a slip counts."""
    if not space or space in made | _ALWAYS:
        return False
    if subject.one_hand:
        return True
    users = sum(text(thing.value, "metadata", "namespace") == space for thing in subject.objects)
    return users <= _SLIPS and bool(difflib.get_close_matches(space, sorted(made), 1, _NEAR))


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
