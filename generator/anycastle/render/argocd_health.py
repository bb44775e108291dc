"""Health checks that Argo CD does not have by itself, in Lua, as files beside this module.

They run in Argo CD's sandbox, where only Lua's base and table functions exist (util/lua/lua.go): no string
library. Without the one for Application, the waves of an app of apps do not wait for anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

SCRIPTS: Mapping[str, str] = {
    "argoproj.io_Application": "application.lua",
    "operator.tigera.io_APIServer": "installation.lua",
    "operator.tigera.io_Installation": "installation.lua",
}
"""Kind as `group_Kind` -> its script."""

KEY = "resource.customizations.health."
"""Prefix of a kind's key in the ConfigMap argocd-cm."""


@cache
def script(kind: str) -> str:
    """The Lua text for a kind, which stands in the global `obj`; it returns `{status=..., message=...}`."""
    return (resources.files("anycastle.render") / "lua" / SCRIPTS[kind]).read_text(encoding="utf-8")
