"""kube-vip, the API endpoint, the order of the engine, and releases."""

from dataclasses import replace

from rule_networks import Case, add, address, change, component, drop, lab, named, net, planned_from, provides, seed

from anycastle.network.addresses import TrafficPolicy
from anycastle.network.cluster import App
from anycastle.network.order import Part

CALICO_3_31 = {"versions.calico": "3.31.0", "bgp.advertise": "aggregate"}


def on_the_first(kube_vip):
    return kube_vip.node == "k8s-master-1"


def first(**values):
    return lambda: change(seed(), "kube_vips", on_the_first, **values)


def at_vips(*vips):
    return lambda: planned_from({"kubernetes.api.vips": list(vips)})


def api(**values):
    return lambda: change(seed(), "api", **values)


def wave(part, number):
    return lambda: change(seed(), "apps", provides(part), wave=number)


def release(name, version):
    return lambda: change(seed(), "versions", component(name), version=version)


def with_names(*names):
    return (*seed().api.certificate_names, *names)


def checked_by_name(url, *names):
    network = change(seed(), "kube_vips", on_the_first, health_url=url)
    return change(network, "api", certificate_names=with_names(*names))


def one_master(**values):
    nodes = [
        {"name": "cp", "role": "control-plane", "address": "192.168.10.17"},
        {"name": "worker", "role": "worker", "address": "192.168.10.20"},
    ]
    return change(planned_from({"nodes": nodes}), "kube_vips", **values)


def without_kube_vip():
    """A control plane without the static pod; the router still expects it."""
    network = drop(seed(), "kube_vips", on_the_first)
    hosts = ("k8s-master-2", "k8s-master-3")
    network = change(network, "announcements", lambda a: "k8s-master-1" in a.hosts, hosts=hosts)
    return drop(network, "ends", lambda end: end.host == "k8s-master-1")


def second_family():
    """An IPv6 address of the API everywhere, announced over IPv4 sessions only."""
    vips = (*seed().api.vips, address("fd00:20::1"))
    network = change(
        change(seed(), "kube_vips", vips=vips), "api", vips=vips, certificate_names=with_names("fd00:20::1")
    )
    old = next(a for a in network.announcements if "k8s-master-1" in a.hosts)
    network = add(network, "announcements", replace(old, prefix=net("fd00:20::1/128"), shortest=128, longest=128))
    router = network.routers[0]
    more = (net("fd00:20::1/128"),)
    return change(network, "routers", discards=(*router.discards, *more), hairpin=(*router.hairpin, *more))


def masters(count):
    nodes = [
        {"name": f"cp-{n}", "role": "control-plane", "address": f"192.168.10.{16 + n}"} for n in range(1, count + 1)
    ]
    return planned_from({"nodes": [*nodes, {"name": "worker", "role": "worker", "address": "192.168.10.30"}]})


def without(part):
    return lambda: drop(seed(), "apps", provides(part))


def untaught(*kinds):
    left = tuple(kind for kind in seed().health_checks if kind not in kinds)
    return lambda: replace(seed(), health_checks=left)


def one_wave():
    """One app holds everything: nothing waits for anything."""
    app = App(wave=0, name="all", provides=tuple(Part), protected=True)
    return replace(seed(), apps=(app,), health_checks=())


def dissent():
    return change(seed(), "kube_vips", on_the_first, vips=(address("192.168.20.2"),))


def unwatched_release(version):
    network = one_master(health_url="")
    return change(network, "versions", component("kube-vip"), version=version)


def both(version):
    network = change(seed(), "versions", component("calico"), version=version)
    return change(network, "versions", component("calico-crds"), version=version)


def cluster_policy(network):
    return change(network, "services", named("traefik"), policy=TrafficPolicy.CLUSTER)


