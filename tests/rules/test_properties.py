"""What holds for every network, not only for the ones somebody thought of."""

import random
from dataclasses import fields, replace
from ipaddress import IPv4Address, IPv4Network, ip_network

from hypothesis import given, settings
from hypothesis import strategies as st
from rule_networks import lab, seed

from anycastle.finding import in_order
from anycastle.network.addresses import Owner, OwnerKind, Pool, PoolUse, Reserved, ServiceRange, Subnet
from anycastle.network.cluster import Node, Role
from anycastle.network.model import Network
from anycastle.rules import RULES, judge
from anycastle.rules.ranges import Ranges, overlapping

SPACE = IPv4Network("10.0.0.0/8")


def codes(network: Network) -> set[str]:
    return {finding.code for finding in judge(network)}


@st.composite
def prefixes(draw, shortest=12, longest=28):
    length = draw(st.integers(shortest, longest))
    return ip_network(
        (int(SPACE.network_address) | draw(st.integers(0, 2**24 - 1)) >> (32 - length) << (32 - length), length)
    )


def owning(cidrs) -> Network:
    """Each prefix belongs to something, in turns: pods, services, a subnet, Services, somebody else."""
    kinds = [[], [], [], [], []]
    for index, cidr in enumerate(cidrs):
        kinds[index % 5].append(cidr)
    pools = [Pool(name=f"p{i}", use=PoolUse.PODS, cidr=c, block_size=28) for i, c in enumerate(kinds[0])]
    pools += [Pool(name=f"l{i}", use=PoolUse.LOAD_BALANCER, cidr=c, block_size=28) for i, c in enumerate(kinds[3])]
    return Network(
        pools=tuple(pools),
        service_ranges=tuple(ServiceRange(cidr=cidr) for cidr in kinds[1]),
        subnets=tuple(Subnet(name=f"s{i}", cidr=cidr) for i, cidr in enumerate(kinds[2])),
        reserved=tuple(Reserved(name=f"r{i}", cidr=cidr) for i, cidr in enumerate(kinds[4])),
    )


@given(st.lists(prefixes(), max_size=12, unique=True))
def test_disjoint_ranges_are_never_reported(cidrs) -> None:
    apart = [c for i, c in enumerate(cidrs) if not any(overlapping(c, other) for other in cidrs[:i])]
    assert codes(owning(apart)).isdisjoint({"ADDR001", "ADDR002", "ADDR003", "ADDR004", "ADDR005"})


@given(prefixes(), st.integers(0, 4), st.data())
def test_overlapping_ranges_are_always_reported(outer, first, data) -> None:
    inner = data.draw(st.sampled_from([outer, next(outer.subnets())] if outer.prefixlen < 30 else [outer]))
    second = data.draw(st.integers(0, 4).filter(lambda kind: kind != first))
    cidrs = [IPv4Network((int(IPv4Address("172.16.0.0")) + 4096 * index, 28)) for index in range(5)]
    cidrs[first], cidrs[second] = outer, inner
    scope_inside_lan = (first, second) == (2, 4) and inner != outer
    found = codes(owning(cidrs)) & {"ADDR001", "ADDR002"}
    assert found == (set() if scope_inside_lan else {"ADDR002" if {first, second} == {2, 3} else "ADDR001"})


@given(st.lists(prefixes(), max_size=20), prefixes(20, 32))
def test_the_index_agrees_with_asking_everybody(cidrs, wanted) -> None:
    owners = [Owner(kind=OwnerKind.PODS, name=str(index), prefix=cidr) for index, cidr in enumerate(cidrs)]
    index = Ranges(owners)
    holding = [owner for owner in owners if wanted.subnet_of(owner.prefix)]
    assert sorted(index.holding(wanted), key=lambda o: o.name) == sorted(holding, key=lambda o: o.name)
    pairs = {frozenset((a.name, b.name)) for a in owners for b in owners if a is not b and a.prefix.overlaps(b.prefix)}
    assert {frozenset((outer.name, inner.name)) for outer, inner in index.overlaps()} == pairs
    assert all(inner.prefix.subnet_of(outer.prefix) for outer, inner in index.overlaps())


@given(st.integers(0, 7), st.integers(0, 7).map(lambda n: n), st.sampled_from(["node", "router", "vip", "service"]))
def test_a_shared_address_is_always_reported(first, second, other) -> None:
    nodes = list(seed().nodes)
    taken = {
        "node": nodes[second].addresses[0],
        "router": seed().routers[0].address,
        "vip": seed().api.vips[0],
        "service": seed().services[0].addresses[0],
    }[other]
    if other == "node" and first == second:
        assert judge(seed()) == ()
        return
    nodes[first] = replace(nodes[first], addresses=(taken,))
    assert "ADDR006" in codes(replace(seed(), nodes=tuple(nodes)))


@given(st.lists(st.integers(1, 254), min_size=2, max_size=30, unique=True))
def test_nodes_with_addresses_of_their_own_are_never_reported(hosts) -> None:
    nodes = tuple(Node(name=f"n{h}", role=Role.WORKER, addresses=(IPv4Address(f"10.1.1.{h}"),)) for h in hosts)
    network = Network(nodes=nodes, subnets=(Subnet(name="lan", cidr=IPv4Network("10.1.1.0/24")),))
    assert judge(network) == ()


TUPLES = [field.name for field in fields(Network) if isinstance(getattr(seed(), field.name), tuple)]


@settings(max_examples=200)
@given(st.sampled_from([seed, lab]), st.data())
def test_half_a_repository_is_judged_without_a_traceback(network, data) -> None:
    """Somebody else's repository may lack any part: files that are elsewhere, or not written yet."""
    whole = network()
    kept = {name: tuple(i for i in getattr(whole, name) if data.draw(st.booleans())) for name in TUPLES}
    gone = {name: None for name in ("api", "calico") if data.draw(st.booleans())}
    found = judge(replace(whole, **kept, **gone))
    assert found == in_order(found)


@given(st.randoms(use_true_random=False))
def test_the_order_of_a_network_does_not_change_the_codes(shuffler: random.Random) -> None:
    whole = replace(seed(), calico=replace(seed().calico, assign=""))
    shuffled = {name: tuple(shuffler.sample(getattr(whole, name), len(getattr(whole, name)))) for name in TUPLES}
    assert judge(replace(whole, **shuffled)) == judge(whole)


def test_rules_do_not_depend_on_what_was_asked_before() -> None:
    broken = replace(seed(), nodes=(replace(seed().nodes[0], addresses=seed().nodes[1].addresses), *seed().nodes[1:]))
    alone = {rule.code: tuple(rule.check(broken)) for rule in RULES}
    judge(seed())
    assert {rule.code: tuple(rule.check(broken)) for rule in RULES} == alone
