"""The network that a repository written by hand says; every expected value is written down here, none is derived."""

from ipaddress import ip_address, ip_network
from pathlib import Path

import handmade
from handmade import MASTERS, WORKERS, added, read_changed, replaced

from anycastle.network.addresses import Pool, PoolUse, Service, TrafficPolicy
from anycastle.network.bgp import Acceptance, Announcement, Condition, FilterRule, Software
from anycastle.network.cluster import Calico, Role, Version
from anycastle.reader import Repository

ROUTER = ip_address("192.168.10.1")
POOL = ip_network("192.168.20.64/26")
VIP = ip_network("192.168.20.1/32")


def home(tmp_path: Path) -> Repository:
    return read_changed(tmp_path)


def test_a_good_repository_has_nothing_to_judge(tmp_path: Path) -> None:
    found = home(tmp_path)
    assert handmade.judged(found) == []
    assert [(f.code, f.where.path) for f in found.findings] == [
        ("ARGO006", "argocd/argo-cd.yaml"),
        ("ARGO006", "argocd/traefik.yaml"),
    ]
    assert found.kube_version == "v1.36.4"
    assert found.files == len(handmade.repository())


def test_nodes(tmp_path: Path) -> None:
    nodes = home(tmp_path).network.nodes
    assert {node.name: str(node.addresses[0]) for node in nodes} == MASTERS | WORKERS
    assert {node.name for node in nodes if node.role is Role.CONTROL_PLANE} == set(MASTERS)
    assert dict(nodes[-1].labels) == {
        "kubernetes.io/hostname": "k8s-node-5",
        "kubernetes.io/os": "linux",
        "rack": "a",
        "zone": "z1",
    }
    assert str(nodes[-1].where) == "nodes/k8s-node-5/kubeadm.yaml:7 nodeRegistration.kubeletExtraArgs[0].value"


def test_the_api(tmp_path: Path) -> None:
    api = home(tmp_path).network.api
    assert api is not None
    assert (api.name, api.port, api.agent_host) == ("control.k8s.example.com", 6443, "192.168.20.1")
    assert api.vips == (ip_address("192.168.20.1"),)
    assert api.certificate_names == ("192.168.20.1", "api.example.com")
    assert str(api.where) == "nodes/k8s-master-1/kube-vip.yaml:11 spec.containers[0].env[0].value"


def test_kube_vip(tmp_path: Path) -> None:
    network = home(tmp_path).network
    pod = network.kube_vips[1]
    assert (pod.node, pod.version, pod.interface) == ("k8s-master-2", "1.2.4", "lo")
    assert (pod.health_url, pod.health_ca) == ("https://192.168.10.18:6443/livez", "/etc/kubernetes/pki/ca.crt")
    assert (pod.period, pod.timeout, pod.threshold) == (5, 3, 3)
    ends = [end for end in network.ends if end.software is Software.KUBE_VIP]
    assert [(str(end.address), end.asn, str(end.peer), end.peer_asn, end.hops) for end in ends] == [
        (address, 65020, "192.168.10.1", 65010, 1) for address in MASTERS.values()
    ]


def test_calico(tmp_path: Path) -> None:
    network = home(tmp_path).network
    assert network.calico == Calico(
        asn=65030, mesh=False, aggregate=False, advertised=(POOL,), assign="RequestedServicesOnly", dataplane="BPF"
    )
    ends = [end for end in network.ends if end.software is Software.CALICO]
    assert [(end.host, str(end.address)) for end in ends] == list(WORKERS.items())
    assert {(end.asn, end.peer, end.peer_asn, end.hops, end.restart, end.filters) for end in ends} == {
        (65030, ROUTER, 65010, 255, 125, ("services-only",))
    }
    assert [rule for filter_ in network.filters for rule in filter_.rules] == [
        FilterRule(export=True, action="Accept", cidr=POOL, operator="In"),
        FilterRule(export=True, action="Reject"),
        FilterRule(export=False, action="Reject"),
    ]


