"""`renovate.json`, or a preset: what proposes new releases, held against the files that it should change.

Only managers of the kind `regex` are looked at. Renovate says nothing where one of them finds nothing: the version
then stands still for ever.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from anycastle.finding import Place
from anycastle.reader import flux
from anycastle.reader.agreement import expressions
from anycastle.reader.agreement.applications import applications
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes
from anycastle.reader.value_files import sources, spelled
from anycastle.schemas.shape import mapping, mappings, sequence, text

FILE, PRESET = "renovate.json", "renovate-preset.json"
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
_PROJECTS = frozenset(
    ("kubernetes/kubernetes", "kube-vip/kube-vip", "projectcalico/calico", "traefik/traefik", "fluxcd/flux2")
)
_NEAR = 0.75
_GLOB = re.compile(r"[*?\[{!]|^/")


class _Config(NamedTuple):
    """A file of Renovate's."""

    path: str
    text: str


def check(subject: Subject, notes: Notes) -> None:
    """Every manager of every file."""
    for path in (FILE, PRESET):
        content = subject.tree.text(path, notes) if subject.tree.has_file(path) else None
        if content is not None:
            _check(_Config(path, content), subject, notes)


def _check(config: _Config, subject: Subject, notes: Notes) -> None:
    try:
        value = json.loads(config.text) if config.text else None
    except (ValueError, RecursionError):
        return _wrong(config, "", "is not JSON", "Correct it.", notes)
    if not isinstance(value, dict):
        return None
    for manager in sequence(value, "enabledManagers"):
        _known(config, str(manager), _MANAGERS, "manager", notes)
    regex = [entry for _keys, entry in mappings(value, "customManagers")]
    enabled = {str(item) for item in sequence(value, "enabledManagers")}
    if regex and "enabledManagers" in value and not {"custom.regex", "custom.jsonata", "regex"} & enabled:
        _wrong(config, "enabledManagers", "has managers of its own and does not enable them", "Add it.", notes)
    for entry in regex:
        _manager(config, entry, subject, notes)
    return None


def _wrong(config: _Config, word: str, what: str, fix: str, notes: Notes) -> None:
    at = config.text.find(word) if word else 0
    line = config.text.count("\n", 0, max(at, 0)) + 1
    notes.add("UPD001", Place(config.path, line), f"{word or config.path} {what}: no release is ever proposed.", fix)


def _known(config: _Config, word: str, known: frozenset[str], what: str, notes: Notes) -> None:
    near = [] if word in known else difflib.get_close_matches(word, sorted(known), 1, _NEAR)
    if near:
        _wrong(config, word, f"is no {what} of Renovate", f"Write {near[0]}.", notes)


def _manager(config: _Config, entry: dict[str, Any], subject: Subject, notes: Notes) -> None:
    kind = text(entry, "customType")
    if kind not in _TYPES:
        _wrong(config, f'"{kind}"', "is no type of a custom manager", 'Write "regex".', notes)
        return
    _known(config, text(entry, "datasourceTemplate"), _DATASOURCES, "datasource", notes)
    patterns = [str(item) for item in sequence(entry, "managerFilePatterns")]
    paths = _named(patterns, subject)
    for pattern in patterns if paths == [] else ():
        _wrong(config, json.dumps(pattern)[1:-1], "matches no file", "Name the file with the version.", notes)
    contents = [subject.tree.text(path, notes) or "" for path in paths or ()]
    for wanted in sequence(entry, "matchStrings") if contents else ():
        if kind == "regex" and not _finds(str(wanted), entry, contents):
            shown = json.dumps(wanted, ensure_ascii=False)[1:-1]
            _wrong(config, shown, "matches nothing, or has no group currentValue", "Correct the expression.", notes)
    extract = text(entry, "extractVersionTemplate")
    if extract and "(?<version>" not in extract:
        _wrong(config, json.dumps(extract)[1:-1], "has no group version", "Write (?<version>...).", notes)
    _source(config, entry, subject, notes)


def _named(patterns: Sequence[str], subject: Subject) -> list[str] | None:
    """The files that patterns name: expressions between slashes, else globs; None where that cannot be told."""
    base = f"{subject.tree.folder}/" if subject.tree.folder else ""
    paths = [f"{base}{path}" for path in subject.tree.paths]
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
    return sorted(path.removeprefix(base) for path in named)


def _finds(expression: str, entry: Mapping[str, Any], contents: Sequence[str]) -> bool:
    """Whether an expression has what Renovate needs, and matches somewhere, as far as that can be told."""
    known = expressions.groups(expression)
    if known is None or "matchStringsStrategy" in entry:
        return True
    if not known & {"currentValue", "currentDigest"} and "currentValueTemplate" not in entry:
        return False
    hits = expressions.found(expression, contents)
    return hits is None or any(hits)


def _package(entry: Mapping[str, Any]) -> str:
    return text(entry, "packageNameTemplate") or text(entry, "depNameTemplate")


def _source(config: _Config, entry: dict[str, Any], subject: Subject, notes: Notes) -> None:
    name, registry = _package(entry), text(entry, "registryUrlTemplate")
    if "{{" in registry + name or (registry and text(entry, "datasourceTemplate") != "helm"):
        return
    if registry and registry.partition("://")[0] not in ("https", "http", "oci"):
        _wrong(config, registry, "has no scheme that Renovate knows", "Write https://.", notes)
    charts = set(_charts(subject))
    urls = {url for url, _chart in charts}
    if registry and charts and spelled(registry) not in urls:
        if subject.one_hand or difflib.get_close_matches(spelled(registry), urls, 1, _NEAR):
            _wrong(config, registry, "is a repository of charts that nothing here uses", "Write that of it.", notes)
    elif registry and charts and (spelled(registry), name) not in charts:
        _wrong(config, f'"{name}"', f"is no chart that comes from {registry}", "Write its name.", notes)
    elif not registry:
        _known(config, name, _PROJECTS, "project of this cluster, and nothing", notes)


def _charts(subject: Subject) -> Iterator[tuple[str, str]]:
    for item in applications(subject):
        for _keys, entry in sources(item):
            if text(entry, "chart"):
                yield spelled(text(entry, "repoURL")), text(entry, "chart")
    known = [item for item in subject.engine if item.kind == "HelmRepository"]
    urls = {(item.namespace, item.name): text(item.spec, "url") for item in known}
    for item in subject.engine:
        chart = mapping(item.spec, "chart", "spec") if flux.is_release(item) else {}
        source = mapping(chart, "sourceRef")
        if url := urls.get((text(source, "namespace") or item.namespace, text(source, "name"))):
            yield spelled(url), text(chart, "chart")