CASES = (
    Case(
        "KV001",
        "no health check on one of three, or with one control plane",
        first(health_url=""),
        lambda: one_master(health_url=""),
    ),
    Case(
        "KV002",
        "localhost, or the node's name",
        first(health_url="https://localhost:6443/livez"),
        first(health_url="https://k8s-master-1:6443/livez"),
    ),
    Case(
        "KV002",
        "another node's address, or an address that certSANs adds",
        first(health_url="https://192.168.10.18:6443/livez"),
        lambda: checked_by_name("https://127.0.0.1:6443/livez", "127.0.0.1"),
    ),
    Case(
        "KV002",
        "another port, or the name of the endpoint",
        first(health_url="https://192.168.10.17:8443/livez"),
        first(health_url="https://control.k8s.example.com:6443/readyz"),
    ),
    Case(
        "KV002",
        "plain http, or a wildcard that covers it",
        first(health_url="http://192.168.10.17:6443/livez"),
        lambda: checked_by_name("https://one.nodes.example.com:6443/livez", "*.nodes.example.com"),
    ),
    Case(
        "KV002",
        "no URL, or the service's name in full",
        first(health_url="192.168.10.17:6443/livez"),
        first(health_url="https://kubernetes.default.svc.cluster.local:6443/livez"),
    ),
    Case(
        "KV002",
        "an unreadable URL, or the first service address",
        first(health_url="https://[::1:6443/"),
        first(health_url="https://10.96.0.1:6443/livez"),
    ),
    Case("KV003", "no CA, or no check", first(health_ca=""), lambda: one_master(health_ca="", health_url="")),
    Case("KV004", "a period of 0, or of 1", first(period=0), first(period=1)),
    Case(
        "KV004",
        "no timeout, or times of a check that is off",
        first(timeout=0),
        lambda: one_master(health_url="", period=0),
    ),
    Case("KV004", "a threshold of 1, or of 2", first(threshold=1), first(threshold=2)),
    Case("KV005", "one of three has another address, or all have another", dissent, at_vips("192.168.20.2")),
    Case("KV006", "on a network card, or on a dummy", first(interface="eth0"), first(interface="dummy0")),
    Case("KV007", "two of three run it, or none", without_kube_vip, lab),
    Case("KV008", "an IPv6 address over IPv4, or two of IPv4", second_family, at_vips("192.168.20.1", "192.168.20.2")),
    Case("API001", "a worker, or a control plane", api(agent_host="192.168.10.20"), api(agent_host="192.168.10.18")),
    Case(
        "API001",
        "nothing with eBPF, or with iptables",
        api(agent_host=""),
        lambda: change(api(agent_host="")(), "calico", dataplane="Iptables"),
    ),
    Case(
        "API001",
        "a name that nobody knows, or an address",
        api(agent_host="api.example.net"),
        api(agent_host="192.168.20.1"),
    ),
    Case(
        "API001",
        "the endpoint's name is worth a word, the address is not",
        api(agent_host="control.k8s.example.com"),
        api(agent_host="192.168.20.1"),
    ),
    Case(
        "API002",
        "the certificate does not name the address, or the endpoint is the address",
        api(certificate_names=()),
        api(name="192.168.20.1", certificate_names=()),
    ),
    Case("API003", "two, or one", lambda: masters(2), lambda: masters(1)),
    Case("API003", "four, or five", lambda: masters(4), lambda: masters(5)),
    Case("ORD001", "the pools before the Installation, or between", wave(Part.POOLS, -26), wave(Part.POOLS, -24)),
    Case(
        "ORD001",
        "two in one wave, or two that need nothing of each other",
        wave(Part.INSTALLATION, -30),
        wave(Part.EDGE, 29),
    ),
    Case(
        "ORD001",
        "BGP behind everything that needs it, or first behind the operator",
        wave(Part.BGP, 50),
        wave(Part.BGP, -34),
    ),
    Case(
        "ORD001",
        "Secrets behind the peers that have a password, or behind peers that have none",
        lambda: change(planned_from({}, "secrets-sops"), "apps", provides(Part.SECRETS), wave=-29),
        lambda: planned_from({}, "secrets-external"),
    ),
    Case(
        "ORD001",
        "sealed Secrets before the controller that defines them, or right behind it",
        lambda: change(
            planned_from({"gitops.engine": "argocd"}, "secrets-sealed"), "apps", provides(Part.SECRETS), wave=-48
        ),
        lambda: planned_from({"gitops.engine": "argocd"}, "secrets-sealed"),
    ),
    Case(
        "ORD001",
        "the Secret of the edge behind it, or between the ingress and the edge",
        lambda: change(planned_from({}, "secrets-external"), "apps", provides(Part.SECRETS), wave=25),
        lambda: change(planned_from({}, "secrets-external"), "apps", provides(Part.SECRETS), wave=15),
    ),
    Case("ORD001", "the ingress first of all, or last but two", wave(Part.INGRESS, -60), wave(Part.INGRESS, 19)),
    Case(
        "ORD002",
        "no definitions for 3.32, or for 3.31",
        without(Part.CALICO_CRDS),
        lambda: drop(planned_from(CALICO_3_31), "apps", provides(Part.CALICO_CRDS)),
    ),
    Case(
        "ORD003",
        "the Installation may be pruned, or the ingress may",
        lambda: change(seed(), "apps", provides(Part.INSTALLATION), protected=False),
        lambda: change(seed(), "apps", provides(Part.INGRESS), protected=False),
    ),
    Case("ORD004", "Applications have no health, or all is one wave", untaught("argoproj.io_Application"), one_wave),
    Case(
        "ORD004",
        "the Installation has no health, or is not there",
        untaught("operator.tigera.io_Installation"),
        lambda: replace(without(Part.INSTALLATION)(), health_checks=("argoproj.io_Application",)),
    ),
    Case(
        "VER001",
        "the release that removes its peers, or the next one",
        release("kube-vip", "1.1.0"),
        release("kube-vip", "v1.2.4"),
    ),
    Case(
        "VER001",
        "a leak with the check, or none without",
        release("kube-vip", "1.2.3"),
        lambda: unwatched_release("1.2.3"),
    ),
    Case(
        "VER001", "a check that is ignored, or none", release("kube-vip", "1.0.4"), lambda: unwatched_release("1.0.4")
    ),
    Case("VER002", "3.32.0, or 3.32.3", lambda: both("3.32.0"), lambda: both("3.32.3")),
    Case(
        "VER002",
        "not ready pods of a Local Service, or of a Cluster one",
        lambda: both("3.32.1"),
        lambda: cluster_policy(both("3.32.1")),
    ),
    Case(
        "VER002", "separate routes in 3.31, or the aggregate", lambda: both("3.31.4"), lambda: planned_from(CALICO_3_31)
    ),
    Case("VER002", "3.29, or a text that is no release", lambda: both("3.29.7"), lambda: both("master")),
    Case(
        "VER004", "1.30, or the oldest that is tested", release("kubernetes", "1.30.9"), release("kubernetes", "1.33.0")
    ),
    Case(
        "VER004",
        "1.37, or with another chart",
        release("kubernetes", "1.37.0"),
        lambda: change(release("kubernetes", "1.37.0")(), "versions", component("argo-cd-chart"), version="11.0.0"),
    ),
)
