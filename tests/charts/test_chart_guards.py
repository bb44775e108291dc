"""Every guard says its exact sentences; a mistake that Helm alone would let through never renders."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

CHARTS = Path(__file__).resolve().parents[2] / "charts"


class Case(NamedTuple):
    chart: str
    slug: str
    override: dict[str, Any]
    says: str


def _pool(**fields: Any) -> dict[str, Any]:
    return {"installation": {"ipPools": {"default-ipv4-ippool": fields}}}


_V6_POOL = {
    "cidr": "2001:db8:1::/48",
    "blockSize": 122,
    "encapsulation": "VXLAN",
    "natOutgoing": "Disabled",
    "nodeSelector": "all()",
    "disableBGPExport": True,
}


def _v6_pool(**fields: Any) -> dict[str, Any]:
    return {
        "installation": {
            "nodeAddressAutodetectionV6": {"kubernetes": "NodeInternalIP"},
            "ipPools": {"v6": _V6_POOL | fields},
        }
    }


def _peer(**fields: Any) -> dict[str, Any]:
    return {"peers": {"tor-a": fields}}


def _rule(direction: str, **fields: Any) -> dict[str, Any]:
    return {"filters": {"services-only": {direction: [{"action": "Reject"} | fields]}}}


NAMESPACES = (
    Case(
        "namespaces",
        "nothing-to-create",
        {"namespaces": ..., "priorityClasses": ...},
        "namespaces and priorityClasses are both empty: the chart would create nothing and every later "
        "application would miss its namespace. Name at least one namespace, for example "
        "namespaces: {traefik: {}}.",
    ),
    Case(
        "namespaces",
        "no-pod-security-level",
        {"namespaces": {"traefik": {"labels": {"pod-security.kubernetes.io/enforce": "restrict"}}}},
        'namespaces.traefik.labels: pod-security.kubernetes.io/enforce is "restrict", which is no '
        "pod-security level: the API server then applies the strictest one and refuses pods that need more. "
        "Write privileged, baseline or restricted.",
    ),
    Case(
        "namespaces",
        "protection-taken-away",
        {"namespaces": {"traefik": {"annotations": {"helm.sh/resource-policy": "delete"}}}},
        "namespaces.traefik.annotations: helm.sh/resource-policy is set by the chart so that a deletion must "
        "be confirmed; a second value would take that protection away, and all that runs in the namespace "
        "with it. Leave the key out.",
    ),
    Case(
        "namespaces",
        "priority-of-the-system",
        {"priorityClasses": {"system-edge": {"value": 5, "description": "Edge."}}},
        "priorityClasses.system-edge: names that begin with system- belong to Kubernetes, and the API server "
        "refuses the class. Choose another name.",
    ),
    Case(
        "namespaces",
        "two-defaults",
        {"priorityClasses": {"edge-critical": {"globalDefault": True}}},
        "priorityClasses: edge-critical, ordinary are all globalDefault, but a cluster has one default class "
        "and the API server refuses the second. Leave globalDefault: true on one of them.",
    ),
)

INSTALLATION = (
    Case(
        "calico-installation",
        "bgp-not-said",
        {"installation": {"bgp": ...}},
        "installation.bgp is empty: the operator would switch BGP on, and every node would join a full mesh "
        "in AS 64512. Write Enabled, or Disabled for a network of VXLAN alone.",
    ),
    Case(
        "calico-installation",
        "data-plane-not-said",
        {"installation": {"linuxDataplane": ...}},
        "installation.linuxDataplane is empty: the operator would choose Iptables, which leaves Services dead "
        "on a cluster without kube-proxy. Write BPF, Iptables or Nftables.",
    ),
    Case(
        "calico-installation",
        "no-pool",
        {"installation": {"ipPools": ...}},
        "installation.ipPools is empty: the operator would create a pool of its own, 192.168.0.0/16 unless "
        "kubeadm names another, which may be the network of your nodes. Name the pod networks.",
    ),
    Case(
        "calico-installation",
        "two-methods",
        {"installation": {"nodeAddressAutodetectionV4": {"kubernetes": "NodeInternalIP"}}},
        "installation.nodeAddressAutodetectionV4 has the keys cidrs, kubernetes: the operator accepts one "
        "method for each family and stays degraded. Keep one; null takes a key of an earlier values file "
        "away.",
    ),
    Case(
        "calico-installation",
        "no-method-for-ipv4",
        {"installation": {"nodeAddressAutodetectionV4": ...}},
        "installation.nodeAddressAutodetectionV4 is empty while the pool default-ipv4-ippool is IPv4: the "
        "operator would take the first address it finds, which may be a virtual IP. Write "
        "{kubernetes: NodeInternalIP} or {cidrs: [the network of the nodes]}.",
    ),
    Case(
        "calico-installation",
        "no-method-for-ipv6",
        {"installation": {"ipPools": {"v6": _V6_POOL}}},
        "installation.nodeAddressAutodetectionV6 is empty while the pool v6 is IPv6: the operator would take "
        "the first address it finds, which may be a virtual IP. Write {kubernetes: NodeInternalIP} or "
        "{cidrs: [the network of the nodes]}.",
    ),
    Case(
        "calico-installation",
        "ipv4-block-size",
        _pool(blockSize=19),
        "installation.ipPools.default-ipv4-ippool.blockSize is 19: Calico accepts 20 to 32 for IPv4, and the "
        "operator creates no pool at all. 26 is the usual size.",
    ),
    Case(
        "calico-installation",
        "ipv6-block-size",
        _v6_pool(blockSize=64),
        "installation.ipPools.v6.blockSize is 64: Calico accepts 116 to 128 for IPv6, and the operator "
        "creates no pool at all. 122 is the usual size.",
    ),
    Case(
        "calico-installation",
        "pool-smaller-than-a-block",
        _pool(cidr="10.244.0.0/27"),
        "installation.ipPools.default-ipv4-ippool: 10.244.0.0/27 is smaller than one block of /26, so no node "
        "could take a block. Enlarge the pool or write a blockSize from 27 to 32.",
    ),
    Case(
        "calico-installation",
        "ipip-carries-no-ipv6",
        _v6_pool(encapsulation="IPIPCrossSubnet"),
        "installation.ipPools.v6.encapsulation is IPIPCrossSubnet: IP-in-IP carries IPv4 only, and the "
        "operator refuses the Installation. Write VXLAN, VXLANCrossSubnet or None.",
    ),
    *(
        Case(
            "calico-installation",
            f"{encapsulation}-without-bgp",
            {"installation": {"bgp": "Disabled"} | _pool(encapsulation=encapsulation)["installation"]},
            f"installation.ipPools.default-ipv4-ippool.encapsulation is {encapsulation} while "
            "installation.bgp is Disabled: only BGP distributes such routes, and the operator refuses the "
            "Installation. Write VXLAN or VXLANCrossSubnet, or enable BGP.",
        )
        for encapsulation in ("None", "IPIP", "IPIPCrossSubnet")
    ),
    Case(
        "calico-installation",
        "pool-without-nodes",
        _pool(nodeSelector=" "),
        "installation.ipPools.default-ipv4-ippool.nodeSelector is empty: the operator refuses the pool. "
        "Write all() for every node.",
    ),
    Case(
        "calico-installation",
        "pool-of-the-globe",
        _pool(nodeSelector="global()"),
        'installation.ipPools.default-ipv4-ippool.nodeSelector is "global()": global() selects no nodes, '
        "and Calico refuses the pool. Write all() for every node.",
    ),
    Case(
        "calico-installation",
        "one-network-twice",
        {
            "installation": {
                "ipPools": {
                    "second": _V6_POOL | {"cidr": "10.244.0.0/16", "blockSize": 26},
                }
            }
        },
        "installation.ipPools.second: 10.244.0.0/16 is also the network of the pool default-ipv4-ippool, and "
        "the operator refuses both. Give each pool its own network.",
    ),
    Case(
        "calico-installation",
        "registry-without-slash",
        {"installation": {"registry": "registry.example.com"}},
        'installation.registry is "registry.example.com": the operator puts image names right behind it. '
        "End it with a slash.",
    ),
    Case(
        "calico-installation",
        "nobody-serves-services",
        {"installation": {"linuxDataplane": "Iptables", "kubeProxyManagement": "Enabled"}},
        "installation.kubeProxyManagement is Enabled while linuxDataplane is Iptables: kube-proxy would go and nothing "
        "would serve Services. Write BPF, or leave kubeProxyManagement empty.",
    ),
    Case(
        "calico-installation",
        "no-way-to-the-api",
        {"apiEndpoint": {"host": ...}},
        "apiEndpoint.host is empty while linuxDataplane is BPF: without kube-proxy the Service address of the "
        "API leads nowhere until Calico runs, and Calico waits for that API. Write the virtual IP of the API "
        "server, or a name from each node's hosts file.",
    ),
)


def _reserved(key: str, number: int) -> str:
    return (
        f"{key} is {number}: 0, 23456, 65535 and 4294967295 are reserved, and no router accepts a session "
        "from them. Write the AS number that the session really has, for example a private one from 64512 "
        "to 65534."
    )


def _too_large(key: str, number: int) -> str:
    return (
        f"{key} is {number}: Calico declares the field as a signed 32-bit integer and its API server refuses "
        "more than 2147483647, so there would be no session. Use a smaller AS number, for example a private "
        "one from 64512 to 65534."
    )


_BAD_ENDPOINTS = ("", "192.0.2.1/24", "192.0.2.256", "router", "2001:db8::1]:179", "192.0.2.1:0")
_BAD_DURATIONS = ("120s", "15", "2m", "1h", "0m15s", "1h0m60s", "2m00s", "1.5s")

BGP = (
    Case(
        "calico-bgp",
        "as-not-said",
        {"bgpConfiguration": {"asNumber": ...}},
        _reserved("bgpConfiguration.asNumber", 0),
    ),
    *(
        Case(
            "calico-bgp",
            f"reserved-{n}",
            {"bgpConfiguration": {"asNumber": n}},
            _reserved("bgpConfiguration.asNumber", n),
        )
        for n in (23456, 65535, 4294967295)
    ),
    *(
        Case(
            "calico-bgp",
            f"too-large-{n}",
            {"bgpConfiguration": {"asNumber": n}},
            _too_large("bgpConfiguration.asNumber", n),
        )
        for n in (2147483648, 4200000001, 4294967294)
    ),
    Case("calico-bgp", "peer-as", _peer(asNumber=4200000001), _too_large("peers.tor-a.asNumber", 4200000001)),
    Case("calico-bgp", "local-as", _peer(localASNumber=0), _reserved("peers.tor-a.localASNumber", 0)),
    Case(
        "calico-bgp",
        "aggregation-not-said",
        {"bgpConfiguration": {"serviceLoadBalancerAggregation": ...}},
        "bgpConfiguration.serviceLoadBalancerAggregation is empty: Calico would take Enabled, and every node "
        "would attract traffic for every load-balancer address. Write Disabled for host routes, or Enabled.",
    ),
    Case(
        "calico-bgp",
        "nobody-to-talk-to",
        {"peers": ...},
        "bgpConfiguration.nodeToNodeMeshEnabled is false and peers is empty: no node would have a session, "
        "and all routes between nodes that BGP carries would vanish. Name the peers, or leave the mesh on.",
    ),
    *(
        Case(
            "calico-bgp",
            f"peer-without-nodes-{slug}",
            _peer(nodeSelector=selector),
            "peers.tor-a.nodeSelector is empty: such a peer is global, and every node would open the session, "
            'control planes too. Name the nodes, for example "!has(node-role.kubernetes.io/control-plane)" '
            "(quoted, for a bare ! is a YAML tag), or write all().",
        )
        for slug, selector in (("absent", ...), ("empty", ""), ("blank", "  "))
    ),
    Case(
        "calico-bgp",
        "one-session-twice",
        {
            "peers": {
                "tor-a": {"nodeSelector": "all()"},
                "tor-b": {"peerIP": "192.0.2.1", "asNumber": 65000, "nodeSelector": "all()"},
            }
        },
        'peers.tor-b: peers.tor-a already has the session of "all()" with 192.0.2.1, and two would collide. '
        "Keep one of them.",
    ),
    *(
        Case(
            "calico-bgp",
            f"peer-address-{index}",
            _peer(peerIP=text),
            f'peers.tor-a.peerIP is "{text}": that is no address, and Calico refuses the peer. Write an '
            "address without prefix length, as 192.0.2.1 or 2001:db8::1, or with a port, as 192.0.2.1:1179 "
            "or [2001:db8::1]:1179.",
        )
        for index, text in enumerate(_BAD_ENDPOINTS)
    ),
    Case(
        "calico-bgp",
        "gateway-is-no-address",
        _peer(reachableBy="192.0.2.254/24"),
        'peers.tor-a.reachableBy is "192.0.2.254/24": that is no address, and Calico refuses the peer. Write '
        "the gateway's address without prefix length.",
    ),
    Case(
        "calico-bgp",
        "gateway-of-the-other-family",
        _peer(reachableBy="2001:db8::1"),
        "peers.tor-a.reachableBy is 2001:db8::1 while peerIP is 192.0.2.1: a gateway of the other address "
        "family cannot lead there, and Calico refuses the peer. Write a gateway of the peer's family.",
    ),
    Case(
        "calico-bgp",
        "filter-that-is-not-there",
        _peer(filters=["services-only", "no-default"]),
        "peers.tor-a.filters names no-default, which is not in filters: Calico refuses the peer, so there "
        "would be no session. Define the filter, or take its name out.",
    ),
    *(
        Case(
            "calico-bgp",
            f"{field}-{text}",
            _peer(**{field: text}),
            f'peers.tor-a.{field} is "{text}": Calico spells durations as Go does and prints this one '
            "differently, so the object would differ from its source for ever. Write hours, minutes and "
            "seconds, as 15s, 2m0s or 1h0m0s.",
        )
        for field, text in (
            ("keepaliveTime", "90s"),
            *(("maxRestartTime", text) for text in _BAD_DURATIONS),
        )
    ),
    Case(
        "calico-bgp",
        "filter-without-rules",
        {"filters": {"nothing": {"exportV4": []}}},
        "filters.nothing has no rule: it would decide nothing. Give it exportV4, importV4, exportV6 or "
        "importV6, or remove it.",
    ),
    *(
        Case(
            "calico-bgp",
            f"half-a-match-{next(iter(fields))}",
            _rule("exportV4", **fields),
            "filters.services-only.exportV4[0] has only one of cidr and matchOperator: Calico refuses the "
            "filter. Write both, as cidr: 203.0.113.0/24 and matchOperator: In, or neither.",
        )
        for fields in ({"cidr": "203.0.113.0/24"}, {"matchOperator": "In"})
    ),
    Case(
        "calico-bgp",
        "length-without-network",
        _rule("importV6", prefixLength={"max": 64}),
        "filters.services-only.importV6[0] has prefixLength without cidr: Calico refuses the filter. Add cidr "
        "and matchOperator; ::/0 matches every route.",
    ),
    Case(
        "calico-bgp",
        "length-upside-down",
        _rule("exportV4", cidr="0.0.0.0/0", matchOperator="In", prefixLength={"min": 24, "max": 16}),
        "filters.services-only.exportV4[0].prefixLength reaches from 24 to 16: no IPv4 route can match. Write "
        "min and max from 0 to 32, the smaller one first.",
    ),
    Case(
        "calico-bgp",
        "length-of-the-other-family",
        _rule("importV4", cidr="0.0.0.0/0", matchOperator="In", prefixLength={"min": 24, "max": 64}),
        "filters.services-only.importV4[0].prefixLength reaches from 24 to 64: no IPv4 route can match. Write "
        "min and max from 0 to 32, the smaller one first.",
    ),
    Case(
        "calico-bgp",
        "network-of-the-other-family",
        _rule("exportV4", cidr="2001:db8::/32", matchOperator="In"),
        "filters.services-only.exportV4[0].cidr is 2001:db8::/32: no route of exportV4 can match it. Move the "
        "rule to exportV6.",
    ),
    Case(
        "calico-bgp",
        "network-of-ipv4-among-ipv6",
        _rule("importV6", cidr="203.0.113.0/24", matchOperator="In"),
        "filters.services-only.importV6[0].cidr is 203.0.113.0/24: no route of importV6 can match it. Move "
        "the rule to importV4.",
    ),
    *(
        Case(
            "calico-bgp",
            f"bpf-{enabled}",
            {"felixConfiguration": {"bpfEnabled": enabled}},
            "felixConfiguration.bpfEnabled: the operator sets this field from the Installation, and refuses "
            "to work once somebody else has set it. Take it out and choose linuxDataplane: BPF in the "
            "Installation.",
        )
        for enabled in (True, False)
    ),
)

LOADBALANCER = (
    Case(
        "calico-loadbalancer",
        "no-pool",
        {"pools": ...},
        "pools is empty: no Service of type LoadBalancer would ever get an address. Name a pool, for example "
        "pools: {loadbalancer-pool: {cidr: 203.0.113.0/26, assignmentMode: Automatic}}.",
    ),
    Case(
        "calico-loadbalancer",
        "ipv4-block-size",
        {"pools": {"reserved": {"blockSize": 33}}},
        "pools.reserved.blockSize is 33: Calico accepts 20 to 32 for IPv4 and refuses the pool. Leave it out for /26.",
    ),
    Case(
        "calico-loadbalancer",
        "block-size-zero",
        {"pools": {"reserved": {"blockSize": 0}}},
        "pools.reserved.blockSize is 0: Calico accepts 20 to 32 for IPv4 and refuses the pool. Leave it out for /26.",
    ),
    Case(
        "calico-loadbalancer",
        "ipv6-block-size",
        {"pools": {"v6": {"cidr": "2001:db8::/64", "assignmentMode": "Automatic", "blockSize": 64}}},
        "pools.v6.blockSize is 64: Calico accepts 116 to 128 for IPv6 and refuses the pool. Leave it out for /122.",
    ),
    Case(
        "calico-loadbalancer",
        "smaller-than-the-usual-block",
        {"pools": {"reserved": {"blockSize": ...}}},
        "pools.reserved: 203.0.113.128/28 is smaller than one block of /26, and Calico refuses the pool. "
        "Write a blockSize from 28 to 32, or enlarge the pool.",
    ),
    Case(
        "calico-loadbalancer",
        "smaller-than-its-block",
        {"pools": {"v6": {"cidr": "2001:db8::40/124", "assignmentMode": "Manual", "blockSize": 120}}},
        "pools.v6: 2001:db8::40/124 is smaller than one block of /120, and Calico refuses the pool. Write a "
        "blockSize from 124 to 128, or enlarge the pool.",
    ),
    Case(
        "calico-loadbalancer",
        "selector-of-nothing",
        {"pools": {"reserved": {"namespaceSelector": ""}}},
        "pools.reserved.namespaceSelector is empty: that would open the pool to every namespace. Name the "
        "namespaces, for example projectcalico.org/name == 'traefik', or leave the key out.",
    ),
    Case(
        "calico-loadbalancer",
        "selector-of-the-globe",
        {"pools": {"reserved": {"namespaceSelector": "global()"}}},
        'pools.reserved.namespaceSelector is "global()": global() selects no namespaces, and Calico refuses '
        "the pool. Leave the key out for every namespace.",
    ),
    Case(
        "calico-loadbalancer",
        "one-network-twice",
        {"pools": {"again": {"cidr": "203.0.113.64/26", "assignmentMode": "Manual"}}},
        "pools.loadbalancer-pool: 203.0.113.64/26 is also the network of the pool again, and Calico refuses "
        "the second. Give each pool its own network.",
    ),
    Case(
        "calico-loadbalancer",
        "assignment-not-said",
        {"kubeControllers": {"assignIPs": ...}},
        "kubeControllers.assignIPs is empty: Calico would take AllServices and give addresses to Services "
        "that never asked. Write RequestedServicesOnly, or AllServices.",
    ),
    Case(
        "calico-loadbalancer",
        "short-duration",
        {"kubeControllers": {"leakGracePeriod": "15m"}},
        'kubeControllers.leakGracePeriod is "15m": Calico spells durations as Go does and prints this one '
        "differently, so the object would differ from its source for ever. Write hours, minutes and seconds, "
        "as 15m0s or 1h0m0s.",
    ),
)

EDGE = (
    Case(
        "edge",
        "header-that-nobody-sends",
        {"middlewares": {"securityHeaders": {"enabled": False}}},
        "middlewares.securityHeaders.stsSeconds is 31536000 while enabled is false: no response would carry "
        "the header. Enable the headers or write 0.",
    ),
    Case(
        "edge",
        "no-host",
        {"argocd": {"host": ...}},
        "argocd.host is empty: the route would match no request, and Argo CD could not be reached. Write its "
        "name, for example argocd.example.com, or argocd.enabled: false.",
    ),
    Case(
        "edge",
        "no-class",
        {"argocd": {"ingressClass": ...}},
        "argocd.ingressClass is empty: a Traefik that was given a class passes over routes without one, and "
        "Argo CD could not be reached. Write the class of the Traefik that shall serve it.",
    ),
)

WHOAMI = (
    Case(
        "whoami",
        "no-host",
        {"host": ...},
        "host is empty: the route would match no request. Write the name under which the server is reached, "
        "for example whoami.example.com.",
    ),
    Case(
        "whoami",
        "no-class",
        {"ingressClass": ...},
        "ingressClass is empty: a Traefik that was given a class passes over routes without one, and nothing "
        "would answer. Write the class of the Traefik that shall serve the route.",
    ),
    Case(
        "whoami",
        "moving-server",
        {"image": {"tag": "latest"}},
        'image.tag is "latest": the cluster would run whatever that name means on the day a node pulls it. '
        "Write a version.",
    ),
    Case(
        "whoami",
        "moving-probe",
        {"probe": {"image": {"tag": ""}}},
        'probe.image.tag is "": the cluster would run whatever that name means on the day a node pulls it. '
        "Write a version.",
    ),
    Case(
        "whoami",
        "nobody-to-ask",
        {"probe": {"address": ...}},
        "probe.address is empty: the probe would ask nobody. Write the load-balancer addresses of Traefik, or "
        "probe.enabled: false.",
    ),
    Case(
        "whoami",
        "http-at-https",
        {"probe": {"scheme": "http"}},
        "probe.scheme is http while entryPoint is websecure: the probe would ask where the route is not, and "
        "every sync would fail. Write https.",
    ),
    Case(
        "whoami",
        "https-at-http",
        {"entryPoint": "web"},
        "probe.scheme is https while entryPoint is web: the probe would ask where the route is not, and every "
        "sync would fail. Write http.",
    ),
)

CASES = (*NAMESPACES, *INSTALLATION, *BGP, *LOADBALANCER, *EDGE, *WHOAMI)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.chart}-{case.slug}")
def test_exact_message(case, example, refusal):
    assert refusal(case.chart, example(case.chart, case.override)) == case.says


REMOVED = [
    ("calico-bgp", "nobody-to-talk-to", {"peers": {"tor-a": None}}),
    ("calico-installation", "no-pool", {"installation": {"ipPools": {"default-ipv4-ippool": None}}}),
    ("calico-loadbalancer", "no-pool", {"pools": {"loadbalancer-pool": None, "reserved": None}}),
]


@pytest.mark.parametrize(("chart", "slug", "override"), REMOVED, ids=[chart for chart, *_ in REMOVED])
def test_what_null_takes_away_is_missed(chart, slug, override, example, refusal):
    (case,) = (case for case in CASES if (case.chart, case.slug) == (chart, slug))
    assert refusal(chart, example(chart, override)) == case.says


def test_all_mistakes_are_told_at_once(example, refusal):
    mistakes = example("calico-bgp", {"bgpConfiguration": {"asNumber": ...}} | _peer(asNumber=65535))
    expected = [_reserved("bgpConfiguration.asNumber", 0), _reserved("peers.tor-a.asNumber", 65535)]
    assert refusal("calico-bgp", mistakes) == " ".join(expected)


def _sentences(chart: Path) -> list[str]:
    """Regular expressions of what the guards of a chart can say."""
    text = (chart / "templates/requirements.yaml").read_text()
    literals = re.findall(r'append \$problems (?:\(printf )?("(?:[^"\\]|\\.)*")', text)
    patterns = [re.escape(json.loads(literal)) for literal in literals]
    return [re.sub(r"%[sdq]", ".+", pattern.replace("\\%", "%")) for pattern in patterns]


def test_every_guard_has_a_case(chart):
    said = [case.says for case in CASES if case.chart == chart.name]
    sentences = _sentences(chart)
    assert sentences
    assert [p for p in sentences if not any(re.fullmatch(p, text) for text in said)] == []


def test_guards_stand_in_one_file(chart):
    elsewhere = [
        path.name
        for path in (chart / "templates").iterdir()
        if path.name != "requirements.yaml" and re.search(r"\{\{-? *(fail|required)\b", path.read_text())
    ]
    assert elsewhere == []
    assert (chart / "templates/requirements.yaml").read_text().count("fail (") == 1


DURATIONS = ("0s", "15s", "59s", "1m0s", "2m0s", "59m59s", "1h0m0s", "24h0m30s")


@pytest.mark.parametrize("text", DURATIONS)
def test_durations_as_go_prints_them_pass(text, example, objects):
    peer = objects("calico-bgp", example("calico-bgp", _peer(maxRestartTime=text)))["BGPPeer/tor-a"]
    assert peer["spec"]["maxRestartTime"] == text


ENDPOINTS = ("192.0.2.1", "192.0.2.1:1179", "2001:db8::1", "fe80::1", "[2001:db8::1]:1179", "[::1]")


@pytest.mark.parametrize("text", ENDPOINTS)
def test_addresses_of_peers_pass(text, example, objects):
    peer = objects("calico-bgp", example("calico-bgp", _peer(peerIP=text)))["BGPPeer/tor-a"]
    assert peer["spec"]["peerIP"] == text


@pytest.mark.parametrize("number", [1, 64512, 65536, 1000000, 2147483647])
def test_as_numbers_keep_their_digits(number, example, objects):
    override = {"bgpConfiguration": {"asNumber": number}} | _peer(asNumber=number, localASNumber=number)
    found = objects("calico-bgp", example("calico-bgp", override))
    peer = found["BGPPeer/tor-a"]["spec"]
    assert found["BGPConfiguration/default"]["spec"]["asNumber"] == number
    assert (peer["asNumber"], peer["localASNumber"]) == (number, number)
