"""Examples of upstream's documentation: what is right there is called a mistake by nobody here."""

from __future__ import annotations

from pathlib import Path

import pytest
from upstream_examples import EXAMPLES

from anycastle.compose import validate_tree
from anycastle.finding import Severity

JUDGED = (Severity.ERROR, Severity.WARNING)


def written(name: str, root: Path) -> Path:
    for path, text in EXAMPLES[name].items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_in_an_example_is_called_a_mistake(name: str, tmp_path: Path) -> None:
    report = validate_tree(written(name, tmp_path / name))
    assert [str(found) for found in report.findings if found.severity in JUDGED] == []


@pytest.mark.parametrize("name", sorted(EXAMPLES.keys() - {"frr-leaf", "bird-gateway"}))
def test_the_objects_of_an_example_are_seen(name: str, tmp_path: Path) -> None:
    """Silence is worth something only where something was read."""
    assert validate_tree(written(name, tmp_path / name)).objects > 0


MISTAKES = {
    "calico-peers": ("by-rack.yaml", "bay == 'one'", "bay = 'one'", "CAL014"),
    "calico-pools": ("pools.yaml", "172.22.40.1\n", "172.22.40.1/33\n", "CAL001"),
    "kube-vip-daemonset": ("daemonset.yaml", "10.51.0.1:65002::false,", "10.51.0.1:6500x::false,", "READ001"),
    "kubeadm": ("first.yaml", "dataDir:", "datadir:", "OBJ003"),
    "argo-app-of-apps": ("apps/templates/guestbook.yaml", "path: guestbook", "path: guestbok", "ARGO001"),
    "argo-sources": ("prometheus.yaml", "[$values/", "[$value/", "ARGO003"),
    "argo-many-habits": ("extras/route.yaml", "namespace: monitoring", "namespace: monitorng", "ARGO012"),
    "flux-bootstrap": ("clusters/lab/apps.yaml", "infra-configs", "infra-config", "FLUX001"),
    "flux-calico": ("calico/routes/bgp.yaml", "cidr: 10.75.0.0/24, allowed", "cidr: 10.75.1.0/24, allowed", "POOL003"),
    "traefik-values": ("traefik/host.yaml", "service: {enabled: false}", "service: {enable: false}", "TRF001"),
    "frr-leaf": ("leaf1/frr.conf", "prefix-list FROM-SERVERS in", "prefix-list FROM-SERVER in", "FRR002"),
    "unlike-machines": ("vip/kube-vip-c.yaml", "value: 10.71.8.1}", "value: 10.71.8.2}", "KVIP006"),
    "umbrella-chart": ("charts/platform/templates/cm.yaml", "shared.labels", "shared.label", "HELM001"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_an_example_is_one(name: str, tmp_path: Path) -> None:
    path, old, new, code = MISTAKES[name]
    root = written(name, tmp_path / name)
    text = (root / path).read_text(encoding="utf-8")
    assert old in text
    (root / path).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert code in {found.code for found in validate_tree(root).findings if found.severity in JUDGED}
