"""The example and other sites broken for one network reason each: what `validate` says of it, and what a lab finds."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from sites import case, generated

EXAMPLE = Path(__file__).resolve().parents[2] / "output-example"


@dataclass(frozen=True)
class Edit:
    """Every match of `pattern` in the files of `glob` becomes `text`; there must be one in at least one file."""

    glob: str
    pattern: str
    text: str = ""


@dataclass(frozen=True)
class Pair:
    """`code`: what validate reports. `check`: what fails in the lab, and `words` of its text.

    `site` is one of the example sites, where it is not the one of the example repository.
    """

    name: str
    edits: tuple[Edit, ...]
    code: str
    check: str
    words: str
    scenario: str = "none"
    site: str = ""


FRR, RULES, SETTINGS = "routers/router/frr.conf", "routers/router/nftables.conf", "routers/router/sysctl.conf"
VALUES = "apps/calico-bgp/values.yaml"

PAIRS = (
    Pair(
        "one-next-hop",
        (Edit(FRR, "maximum-paths 8", "maximum-paths 1"),),
        "RT003",
        "routes",
        "router sends 192.168.20.1/32 to",
    ),
    Pair(
        "pool-list-without-host-routes",
        (Edit(FRR, " ge 32 le 32"),),
        "RT001",
        "routes",
        "router has no route to 192.168.20.100/32",
    ),
    Pair(
        "neighbour-missing",
        (Edit(FRR, r" neighbor 192\.168\.10\.21 .*\n"),),
        "SESS001",
        "sessions",
        "k8s-node-2 (calico, 192.168.10.21) has no session with router: router has no such neighbour",
    ),
    Pair(
        "wrong-remote-as",
        (Edit(FRR, "remote-as 65020", "remote-as 65021"),),
        "SESS002",
        "sessions",
        "k8s-master-1 (kube-vip, 192.168.10.17) has no session with router",
    ),
    Pair(
        "wrong-as-of-the-router",
        (Edit("nodes/k8s-master-2/kube-vip.yaml", '"65010"', '"65011"'),),
        "SESS002",
        "sessions",
        "k8s-master-2 (kube-vip, 192.168.10.18) has no session with router",
    ),
    Pair(
        "not-activated",
        (Edit(FRR, "  neighbor K8S-KUBE-VIP activate\n"),),
        "FRR005",
        "sessions",
        "k8s-master-1 (kube-vip, 192.168.10.17) has no session with router",
    ),
    Pair(
        "two-speakers-on-control-planes",
        (Edit(VALUES, r"nodeSelector: .*", "nodeSelector: all()"),),
        "SESS003",
        "sessions",
        "k8s-master-1: ",
    ),
    Pair(
        "exports-another-pool",
        (Edit(VALUES, r"(?s)(exportV4:.*?cidr: )192\.168\.20\.64/26", r"\g<1>192.168.30.0/26"),),
        "ANN005",
        "routes",
        "router has no route to 192.168.20.100/32",
    ),
    Pair(
        "discard-route-wins",
        (Edit(FRR, "ip route 192.168.20.1/32 blackhole 254", "ip route 192.168.20.1/32 blackhole"),),
        "FRR003",
        "routes",
        "router has no route to 192.168.20.1/32",
    ),
    Pair(
        "hash-by-address",
        (Edit(SETTINGS, "fib_multipath_hash_policy = 1", "fib_multipath_hash_policy = 0"),),
        "RT004",
        "client reaches and spreads",
        "connections and none to",
    ),
    Pair(
        "no-hairpin-rule",
        (Edit(RULES, r"        iifname \"eth1\" oifname \"eth1\".*\n"),),
        "RT006",
        "nodes reach through the router",
        "requests lost",
    ),
    Pair(
        "redirects",
        (Edit(SETTINGS, "send_redirects = 0", "send_redirects = 1"),),
        "RT005",
        "no redirects",
        "router has told nodes",
    ),
    Pair(
        "api-address-in-the-subnet",
        (Edit("**/*", r"\b192\.168\.20\.1\b", "192.168.10.250"),),
        "ADDR003",
        "on-link addresses",
        "does not ask the router for API (192.168.10.250:6443)",
    ),
    Pair(
        "open-list",
        (Edit(FRR, "permit 192.168.20.64/26 ge 32 le 32", "permit 0.0.0.0/0 le 32"),),
        "RT002",
        "nothing else is let in",
        "router has taken in 172.20.",
    ),
    Pair(
        "no-health-check",
        (Edit("nodes/*/kube-vip.yaml", r"    - name: control_plane_health_check_\w+\n      value: .*\n"),),
        "KVIP007",
        "api-dead",
        "router sends 192.168.20.1/32 to",
        scenario="api-dead",
    ),
    Pair(
        "wrong-as-of-a-rack",
        (Edit("routers/edge-dc2/frr.conf", "remote-as 64602", "remote-as 64601"),),
        "SESS002",
        "sessions",
        "dc2-node-1 (calico, 10.2.0.21) has no session with edge-dc2",
        site="three-data-centres",
    ),
    Pair(
        "one-of-two-routers-without-multipath",
        (Edit("routers/tor-b/frr.conf", "maximum-paths 8", "maximum-paths 1"),),
        "RT003",
        "routes",
        "tor-b sends 10.20.1.1/32 to",
        site="two-routers-two-as",
    ),
    Pair(
        "one-of-two-routers-does-not-take-the-api-address",
        (Edit("routers/tor-b/frr.conf", "permit 10.20.1.1/32", "permit 10.20.1.9/32"),),
        "RT001",
        "routes",
        "tor-b has no route to 10.20.1.1/32",
        site="two-routers-one-as",
    ),
    Pair(
        "one-of-two-routers-tracks-connections",
        (
            Edit(
                "routers/tor-b/nftables.conf",
                r"(        ct state established,related accept\n)",
                r"        ct state invalid drop\n\1",
            ),
        ),
        "RT006",
        "client reaches and spreads",
        "by tor-b: 5 requests lost",
        site="two-routers-two-as",
    ),
    Pair(
        "ipv6-list-without-the-api-address",
        (Edit("routers/gate/frr.conf", "permit fd00:31:255::1/128", "permit fd00:31:255::9/128"),),
        "RT001",
        "routes",
        "gate has no route to fd00:31:255::1/128",
        site="dual-stack",
    ),
)


def broken(pair: Pair, root: Path) -> Path:
    """A copy of the example with the edits of a pair."""
    target = root / pair.name
    if pair.site:
        generated(case(pair.site), target)
    else:
        shutil.copytree(EXAMPLE, target)
    for edit in pair.edits:
        changed = [path for path in sorted(target.glob(edit.glob)) if path.is_file() and _edited(path, edit)]
        assert changed, f"{edit.pattern!r} is in no file of {edit.glob}"
    return target


def _edited(path: Path, edit: Edit) -> bool:
    text = path.read_text(encoding="utf-8")
    new, count = re.subn(edit.pattern, edit.text, text)
    path.write_text(new, encoding="utf-8")
    return bool(count)
