"""Several routers, racks, and routers that are not on the link."""

from cases_routing import CALICO, EVERYTHING, far_router, second_router
from rule_networks import Case, address, change, net, planned_from, seed

LISTED = (net("192.168.20.1/32"), net("192.168.20.64/26"))


def by_gateway(text):
    """Calico reaches a far router by a gateway of its own."""
    network = far_router(lambda end: True)
    return change(network, "ends", CALICO, gateway=address(text))


CASES = (
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
