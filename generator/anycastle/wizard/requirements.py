"""What the generator needs beside itself, so that a Python without it hears one sentence and no traceback."""

from __future__ import annotations

import importlib.util
import shlex
import sys

PACKAGES = {
    "click": "click>=8.1",
    "git": "gitpython>=3.1.44",
    "helm_python": "helm-python-sdk==0.2.2",
    "jinja2": "jinja2>=3.1",
    "jsonschema_rs": "jsonschema-rs>=0.61,<1",
    "kubernetes_validate": "kubernetes-validate>=1.37",
    "pydantic": "pydantic>=2.10,<3",
    "yaml": "pyyaml>=6.0.2",
}
"""Module and requirement; a test holds it against the package's own list."""


def missing() -> tuple[str, ...]:
    """The requirements that this Python lacks. Nothing is imported."""
    return tuple(sorted(need for module, need in PACKAGES.items() if importlib.util.find_spec(module) is None))


def complaint() -> str:
    """One line that names what is missing and the command that installs it; empty where nothing is."""
    if not (needs := missing()):
        return ""
    quoted = " ".join(shlex.quote(need) for need in needs)
    return (
        f"the Python that runs cookiecutter lacks {', '.join(needs)}: run {shlex.quote(sys.executable)} -m pip "
        f"install {quoted} (with pipx: pipx inject cookiecutter {quoted})."
    )