def test_pools(tmp_path: Path) -> None:
    assert home(tmp_path).network.pools == (
        Pool(
            name="pods",
            use=PoolUse.PODS,
            cidr=ip_network("172.20.0.0/16"),
            block_size=26,
            encapsulation="VXLANCrossSubnet",
            nat_outgoing=True,
            bgp_export=False,
            managed=True,
        ),
        Pool(name="services", use=PoolUse.LOAD_BALANCER, cidr=POOL, block_size=26),
    )


def test_announcements(tmp_path: Path) -> None:
    assert home(tmp_path).network.announcements == (
        Announcement(
            prefix=VIP,
            shortest=32,
            longest=32,
            software=Software.KUBE_VIP,
            hosts=tuple(MASTERS),
            when=Condition.API_HEALTHY,
        ),
        Announcement(
            prefix=POOL,
            shortest=32,
            longest=32,
            software=Software.CALICO,
            hosts=tuple(WORKERS),
            when=Condition.ENDPOINT,
        ),
    )


def test_the_router(tmp_path: Path) -> None:
    network = home(tmp_path).network
    (router,) = network.routers
    assert (router.name, router.address, router.asn, router.router_id) == ("router", ROUTER, 65010, ROUTER)
    assert (router.multipath, router.graceful_restart) == (8, False)
    assert (router.hash_ports, router.redirects) == (True, False)
    assert router.discards == router.hairpin == (VIP, POOL)
    ends = [end for end in network.ends if end.software is Software.FRR]
    assert {end.peer: end.peer_asn for end in ends} == {
        **{ip_address(address): 65020 for address in MASTERS.values()},
        **{ip_address(address): 65030 for address in WORKERS.values()},
    }
    assert {(end.address, end.asn, end.hops, end.hold, end.keepalive, end.silent, end.password) for end in ends} == {
        (ROUTER, 65010, 1, 9, 3, True, "")
    }
    masters, workers = (tuple(map(ip_address, group.values())) for group in (MASTERS, WORKERS))
    assert network.acceptances == (
        Acceptance(router="router", prefix=VIP, shortest=32, longest=32, peers=masters),
        Acceptance(router="router", prefix=POOL, shortest=32, longest=32, peers=workers),
    )


def test_speakers(tmp_path: Path) -> None:
    speakers = home(tmp_path).network.speakers
    assert [(speaker.host, speaker.software.value, speaker.asn) for speaker in speakers] == [
        *((name, "kube-vip", 65020) for name in MASTERS),
        *((name, "calico", 65030) for name in WORKERS),
        ("router", "frr", 65010),
    ]
    assert all(speaker.router_id == speaker.address for speaker in speakers)


def test_the_projected_service(tmp_path: Path) -> None:
    found = home(tmp_path)
    assert found.network.services == (
        Service(
            namespace="edge",
            name="traefik",
            policy=TrafficPolicy.LOCAL,
            requested='["192.168.20.100"]',
            addresses=(ip_address("192.168.20.100"),),
        ),
    )
    (item,) = [item for item in found.objects if item.kind == "Service"]
    assert item.source == "apps/traefik/values.yaml (projected: traefik 41.3.0)"
    assert str(found.network.services[0].where).startswith("apps/traefik/values.yaml:5")


def test_apps_versions_and_health(tmp_path: Path) -> None:
    network = home(tmp_path).network  # without a finalizer and without pruning nothing of them cascades
    assert [(app.wave, app.name, tuple(map(str, app.provides)), app.protected) for app in network.apps] == [
        (-30, "bgp", ("calico-bgp",), True),
        (-25, "installation", ("calico-installation",), True),
        (-20, "pools", ("calico-loadbalancer",), True),
        (0, "argo-cd", ("argo-cd",), True),
        (10, "traefik", ("traefik",), True),
    ]
    assert network.versions == (
        Version(component="argo-cd-chart", version="10.3.3"),
        Version(component="kube-vip", version="1.2.4"),
        Version(component="kubernetes", version="1.36.4"),
        Version(component="traefik-chart", version="41.3.0"),
    )
    assert network.health_checks == ("b_B",)


