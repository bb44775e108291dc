"""The one list of questions. Both faces ask from it: `anycastle new` and the cookiecutter template."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle import fields
from anycastle.site.git_url import parse_git_url
from anycastle.site.interfaces import SOFTWARE
from anycastle.wizard import checks, defaults, forms
from anycastle.wizard.question import Question

_ASSIGN = ("requested", "all")
_ADVERTISE = ("host-routes", "aggregate")
_ENGINES = ("argocd", "flux")
_SECRETS = ("none", "sops", "sealed-secrets", "external-secrets")

QUESTIONS: tuple[Question, ...] = (
    Question(
        key="site_name",
        prompt="Site name",
        why="Names the repository and its directory; also the cluster, where two are seen side by side.",
        default=defaults.constant("home"),
        parse=fields.parse_label,
        site_keys=("name",),
    ),
    Question(
        key="domain",
        prompt="Domain",
        why="Nodes, API server and web services get names below it; the names stand in certificates.",
        default=defaults.constant("example.com"),
        parse=fields.parse_dns_name,
        site_keys=("domain",),
    ),
    Question(
        key="kubernetes_version",
        prompt="Kubernetes version",
        why="kubeadm installs this release, and every object is checked against its schemas.",
        default=defaults.constant("1.36.4"),
        parse=fields.parse_version,
        site_keys=("kubernetes.version",),
    ),
    Question(
        key="api_name",
        prompt="Name of the API server",
        why="Clients and certificates use this name and no address, so that the address may change later.",
        default=defaults.api_name,
        parse=fields.parse_dns_name,
        site_keys=("kubernetes.api.name", "kubernetes.api.certificate_names"),
    ),
    Question(
        key="node_subnet",
        prompt="Node subnet",
        why="The subnet that nodes and router share; every BGP session is made inside it.",
        default=defaults.constant("192.168.10.0/24"),
        parse=forms.subnet,
        site_keys=("networks.nodes",),
    ),
    Question(
        key="router_address",
        prompt="Router address",
        why="The router's address in the node subnet: every node opens its BGP sessions to it.",
        default=defaults.router_address,
        parse=forms.address,
        site_keys=("routers", "networks.nodes[0].gateway"),
        check=checks.router_on_link,
    ),
    Question(
        key="router_asn",
        prompt="AS number of the router",
        why="Nodes expect it at the other end of their sessions; a private number unless one is yours.",
        default=defaults.constant("65010"),
        parse=forms.asn,
        site_keys=("routers[0].asn",),
    ),
    Question(
        key="router_software",
        prompt="Software of the router",
        why="Its half of every session is generated in its own language, with a file on how to load it.",
        default=defaults.constant("frr"),
        parse=forms.one_of(*SOFTWARE),
        site_keys=("routers[0].software",),
        choices=SOFTWARE,
    ),
    Question(
        key="router_interface",
        prompt="Router interface to the nodes",
        why="The router's firewall and forwarding rules name the interface that leads to the node subnet.",
        default=defaults.router_interface,
        parse=fields.parse_router_interface,
        site_keys=("routers[0].interface",),
        check=checks.interface_of_software,
    ),
    Question(
        key="control_planes",
        prompt="Control-plane nodes",
        why="They run the API server and announce its address; three survive the loss of one.",
        default=defaults.control_planes,
        parse=forms.some_nodes,
        site_keys=("nodes",),
        check=checks.nodes_on_link,
        lists_nodes=True,
    ),
    Question(
        key="workers",
        prompt="Worker nodes",
        why="They run the pods and announce the addresses of Services to the router; none: the control planes do it.",
        default=defaults.workers,
        parse=forms.any_nodes,
        site_keys=("bgp.peering",),
        check=checks.workers_apart,
        lists_nodes=True,
    ),
    Question(
        key="api_vip",
        prompt="Address of the API server",
        why="Every control plane announces it by BGP, so it must lie outside the node subnet; none: no such address.",
        default=defaults.api_vip,
        parse=forms.address_or_none,
        site_keys=("kubernetes.api",),
        check=checks.vip_off_link,
    ),
    Question(
        key="control_plane_asn",
        prompt="AS number of kube-vip",
        why="The control planes announce the API address with it; it must differ from the router's.",
        default=defaults.control_plane_asn,
        parse=forms.asn_or_none,
        site_keys=("bgp.control_plane_asn",),
        check=checks.kube_vip_asn,
        applies=checks.has_api_address,
    ),
    Question(
        key="worker_asn",
        prompt="AS number of Calico",
        why="Calico announces Services with it; it must differ from the router's.",
        default=defaults.worker_asn,
        parse=forms.calico_asn,
        site_keys=("bgp.worker_asn",),
        check=checks.asn_not_the_routers,
    ),
    Question(
        key="pod_range",
        prompt="Pod range",
        why="Pods get addresses from it; it stays inside the cluster and must not be used anywhere else.",
        default=defaults.pod_range,
        parse=forms.pod_network,
        site_keys=("networks.pods",),
        check=checks.clear_of("node_subnet", "api_vip"),
    ),
    Question(
        key="service_range",
        prompt="Service range",
        why="Addresses of Services inside the cluster; it can't be changed once the cluster exists.",
        default=defaults.service_range,
        parse=forms.network,
        site_keys=("kubernetes.service_cidrs",),
        check=checks.clear_of("node_subnet", "api_vip", "pod_range"),
    ),
    Question(
        key="load_balancer_pool",
        prompt="Load-balancer pool",
        why="Services of type LoadBalancer get addresses from it; the router learns them by BGP, one route each.",
        default=defaults.load_balancer_pool,
        parse=forms.ranges,
        site_keys=("load_balancer",),
        check=checks.clear_of("node_subnet", "api_vip", "pod_range", "service_range"),
    ),
    Question(
        key="assign",
        prompt="Which Services get an address",
        why="requested: only those that ask for one; all: every Service of type LoadBalancer.",
        default=defaults.constant("requested"),
        parse=forms.one_of(*_ASSIGN),
        site_keys=("load_balancer.assign",),
        choices=_ASSIGN,
    ),
    Question(
        key="advertise",
        prompt="Announce the pool as",
        why="host-routes lead to the nodes that serve an address; aggregate is one route, and needs fewer entries.",
        default=defaults.constant("host-routes"),
        parse=forms.one_of(*_ADVERTISE),
        site_keys=("bgp.advertise",),
        choices=_ADVERTISE,
    ),
    Question(
        key="ingress_address",
        prompt="Address of the ingress",
        why="Web traffic enters here, and DNS names point at it; an address of the pool, or none with assign all.",
        default=defaults.ingress_address,
        parse=forms.address_or_none,
        site_keys=("ingress",),
        check=checks.ingress_in_pool,
    ),
    Question(
        key="ingress_replicas",
        prompt="Ingress replicas",
        why="Each runs on another worker; the router spreads connections over the workers that have one.",
        default=defaults.ingress_replicas,
        parse=forms.count,
        site_keys=("ingress[0].replicas",),
    ),
    Question(
        key="engine",
        prompt="GitOps engine",
        why="It keeps the cluster like the repository. Argo CD has an interface to look at; Flux orders changes, too.",
        default=defaults.constant("argocd"),
        parse=forms.one_of(*_ENGINES),
        site_keys=("gitops.engine",),
        choices=_ENGINES,
    ),
    Question(
        key="secrets",
        prompt="Secrets by way of git",
        why="The tool brings the ingress's certificate out of the repository; with none you make Secrets by hand.",
        default=defaults.constant("none"),
        parse=forms.one_of(*_SECRETS),
        site_keys=("gitops.secrets", "ingress[0].certificate"),
        choices=_SECRETS,
    ),
    Question(
        key="age_recipients",
        prompt="Public age keys",
        why="SOPS encrypts for them: the cluster's first, then those of people; secret halves are never written here.",
        default=defaults.constant("none"),
        parse=forms.recipients_or_none,
        site_keys=("gitops.age_recipients",),
        check=checks.recipients,
        applies=checks.has_sops,
    ),
    Question(
        key="repository",
        prompt="Repository URL",
        why="The cluster's state is read from here; without user name or token, which would be committed.",
        default=defaults.repository,
        parse=parse_git_url,
        site_keys=("gitops",),
    ),
    Question(
        key="host_keys",
        prompt="Host keys of the Git server",
        why="By SSH Argo CD fetches from no server whose key it does not know; the big forges are known to it.",
        default=defaults.constant("none"),
        parse=forms.host_keys_or_none,
        site_keys=("gitops.known_hosts",),
        check=checks.host_keys,
        applies=checks.has_unknown_server,
    ),
    Question(
        key="revision",
        prompt="Branch",
        why="The cluster follows it: what is pushed there is what runs.",
        default=defaults.constant("main"),
        parse=fields.parse_git_revision,
        site_keys=("gitops.revision",),
    ),
)

BY_KEY: Mapping[str, Question] = {question.key: question for question in QUESTIONS}


def question_of(site_key: str, control_planes: int) -> Question | None:
    """The question whose answer stands at a key of the site file, such as `nodes[3].address`.

    `control_planes` is their number: they come first among the nodes of the site file. They carry workloads where
    there are no workers.
    """
    if site_key.startswith("nodes["):
        index, _, rest = site_key[len("nodes[") :].partition("]")
        if rest == ".workloads" or (index.isdigit() and int(index) >= control_planes):
            return BY_KEY["workers"]
    fitting = [
        (len(prefix), question)
        for question in QUESTIONS
        for prefix in question.site_keys
        if site_key == prefix or site_key.startswith((f"{prefix}.", f"{prefix}["))
    ]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None
