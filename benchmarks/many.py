"""One measurement of many sites or many nodes in one process; prints seconds as JSON.

python benchmarks/many.py sites 1000
python benchmarks/many.py nodes 5000
python benchmarks/many.py racks 200
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Any

from anycastle import compose, yamlio
from anycastle.render import render
from anycastle.terminal import collect_rarely

SEED = Path(__file__).resolve().parents[1] / "tests" / "cases" / "seed" / "site.yaml"


def seed() -> dict[str, Any]:
    return dict(yamlio.load(SEED.read_bytes()).documents[0].value)


def judged(data: dict[str, Any]) -> compose.Judged:
    result = compose.site_findings(data)
    assert result.site is not None, result.findings
    assert not compose.refused(result.findings), result.findings
    return result


def rendered(data: dict[str, Any]) -> dict[str, bytes]:
    result = judged(data)
    return dict(render(result.site, result.network))


def many_sites(count: int) -> dict[str, float]:
    """Each site has a name, subnet and addresses of its own."""
    began = time.perf_counter()
    for number in range(count):
        rendered(own_site(number))
    return {"render": time.perf_counter() - began}


def own_site(number: int) -> dict[str, Any]:
    """The default site, elsewhere: every address and name in it is its own."""
    text = SEED.read_text(encoding="utf-8")
    high, low = divmod(number, 256)
    for net in ("192.168.10.", "192.168.20."):
        text = text.replace(net, f"10.{150 + high + 20 * (net == '192.168.20.')}.{low}.")
    text = text.replace("k8s-", f"s{number}-").replace("example.com", f"s{number}.example.com")
    data = dict(yamlio.load(text).documents[0].value)
    data["name"] = f"site-{number}"
    return data


def many_nodes(count: int) -> dict[str, float]:
    """The default site with `count` nodes in one large subnet: rendered, written, read back and judged."""
    data = seed()
    subnet = IPv4Network("10.0.0.0/16")
    data["networks"]["nodes"] = [{"name": "lan", "cidr": str(subnet), "gateway": str(subnet[1])}]
    data["networks"]["pods"][0]["cidr"] = "172.16.0.0/12"
    data["routers"][0]["address"] = str(subnet[1])
    roles = ["control-plane"] * 3 + ["worker"] * (count - 3)
    data["nodes"] = [
        {"name": f"n{number}", "role": role, "address": str(IPv4Address(int(subnet[256]) + number))}
        for number, role in enumerate(roles)
    ]
    return measured(data)


def many_racks(count: int) -> dict[str, float]:
    """`count` nodes in ten racks, each with a subnet, two routers and an AS of its own."""
    data = seed()
    racks = [IPv4Network(f"10.{1 + number}.0.0/16") for number in range(10)]
    data["networks"]["nodes"] = [
        {"name": f"r{at}", "cidr": str(net), "gateway": str(net[1])} for at, net in enumerate(racks)
    ]
    data["networks"]["pods"][0]["cidr"] = "172.16.0.0/12"
    data["routers"] = [
        {"name": f"r{at}{twin}", "address": str(net[2 + number]), "asn": 64800 + at}
        for at, net in enumerate(racks)
        for number, twin in enumerate("ab")
    ]
    data["racks"] = [
        {"name": f"r{at}", "subnet": f"r{at}", "routers": [f"r{at}a", f"r{at}b"], "worker_asn": 64900 + at}
        for at in range(10)
    ]
    data["nodes"] = [
        {
            "name": f"n{number}",
            "role": "control-plane" if number < 3 else "worker",
            "address": str(racks[number % 10][256 + number // 10]),
            "rack": f"r{number % 10}",
        }
        for number in range(count)
    ]
    return measured(data)


def measured(data: dict[str, Any]) -> dict[str, float]:
    """Seconds to render a site, and to read and judge what was written."""
    began = time.perf_counter()
    files = rendered(data)
    render_seconds = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        began = time.perf_counter()
        report = compose.validate_tree(Path(folder))
        seconds = time.perf_counter() - began
    return {"render": render_seconds, "validate": seconds, "findings": len(report.findings), "objects": report.objects}


if __name__ == "__main__":
    collect_rarely()  # as the command line does
    what = {"sites": many_sites, "nodes": many_nodes, "racks": many_racks}[sys.argv[1]]
    print(json.dumps(what(int(sys.argv[2]))))
