"""The embedded Helm engine (Helm SDK 4 inside the helm-python-sdk wheel), in the process that calls it.

The wheel is alpha, so nothing else in the project knows it. It is imported on first use: it costs 40 to 80 ms
and 70 MiB. What the Python wrapper does not pass on (`kube_version`, `api_versions`) goes through its C entry
points. A chart handle is not immutable (helm/helm#6307, #9905), hence one fresh load per render. A process
that has rendered must not fork: use spawn.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from anycastle.finding import Finding, Place, Severity
from anycastle.helm.model import Release, Rendered

_LOCATION = re.compile(r"(?:^|[\s(])([\w.+-]+/[\w./+-]+?\.(?:ya?ml|tpl|txt)):(\d+)")

_CHAIN = re.compile(r"^.*?execution error at \([^)]*\): ", re.DOTALL)
_ENDS = 600
"""Characters that are kept of the beginning and of the end of what Helm says."""


def load() -> tuple[Any, Any]:
    """The wrapper and its C entry points; everything slow about the engine happens here."""
    import helm_python
    from helm_python import _native

    return helm_python, _native


def render(chart: Path, values: Mapping[str, Any], release: Release, label: str) -> Rendered:
    """Render a chart as `helm template` does: values schema, guards and the kubeVersion constraint hold.

    `label` is the chart's path in reports. Hooks are kept (they reach the cluster), notes and CRDs are not
    part of it.
    """
    helm, native = load()
    options = {
        "name": release.name,
        "namespace": release.namespace,
        "kube_version": release.kube_version,
        "api_versions": list(release.api_versions),
    }
    try:
        with _quiet_stderr(), helm.Chart.load(str(chart)) as handle:
            reply = native.call_string("helm_render", handle._raw(), json.dumps(values), json.dumps(options))
            _dry_install(helm, native, handle, values, options)
    except helm.HelmError as error:
        return Rendered(findings=(_finding(error, label),))
    except UnicodeError:
        return Rendered(findings=(_not_text(label),))
    texts = json.loads(reply)
    inside = sorted((name.split("/", 1)[-1], text) for name, text in texts.items() if not name.endswith("NOTES.txt"))
    return Rendered(tuple((name, text) for name, text in inside if text.strip()))


def _dry_install(helm: Any, native: Any, handle: Any, values: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Raise what only an install looks at: the kubeVersion constraint and missing dependencies."""
    wanted = {key: options[key] for key in ("namespace", "kube_version", "api_versions")}
    config = helm.Config(storage_driver="memory", namespace=options["namespace"])
    native.call_string(
        "helm_install",
        config._raw(),
        native.HANDLE(0),
        handle._raw(),
        None,
        options["name"],
        json.dumps(values),
        json.dumps({**wanted, "dry_run": "client"}),
    )


def lint(chart: Path, values: Mapping[str, Any], kube_version: str, label: str) -> tuple[Finding, ...]:
    """What `helm lint --strict` says. Guards (`fail`, `required`) pass lint: render as well."""
    helm, _native = load()
    with _quiet_stderr():
        try:
            report = helm.lint(str(chart), dict(values), strict=True, kube_version=kube_version)
        except helm.HelmError as error:
            return (_finding(error, label),)
        except UnicodeError:
            return (_not_text(label),)
    findings = [
        _lint_finding(str(message.get("error") or message), label)
        for message in report["messages"]
        if int(message["severity"]) >= 2
    ]
    if not findings and report["errors"] and report["total_charts_linted"] == 0:
        findings = [_lint_finding(str(error), label) for error in report["errors"]]
    return tuple(findings)


def _lint_finding(message: str, label: str) -> Finding:
    return Finding(
        "HELM002",
        Severity.ERROR,
        Place(label),
        f"helm lint refuses the chart: {message}",
        "Correct the chart or its values; Argo CD and Flux render it with the same engine.",
    )


def _finding(error: Exception, label: str) -> Finding:
    detail = str(getattr(error, "detail", "") or error).strip()
    match = _LOCATION.search(detail)
    inside = match[1].split("/", 1)[-1] if match else ""
    path = f"{label}/{inside}" if inside.startswith(("templates/", "charts/")) else label
    line = int(match[2]) if match and inside.startswith(("templates/", "charts/")) else 0
    return Finding(
        "HELM001",
        Severity.ERROR,
        Place(path, line),
        f"Helm cannot render the chart, so nothing of it reaches the cluster: {_brief(detail)}",
        "Correct the value or the template that the message names.",
    )


def _not_text(label: str) -> Finding:
    return Finding(
        "HELM001",
        Severity.ERROR,
        Place(label),
        "What the chart renders is not UTF-8, so nothing of it reaches the cluster: the API server takes nothing else.",
        "Save its templates and values as UTF-8; look for `b64dec` and `trunc`, which cut characters in two.",
    )


def _brief(detail: str) -> str:
    """The sentence after the chain of template names, on one line; templates that call each other make long chains."""
    for marker in ("error calling fail: ", "error calling required: "):
        if marker in detail:
            detail = detail.rsplit(marker, 1)[1]
    text = " ".join(_CHAIN.sub("", detail).split())
    return text if len(text) <= 2 * _ENDS else f"{text[:_ENDS]} ... {text[-_ENDS:]}"


@contextlib.contextmanager
def _quiet_stderr() -> Iterator[None]:
    """Go writes lines such as `WARN missing required value` to file descriptor 2 whatever logging says."""
    sys.stderr.flush()
    saved = os.dup(2)
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(null)
