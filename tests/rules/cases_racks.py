"""Several routers, racks, and routers that are not on the link."""

from dataclasses import replace

from cases_routing import CALICO, EVERYTHING, far_router, second_router
from rule_networks import Case, add, address, change, drop, net, planned_from, seed, towards

from anycastle.network.bgp import Software
from anycastle.network.questions import on_router

LISTED = (net("192.168.20.1/32"), net("192.168.20.64/26"))


def by_gateway(text):
    """Calico reaches a far router by a gateway of its own."""
    network = far_router(lambda end: True)
    return change(network, "ends", CALICO, gateway=address(text))


def limited(number, *more_services):
    """The router's limit for one worker, where its Calico announces one address for each Service."""
    network = change(seed(), "ends", towards("192.168.10.20"), limit=number)
    [first] = network.services
    others = [replace(first, name=f"s-{last}", addresses=(address(f"192.168.20.{last}"),)) for last in more_services]
    return add(network, "services", *others)


def forgetful(**values):
    """FRR dials the nodes of its rack, several hops away."""
    network = planned_from({}, "rack-control-planes")
    return change(network, "ends", lambda end: on_router(end) and end.hops > 1, **values)


def on_link():
    """The same, with multihop towards nodes on the link."""
    network = change(seed(), "ends", on_router, hops=2, forgetful=True)
    return change(network, "ends", lambda end: end.software is Software.KUBE_VIP, hops=50)


def declared(**values):
    return lambda: change(planned_from({}, "further-speakers"), "ends", lambda end: end.called == "metallb", **values)


def linked(*, changed):
    """Nodes behind links of two addresses; `changed` makes other ways of the first router's."""
    network = planned_from({}, "links")
    [ways] = [router.reaches for router in network.routers if router.name == "tor-a"]
    return change(network, "routers", lambda router: router.name == "tor-a", reaches=tuple(changed(ways)))


def crossed(ways):
    """The next hops of the last two nodes have changed places."""
    *others, (first, one), (second, other) = ways
    return (*others, (first, other), (second, one))


CASES = (
    Case(
        "RT014",
        "no way to the last node behind a link, or one for the whole range",
        lambda: linked(changed=lambda ways: ways[:-1]),
        lambda: linked(changed=lambda ways: [(net("10.40.0.0/24"), address("10.41.9.9"))]),
    ),
    Case(
        "RT014",
        "a default route is no way to a node, and a node on a subnet needs none",
        lambda: linked(changed=lambda ways: [(net("0.0.0.0/0"), address("10.41.9.9"))]),
        lambda: change(seed(), "routers", reaches=((net("0.0.0.0/0"), address("10.41.9.9")),)),
    ),
    Case(
        "RT015",
        "the ways to two nodes are crossed, or each has a second one by another router",
        lambda: linked(changed=crossed),
        lambda: linked(changed=lambda ways: [*ways, *((prefix, address("10.41.9.9")) for prefix, _via in ways)]),
    ),
    Case(
        "RT013",
        "a limit below the number of Services, or above",
        lambda: limited(2, 101, 102),
        lambda: limited(2, 101),
    ),
    Case(
        "RT013",
        "a limit of one for two API addresses, or for one",
        lambda: change(
            planned_from({"kubernetes.api.vips": ["192.168.20.1", "192.168.20.2"]}),
            "ends",
            towards("192.168.10.17"),
            limit=1,
        ),
        lambda: change(seed(), "ends", towards("192.168.10.17"), limit=1),
    ),
    Case(
        "RT013",
        "a limit of one for two prefixes of another speaker, or for one",
        lambda: change(planned_from({}, "further-speakers"), "ends", towards("192.168.42.123"), limit=1),
        lambda: change(planned_from({}, "further-speakers"), "ends", towards("192.168.42.121"), limit=1, hold=12),
    ),
    Case(
        "SESS015",
        "FRR that forgets the hops to its peers, or that is told not to look on the link",
        lambda: forgetful(forgetful=True),
        lambda: forgetful(forgetful=False, hold=12),
    ),
    Case("SESS015", "the same behind a router, or on the link", lambda: forgetful(forgetful=True), on_link),
    Case(
        "SESS002",
        "another speaker with another number than the router expects, or with that one",
        declared(asn=64599),
        declared(asn=64520, hold=30),
    ),
    Case(
        "SESS001",
        "another speaker that the router does not know, or that it does",
        lambda: drop(planned_from({}, "further-speakers"), "ends", towards("192.168.42.121")),
        lambda: planned_from({}, "further-speakers"),
    ),
    Case(
        "RT001",
        "a filter that takes less from another speaker, or all of it",
        lambda: change(
            planned_from({}, "further-speakers"),
            "acceptances",
            lambda a: a.prefix == net("192.168.70.0/26"),
            longest=26,
        ),
        lambda: planned_from({}, "further-speakers"),
    ),
    Case(
        "RT008",
        "a firewall that drops the second half, or accepts it for these prefixes",
        lambda: second_router(one_way=()),
        lambda: second_router(one_way=LISTED),
    ),
    Case(
        "RT008",
        "a firewall that accepts the API address only, or everything",
        lambda: second_router(one_way=LISTED[:1]),
        lambda: second_router(one_way=EVERYTHING),
    ),
    Case(
        "RT008",
        "a firewall that drops the second half beside another router, or alone",
        lambda: change(second_router(), "routers", lambda router: router.name == "router", one_way=()),
        lambda: change(seed(), "routers", one_way=()),
    ),
    Case(
        "RT007",
        "no discard route where all announcers are heard, or in a rack that hears one of them",
        lambda: change(planned_from({}, "two-routers-one-as"), "routers", lambda r: r.name == "tor-a", discards=()),
        lambda: change(planned_from({}, "three-data-centres"), "routers", discards=()),
    ),
    Case(
        "AS006",
        "one router that hears two numbers without relaxing, or with it",
        lambda: change(planned_from({"nodes[3].asn": 65031}), "routers", relaxed=False),
        lambda: planned_from({"nodes[3].asn": 65031}),
    ),
    Case(
        "SESS014",
        "a gateway on another network, or on the link",
        lambda: by_gateway("192.168.12.1"),
        lambda: by_gateway("192.168.10.254"),
    ),
)
