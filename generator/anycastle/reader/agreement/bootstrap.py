"""Scripts that apply manifests by hand before the engine is there: large definitions go through the server's apply."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anycastle.finding import Place
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes

LARGEST = 250_000
"""Bytes of an object that fit into the annotation of a client-side apply, which holds 262144, beside others."""

SCRIPT = re.compile(r"(?:^|/)(?:[^/]+\.(?:sh|bash|zsh|mk)|[Mm]akefile|[Jj]ustfile)\Z")
_APPLY = re.compile(r"\bkubectl\b(?:\s+\S+)*?\s+apply\b(?P<rest>.*)")
_FILE = re.compile(r"(?:-f|--filename)[ =]?[\"']?(?P<file>[^\s\"']+)")
_LARGE = re.compile(r"/(?:operator-crds|tigera-operator|v1_crd_projectcalico_org|v3_projectcalico_org)\.yaml\Z")
"""Of Calico's manifests, those whose definitions are too large."""
_ARGO_CD = re.compile(r"/argo-cd/(?P<ref>[^/]+)/manifests/(?:ha/|crds/|core-)?\S*\Z")
_RELEASE = re.compile(r"v(\d+)\.(\d+)")
_ARGO_CD_LARGE = (3, 3)
"""Since this release Argo CD's definition of an ApplicationSet is too large."""
_MOST = 1024 * 1024


def check(subject: Subject, notes: Notes) -> None:
    """Every script of the repository."""
    for path in subject.tree.paths:
        if SCRIPT.search(path):
            content = subject.tree.text(path, notes) or ""
            for number, line in _commands(content[:_MOST]) if "kubectl" in content else ():
                _command(Place(path, number), line, subject.tree, notes)


def _commands(content: str) -> Iterator[tuple[int, str]]:
    """Commands of kubectl."""
    for begun, whole in joined(content):
        if "kubectl" in whole and not whole.lstrip().startswith("#"):
            yield begun, whole


def joined(content: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; a backslash at the end joins the next one."""
    begun, whole = 0, ""
    for number, line in enumerate(content.split("\n"), 1):
        begun = begun or number
        whole += line.removesuffix("\\") + " "
        if not line.endswith("\\"):
            yield begun, whole
            begun, whole = 0, ""


def _command(place: Place, line: str, tree: Tree, notes: Notes) -> None:
    match = _APPLY.search(line)
    if match is None or "--server-side" in match["rest"]:
        return
    for found in _FILE.finditer(match["rest"]):
        if _is_large(found["file"], tree):
            notes.add(
                "ARGO017",
                place,
                f"kubectl apply sends {found['file'].rpartition('/')[2]} with an annotation of the whole object, and a "
                "definition in it is larger than that may be: the API server refuses it.",
                "Write kubectl apply --server-side --force-conflicts.",
            )


def _is_large(file: str, tree: Tree) -> bool:
    if match := _ARGO_CD.search(file):
        release = _RELEASE.match(match["ref"])
        return release is None or (int(release[1]), int(release[2])) >= _ARGO_CD_LARGE
    if "://" in file:
        return bool(_LARGE.search(file))
    path = file.removeprefix("./")
    text = (tree.text(path, Notes()) or "") if tree.has_file(path) else ""
    documents = re.split(r"^---", text, flags=re.MULTILINE) if "kind: CustomResourceDefinition" in text else []
    return any("kind: CustomResourceDefinition" in one and len(one) > 2 * LARGEST for one in documents)
