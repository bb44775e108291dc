"""Repositories of sites, generated for a lab."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Any

import patches
from anycastle import compose
from anycastle.render import render


def generated(data: dict[str, Any], target: Path) -> Path:
    """The repository of a site, written."""
    judged = compose.site_findings(data)
    assert judged.site is not None, judged.findings
    assert not compose.refused(judged.findings), judged.findings
    for path, content in render(judged.site, judged.network).items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return target


def case(name: str) -> dict[str, Any]:
    """One of the example sites."""
    return dict(patches.read(patches.CASES / name / "site.yaml"))


def with_workers(count: int) -> dict[str, Any]:
    """The default site with three control planes and `count` workers in one large subnet."""
    data, subnet = case("seed"), IPv4Network("10.0.0.0/16")
    data["networks"]["nodes"] = [{"name": "lan", "cidr": str(subnet), "gateway": str(subnet[1])}]
    data["networks"]["pods"][0]["cidr"] = "172.16.0.0/12"
    data["routers"][0]["address"] = str(subnet[1])
    data["nodes"] = [
        {"name": f"n{number}", "role": role, "address": str(IPv4Address(int(subnet[256]) + number))}
        for number, role in enumerate(["control-plane"] * 3 + ["worker"] * count)
    ]
    return data
