"""Valid sites of every shape that `site.support` lets through, as the plain data of a site file.

Every range has a region of its own, so that a site is never wrong by accident: nodes in 10.10, pods in 172.16/12,
Services of the cluster in 10.96/12, API addresses in 192.168.20/24, load-balancer pools in 198.18/15.
"""

from ipaddress import IPv4Address, IPv4Network, ip_address
from typing import Any

from hypothesis import strategies as st

import egresses
import families
import further
import topologies

Data = dict[str, Any]

NODE_SUBNETS = ("10.10.0.0/24", "10.10.16.0/20", "10.10.0.0/16")
ASNS = st.one_of(st.integers(1, 23455), st.integers(64512, 65534), st.integers(65536, 2**31 - 1))
LARGE_ASNS = st.one_of(ASNS, st.integers(2**31, 2**32 - 2))
WORD = st.from_regex(r"[a-z]([a-z0-9-]{0,14}[a-z0-9])?", fullmatch=True).filter(lambda word: "--" not in word)
HOST = st.builds(lambda first, rest: ".".join([first, *rest]), WORD, st.lists(WORD, max_size=2))
LABEL_KEY = st.one_of(WORD, WORD.map(lambda word: f"example.com/{word}"))
LABEL_VALUE = st.one_of(
    st.just("true"), st.from_regex(r"([A-Za-z0-9]([A-Za-z0-9._-]{0,20}[A-Za-z0-9])?)?", fullmatch=True)
)
RELEASES = st.sampled_from(("1.33.4", "1.34.0", "1.35.2", "1.36.4"))


def sites() -> st.SearchStrategy[Data]:
    """The plain data of a site file."""
    return st.composite(_site)()


def _site(draw: st.DrawFn) -> Data:
    subnet = IPv4Network(draw(st.sampled_from(NODE_SUBNETS)))
    vips = draw(_vips())
    pools = draw(_load_balancer_pools())
    assign = draw(st.sampled_from(("requested", "all")))
    site: Data = {
        "schema": 1,
        "name": draw(WORD),
        "domain": "example.com",
        "kubernetes": _kubernetes(draw, vips),
        "networks": _networks(draw, subnet),
        "routers": [_router(draw, subnet)],
        "bgp": _bgp(draw, with_vips=bool(vips)),
        "nodes": _nodes(draw, subnet, with_vips=bool(vips)),
        "load_balancer": {"assign": assign, "pools": pools},
        "ingress": draw(st.lists(_ingress(pools, asked=assign == "requested"), max_size=1)),
        "gitops": {
            "engine": draw(st.sampled_from(("argocd", "flux"))),
            "repository": draw(
                st.sampled_from(("https://git.example.com/platform/home.git", "git@example.com:p/h.git"))
            ),
            "revision": draw(st.sampled_from(("main", "v1.2.0"))),
        },
    }
    if draw(st.booleans()):
        site["versions"] = {
            "kube_vip": "1.1.2",
            "calico": "3.32.3",
            "traefik_chart": "41.2.0",
            "argocd_chart": "10.4.0",
        }
    _reached(draw, site["gitops"])
    spread = further.spoken(draw, families.varied(draw, topologies.spread(draw, site)))
    return _with_secrets(draw, egresses.behind(draw, spread))


RECIPIENTS = (
    "age1r6kxll6jc7a62g7c39c8j6m9z4xsc857yz4g7x9sw855g6jt02ks8usj3a",
    "age1d7s6hz3s374wnm4pn035ttvqz56j08yzcqvnx82xuxvu97d5rhrqapd77e",
)


def _with_secrets(draw: st.DrawFn, site: Data) -> Data:
    """A certificate of the only ingress, and how Secrets come out of git where there are any."""
    if len(site["ingress"]) == 1 and draw(st.booleans()):
        site["ingress"][0]["certificate"] = draw(st.sampled_from(("wildcard", "example.com-tls")))
    needed = [one for one in (*site["routers"], *site["ingress"]) if one.get("password") or one.get("certificate")]
    if needed:
        tool = draw(st.sampled_from(("none", "sops", "sealed-secrets", "external-secrets")))
        site["gitops"]["secrets"] = tool
        if tool == "sops":
            site["gitops"]["age_recipients"] = list(RECIPIENTS[: draw(st.integers(1, 2))])
    return site


