"""The job of GitLab CI that holds every commit against the rules: whether GitLab takes it.

GitLab refuses the whole file because of one keyword that it does not know (docs.gitlab.com/ci/yaml).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from anycastle import yamlio
from anycastle.schemas.shape import mapping, sequence

FILE = ".gitlab-ci.yml"
_NEAR = 0.75
_GLOBAL = frozenset(
    (
        "after_script",
        "before_script",
        "cache",
        "default",
        "image",
        "include",
        "pages",
        "services",
        "spec",
        "stages",
        "variables",
        "workflow",
    )
)
_OF_JOB = frozenset(
    (
        "after_script",
        "allow_failure",
        "artifacts",
        "before_script",
        "cache",
        "coverage",
        "dependencies",
        "environment",
        "except",
        "extends",
        "hooks",
        "id_tokens",
        "identity",
        "image",
        "inherit",
        "interruptible",
        "needs",
        "only",
        "pages",
        "parallel",
        "release",
        "resource_group",
        "retry",
        "rules",
        "run",
        "script",
        "secrets",
        "services",
        "stage",
        "start_in",
        "tags",
        "timeout",
        "trigger",
        "variables",
        "when",
    )
)
_OF_ARTIFACTS = frozenset(
    (
        "access",
        "exclude",
        "expire_in",
        "expose_as",
        "name",
        "paths",
        "public",
        "reports",
        "untracked",
        "when",
    )
)
_OF_REPORTS = frozenset(
    (
        "accessibility",
        "annotations",
        "codequality",
        "coverage_report",
        "cyclonedx",
        "dotenv",
        "junit",
        "metrics",
        "sast",
        "sbom",
        "secret_detection",
        "terraform",
    )
)

Keys = tuple[str | int, ...]


def commands(value: dict[str, Any]) -> Iterator[tuple[Keys, str]]:
    """Every command of every job, with its keys."""
    for name, job in value.items():
        if isinstance(job, dict) and name not in _GLOBAL:
            for key in ("before_script", "script", "after_script"):
                for index, line in enumerate(sequence(job, key)):
                    if isinstance(line, str):
                        yield (name, key, index), line


def misspelt(document: yamlio.Document) -> Iterator[tuple[Keys, str, str]]:
    """Keys of a job that are nearly a keyword: keys, what is written, what was meant."""
    value = document.value
    for name, job in value.items():
        if not isinstance(job, dict) or name in _GLOBAL or str(name).startswith("."):
            continue
        parts: tuple[tuple[Keys, dict[str, Any], frozenset[str]], ...] = (
            ((name,), job, _OF_JOB),
            ((name, "artifacts"), mapping(job, "artifacts"), _OF_ARTIFACTS),
            ((name, "artifacts", "reports"), mapping(job, "artifacts", "reports"), _OF_REPORTS),
        )
        for keys, given, known in parts:
            for key in given:
                near = [] if key in known else difflib.get_close_matches(str(key), sorted(known), 1, _NEAR)
                if near:
                    yield (*keys, key), str(key), near[0]