def test_what_only_the_owner_can_say(tmp_path: Path) -> None:
    network = home(tmp_path).network
    (subnet,) = network.subnets
    assert (subnet.name, subnet.cidr, subnet.gateway) == ("lan", ip_network("192.168.10.0/24"), ROUTER)
    assert [(r.name, str(r.cidr)) for r in network.reserved] == [
        ("dhcp", "192.168.10.128/31"),
        ("dhcp", "192.168.10.130/32"),
    ]
    assert network.declared.asns == (680, 3320)
    assert network.declared.prefixes == (ip_network("193.0.0.0/21"),)
    assert network.declared.vip_on_link is True


def test_without_a_site_file_the_rest_stands(tmp_path: Path) -> None:
    files = handmade.repository()
    del files["site.yaml"]
    network = handmade.read(handmade.write(tmp_path, files)).network
    assert [(subnet.name, str(subnet.cidr), subnet.gateway) for subnet in network.subnets] == [
        ("", "192.168.10.0/24", None)
    ]
    assert (len(network.nodes), len(network.apps), network.reserved) == (8, 5, ())


def test_objects_in_order_and_with_scope(tmp_path: Path) -> None:
    found = read_changed(tmp_path, added("nodes/k8s-master-1/kube-vip.init.yaml", handmade.kube_vip("192.168.10.17")))
    seen = [(item.kind, item.scope) for item in found.objects]
    assert seen[:3] == [("Pod", f"node:{name}") for name in MASTERS]
    assert seen[3:5] == [("InitConfiguration", "node:k8s-master-1"), ("ClusterConfiguration", "node:k8s-master-1")]
    assert seen[5:12] == [("JoinConfiguration", f"node:{name}") for name in [*MASTERS, *WORKERS][1:]]
    assert seen[12] == ("Service", "cluster")
    assert [kind for kind, _scope in seen[-5:]] == ["Application"] * 5
    assert len(seen) == 13 + 7 + 5


def test_a_node_that_is_kept_out(tmp_path: Path) -> None:
    label = "node.kubernetes.io/exclude-from-external-load-balancers"
    found = read_changed(tmp_path, replaced("nodes/k8s-node-2/kubeadm.yaml", "rack=a", f"{label}=true"))
    pool = found.network.announcements[1]
    assert pool.hosts == ("k8s-node-1", "k8s-node-3", "k8s-node-4", "k8s-node-5")
    assert any(end.host == "k8s-node-2" for end in found.network.ends), "its session stays up"


def test_aggregate_and_exported_pods(tmp_path: Path) -> None:
    found = read_changed(
        tmp_path,
        replaced("manifests/bgp/bgp.yaml", "Aggregation: Disabled", "Aggregation: Enabled"),
        replaced("manifests/installation/installation.yaml", "        disableBGPExport: true\n", ""),
    )
    by_prefix = {str(item.prefix): item for item in found.network.announcements}
    pods, pool = by_prefix["172.20.0.0/16"], by_prefix["192.168.20.64/26"]
    assert (pods.shortest, pods.longest, pods.when, pods.hosts) == (26, 26, Condition.ALWAYS, tuple(WORKERS))
    assert (pool.shortest, pool.longest, pool.when) == (26, 32, Condition.ALWAYS)


def test_without_a_health_check_the_address_stands_always(tmp_path: Path) -> None:
    changes = [
        replaced(f"nodes/{name}/kube-vip.yaml", "name: control_plane_health_check_address", "name: other")
        for name in MASTERS
    ]
    network = read_changed(tmp_path, *changes).network
    assert network.announcements[0].when is Condition.ALWAYS
    assert (network.kube_vips[0].health_url, network.kube_vips[0].period) == ("", 0)
