"""The two example sites, and changed copies of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from anycastle import yamlio
from anycastle.network.model import Network
from anycastle.plan import plan
from anycastle.site.model import Site

CASES = Path(__file__).resolve().parents[1] / "cases"

Answers = dict[str, Any]


def answers(case: str) -> Answers:
    loaded = yamlio.load((CASES / case / "site.yaml").read_bytes())
    value: Answers = loaded.documents[0].value
    return value


def example(case: str, change: Callable[[Answers], object] | None = None) -> tuple[Site, Network]:
    """A site and its network. `change` edits the answers; what is not supported yet may be asked for, too."""
    given = answers(case)
    if change is not None:
        change(given)
    site = Site.model_validate(given)
    return site, plan(site)


def many_workers(count: int) -> Callable[[Answers], object]:
    def change(given: Answers) -> None:
        given["networks"]["nodes"][0] |= {"cidr": "10.0.0.0/16", "gateway": "10.0.0.1"}
        given["routers"][0]["address"] = "10.0.0.1"
        masters = [node for node in given["nodes"] if node["role"] == "control-plane"]
        for index, node in enumerate(masters):
            node["address"] = f"10.0.1.{index + 1}"
        workers = [
            {"name": f"node-{i:04}", "role": "worker", "address": f"10.0.{2 + i // 250}.{1 + i % 250}"}
            for i in range(count)
        ]
        given["nodes"] = masters + workers

    return change


def second_router(given: Answers) -> None:
    given["routers"].append({"name": "router-b", "address": "192.168.10.2", "asn": 65011, "interface": "bond0.20"})
