"""ApplicationSets as far as they are static: a list of elements, or the folders of this repository.

Placeholders are filled in where they are plain names (`{{name}}`, `{{ .path.basename }}`); anything that computes is
left to Argo CD, and that is said.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from anycastle.reader import unread
from anycastle.reader.documents import Object, Within
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, sequence, text

_PLACEHOLDER = re.compile(r"\{\{-?\s*\.?([A-Za-z_][\w.-]*)\s*-?\}\}")
_ANY = re.compile(r"\{\{")

Parameters = Mapping[str, str]


def is_set(item: Object) -> bool:
    """Whether Argo CD makes Applications out of it."""
    return item.group == "argoproj.io" and item.kind == "ApplicationSet"


def applications(item: Object, tree: Tree, notes: Notes) -> Iterator[Object]:
    """The Applications that a set makes; none, with a note, where that cannot be told from files."""
    found = list(_parameters(item, tree))
    template = mapping(item.spec, "template")
    made = [_filled(template, parameters) for parameters in found if parameters is not None]
    if None in found or not found or "templatePatch" in item.spec or any(_ANY.search(str(one)) for one in made):
        notes.add(
            "READ007", item.place(("kind",)), f"What {item.kind} {item.name} brings to the cluster was not checked."
        )
        notes.unread(*unread.CLUSTER)
        return
    for value in made:
        application = {"apiVersion": item.value["apiVersion"], "kind": "Application", **value}
        yield Object(application, item.source, item.scope, Within(item.locator, ("spec", "template")))


def _parameters(item: Object, tree: Tree) -> Iterator[Parameters | None]:
    """Parameters of each element; None for a generator that asks something outside of the files."""
    for generator in sequence(item.spec, "generators"):
        if not isinstance(generator, dict) or "selector" in generator or "template" in mapping(generator, "list"):
            yield None
        elif set(generator) == {"list"} and "elementsYaml" not in generator["list"]:
            for element in sequence(generator, "list", "elements"):
                yield dict(_flat(element, "")) if isinstance(element, dict) else None
        elif set(generator) == {"git"} and set(mapping(generator, "git")) <= {"repoURL", "revision", "directories"}:
            for folder in _folders(sequence(generator, "git", "directories"), tree):
                yield _of_folder(folder)
        else:
            yield None


def _flat(value: Any, above: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{above}.{key}" if above else str(key))
    elif isinstance(value, bool):
        yield above, "true" if value else "false"
    elif not isinstance(value, list):
        yield above, str(value)


def _folders(patterns: list[Any], tree: Tree) -> Iterator[str]:
    """Folders of the repository that a pattern takes and none leaves out; `*` stays inside one part of a path."""
    base = f"{tree.folder}/" if tree.folder else ""
    paths = [f"{base}{path}" for path in tree.paths]
    parts = sorted({"/".join(path.split("/")[:count]) for path in paths for count in range(1, path.count("/") + 1)})
    taken = [text(entry, "path") for entry in patterns if mapping(entry).get("exclude") is not True]
    left_out = [text(entry, "path") for entry in patterns if mapping(entry).get("exclude") is True]
    for folder in parts:
        if any(_matches(folder, one) for one in taken) and not any(_matches(folder, one) for one in left_out):
            yield folder


def _matches(folder: str, pattern: str) -> bool:
    wanted, given = pattern.strip("/").split("/"), folder.split("/")
    return len(wanted) == len(given) and all(map(fnmatchcase, given, wanted))


def _of_folder(folder: str) -> Parameters:
    name = posixpath.basename(folder)
    plain = re.sub(r"[^a-z0-9.-]+", "-", name.lower())
    segments = {f"path[{index}]": part for index, part in enumerate(folder.split("/"))}
    return {
        "path": folder,
        "path.path": folder,
        "path.basename": name,
        "path.basenameNormalized": plain,
        **segments,
    }


def _filled(value: Any, parameters: Parameters) -> Any:
    if isinstance(value, dict):
        return {key: _filled(inner, parameters) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, parameters) for inner in value]
    if not isinstance(value, str):
        return value
    return _PLACEHOLDER.sub(lambda match: parameters.get(match[1], match[0]), value)
