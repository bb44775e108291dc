"""Laws that came from reports from the field: sessions inside one AS, cluster addresses, fields of Services."""

from rule_networks import Case, Network, change, net, of, planned, seed

from anycastle.finding import Place
from anycastle.network.bgp import End, Software
from anycastle.network.cluster import Version
from anycastle.network.questions import on_router

WORKER_ASN = 65030
SERVICE = Place("service.yaml", 9)


def to_workers(end: End) -> bool:
    return on_router(end) and end.peer_asn == WORKER_ASN


def inside_one_as(**words: bool) -> Network:
    """The router shows its workers their own AS number, and sends them routes."""
    spoken = {"asn": WORKER_ASN, "silent": False, "reflected": True, "next_hop_self": True} | words
    network = change(seed(), "ends", of(Software.CALICO), peer_asn=WORKER_ASN)
    return change(change(network, "ends", to_workers, **spoken), "routers", multipath_internal=8)


def dual(**service: object) -> Network:
    asking_nobody = change(planned("dual-stack"), "calico", assign="AllServices")
    return change(asking_nobody, "services", requested="", addresses=(), pools=(), **service)


def wishing(text: str) -> Network:
    return change(seed(), "services", field_address=text, field_where=SERVICE)


def of_calico(version: Version) -> bool:
    return version.component.startswith("calico")


def advertised(dataplane: str) -> Network:
    ranges = (net("10.96.0.0/12"),)
    return change(seed(), "calico", cluster_ips=ranges, cluster_ips_where=SERVICE, dataplane=dataplane)


CASES = (
    Case(
        "SESS013",
        "clients without next-hop-self that are sent routes, or nothing",
        lambda: inside_one_as(next_hop_self=False),
        lambda: inside_one_as(next_hop_self=False, silent=True),
    ),
    Case(
        "SESS013",
        "neighbours that are no clients inside one AS, or in two",
        lambda: inside_one_as(reflected=False),
        lambda: change(seed(), "ends", to_workers, silent=False, next_hop_self=True),
    ),
    Case(
        "ANN008",
        "cluster addresses with kube-proxy, or with eBPF",
        lambda: advertised("Iptables"),
        lambda: advertised("BPF"),
    ),
    Case(
        "SVC008",
        "a field that this Calico does not read, or that a newer one does",
        lambda: wishing("192.168.20.101"),
        lambda: change(wishing("192.168.20.101"), "versions", of_calico, version="3.33.0"),
    ),
    Case(
        "SVC009",
        "a Service that names no family, or one that names both",
        lambda: dual(families=()),
        lambda: dual(families=(4, 6)),
    ),
)
