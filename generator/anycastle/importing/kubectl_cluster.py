"""What kubeadm keeps of a cluster, and kube-vip's pods."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from anycastle import fields, yamlio
from anycastle.finding import Place, Severity
from anycastle.importing import codes
from anycastle.importing.facts import Notes
from anycastle.importing.objects import Object
from anycastle.importing.words import parse_release

_IMAGES = frozenset(("kube-vip", "kube-vip-iptables"))


def config_maps(items: list[Object], notes: Notes) -> None:
    """The ClusterConfiguration inside `kubeadm-config`."""
    for item in items:
        text = item.mapping("data").get("ClusterConfiguration")
        if item.name != "kubeadm-config" or not isinstance(text, str):
            continue
        loaded = yamlio.load(text, item.document.path)
        where = item.place("data", "ClusterConfiguration")
        if any(finding.severity is Severity.ERROR for finding in loaded.findings):
            notes.findings.append(
                codes.unreadable(where, "The ClusterConfiguration inside is not YAML.", "Export it anew.")
            )
        for document in loaded.documents:
            if isinstance(document.value, Mapping):
                _cluster(document.value, where, notes)


def _cluster(value: Mapping[str, Any], where: Place, notes: Notes) -> None:
    found = value.get("networking")
    network: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    notes.parse(("kubernetes", "version"), parse_release, value.get("kubernetesVersion"), where)
    notes.parse(("kubernetes", "service_cidrs"), _cidrs, network.get("serviceSubnet"), where)
    notes.parse(("kubernetes", "dns_domain"), fields.parse_dns_name, network.get("dnsDomain"), where)
    if value.get("clusterName") not in (None, "kubernetes"):
        notes.parse(("name",), fields.parse_label, value.get("clusterName"), where)
    for number, text in enumerate(str(network.get("podSubnet") or "").split(",")):
        notes.parse(("pod_subnets", f"{number}", "cidr"), fields.parse_cidr, text.strip(), where, firm=False)
    _endpoint(str(value.get("controlPlaneEndpoint") or ""), where, notes)
    proxy = value.get("proxy")
    if isinstance(proxy, Mapping) and proxy.get("disabled") is True:
        notes.say(("kubernetes", "kube_proxy"), "disabled", where)
    server = value.get("apiServer")
    names = server.get("certSANs") if isinstance(server, Mapping) else None
    if isinstance(names, list):
        notes.say(("certificate_names",), tuple(str(name) for name in names), where)


def _cidrs(raw: object) -> tuple[fields.IPNetwork, ...]:
    return tuple(fields.parse_cidr(part.strip()) for part in str(raw).split(","))


def _endpoint(text: str, where: Place, notes: Notes) -> None:
    """A name, or an address that then is the API's own."""
    host, colon, port = text.rpartition(":") if text.count(":") == 1 or "]" in text else (text, "", "")
    host = host.strip("[]")
    if colon:
        notes.parse(("kubernetes", "api", "port"), fields.parse_port, port, where)
    try:
        address = ip_address(host)
    except ValueError:
        notes.parse(("kubernetes", "api", "name"), fields.parse_dns_name, host, where)
    else:
        notes.say(("kubernetes", "api", "vips"), (str(address),), where, firm=False)


def information(items: list[Object], notes: Notes) -> None:
    """The release of Calico that runs."""
    for item in items:
        where = item.place("spec", "calicoVersion")
        notes.parse(("versions", "calico"), parse_release, item.spec.get("calicoVersion"), where)


def pods(items: list[Object], notes: Notes) -> None:
    """kube-vip's address, AS number and peers. Its passwords are never looked at."""
    found = [(item, container) for item in items for container in _containers(item)]
    if not found and any(item.mapping("metadata").get("namespace") == "kube-system" for item in items):
        notes.say(("kubernetes", "api", "vips"), (), items[0].place("metadata"))
    for item, container in found:
        env = {str(entry.get("name")): entry.get("value") for entry in _listed(container.get("env"))}
        where = item.place("spec", "containers")
        tag = str(container.get("image")).partition("@")[0].rpartition("/")[2].partition(":")[2]
        notes.parse(("versions", "kube_vip"), parse_release, tag or None, where)
        if str(env.get("bgp_enable")).lower() != "true" or str(env.get("cp_enable")).lower() != "true":
            notes.skip(where, f"{item.name} does not announce the API address by BGP")
            continue
        notes.parse(("kubernetes", "api", "vips"), _addresses, env.get("address"), where)
        host = str(item.spec.get("nodeName") or item.name)
        notes.parse(("vip_asns", host, "asn"), fields.parse_asn, env.get("bgp_as"), where)
        notes.parse(("vip_asns", host, "router_id"), fields.parse_address, env.get("bgp_routerid"), where)
        notes.parse(("vip_asns", host, "source"), fields.parse_address, env.get("bgp_sourceip"), where)
        _router(env, where, notes)


def _router(env: Mapping[str, Any], where: Place, notes: Notes) -> None:
    """`bgp_peers` is ADDRESS:AS:PASSWORD:MULTIHOP; only the first two parts are taken."""
    if env.get("bgp_peeraddress"):
        at = ("vip_routers", str(env["bgp_peeraddress"]))
        notes.parse((*at, "asn"), fields.parse_asn, env.get("bgp_peeras"), where)
    for part in str(env.get("bgp_peers") or "").split(","):
        address, _, rest = part.strip().partition("]:") if part.strip().startswith("[") else part.strip().partition(":")
        if address:
            notes.parse(("vip_routers", address.strip("[]"), "asn"), fields.parse_asn, rest.partition(":")[0], where)


def _addresses(raw: object) -> tuple[fields.IPAddress, ...]:
    return tuple(fields.parse_address(part.strip().partition("/")[0]) for part in str(raw).split(","))


def _containers(item: Object) -> list[Mapping[str, Any]]:
    return [
        container
        for container in item.mappings("spec", "containers")
        if str(container.get("image")).partition("@")[0].rpartition("/")[2].partition(":")[0] in _IMAGES
    ]


def _listed(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
