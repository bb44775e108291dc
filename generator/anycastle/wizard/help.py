"""What `?` says under a question: what depends on the answer, and how one looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Help(NamedTuple):
    """`text` goes on where the question's reason ends; each example is an answer that the question takes."""

    text: str
    examples: tuple[str, ...]


HELP: Mapping[str, Help] = {
    "site_name": Help(
        "One label: lower-case letters, digits and hyphens. The repository is made in a directory of this name, and "
        "kubeadm gives it to the cluster, so two clusters with one kubeconfig need two names.",
        ("home", "lab-2"),
    ),
    "domain": Help(
        "Use a domain whose DNS you can write to, or one that only your own resolver knows. The API server and the web "
        "services need records below it that point at the addresses asked for further down.",
        ("example.com", "k8s.lab.internal"),
    ),
    "kubernetes_version": Help(
        "All three numbers. kubeadm older than 1.31 cannot read the configuration that is generated, and Argo CD is "
        "tested with a few releases only; the plan says so where yours is not among them.",
        ("1.36.4", "1.35.0"),
    ),
    "api_name": Help(
        "Every kubelet and kubeconfig holds this name, and the API server's certificate is made out to it. It must "
        "resolve to the address of the API server before the first node is installed.",
        ("control.k8s.example.com",),
    ),
    "node_subnet": Help(
        "Written with its prefix length. Nodes and router share it, so that a session needs one hop and the router can "
        "hand packets to a node directly. It must not overlap pods, Services or any other network of yours.",
        ("192.168.10.0/24", "10.1.0.0/22"),
    ),
    "router_address": Help(
        "Without a prefix length. It is the address that the router has on the nodes' side, usually their gateway. "
        "Nodes speak BGP with it, and packets to the cluster's addresses come in through it.",
        ("192.168.10.1",),
    ),
    "router_asn": Help(
        "Every speaker of BGP has an AS number. 64512 to 65534 are private, as 192.168.0.0/16 is among addresses; a "
        "public one is right only where it was given to you. Router and nodes need different ones.",
        ("65010", "64512"),
    ),
    "router_software": Help(
        "frr and bird run on a Linux machine; the others are appliances, each with a file in its own language. "
        "docs/routers.md of anycastle shows the same site on all of them. RouterOS does not spread over several nodes.",
        ("frr", "routeros", "junos"),
    ),
    "router_interface": Help(
        "As the router itself names it, on Linux by `ip link`. "
        "A wrong name leaves a firewall that lets nothing through to the nodes.",
        ("eth1", "bond0.20"),
    ),
    "control_planes": Help(
        "NAME=ADDRESS with commas between them, or counted up: [1-3] in the name and a plus after the first address. "
        "etcd needs a majority, so three survive the loss of one and two are no better than one.",
        ("k8s-master-[1-3]=192.168.10.17+", "a=192.168.10.11, b=192.168.10.15"),
    ),
    "workers": Help(
        "Written like the control planes. The router sends traffic only to workers that hold a pod of the Service, and "
        "goes on with the others when one fails; two are the least for that.",
        ("k8s-node-[1-5]=192.168.10.20+", "k8s-node-1=192.168.10.20"),
    ),
    "api_vip": Help(
        "kube-vip on each control plane announces it as one /32 while its API server is healthy, and the router "
        "spreads connections over those that do. With none, the API server's name points at the nodes themselves, and "
        "you take care of that record when one fails.",
        ("192.168.20.1", "none"),
    ),
    "control_plane_asn": Help(
        "A private number of its own tells the API server's route from those of Services at the router. All control "
        "planes share it, or the router would not spread over them.",
        ("65020",),
    ),
    "worker_asn": Help(
        "One for all nodes; a private number that the router does not have. Calico's objects hold numbers up to "
        "2147483647.",
        ("65030",),
    ),
    "pod_range": Help(
        "Each node takes a block of 64 addresses (/26) and a second one when it is full, so there should be twice as "
        "many blocks as nodes: a /16 has 1024. Nothing outside of the cluster may have these addresses, or pods could "
        "not reach it.",
        ("172.20.0.0/16", "10.244.0.0/16"),
    ),
    "service_range": Help(
        "These addresses exist only as rules inside the nodes and are never announced. A /12 to a /24 is usual; more "
        "than 20 host bits keep the API server from starting.",
        ("10.96.0.0/12", "172.24.0.0/16"),
    ),
    "load_balancer_pool": Help(
        "One or more networks or FIRST-LAST ranges, with commas between them. Clients use these addresses, so take a "
        "range that is routed to the router and that nothing else has. The API address must lie outside.",
        ("192.168.20.64/26", "192.168.20.64/27, 192.168.20.128-192.168.20.150"),
    ),
    "assign": Help(
        "With requested, a Service of type LoadBalancer stays pending until it names an address or a pool in an "
        "annotation; nobody uses one up by accident. With all, each gets the next free one.",
        ("requested", "all"),
    ),
    "advertise": Help(
        "With host-routes a packet goes straight to a node that serves it, and the client's address is kept. With "
        "aggregate every node announces the whole pool; that suits routers with little room for routes, and a packet "
        "may take one hop more.",
        ("host-routes", "aggregate"),
    ),
    "ingress_address": Help(
        "Traefik listens on it for every web service, so it is the address to put into DNS. Fixed, it stays the same "
        "when Traefik is installed anew.",
        ("192.168.20.100",),
    ),
    "ingress_replicas": Help(
        "From 1 to 1000. Only workers with a replica are announced for the ingress address, so one replica means one "
        "path, and an outage while it moves.",
        ("2", "3"),
    ),
    "engine": Help(
        "Both bring the same charts with the same values in the same order. Argo CD orders what is new and releases; "
        "a change of values reaches its app at once. Flux goes through the whole order for every commit, has no web "
        "interface, and its bootstrap pushes its own files to the branch. It can be changed later in site.yaml.",
        ("argocd", "flux"),
    ),
    "secrets": Help(
        "sops: files are encrypted with age, and the engine opens them. sealed-secrets: a controller in the cluster "
        "opens what was sealed for it. external-secrets: a controller fetches them from a store of yours. Either "
        "begins with a placeholder for the certificate, which README.md tells to fill in before the bring-up. With "
        "none the ingress has no certificate of yours. It can be changed later in site.yaml.",
        ("none", "sops", "sealed-secrets", "external-secrets"),
    ),
    "age_recipients": Help(
        "age1 and 58 characters each, with commas between them. `age-keygen -o age.agekey`, outside of the "
        "repository, makes a key, and `age-keygen -y age.agekey` prints its public half. Who has none of the secret "
        "halves can neither read nor change the Secrets.",
        ("none",),
    ),
    "repository": Help(
        "Where you will push what is generated. Nothing is pushed for you. Credentials go into a Secret of the engine, "
        "never into the URL.",
        ("https://git.example.com/platform/home.git", "git@github.com:platform/home.git"),
    ),
    "host_keys": Help(
        "HOST TYPE KEY, as ssh-keyscan HOST prints it (ssh-keyscan -p PORT HOST); a comma and a blank between two of "
        "them. Compare it with what the server's administrator says: the scan believes whoever answers.",
        ("none",),
    ),
    "revision": Help(
        "A branch to follow, or, with Argo CD, a tag to stay at.",
        ("main", "v1.2.0"),
    ),
}
