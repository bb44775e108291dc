"""What `site.yaml` says above its keys, and which defaults it shows."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle.yamlio import Comments

HEADER = """The site: its machines, addresses and AS numbers. Every other file of this repository follows from this one.
Change it here, run `anycastle update .`, and read `git diff` before you commit.
An unknown key is an error. Keys that are not written have their defaults; the comments name the useful ones."""

SHOWN = frozenset(
    (
        "kubernetes.api.port",
        "kubernetes.api.vips",
        "networks.pods.block_size",
        "networks.pods.encapsulation",
        "networks.pods.export",
        "networks.pods.nat_outgoing",
        "networks.reserved",
        "routers.interface",
        "routers.software",
        "bgp.advertise",
        "bgp.graceful_restart",
        "bgp.node_to_node_mesh",
        "bgp.peering",
        "bgp.restart_time",
        "bgp.timers",
        "bgp.timers.hold",
        "bgp.timers.keepalive",
        "load_balancer.assign",
        "load_balancer.pools.assignment",
        "ingress",
        "ingress.default",
        "ingress.replicas",
        "ingress.traffic_policy",
        "gitops.engine",
        "gitops.revision",
        "versions",
        "versions.argocd_chart",
        "versions.calico",
        "versions.flux",
        "versions.kube_vip",
        "versions.traefik_chart",
    )
)
"""Keys that are written although they have their default."""

INLINE = frozenset(
    (
        "egress.mirrors",
        "ingress",
        "load_balancer.pools",
        "load_balancer.reserved",
        "networks.nodes",
        "networks.pods",
        "networks.reserved",
        "nodes",
        "nodes.links",
        "nodes.speakers",
        "racks",
        "routers",
    )
)
"""Lists whose entries take one line each."""

_TEXTS: Mapping[str, str] = {
    "schema": "Version of this file's form.",
    "name": "Name of the cluster: kubeadm's clusterName, and what kubectl shows for its context.",
    "domain": "Parent of the names that the ingress serves, such as whoami.DOMAIN.",
    "kubernetes": "The cluster as kubeadm makes it.",
    "kubernetes.version": "Release that kubeadm installs and that every chart is rendered for.",
    "kubernetes.service_cidrs": (
        "Addresses of Services inside the cluster. No machine outside ever sees them, yet none may have one of them."
    ),
    "kubernetes.dns_domain": "Domain of Service names inside the cluster.",
    "kubernetes.api": "How everybody reaches the API server. May also hold certificate_names: [...].",
    "kubernetes.api.name": (
        "Written into kubeconfigs and certificates. It must resolve to the address below, on clients, too."
    ),
    "kubernetes.api.port": "Port on every control plane and of the address below.",
    "kubernetes.api.vips": (
        "Announced as a host route by every control plane whose API server is healthy. Choose an "
        "address outside every\n"
        "node subnet: nobody answers ARP for it. [] leaves the name to one machine."
    ),
    "kubernetes.api.allow_on_link": (
        "Accept an address inside a node subnet: neighbours then ask for it by ARP and get no answer."
    ),
    "kubernetes.api.certificate_names": "Further names and addresses in the API server's certificate.",
    "kubernetes.kube_proxy": "Who serves Services: disabled leaves it to Calico's eBPF.",
    "kubernetes.dataplane": "Calico's: ebpf, iptables or nftables; kube-proxy follows it where it runs.",
    "networks": "Address ranges. None may overlap another.",
    "networks.nodes": (
        "The subnet of the machines. Calico takes a node's address from it; gateway is the way out of it."
    ),
    "networks.pods": (
        "Pools of pod addresses. block_size: what a node takes at a time (26 = 64 addresses).\n"
        "encapsulation: VXLANCrossSubnet, VXLAN or None (pod addresses then appear on the wire).\n"
        "nat_outgoing: pods leave the cluster with their node's address. export: announce the blocks to the routers."
    ),
    "networks.reserved": (
        "Ranges of others that must not be overlapped: {name: dhcp, range: 192.168.10.100-192.168.10.199}."
    ),
    "networks.owned": "Public AS numbers and prefixes that are really yours.",
    "networks.owned.asns": "AS numbers.",
    "networks.owned.prefixes": "Networks.",
    "routers": (
        "Routers that take the announcements. asn: the far end of every session. interface: the router's own, towards\n"
        "the nodes; its firewall lets traffic turn round there. May also hold router_id."
    ),
    "bgp": "Who speaks BGP, and what is said.",
    "bgp.control_plane_asn": (
        "AS of kube-vip on the control planes. Unlike the router's: equal numbers make iBGP, with rules of its own."
    ),
    "bgp.worker_asn": "AS of Calico.",
    "bgp.advertise": (
        "host-routes: the address of each Service, from the nodes that serve it. aggregate: the whole pool from every\n"
        "node as well, which loses packets of traffic_policy: Local."
    ),
    "bgp.node_to_node_mesh": (
        "Every node also peers with every other node. Needed only where pod routes travel by BGP between nodes."
    ),
    "bgp.peering": (
        "workers: only they hold Calico's sessions. all: control planes, too; only without an API address, since\n"
        "kube-vip and Calico would fight for the same session."
    ),
    "bgp.timers": (
        "Seconds until a silent neighbour is given up (hold), and between signs of life (keepalive). The router asks\n"
        "for them, and the lower hold time of both ends counts."
    ),
    "bgp.timers.hold": "How long traffic goes to a dead machine, at worst.",
    "bgp.timers.keepalive": "A third of hold.",
    "bgp.graceful_restart": (
        "true: the router keeps the routes of a speaker that went away, so a dead node attracts traffic for longer."
    ),
    "bgp.restart_time": "Seconds for which Calico asks routers to keep its routes over a restart.",
    "bgp.route_reflectors": (
        "Nodes that tell the others what they hear from each of them, in place of a mesh. Only they speak with routers."
    ),
    "bgp.route_reflectors.nodes": (
        "Two, so that one may be rebooted. Of nodes that run the ingress a dead one is noticed soonest."
    ),
    "bgp.route_reflectors.cluster_id": "Four octets that are no machine's address; install.sh writes them on the Node.",
    "racks": (
        "Racks or data centres. subnet: of their nodes. routers: those that these speak with. label: of the nodes,\n"
        "with the rack's name as value; BGPPeers go by it."
    ),
    "nodes": (
        "The machines. role: control-plane or worker. May also hold labels: {rack: a}, router_id, and\n"
        "announce_services: false, which keeps a node's session up but sends no Service to it."
    ),
    "load_balancer": "Addresses for Services of type LoadBalancer.",
    "load_balancer.assign": (
        "requested: only Services that ask, by annotation or class, get one. all: every Service of the type."
    ),
    "load_balancer.pools": (
        "ranges: networks or first-last. Routed, not on any link: no machine may live there, and Calico drops what is\n"
        "sent to an address that no Service has. assignment: automatic, or manual for Services that name the pool.\n"
        "May also hold block_size."
    ),
    "load_balancer.reserved": (
        "What Calico gives to no Service by itself: {name: old, range: 192.168.20.70/32}. One that asks for such an\n"
        "address gets it."
    ),
    "ingress": (
        "Traefik, and where the world finds it. addresses: of a pool above; without them Calico picks one.\n"
        "traffic_policy: Local keeps the client's address, and only nodes with Traefik announce; Cluster: all nodes do."
    ),
    "gitops": "What keeps the cluster like this repository.",
    "gitops.engine": "argocd or flux.",
    "gitops.repository": "Where the cluster fetches this repository. Credentials never stand here.",
    "gitops.revision": "Branch that the cluster follows.",
    "gitops.path": "This folder, from the root of the larger repository that it is a part of.",
    "gitops.private": "true: reading the repository by HTTPS takes a token, which a step of the bootstrap hands over.",
    "gitops.known_hosts": (
        "Host keys of the Git server, as ssh-keyscan prints them; compare them with the server's own. The engine\n"
        "speaks to no server with another key."
    ),
    "gitops.ca_certificates": "Whom the engine trusts for the Git server, and for no other one.",
    "gitops.ci": "github, gitlab, gitea or none: whose CI holds every push against the rules.",
    "gitops.source": (
        "upstream: the engine fetches charts where they are published. vendored: they lie in vendor/, which\n"
        "anycastle vendor fills."
    ),
    "gitops.secrets": (
        "none, sops, sealed-secrets or external-secrets: how the Secrets that this site needs come out of secrets/.\n"
        "A change of the tool takes the files of the old one away where nobody has touched them."
    ),
    "gitops.age_recipients": (
        "Public age keys: the cluster's, and those of people who may read. Secret halves never stand here.\n"
        "After a change: sops updatekeys FILE, for each file of secrets/."
    ),
    "egress": "How machines and the engine reach what lies outside of the site.",
    "egress.proxy": "For containerd, and for the engine's charts and Git by HTTPS. Never for anything of the cluster.",
    "egress.proxy.http": "For what is fetched without TLS; nothing of this repository is.",
    "egress.proxy.https": "For images and charts. No credentials: let the proxy admit the machines by their addresses.",
    "egress.proxy.no_proxy": "Further names and networks without it; the cluster's own are there already.",
    "egress.ca_certificates": (
        "Trusted beside the public ones, by every machine and by the engine: of a proxy that opens TLS, of a mirror,\n"
        "of a Git server. Certificates only; a key is refused."
    ),
    "egress.charts": "One Helm repository that serves every upstream chart. A login for it is a Secret of the engine.",
    "egress.mirrors": (
        "Where containerd looks first. With {registry: docker.io, mirror: https://registry.example.com/docker.io} the\n"
        "image docker.io/a/b is registry.example.com/docker.io/a/b."
    ),
    "versions": "Releases, all pinned. Nothing changes in the cluster before one of these lines does.",
    "versions.kube_vip": "Announces the API address.",
    "versions.calico": "Network and load-balancer addresses. 3.32.0 and 3.32.1 have bugs that matter here.",
    "versions.traefik_chart": "Helm chart of Traefik.",
    "versions.argocd_chart": "Helm chart of Argo CD, where that is the engine; it needs Argo CD 3.5 or newer.",
    "versions.flux": "Flux, where that is the engine.",
    "versions.sops": "SOPS beside Argo CD's repository server.",
    "versions.sealed_secrets_chart": "Helm chart of Sealed Secrets.",
    "versions.external_secrets_chart": "Helm chart of External Secrets.",
}

_OF_ENTRIES: Mapping[str, str] = {
    "routers.addresses": "addresses: its address towards the nodes in the other family.",
    "routers.router_id": "router_id: its BGP identifier, where that is not its address.",
    "routers.multihop": "multihop: TTL of its sessions, since it is not on the link of the nodes.",
    "routers.reachable_by": "reachable_by: gateway by which Calico's nodes reach it.",
    "routers.password": "password: SECRET/KEY in calico-system that holds the password of its sessions.",
    "racks.control_plane_asn": "control_plane_asn: AS of kube-vip in this rack.",
    "racks.worker_asn": "worker_asn: AS of Calico in this rack.",
    "nodes.addresses": "addresses: its address in the other family.",
    "nodes.labels": "labels: of the Node.",
    "nodes.peer": "peer: false holds no BGP session, so it announces nothing.",
    "nodes.workloads": "workloads: true lets a control plane carry ordinary pods, too.",
    "nodes.rack": "rack: it speaks with the routers of that one only.",
    "nodes.asn": "asn: AS of the speaker on this machine, in place of that of all others.",
    "nodes.router_id": "router_id: BGP identifier of kube-vip on this machine.",
    "nodes.speakers": (
        "speakers: further BGP speakers of this machine, by name: kube-vip, or one of yours. source: its own address,\n"
        "which the machine has already. asn: its AS. announces: the prefixes that routers let in from it."
    ),
    "nodes.links": (
        "links: its cables, each a /31 or /127, where no subnet connects the machine. router: at the far end.\n"
        "address: this end; sessions come from it. peer: the far end. interface: the router's, as its system names\n"
        "it. The machine's own address stands on lo, and the routers have a route to it by each link."
    ),
    "load_balancer.pools.block_size": "block_size: prefix length of the blocks that Calico divides the ranges into.",
    "load_balancer.pools.allow_on_link": "allow_on_link: true, although other hosts of that subnet do not reach it.",
    "ingress.pool": "pool: where Calico takes an address from.",
    "ingress.certificate": "certificate: TLS Secret in its namespace, for every host that has none of its own.",
}
"""Keys of entries that stand on one line -> what is said above their list where an entry has them."""


def _by_path(texts: Mapping[str, str]) -> Comments:
    return {tuple(key.split(".")): text for key, text in texts.items()}


COMMENTS: Comments = _by_path(_TEXTS)
"""Path of a key -> the lines above it."""

OF_ENTRIES: Comments = _by_path(_OF_ENTRIES)
"""Path of a key of an entry -> further lines above its list, where one of the entries has the key."""