HOST_KEY = "example.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBk5zn+aqHqkZJ3fwFftx6dg/wJ59K7j0JuksF0EvjIg"


def _reached(draw: st.DrawFn, gitops: Data) -> None:
    """Where the repository lies in a larger one, and how the engine reaches it."""
    if gitops["repository"].startswith("git@"):
        gitops["known_hosts"] = [HOST_KEY]
    else:
        gitops["private"] = draw(st.booleans())
    gitops["path"] = draw(st.sampled_from(("", "home", "clusters/of.mine")))
    gitops["ci"] = draw(st.sampled_from((None, "github", "gitlab", "gitea", "none")))


def _vips() -> st.SearchStrategy[list[str]]:
    return st.lists(st.integers(1, 14).map(lambda last: f"192.168.20.{last}"), max_size=3, unique=True)


def _kubernetes(draw: st.DrawFn, vips: list[str]) -> Data:
    return {
        "version": draw(RELEASES),
        "service_cidrs": [draw(st.sampled_from(("10.96.0.0/12", "10.100.0.0/16")))],
        "dns_domain": draw(st.sampled_from(("cluster.local", "k8s.example.com"))),
        "api": {
            "name": "control." + draw(WORD) + ".example.com",
            "port": draw(st.sampled_from((6443, 443, 16443))),
            "vips": vips,
            "allow_on_link": draw(st.booleans()),
            "certificate_names": draw(st.lists(HOST.map(lambda host: f"{host}.example.org"), max_size=3, unique=True)),
        },
    }


def _networks(draw: st.DrawFn, subnet: IPv4Network) -> Data:
    gateway = draw(st.sampled_from((None, str(subnet[1]))))
    lan = {"name": "lan", "cidr": str(subnet)} | ({"gateway": gateway} if gateway else {})
    names = draw(st.lists(WORD, min_size=1, max_size=4, unique=True))
    return {
        "nodes": [lan],
        "pods": [_pod_pool(draw, name, number) for number, name in enumerate(names)],
        "reserved": [
            {"name": f"reserved-{number}", "range": text}
            for number, text in enumerate(
                draw(
                    st.lists(
                        st.sampled_from(("10.200.0.0/24", "10.200.1.10-10.200.1.77", "10.200.2.4/32", "10.201.0.0/16")),
                        max_size=3,
                        unique=True,
                    )
                )
            )
        ],
        "owned": {
            "asns": draw(st.lists(ASNS, max_size=2, unique=True)),
            "prefixes": draw(st.lists(st.sampled_from(("8.8.8.0/24", "193.0.0.0/21")), max_size=2, unique=True)),
        },
    }


def _pod_pool(draw: st.DrawFn, name: str, number: int) -> Data:
    length = draw(st.integers(15, 20))
    return {
        "name": name,
        "cidr": f"172.{16 + 2 * number}.0.0/{length}",
        "block_size": draw(st.integers(max(20, length), 32)),
        "encapsulation": draw(st.sampled_from(("VXLANCrossSubnet", "VXLAN", "None", "IPIP", "IPIPCrossSubnet"))),
        "nat_outgoing": draw(st.booleans()),
        "export": draw(st.booleans()),
    }


def _router(draw: st.DrawFn, subnet: IPv4Network) -> Data:
    router = {"name": draw(WORD), "address": str(subnet[1]), "asn": draw(LARGE_ASNS.filter(lambda asn: asn < 2**31))}
    if draw(st.booleans()):
        router["router_id"] = str(draw(_addresses()))
    if draw(st.booleans()):
        router["interface"] = draw(st.sampled_from(("eth0", "bond0.20", "lan0")))
    return router


def _addresses() -> st.SearchStrategy[IPv4Address]:
    return st.integers(int(ip_address("1.0.0.1")), int(ip_address("126.255.255.254"))).map(IPv4Address)


