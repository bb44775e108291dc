"""Facts to the plain data of a site: what was stated, and the wizard's defaults, which follow from it, for the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from anycastle.finding import Finding, Place
from anycastle.importing import codes
from anycastle.importing.cells import Cell, cell, settled, without_nothing
from anycastle.importing.defaults import Defaults, defaults
from anycastle.importing.facts import Fact, Read
from anycastle.importing.kubectl_reflectors import LABEL
from anycastle.importing.machines import Link, Machine, home_of, links, machines, told
from anycastle.importing.merged import Merged, merge
from anycastle.importing.racks import Rack, racks
from anycastle.importing.ranges import pod_pools, reserved, service_pools, service_ranges
from anycastle.importing.routing import Numbers, Peer, gateway, gateways_left_out, numbers, peers
from anycastle.importing.words import CONTROL_PLANE
from anycastle.records import dataclass


@dataclass(frozen=True, slots=True)
class Draft:
    """The data of a site file, the place of each stated value by its dotted key, and what is wrong or left out.

    `data` is None where there is no machine to make a site of.
    """

    data: dict[str, Any] | None
    stated: Mapping[str, Place]
    findings: tuple[Finding, ...]


def draft(reads: Iterable[Read]) -> Draft:
    """The site that all sources together describe."""
    sources = tuple(reads)
    merged, disagreements = merge(sources)
    nodes, homeless = machines(merged)
    findings = [*(finding for one in sources for finding in one.findings), *disagreements, *homeless]
    if not nodes:
        if not findings:
            where = Place(sources[0].label if sources else "")
            findings.append(codes.no_machines(where, "No source names a machine.", "Add one that does."))
        return Draft(None, {}, tuple(findings))
    subnets, conflicts = links(merged, nodes)
    routers = peers(merged, nodes, subnets)
    cages, apart = racks(nodes, subnets, routers)
    data, stated = settled(_site(merged, nodes, subnets, routers, cages))
    return Draft(data, stated, (*findings, *conflicts, *gateways_left_out(routers, subnets), *apart))


def _site(
    merged: Merged,
    nodes: Sequence[Machine],
    subnets: Sequence[Link],
    routers: Sequence[Peer],
    cages: Sequence[Rack],
) -> dict[str, Any]:
    speaking = numbers(merged, nodes)
    rest = defaults(merged, nodes, subnets, routers, speaking)
    names = _names(subnets) | {rack.home: rack.name for rack in cages}
    inside = {node.name: rack for rack in cages for node in rack.members}
    reflected = _reflectors(merged) is not None
    made = {
        "schema": 1,
        "name": cell(merged.get("name")) or rest.name,
        "domain": cell(merged.get("domain")) or rest.domain,
        "kubernetes": _kubernetes(merged, rest),
        "networks": _networks(merged, subnets, names, routers, rest),
        "routers": [router.entry(rest.router_asn, subnets) for router in routers],
        "bgp": _bgp(merged, nodes, speaking, rest),
        "racks": [rack.entry(names[rack.home], speaking) for rack in cages] or None,
        "nodes": [_node(node, speaking, inside.get(node.name), rest, reflected=reflected) for node in nodes],
        "load_balancer": without_nothing(
            {
                "assign": cell(merged.get("load_balancer", "assign")) or rest.assign,
                "pools": service_pools(merged) or rest.pools,
                "reserved": reserved(merged, "kept") or None,
            }
        ),
        "ingress": _ingress(merged, rest),
        "gitops": {"repository": rest.repository},
        "versions": without_nothing({key: cell(merged.get("versions", key)) for key in ("kube_vip", "calico")}) or None,
    }
    return without_nothing(made)


def _kubernetes(merged: Merged, rest: Defaults) -> dict[str, Any]:
    api: dict[str, Any] = {
        key: cell(merged.get("kubernetes", "api", key)) for key in ("name", "port", "vips", "certificate_names")
    }
    api["name"] = api["name"] or rest.api_name
    api["vips"] = api["vips"] if api["vips"] is not None else rest.vips
    api["certificate_names"] = api["certificate_names"] or _certificate_names(merged, api)
    return without_nothing(
        {
            "version": cell(merged.get("kubernetes", "version")) or rest.kubernetes_version,
            "service_cidrs": service_ranges(merged) or rest.service_cidrs,
            "api": without_nothing(api),
            "dns_domain": cell(merged.get("kubernetes", "dns_domain")),
            "kube_proxy": cell(merged.get("kubernetes", "kube_proxy")),
            "dataplane": cell(merged.get("kubernetes", "dataplane")),
        }
    )


def _certificate_names(merged: Merged, api: Mapping[str, Any]) -> Cell | None:
    """Kubeadm's list without the addresses that are in it anyhow."""
    fact = merged.get("certificate_names")
    if fact is None:
        return None
    vips = api["vips"].value if isinstance(api["vips"], Cell) else api["vips"]
    left = [name for name in fact.value if name not in vips]
    return Cell(left, fact.where) if left else None


