"""The laws that generated sites are held against see what breaks them."""

from dataclasses import replace

import pytest

import laws
from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.network.questions import on_router
from anycastle.plan import plan
from anycastle.site.load import parse
from patches import CASES, read


def planned(name: str) -> Network:
    site = parse(read(CASES / name / "site.yaml")).site
    assert site is not None
    return plan(site)


NAMES = sorted(path.parent.name for path in CASES.glob("*/site.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_the_plan_of_every_example_keeps_them(name: str) -> None:
    assert list(laws.broken(planned(name))) == []


def test_a_session_without_its_other_end_is_seen() -> None:
    network = planned("seed")
    for end in network.ends:
        left = tuple(other for other in network.ends if other is not end)
        assert any("ends answer" in law for law in laws.broken(replace(network, ends=left)))


def test_two_speakers_at_one_source_are_seen() -> None:
    network = planned("seed")
    first = next(end for end in network.ends if end.software is Software.CALICO)
    both = (*network.ends, replace(first, software=Software.KUBE_VIP))
    assert "two speakers dial one router from one address" in list(laws.broken(replace(network, ends=both)))


@pytest.mark.parametrize("change", [{"peer_asn": 64999}, {"password": "a/b"}])
def test_ends_that_disagree_are_seen(change: dict[str, object]) -> None:
    network = planned("seed")
    first = next(end for end in network.ends if on_router(end))
    ends = tuple(replace(end, **change) if end is first else end for end in network.ends)  # type: ignore[arg-type]
    assert len(list(laws.broken(replace(network, ends=ends)))) == 2, "each end says it of the other"


@pytest.mark.parametrize("name", ["seed", "further-speakers", "three-data-centres"])
def test_what_is_not_let_in_and_what_nobody_announces_is_seen(name: str) -> None:
    network = planned(name)
    for index, item in enumerate(network.acceptances):
        left = (*network.acceptances[:index], *network.acceptances[index + 1 :])
        others = [other for other in left if (other.router, other.prefix) == (item.router, item.prefix)]
        said = list(laws.broken(replace(network, acceptances=left)))
        assert bool(said) is not bool(others), said
        wider = (*left, replace(item, shortest=0))
        assert any("does not announce it" in law for law in laws.broken(replace(network, acceptances=wider)))
    [*_others, last] = network.acceptances
    strangers = (*network.acceptances, replace(last, peers=(*last.peers, network.routers[0].address)))
    assert any("does not expect" in law for law in laws.broken(replace(network, acceptances=strangers)))
