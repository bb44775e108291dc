"""Block sizes that no pool can have are a finding, and no view of the site stumbles over them."""

from pathlib import Path

import pytest

from anycastle import yamlio
from anycastle.lab.placement import place
from anycastle.network.model import Network
from anycastle.overview.words import most
from anycastle.plan import plan
from anycastle.rules import judge
from anycastle.site.load import parse

SEED = Path(__file__).resolve().parents[1] / "cases/seed/site.yaml"


def exporting(cidr: str, block_size: int) -> Network:
    data = yamlio.load(SEED.read_bytes()).documents[0].value
    data["networks"]["pods"][0] |= {"cidr": cidr, "block_size": block_size, "export": True}
    site = parse(data).site
    assert site is not None
    return plan(site)


@pytest.mark.parametrize(
    ("cidr", "block_size"),
    [("172.20.0.0/16", 33), ("172.20.0.0/16", 128), ("172.20.0.0/28", 27), ("172.20.0.0/28", 20)],
)
def test_a_size_that_does_not_fit_is_a_finding(cidr: str, block_size: int) -> None:
    network = exporting(cidr, block_size)
    assert "POOL001" in {finding.code for finding in judge(network)}
    pool = next(pool for pool in network.pools if pool.managed)
    assert {most(item) for item in network.acceptances if item.prefix == pool.cidr} == {0}
    assert set(place(network).blocks.values()) == {()}


def test_an_ipv6_pool_with_the_blocks_of_ipv4_is_a_finding() -> None:
    assert "POOL001" in {finding.code for finding in judge(exporting("fd00:20::/112", 32))}


def test_a_size_that_fits_is_none() -> None:
    network = exporting("172.20.0.0/16", 32)
    assert "POOL001" not in {finding.code for finding in judge(network)}
    pool = next(pool for pool in network.pools if pool.managed)
    assert {most(item) for item in network.acceptances if item.prefix == pool.cidr} == {1 << 16}
    assert all(block.prefixlen == 32 for found in place(network).blocks.values() for block in found)
