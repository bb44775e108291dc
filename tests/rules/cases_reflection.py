"""Route reflectors: two of them, with cluster IDs, tied to everybody and to each other, and open towards the router."""

from ipaddress import ip_address

from rule_networks import Case, change, drop, named, planned_from

from anycastle.network.bgp import FilterRule, Software
from anycastle.network.model import Network

ID = ip_address("244.0.0.1")
QUIET = {f"nodes[{index}].announce_services": False for index in (5, 6, 7)}


def reflecting(*names: str) -> dict[str, object]:
    return {"bgp.route_reflectors": {"nodes": list(names), "cluster_id": str(ID)}}


def quiet(**more: object) -> Network:
    """Two workers reflect and announce, the three others only listen: nothing is to be said of what they announce."""
    return planned_from({**reflecting("k8s-node-1", "k8s-node-2"), **QUIET, **more})


def three() -> Network:
    """As `quiet`, with a third reflector."""
    return quiet(**reflecting("k8s-node-1", "k8s-node-2", "k8s-node-3"))


def telling(**more: object) -> Network:
    """Two workers reflect for three that announce as well."""
    return planned_from({**reflecting("k8s-node-1", "k8s-node-2"), **more})


def without_ids(network: Network, **values: object) -> Network:
    return change(network, "nodes", lambda node: node.cluster_id is not None, cluster_id=None, **values)


def apart(network: Network, one: str, other: str) -> Network:
    """Without the session of two nodes."""
    at = {node.name: node.addresses[0] for node in network.nodes}
    return drop(network, "inside", lambda end: (end.host, end.peer) in ((one, at[other]), (other, at[one])))


def passing(network: Network, *, keeps: bool) -> Network:
    return change(network, "ends", lambda end: end.software is Software.CALICO, keeps_next_hop=keeps)


def held_back(network: Network) -> Network:
    first = FilterRule(export=True, action="Reject", source="RemotePeers")
    return change(network, "filters", rules=(first, *network.filters[0].rules))


def half_of(network: Network, host: str, other: str) -> Network:
    """A node keeps its end of a session, and the other half is gone; a third reflector is left for it."""
    at = next(node.addresses[0] for node in network.nodes if node.name == host)
    return drop(network, "inside", lambda end: (end.host, end.peer) == (other, at))


def two_clusters() -> Network:
    """Each reflector has a cluster ID of its own, and they hold no session with each other."""
    network = apart(quiet(), "k8s-node-1", "k8s-node-2")
    return change(network, "nodes", named("k8s-node-2"), cluster_id=ip_address("244.0.0.2"))


CASES = (
    Case(
        "REFL001",
        "nodes between others without a cluster ID, or with it",
        lambda: change(quiet(), "nodes", named("k8s-node-2"), cluster_id=None),
        quiet,
    ),
    Case(
        "REFL001",
        "a node between others without a cluster ID, or one between two reflectors",
        lambda: change(quiet(), "nodes", named("k8s-node-1"), cluster_id=None),
        lambda: change(two_clusters(), "nodes", named("k8s-node-1"), annotated=False),
    ),
    Case(
        "REFL002",
        "nodes between others whose annotations nobody knows, or with a cluster ID",
        lambda: without_ids(quiet(), annotated=False),
        lambda: change(quiet(), "nodes", annotated=False),
    ),
    Case(
        "REFL003",
        "an end that nobody answers, or both halves",
        lambda: half_of(three(), "k8s-node-5", "k8s-node-1"),
        three,
    ),
    Case(
        "REFL004",
        "one reflector, or two",
        lambda: planned_from(
            {**reflecting("k8s-node-1"), **QUIET, "nodes[4].announce_services": False},
        ),
        quiet,
    ),
    Case(
        "REFL004",
        "a node that speaks with one of two reflectors, or with both",
        lambda: apart(quiet(), "k8s-node-2", "k8s-node-5"),
        quiet,
    ),
    Case(
        "REFL005",
        "reflectors of one cluster ID without a session, or of two",
        lambda: apart(quiet(), "k8s-node-1", "k8s-node-2"),
        two_clusters,
    ),
    Case(
        "REFL006",
        "a mesh beside reflectors, or beside none",
        lambda: change(quiet(), "calico", mesh=True),
        lambda: change(without_ids(drop(quiet(), "inside")), "calico", mesh=True),
    ),
    Case(
        "REFL007",
        "a reflector in the way of others' addresses, or of its own",
        lambda: passing(telling(), keeps=False),
        lambda: passing(quiet(), keeps=False),
    ),
    Case(
        "REFL008",
        "a filter that keeps others' addresses back, or where nobody else has any",
        lambda: held_back(telling()),
        lambda: held_back(quiet()),
    ),
    Case(
        "REFL009",
        "nodes that announce by reflectors, or listen only",
        telling,
        quiet,
    ),
    Case(
        "REFL009",
        "a router that takes one path of each reflector, or hears from no other node",
        lambda: telling(**{"routers[0].software": "nx-os"}),
        lambda: quiet(**{"routers[0].software": "nx-os"}),
    ),
)