def _bgp(draw: st.DrawFn, *, with_vips: bool) -> Data:
    hold = draw(st.integers(3, 240))
    bgp: Data = {
        "worker_asn": draw(ASNS),
        "advertise": draw(st.sampled_from(("host-routes", "aggregate"))),
        "node_to_node_mesh": draw(st.booleans()),
        # two speakers of one node cannot both call one router from one address
        "peering": "workers" if with_vips else draw(st.sampled_from(("workers", "all"))),
        "timers": {"hold": hold, "keepalive": draw(st.integers(1, max(1, hold // 3)))},
        "graceful_restart": draw(st.booleans()),
        "restart_time": draw(st.sampled_from((1, 15, 59, 60, 120, 3599, 3600))),
    }
    if with_vips or draw(st.booleans()):
        bgp["control_plane_asn"] = draw(LARGE_ASNS)
    return bgp


def _nodes(draw: st.DrawFn, subnet: IPv4Network, *, with_vips: bool) -> list[Data]:
    masters = draw(st.integers(1, 9))
    workers = draw(st.one_of(st.integers(0, 5), st.integers(0, 40)))
    names = draw(st.lists(HOST, min_size=masters + workers, max_size=masters + workers, unique=True))
    roles = draw(st.permutations(["control-plane"] * masters + ["worker"] * workers))
    offset = draw(st.integers(2, subnet.num_addresses - len(names) - 2))
    return [
        _node(draw, name, role, str(subnet[offset + number]), told=with_vips and role == "control-plane")
        for number, (name, role) in enumerate(zip(names, roles, strict=True))
    ]


def _node(draw: st.DrawFn, name: str, role: str, address: str, *, told: bool) -> Data:
    """`told`: kube-vip runs there and takes a router ID."""
    node: Data = {"name": name, "role": role, "address": address}
    plain = draw(st.integers(0, 3))  # most nodes of a site are plain
    if plain == 0:
        node["labels"] = draw(st.dictionaries(LABEL_KEY, LABEL_VALUE, max_size=3))
        node["announce_services"] = draw(st.booleans())
        if told and draw(st.booleans()):
            node["router_id"] = str(draw(_addresses()))
    return node


def _load_balancer_pools() -> st.SearchStrategy[list[Data]]:
    return st.composite(_pools)()


def _pools(draw: st.DrawFn) -> list[Data]:
    names = draw(st.lists(WORD, min_size=1, max_size=3, unique=True))
    return [_pool(draw, f"{name}-pool", number) for number, name in enumerate(names)]


def _pool(draw: st.DrawFn, name: str, number: int) -> Data:
    """Ranges of a pool lie in a /20 of their own, each in its own /24."""
    ranges = [_range(draw, f"198.18.{16 * number + third}") for third in range(draw(st.integers(1, 3)))]
    pool: Data = {"name": name, "ranges": ranges, "assignment": draw(st.sampled_from(("automatic", "manual")))}
    if draw(st.booleans()):
        pool["block_size"] = (
            draw(st.sampled_from((32, 32, 31))) if all("/" in r and int(r[-2:]) < 32 for r in ranges) else 32
        )
    return pool


def _range(draw: st.DrawFn, base: str) -> str:
    if draw(st.booleans()):
        return f"{base}.0/{draw(st.integers(24, 32))}"
    first = draw(st.integers(0, 255))
    return f"{base}.{first}-{base}.{draw(st.integers(first, 255))}"


def _ingress(pools: list[Data], *, asked: bool) -> st.SearchStrategy[Data]:
    return st.composite(_ingress_of)(pools, asked)


def _ingress_of(draw: st.DrawFn, pools: list[Data], asked: bool) -> Data:
    pool = draw(st.sampled_from(pools))
    wants = draw(st.sampled_from(("address", "pool") if asked else ("address", "pool", "nothing")))
    first = pool["ranges"][0].partition("/")[0].partition("-")[0]
    return {
        "name": draw(st.sampled_from(("traefik", "edge-proxy", "public"))),
        "class": draw(WORD),
        "default": draw(st.booleans()),
        "addresses": [first] if wants == "address" else [],
        **({"pool": pool["name"]} if wants == "pool" else {}),
        "traffic_policy": draw(st.sampled_from(("Local", "Cluster"))),
        "replicas": draw(st.integers(1, 5)),
    }
