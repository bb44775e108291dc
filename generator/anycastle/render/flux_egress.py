"""What the controllers of Flux are told of the way out: patches of the kustomization that `flux bootstrap` keeps.

`flux bootstrap` writes `kustomization.yaml` where there is none, and otherwise applies the one that is there (Flux,
bootstrap customization). Without a proxy and without certificates there is nothing to tell, and none is written.
"""

from __future__ import annotations

from anycastle import yamlio
from anycastle.network.model import Network
from anycastle.render.egress import of_engine, split, variables
from anycastle.render.flux_releases import NAMESPACE
from anycastle.site.model import Site
from anycastle.yamlio import Comments

_CERTIFICATES = "site-certificates"
_CONTROLLERS = {"kind": "Deployment", "labelSelector": "app.kubernetes.io/part-of=flux"}
"""Every Deployment of `gotk-components.yaml` (Flux, proxy settings)."""


def files(site: Site, network: Network, folder: str) -> dict[str, bytes]:
    """`flux-system/kustomization.yaml` and what it names; nothing for most sites."""
    proxy, certificates = of_engine(network), split(site.egress.ca_certificates)
    if proxy is None and not certificates:
        return {}
    names = {f"ca-{number}.crt": text for number, text in enumerate(certificates, start=1)}
    container: dict[str, object] = {"name": "manager"}
    pod: dict[str, object] = {"containers": [container]}
    if proxy is not None:
        container["env"] = [{"name": name, "value": value} for name, value in variables(proxy)]
    if names:
        container["volumeMounts"] = [
            {"name": _CERTIFICATES, "mountPath": f"/etc/ssl/certs/site-{name}", "subPath": name, "readOnly": True}
            for name in names
        ]
        pod["volumes"] = [{"name": _CERTIFICATES, "configMap": {"name": _CERTIFICATES}}]
    text = yamlio.header(_HEAD) + yamlio.dump_commented(_kustomization(pod, tuple(names)), _COMMENTS)
    found = {f"{folder}/flux-system/kustomization.yaml": text.encode()}
    return found | {f"{folder}/flux-system/{name}": text.encode() for name, text in names.items()}


def _kustomization(pod: dict[str, object], names: tuple[str, ...]) -> dict[str, object]:
    patch = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "all"},
        "spec": {"template": {"spec": pod}},
    }
    value: dict[str, object] = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["gotk-components.yaml", "gotk-sync.yaml"],
    }
    if names:
        value["configMapGenerator"] = [{"name": _CERTIFICATES, "namespace": NAMESPACE, "files": list(names)}]
    return {**value, "patches": [{"target": _CONTROLLERS, "patch": yamlio.dump(patch)}]}


_HEAD = "Follows from site.yaml: egress. `flux bootstrap` keeps this file, and writes gotk-components.yaml beside it."
_COMMENTS: Comments = {
    ("configMapGenerator",): "Certificates of site.yaml; the name gets a hash, so that the controllers start anew.",
    ("patches",): (
        "For every controller. .cluster.local. with its last dot is how they call one another; Go reads each file in\n"
        "/etc/ssl/certs beside the image's own."
    ),
}