def _names(subnets: Sequence[Link]) -> dict[Link, str]:
    """`lan`, `lan-2`; `lan-ipv6` beside the only one of the other family."""
    if len(subnets) == 2 and subnets[0].cidr.version != subnets[1].cidr.version:
        return {subnets[0]: "lan", subnets[1]: "lan-ipv6"}
    return {link: "lan" if number == 1 else f"lan-{number}" for number, link in enumerate(subnets, start=1)}


def _networks(
    merged: Merged, subnets: Sequence[Link], names: Mapping[Link, str], routers: Sequence[Peer], rest: Defaults
) -> dict[str, Any]:
    made = {
        "nodes": [_subnet(link, names[link], routers) for link in subnets],
        "pods": pod_pools(merged) or rest.pods,
        "reserved": reserved(merged) or None,
    }
    return without_nothing(made)


def _subnet(link: Link, name: str, routers: Sequence[Peer]) -> dict[str, Any]:
    """A gateway that nobody stated is the router there, else the first host."""
    inside = [router.address for router in routers if home_of(router.address, (link,))]
    address = gateway(link) if link.gateway is not None or not inside else inside[0]
    where = link.gateway.where if link.gateway is not None else None
    return {"name": name, "cidr": told(str(link.cidr), link.where), "gateway": told(str(address), where)}


def _bgp(merged: Merged, nodes: Sequence[Machine], speaking: Numbers, rest: Defaults) -> dict[str, Any]:
    control = cell(speaking.control_planes)
    keys = ("advertise", "node_to_node_mesh", "restart_time")
    only_control = all(node.role == CONTROL_PLANE for node in nodes)
    return without_nothing(
        {
            "control_plane_asn": control if control is not None else rest.control_plane_asn,
            "worker_asn": cell(speaking.workers) or rest.worker_asn,
            **{key: cell(merged.get("bgp", key)) for key in keys},
            "peering": cell(merged.get("bgp", "peering")) or ("all" if only_control else None),
            "route_reflectors": _reflectors(merged),
        }
    )


def _reflectors(merged: Merged) -> dict[str, Any] | None:
    """Both keys or none: a cluster says them together."""
    facts = {key: merged.get("bgp", "route_reflectors", key) for key in ("nodes", "cluster_id")}
    return without_nothing({key: cell(fact) for key, fact in facts.items()}) or None


def _node(node: Machine, speaking: Numbers, rack: Rack | None, rest: Defaults, *, reflected: bool) -> dict[str, Any]:
    facts = node.facts
    (first, where), *others = node.addresses
    number = facts.get("asn")
    control = node.role == CONTROL_PLANE
    common = (rack.number(control=control) if rack else None) or (
        speaking.control_planes if control else speaking.workers
    )
    own = number is not None and (common is None or number.value != common.value)
    return without_nothing(
        {
            "name": told(node.name, node.named),
            "role": told(node.role, node.role_where),
            "address": Cell(str(first.ip), where),
            "addresses": [Cell(str(other.ip), place) for other, place in others] or None,
            "labels": _labels(facts.get("labels"), (rack.label if rack else "", LABEL if reflected else "")),
            "announce_services": cell(facts.get("announce_services")),
            "peer": cell(facts.get("peer")),
            "workloads": cell(facts.get("workloads")) or (rest.workloads or None),
            "rack": told(rack.name, rack.where) if rack else None,
            "asn": cell(number) if own else None,
            "router_id": _router_id(node),
            "speakers": _speakers(node),
        }
    )


def _speakers(node: Machine) -> list[dict[str, Any]] | None:
    """kube-vip, where its sessions come from an address of its own."""
    source = cell(node.facts.get("source"))
    own = [str(interface.ip) for interface, _where in node.addresses]
    return [{"name": Cell("kube-vip", source.where), "source": source}] if source and source.value not in own else None


def _router_id(node: Machine) -> Cell | None:
    """kube-vip's, where it is not the node's own address."""
    fact = node.facts.get("router_id")
    own = [str(interface.ip) for interface, _where in node.addresses]
    return cell(fact) if fact is not None and node.role == CONTROL_PLANE and fact.value not in own else None


def _labels(fact: Fact | None, brought: Collection[str]) -> Cell | None:
    """Those that the rack or route reflectors do not bring."""
    if fact is None:
        return None
    left = {key: value for key, value in fact.value.items() if key not in brought}
    return Cell(left, fact.where) if left else None


def _ingress(merged: Merged, rest: Defaults) -> list[dict[str, Any]] | Cell:
    """Where a source lists the Services of a cluster and none is Traefik's, there is none."""
    if (none := merged.get("no_ingress")) is not None and not merged.entries("ingress"):
        return Cell([], none.where)
    entries = merged.entries("ingress")
    made: list[dict[str, Any]] = []
    for name, entry in entries.items():
        keys = ("class", "default", "addresses", "pool", "traffic_policy", "replicas")
        own: dict[str, Any] = {key: cell(entry.get(key)) for key in keys}
        own["class"] = own["class"] or name
        own["default"] = own["default"] or not made
        own["replicas"] = own["replicas"] or rest.replicas
        made.append({"name": cell(entry["name"]), **without_nothing(own)})
    return made or [rest.ingress]
