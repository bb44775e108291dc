"""Scripts that bring the network before the engine is there: what they apply is what the engine applies later."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import pairwise

from anycastle.finding import Place
from anycastle.reader import argocd
from anycastle.reader.agreement.bootstrap import SCRIPT, joined
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.argocd import Form, Source
from anycastle.reader.notes import Notes
from anycastle.reader.value_files import sources, spelled
from anycastle.schemas.shape import mapping, text

_TEMPLATE = re.compile(r"\bhelm\s+template\s")
_FLUX = re.compile(r"\bflux\s+bootstrap\s+git\s(?P<rest>.*)")
_ASSIGNED = re.compile(r"^(api|manager)=(\S+)$")
_TO_CLUSTER = re.compile(r"\bkubectl\b|^\s*apply\s")
_REMOVING = "tigera-operator"
"""The chart whose pre-delete hook, an ordinary object to kubectl, removes the network."""
_MANAGERS = {True: "argocd-controller", False: "helm-controller"}


def check(subject: Subject, notes: Notes) -> None:
    """Every script of the repository."""
    for path in subject.tree.paths:
        content = (subject.tree.text(path, notes) or "") if SCRIPT.search(path) else ""
        if "helm template" not in content and "flux bootstrap" not in content:
            continue
        for number, line in joined(content):
            place = Place(path, number)
            if _TEMPLATE.search(line) and not line.lstrip().startswith("#"):
                _template(place, line, subject, notes)
            elif (match := _FLUX.search(line)) is not None:
                _flux(place, match["rest"], subject, notes)
            elif subject.one_hand and (match := _ASSIGNED.match(line.strip())) is not None:
                _assigned(place, match[1], match[2], subject, notes)


def _template(place: Place, line: str, subject: Subject, notes: Notes) -> None:
    words = _words(line[line.index("template") + len("template") :])
    if len(words) < 2 or words[0].startswith("-"):
        return
    name, chart = words[0], posixpath.basename(words[1].rstrip("/"))
    given = dict(pairwise(words))
    if chart == _REMOVING and "--no-hooks" not in words and _TO_CLUSTER.search(line):
        notes.add(
            "BOOT002",
            place,
            f"The chart {chart} goes to the cluster with its hooks: a Job among them deletes the Installation, and "
            "every node loses its network.",
            "Add --no-hooks.",
        )
    source = next((one for one in _sources(subject) if one.release == name), None)
    if source is None:
        if any(posixpath.basename(one.path) == chart for one in _sources(subject)):
            _differs(place, f"The release {name} of {chart}", "is brought by nobody later", "its name there", notes)
        return
    for what, here, there in _told(chart, given, source):
        if here and there and here != there and "$" not in here:
            _differs(place, f"The {what} of {name}", f"is {here} here, and {there} later", there, notes)
    _files(place, name, words, source, subject, notes)
    repository = given.get("--repo", "")
    homes = set(_repositories(subject))
    reached = repository.startswith(("https://", "http://", "oci://")) and spelled(repository) in homes
    if repository and homes and "$" not in repository and not reached:
        _differs(place, f"The chart of {name}", f"comes from {repository} here, and not later", min(homes), notes)


def _files(place: Place, name: str, words: Sequence[str], source: Source, subject: Subject, notes: Notes) -> None:
    if source.incomplete:
        return
    for file in [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-f", "--values")]:
        located = posixpath.normpath(posixpath.join(posixpath.dirname(place.path), file))
        known = source.value_files and located not in source.value_files
        if "$" not in file and (known or not subject.tree.has_file(located)):
            _differs(place, name, f"reads {file} here, and not later", "the files that the engine reads", notes)


def _told(chart: str, given: dict[str, str], source: Source) -> Iterator[tuple[str, str, str]]:
    """What is the same in both: a word for it, and how it stands here and there."""
    yield "chart", chart, posixpath.basename(source.path)
    yield "namespace", given.get("--namespace", given.get("-n", "")), source.namespace
    if source.form is Form.UPSTREAM:
        yield "version", given.get("--version", "").removeprefix("v"), source.version


def _differs(place: Place, what: str, how: str, cure: str, notes: Notes) -> None:
    notes.add(
        "BOOT001",
        place,
        f"{what} {how}: the engine does not find what the bootstrap has made, or changes it under the network.",
        f"Write {cure}.",
    )


def _flux(place: Place, rest: str, subject: Subject, notes: Notes) -> None:
    """`flux bootstrap` writes its sync file anew from these answers."""
    given = dict(word.partition("=")[::2] for word in _words(rest) if "=" in word)
    roots = [item for item in subject.engine if item.name == "flux-system"]
    told = {
        "--url": [text(item.spec, "url") for item in roots if item.kind == "GitRepository"],
        "--branch": [text(item.spec, "ref", "branch") for item in roots if item.kind == "GitRepository"],
        "--path": [text(item.spec, "path").removeprefix("./") for item in roots if item.kind == "Kustomization"],
    }
    for option, found in told.items():
        here = given.get(option, "").removeprefix("./")
        if here and found and "$" not in here and here not in found:
            _differs(place, option, f"is {here} here, and {found[0]} in the files of Flux", found[0], notes)


def _assigned(place: Place, name: str, value: str, subject: Subject, notes: Notes) -> None:
    api = subject.network.api
    wanted = f"{api.name}:{api.port}" if name == "api" and api is not None else ""
    if name == "manager" and subject.units:
        wanted = _MANAGERS[any(argocd.is_application(item) for item in subject.engine)]
    if wanted and value != wanted:
        _differs(place, name, f"is {value} here, and {wanted} in the rest of the repository", wanted, notes)


def _sources(subject: Subject) -> Iterator[Source]:
    for unit in subject.units:
        yield from (source for source in unit.sources if source.form is not Form.FOLDER)


def _repositories(subject: Subject) -> Iterator[str]:
    for item in subject.engine:
        if argocd.is_application(item):
            yield from (spelled(text(entry, "repoURL")) for _keys, entry in sources(item) if text(entry, "chart"))
        elif item.kind == "HelmRepository":
            yield spelled(text(mapping(item.value, "spec"), "url"))


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return []
