"""kubeadm documents of all machines against one another and against the network."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from ipaddress import ip_network

from anycastle.network.addresses import IPNetwork, PoolUse
from anycastle.reader import kubeadm
from anycastle.reader.agreement import hosts
from anycastle.reader.agreement.flat import Member, facts, odd
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, sequence, text

_OF_EACH = ("nodeRegistration.name", "nodeRegistration.kubeletExtraArgs[node-labels]", "nodeRegistration.taints")
_RUNTIMES = frozenset(
    f"unix://{path}"
    for path in (
        "/run/containerd/containerd.sock",
        "/var/run/containerd/containerd.sock",
        "/run/crio/crio.sock",
        "/var/run/crio/crio.sock",
        "/run/cri-dockerd.sock",
        "/var/run/cri-dockerd.sock",
    )
)
_FLAGS = frozenset(
    [
        "allocate-node-cidrs",
        "bind-address",
        "cluster-cidr",
        "cluster-dns",
        "feature-gates",
        "max-pods",
        "node-cidr-mask-size",
        "node-ip",
        "node-labels",
        "profiling",
        "register-with-taints",
        "service-cluster-ip-range",
        "terminated-pod-gc-threshold",
        "hostname-override",
        "rotate-server-certificates",
        "resolv-conf",
        "audit-log-path",
        "oidc-issuer-url",
    ]
)
_NEAR = 0.85


def check(subject: Subject, notes: Notes) -> None:
    """All laws about kubeadm documents."""
    _alike(subject, notes)
    direct = _direct(subject)
    for item in subject.machine:
        if item.describes_node:
            _advertised(item, notes)
            _endpoint(item, subject, direct, notes)
        _arguments(item, notes)
        if item.kind == "ClusterConfiguration":
            _pod_subnet(item, subject, notes)
            _proxy(item, subject, notes)


def _alike(subject: Subject, notes: Notes) -> None:
    members = [_member(item) for item in subject.machine if item.describes_node]
    for found in odd(members, missing=False) if subject.one_hand else ():
        if not found.key.startswith(_OF_EACH):
            notes.add(
                "NODE001",
                found.member.place(found.key),
                f"{found.key} is {found.value} on {found.member.name} and {found.usual} on all other machines.",
                f"Write {found.usual}, or change it everywhere.",
            )
    sockets = {member.name: text(member.item.value, "nodeRegistration", "criSocket") for member in members}
    having = Counter(sockets.values())
    for member in members:
        socket = sockets[member.name]
        alone = having[socket] == 1
        if socket and alone and 1 < len(members) <= 3 and socket not in _RUNTIMES:
            notes.add(
                "NODE001",
                member.item.place(("nodeRegistration", "criSocket")),
                f"The runtime socket {socket} of {member.name} is that of no other machine and of no runtime.",
                "Write unix:///run/containerd/containerd.sock.",
            )


def _member(item: Object) -> Member:
    name = item.scope.partition(":")[2] or text(item.value, "nodeRegistration", "name")
    own = {name: "its name"} if name else {}
    own |= dict.fromkeys(_node_ips(item), "its address")
    return Member(name, item, facts({**item.value, "kind": "node"}, own))


def _node_ips(item: Object) -> list[str]:
    value, _keys = kubeadm.argument(mapping(item.value, "nodeRegistration"), "node-ip")
    return [part.strip() for part in value.split(",") if part.strip()]


def _advertised(item: Object, notes: Notes) -> None:
    own, (address, keys) = _node_ips(item), kubeadm.advertised(item)
    if own and address and address not in own:
        notes.add(
            "NODE002",
            item.place(keys),
            f"The API server advertises {address}, while the node's address is {', '.join(own)}: etcd and the "
            "certificate get the one, kubelet the other.",
            f"Write advertiseAddress: {own[0]}.",
        )


def _endpoint(item: Object, subject: Subject, direct: bool, notes: Notes) -> None:
    api = subject.network.api
    if api is None or not api.name:
        return
    wanted = f"{api.name}:{api.port}"
    joins = text(item.value, "discovery", "bootstrapToken", "apiServerEndpoint")
    if joins and kubeadm.split_endpoint(joins) != (api.name, api.port):
        notes.add(
            "NODE003",
            item.place(("discovery", "bootstrapToken", "apiServerEndpoint")),
            f"The machine joins through {joins}, the cluster's endpoint is {wanted}.",
            f"Write {wanted}.",
        )
    for above in ((), ("controlPlane",)):
        port = mapping(item.value, *above, "localAPIEndpoint").get("bindPort")
        if isinstance(port, int) and port != api.port and direct:
            notes.add(
                "NODE003",
                item.place((*above, "localAPIEndpoint", "bindPort")),
                f"The API server listens on port {port}, the endpoint is {wanted}: nothing translates ports, so "
                "this control plane refuses every connection to the endpoint.",
                f"Write bindPort: {api.port}.",
            )


def _direct(subject: Subject) -> bool:
    """Whether routers or hosts files lead the endpoint to a node: then nothing between translates ports."""
    api = subject.network.api
    addresses = {address for node in subject.network.nodes for address in node.addresses}
    return api is not None and (
        bool(api.vips)
        or any(
            api.name in names and address in addresses
            for path, _node, content in subject.beside("hosts", Notes())
            for address, names, _place in hosts.entries(content, path, Notes())
        )
    )


def _arguments(item: Object, notes: Notes) -> None:
    for keys, name in _names(item.value, ()):
        near = [] if name in _FLAGS else difflib.get_close_matches(name, sorted(_FLAGS), 1, _NEAR)
        if near:
            notes.add(
                "NODE010", item.place(keys), f"There is no argument {name}; the component ends.", f"Write {near[0]}."
            )


def _names(value: object, keys: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        if key in ("extraArgs", "kubeletExtraArgs"):
            for index, entry in enumerate(inner if isinstance(inner, list) else ()):
                yield (*keys, key, index, "name"), text(entry, "name")
        else:
            yield from _names(inner, (*keys, key))


def _pod_subnet(item: Object, subject: Subject, notes: Notes) -> None:
    pools = [pool for pool in subject.network.pools if pool.use is PoolUse.PODS and pool.managed]
    written = text(item.value, "networking", "podSubnet")
    if not written and pools:
        notes.add(
            "NODE004",
            item.place(("networking",)),
            f"No podSubnet is written, and the Installation has the pool {pools[0].name}, {pools[0].cidr}: the "
            "operator reads the range from kubeadm's ConfigMap and stops without one.",
            f"Write podSubnet: {pools[0].cidr}.",
        )
        return
    try:
        subnets = [ip_network(part.strip()) for part in written.split(",")]
    except ValueError:
        return
    outside = [pool for pool in pools if not _inside(pool.cidr, subnets)]
    for pool in outside:
        notes.add(
            "NODE004",
            pool.where if len(outside) < len(pools) else item.place(("networking", "podSubnet")),
            f"The pool {pool.name}, {pool.cidr}, lies outside of podSubnet {', '.join(map(str, subnets))}: the "
            "operator refuses the Installation.",
            "Write a podSubnet that holds every pool of the family.",
        )


def _inside(cidr: IPNetwork, subnets: list[IPNetwork]) -> bool:
    same = [subnet for subnet in subnets if subnet.version == cidr.version]
    return any(cidr.subnet_of(subnet) for subnet in same)  # type: ignore[arg-type]  # one family


def _proxy(item: Object, subject: Subject, notes: Notes) -> None:
    disabled = mapping(item.value, "proxy").get("disabled")
    calico = subject.network.calico
    if calico is None or disabled is None:
        return
    if calico.dataplane == "BPF" and disabled is False and not calico.manages_proxy:
        what, fix = "kube-proxy is installed beside Calico's eBPF dataplane, and both serve Services", "true"
    elif calico.dataplane not in ("", "BPF") and disabled is True:
        what, fix = f"kube-proxy is left out, and the dataplane {calico.dataplane} serves no Services", "false"
    else:
        what = fix = ""
    if what:
        notes.add("NODE005", item.place(("proxy", "disabled")), f"{what}.", f"Write proxy.disabled: {fix}.")
    arguments = sequence(item.value, "controllerManager", "extraArgs")
    for index, entry in enumerate(arguments):
        if text(entry, "name") == "allocate-node-cidrs" and text(entry, "value") != "false":
            notes.add(
                "NODE011",
                item.place(("controllerManager", "extraArgs", index, "value")),
                "The controller manager cuts a range of podSubnet for each node, which Calico never uses.",
                'Write "false".',
            )
