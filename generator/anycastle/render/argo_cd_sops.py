"""How Argo CD decrypts SOPS: a plugin beside the repository server, in upstream's own image.

Argo CD has no decryption of its own. The plugin runs in a container apart, so that the key is out of reach of the
server that unpacks repositories; only an Application that names the plugin is handed to it (Argo CD, config management
plugins).
"""

from __future__ import annotations

from anycastle.site.model import Site

NAME = "sops"
"""Of the plugin, and of the tool in `gitops.secrets`."""

SECRET, KEY = "sops-age", "age.agekey"
"""Where the secret half of the cluster's age key lies, as Flux wants it, too."""

_SERVER = "/var/run/argocd/argocd-cmp-server"
_CONFIG = "argocd-cmp-cm"
_USER = 999
_SCRATCH = "/tmp"  # noqa: S108 - in a container, on a volume of its own
_DECRYPT = """for file in *.sops.yaml; do
  echo ---
  sops decrypt "$file"
done
"""
"""Fails as a whole where one file cannot be opened, or where there is none: what is missing would not be noticed."""

_Object = dict[str, object]


def needed(site: Site) -> bool:
    """Whether it is Argo CD that has to decrypt."""
    return site.gitops.engine == "argocd" and site.gitops.secrets == NAME


def plugin(site: Site) -> _Object:
    """What belongs under `configs`."""
    if not needed(site):
        return {}
    generate = {"command": ["sh", "-euc"], "args": [_DECRYPT]}
    return {"cmp": {"create": True, "plugins": {NAME: {"generate": generate}}}}


def sidecar(site: Site) -> _Object:
    """What belongs at the top of the values."""
    if not needed(site):
        return {}
    return {
        "repoServer": {
            "extraContainers": [_container(site.versions.sops)],
            "volumes": [
                {"name": _CONFIG, "configMap": {"name": _CONFIG}},
                {"name": SECRET, "secret": {"secretName": SECRET, "optional": True}},
                {"name": "cmp-tmp", "emptyDir": {}},
            ],
        }
    }


def _container(version: str) -> _Object:
    config = {"mountPath": "/home/argocd/cmp-server/config/plugin.yaml", "subPath": f"{NAME}.yaml", "name": _CONFIG}
    return {
        "name": NAME,
        "image": f"ghcr.io/getsops/sops:v{version}-alpine",
        "command": [_SERVER],
        "env": [{"name": "SOPS_AGE_KEY_FILE", "value": f"/sops/{KEY}"}, {"name": "HOME", "value": _SCRATCH}],
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _USER,
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "volumeMounts": [
            {"mountPath": "/var/run/argocd", "name": "var-files"},
            {"mountPath": "/home/argocd/cmp-server/plugins", "name": "plugins"},
            config,
            {"mountPath": "/sops", "name": SECRET, "readOnly": True},
            {"mountPath": _SCRATCH, "name": "cmp-tmp"},
        ],
    }


COMMENTS: dict[tuple[str | int, ...], str] = {
    (
        "configs",
        "cmp",
    ): "Argo CD opens no SOPS file by itself: this plugin does, for the app secrets alone, in the container "
    "under repoServer.\nOne file that it cannot open stops that app, and changes nothing in the cluster.",
    (
        "repoServer",
    ): "The container has the key, the repository server has not. Without the Secret sops-age the container "
    "starts, too,\nand only the app secrets fails.",
}
"""Where the keys are there."""
