"""What a text that could not be read, or a chart that could not be rendered, would have told.

Only the kinds that it names are asked: that is enough to know which laws must not conclude from absence.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from anycastle.network.model import Unread
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes

_KIND = re.compile(r"^[ \t-]*[\"']?kind[\"']?:[ \t]*[\"']?([A-Za-z]+)", re.MULTILINE)
_OF_KIND: dict[str, tuple[Unread, ...]] = {
    "InitConfiguration": (Unread.NODES,),
    "JoinConfiguration": (Unread.NODES,),
    "ClusterConfiguration": (Unread.API,),
    "BGPConfiguration": (Unread.SETTINGS,),
    "KubeControllersConfiguration": (Unread.SETTINGS,),
    "BGPPeer": (Unread.PEERS,),
    "BGPFilter": (Unread.FILTERS,),
    "IPPool": (Unread.POOLS,),
    **dict.fromkeys(("IPAddressPool", "CiliumLoadBalancerIPPool"), (Unread.POOLS,)),
    "Installation": (Unread.INSTALLATION, Unread.POOLS),
    "Service": (Unread.SERVICES,),
}
CLUSTER = (
    Unread.SETTINGS,
    Unread.PEERS,
    Unread.FILTERS,
    Unread.POOLS,
    Unread.INSTALLATION,
    Unread.SERVICES,
    Unread.APPS,
    Unread.HEALTH,
)
"""Everything that an app of the GitOps engine may bring."""
_ENGINE = frozenset(("Application", "ApplicationSet", "Kustomization", "HelmRelease"))
_ENDPOINT = "kubernetes-services-endpoint"
_NETWORK_CHARTS = re.compile(r"calico|tigera|bgp|network|cni", re.IGNORECASE)
OF_CHART: dict[str, tuple[Unread, ...]] = {
    "tigera-operator": (Unread.INSTALLATION, Unread.POOLS),
    "argo-cd": (Unread.HEALTH,),
    "traefik": (Unread.SERVICES,),
    "crd.projectcalico.org.v1": (),
    "projectcalico.org.v3": (),
    "sealed-secrets": (),
    "external-secrets": (),
}
"""Charts that are known without being here, and what is lost with their values."""


VENDORED = "vendor/"
"""Where `anycastle vendor` puts upstream's charts."""


def cure_of_absence(path: str, tree: Tree, other: str = "add the folder") -> str:
    """What to do about a path from the root of the Git repository that a source names and that is not there."""
    if path.removeprefix(f"{tree.folder}/").startswith(VENDORED):
        return "Run `anycastle vendor .` where there is a network, and commit what it brings."
    if tree.folder and (tree.has_file(path) or tree.has_folder(path)):
        return f"Write {tree.folder}/{path}, from the root of the Git repository (site.yaml, gitops.path)."
    return f"Correct the path, or {other}."


def parts_in(text: str) -> set[Unread]:
    """The parts of a network that objects in this text may be."""
    found: set[Unread] = set()
    for kind in _KIND.findall(text):
        found.update(CLUSTER if kind in _ENGINE else _OF_KIND.get(kind, ()))
    if _ENDPOINT in text:
        found.add(Unread.INSTALLATION)
    if "kube-vip/kube-vip" in text:
        found.add(Unread.KUBE_VIP)
    return found


def parts_below(folder: str, tree: Tree, notes: Notes) -> set[Unread]:
    """The same for every template of a chart, or every manifest of a folder."""
    base = f"{folder}/" if folder else ""
    paths = [path for path in tree.paths if path.startswith(base) and path.endswith((".yaml", ".yml", ".tpl"))]
    return parts_of(paths, tree, notes)


def parts_of(paths: Iterable[str], tree: Tree, notes: Notes) -> set[Unread]:
    """The same for some files."""
    found: set[Unread] = set()
    for path in paths:
        found |= parts_in(tree.text(path, notes) or "")
    return found


def parts_elsewhere(name: str) -> tuple[Unread, ...]:
    """What an unknown chart or folder of another repository may bring, as far as its name tells."""
    return CLUSTER if _NETWORK_CHARTS.search(posixpath.basename(name.rstrip("/"))) else ()
