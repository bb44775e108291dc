"""`renovate.json`: what proposes new releases, held against the files that it should change.

Only managers of the kind `regex` are looked at. Renovate says nothing where one of them finds nothing: the version
then stands still for ever.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anycastle.finding import Place
from anycastle.reader.agreement import expressions
from anycastle.reader.agreement.applications import applications
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes
from anycastle.reader.value_files import sources, spelled
from anycastle.schemas.shape import mappings, sequence, text

FILE = "renovate.json"
_MANAGERS = frozenset(
    [
        "argocd",
        "custom.regex",
        "custom.jsonata",
        "docker-compose",
        "dockerfile",
        "flux",
        "github-actions",
        "gitlabci",
        "helm-values",
        "helmfile",
        "helmv3",
        "kubernetes",
        "kustomize",
        "pep621",
        "pip_requirements",
        "pre-commit",
        "terraform",
    ]
)
_DATASOURCES = frozenset(
    [
        "docker",
        "endoflife-date",
        "git-refs",
        "git-tags",
        "github-releases",
        "github-tags",
        "gitlab-releases",
        "go",
        "helm",
        "npm",
        "pypi",
    ]
)
_TYPES = frozenset(("regex", "jsonata"))
_PROJECTS = frozenset(("kubernetes/kubernetes", "kube-vip/kube-vip", "projectcalico/calico", "traefik/traefik"))
_NEAR = 0.75
_GLOB = re.compile(r"[*?\[{!]|^/")


def check(subject: Subject, notes: Notes) -> None:
    """Every manager."""
    content = subject.tree.text(FILE, notes) if subject.tree.has_file(FILE) else None
    try:
        value = json.loads(content) if content else None
    except (ValueError, RecursionError):
        return _wrong(content or "", "", "is not JSON", "Correct it.", notes)
    if content is None or not isinstance(value, dict):
        return None
    for manager in sequence(value, "enabledManagers"):
        _known(content, str(manager), _MANAGERS, "manager", notes)
    regex = [entry for _keys, entry in mappings(value, "customManagers")]
    enabled = {str(item) for item in sequence(value, "enabledManagers")}
    if regex and "enabledManagers" in value and not {"custom.regex", "custom.jsonata", "regex"} & enabled:
        _wrong(content, "enabledManagers", "has managers of its own and does not enable them", "Add it.", notes)
    for entry in regex:
        _manager(content, entry, subject, notes)
    return None


def _wrong(content: str, word: str, what: str, fix: str, notes: Notes) -> None:
    at = content.find(word) if word else 0
    line = content.count("\n", 0, max(at, 0)) + 1
    notes.add("UPD001", Place(FILE, line), f"{word or FILE} {what}: no release is ever proposed.", fix)


def _known(content: str, word: str, known: frozenset[str], what: str, notes: Notes) -> None:
    near = [] if word in known else difflib.get_close_matches(word, sorted(known), 1, _NEAR)
    if near:
        _wrong(content, word, f"is no {what} of Renovate", f"Write {near[0]}.", notes)


def _manager(content: str, entry: dict[str, Any], subject: Subject, notes: Notes) -> None:
    kind = text(entry, "customType")
    if kind not in _TYPES:
        _wrong(content, f'"{kind}"', "is no type of a custom manager", 'Write "regex".', notes)
        return
    _known(content, text(entry, "datasourceTemplate"), _DATASOURCES, "datasource", notes)
    patterns = [str(item) for item in sequence(entry, "managerFilePatterns")]
    paths = _named(patterns, subject)
    for pattern in patterns if paths == [] else ():
        _wrong(content, json.dumps(pattern)[1:-1], "matches no file", "Name the file with the version.", notes)
    contents = [subject.tree.text(path, notes) or "" for path in paths or ()]
    for wanted in sequence(entry, "matchStrings") if contents else ():
        if kind == "regex" and not _finds(str(wanted), entry, contents):
            shown = json.dumps(wanted, ensure_ascii=False)[1:-1]
            _wrong(content, shown, "matches nothing, or has no group currentValue", "Correct the expression.", notes)
    extract = text(entry, "extractVersionTemplate")
    if extract and "(?<version>" not in extract:
        _wrong(content, json.dumps(extract)[1:-1], "has no group version", "Write (?<version>...).", notes)
    _source(content, entry, subject, notes)


def _named(patterns: Sequence[str], subject: Subject) -> list[str] | None:
    """The files that patterns name: expressions between slashes, else globs; None where that cannot be told."""
    paths = list(subject.tree.paths)
    named: set[str] = set()
    for pattern in patterns:
        expression = pattern[1:-1] if len(pattern) > 2 and pattern[0] == pattern[-1] == "/" else None
        if expression is not None:
            hits = expressions.found(expression, paths)
        else:
            hits = None if _GLOB.search(pattern) else [path == pattern for path in paths]
        if hits is None:
            return None
        named |= {path for path, hit in zip(paths, hits, strict=True) if hit}
    return sorted(named)


def _finds(expression: str, entry: Mapping[str, Any], contents: Sequence[str]) -> bool:
    """Whether an expression has what Renovate needs, and matches somewhere, as far as that can be told."""
    known = expressions.groups(expression)
    if known is None or "matchStringsStrategy" in entry:
        return True
    if not known & {"currentValue", "currentDigest"} and "currentValueTemplate" not in entry:
        return False
    hits = expressions.found(expression, contents)
    return hits is None or any(hits)


def _source(content: str, entry: dict[str, Any], subject: Subject, notes: Notes) -> None:
    name, registry = text(entry, "depNameTemplate"), text(entry, "registryUrlTemplate")
    if registry and registry.partition("://")[0] not in ("https", "http", "oci"):
        _wrong(content, registry, "has no scheme that Renovate knows", "Write https://.", notes)
    charts = set(_charts(subject))
    if registry and charts and spelled(registry) not in {url for url, _chart in charts}:
        _wrong(content, registry, "is a repository of charts that no Application uses", "Write that of it.", notes)
    elif registry and charts and (spelled(registry), name) not in charts:
        _wrong(content, f'"{name}"', f"is no chart that comes from {registry}", "Write its name.", notes)
    elif not registry:
        _known(content, name, _PROJECTS, "project of this cluster, and nothing", notes)


def _charts(subject: Subject) -> Iterator[tuple[str, str]]:
    for item in applications(subject):
        for _keys, entry in sources(item):
            if text(entry, "chart"):
                yield spelled(text(entry, "repoURL")), text(entry, "chart")
