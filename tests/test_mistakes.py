"""The ten mistakes: each alone, made in a copy of the example, is found, at its place and by its code."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from anycastle.cli import run
from anycastle.compose import validate_tree
from anycastle.finding import Finding, Severity

EXAMPLE = Path(__file__).resolve().parents[1] / "output-example"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "home"))


def replace(path: str, old: str, new: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        text = (root / path).read_text()
        assert old in text, f"{old!r} is not in {path}"
        (root / path).write_text(text.replace(old, new, 1))

    return change


def swap_waves(root: Path) -> None:
    bgp, installation = (root / f"argocd/apps/{name}.yaml" for name in ("calico-bgp", "calico-installation"))
    bgp.write_text(bgp.read_text().replace('sync-wave: "-30"', 'sync-wave: "-25"'))
    installation.write_text(installation.read_text().replace('sync-wave: "-25"', 'sync-wave: "-30"'))


def plain_secret(root: Path) -> None:
    (root / "apps/edge/token.yaml").write_text(
        "apiVersion: v1\nkind: Secret\nmetadata: {name: token, namespace: traefik}\nstringData: {token: hunter2}\n"
    )


def duplicate_key(root: Path) -> None:
    path = root / "apps/whoami/values.yaml"
    path.write_text(path.read_text() + "replicas: 3\n")


def replace_all(path: str, old: str, new: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        text = (root / path).read_text()
        assert old in text, f"{old!r} is not in {path}"
        (root / path).write_text(text.replace(old, new))

    return change


MISTAKES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a peer address with one digit changed": (
        replace("apps/calico-bgp/values.yaml", "peerIP: 192.168.10.1", "peerIP: 192.168.10.2"),
        "apps/calico-bgp/values.yaml",
    ),
    "a peer address with one digit changed in one static pod": (
        replace("nodes/k8s-master-2/kube-vip.yaml", "value: 192.168.10.1\n", "value: 192.168.10.4\n"),
        "nodes/k8s-master-2/kube-vip.yaml",
    ),
    "two waves swapped": (swap_waves, "argocd/apps/calico-installation.yaml"),
    "aggregation back to its default": (
        replace(
            "apps/calico-bgp/values.yaml",
            "serviceLoadBalancerAggregation: Disabled",
            "serviceLoadBalancerAggregation: Enabled",
        ),
        "routers/router/frr.conf",  # which lets single addresses in, and not the pool as a whole
    ),
    "the annotation as a bare string": (
        replace("apps/traefik/values.yaml", """'["192.168.20.100"]'""", "192.168.20.100"),
        "apps/traefik/values.yaml",
    ),
    "a pool that contains the API address": (
        replace("apps/calico-loadbalancer/values.yaml", "cidr: 192.168.20.64/26", "cidr: 192.168.20.0/24"),
        "apps/calico-loadbalancer/values.yaml",
    ),
    "one master's router ID copied to another": (
        replace("nodes/k8s-master-3/kube-vip.yaml", "value: 192.168.10.19\n", "value: 192.168.10.18\n"),
        "nodes/k8s-master-3/kube-vip.yaml",
    ),
    "externalTrafficPolicy at the wrong path": (
        replace(
            "apps/traefik/values.yaml",
            "service:\n  spec:\n    # Local keeps",
            "service:\n  externalTrafficPolicy: Local\n  spec:\n    # Local keeps",
        ),
        "apps/traefik/values.yaml",
    ),
    "a Secret in clear text": (plain_secret, "apps/edge/token.yaml"),
    "an unquoted selector": (
        replace(
            "apps/calico-bgp/values.yaml",
            "nodeSelector: '!has(node-role.kubernetes.io/control-plane)'",
            "nodeSelector: !has(node-role.kubernetes.io/control-plane)",
        ),
        "apps/calico-bgp/values.yaml",
    ),
    "a duplicate key": (duplicate_key, "apps/whoami/values.yaml"),
}


def judged(root: Path) -> list[Finding]:
    return [f for f in validate_tree(root).findings if f.severity in (Severity.ERROR, Severity.WARNING)]


def test_the_example_itself_is_clean(copy: Path) -> None:
    assert judged(copy) == []


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_alone_is_found_where_it_stands(copy: Path, name: str) -> None:
    change, path = MISTAKES[name]
    change(copy)
    found = judged(copy)
    assert path in {f.where.path for f in found}, found
    assert all(f.where.line > 0 for f in found if f.where.path == path), found
    assert all(f.message and f.fix for f in found)


def test_the_policy_moved_to_the_wrong_path_is_no_local_service_any_more(copy: Path) -> None:
    path = copy / "apps/traefik/values.yaml"
    lines = path.read_text().splitlines(keepends=True)
    at = lines.index("    externalTrafficPolicy: Local\n")
    lines[at] = ""
    lines[lines.index("service:\n")] = "service:\n  externalTrafficPolicy: Local\n"
    path.write_text("".join(lines).replace("  spec:\n    # Local keeps", "  # Local keeps"))
    assert any(f.where.path == "apps/traefik/values.yaml" and f.severity is Severity.ERROR for f in judged(copy))


@pytest.mark.parametrize("name", MISTAKES)
def test_the_command_ends_with_1_and_json_carries_the_finding(
    copy: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change, path = MISTAKES[name]
    change(copy)
    assert run(["validate", str(copy), "--format", "json"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert any(item["path"].endswith(path) and item["severity"] in ("error", "warning") for item in findings)
    assert all(set(item) == {"code", "severity", "path", "line", "message", "fix"} for item in findings)
