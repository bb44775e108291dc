"""Values that the site file bounds more tightly than their form does: by what stands on a node, or in a packet.

Like the functions of `fields`, each raises `FieldError`.
"""

from __future__ import annotations

from ipaddress import IPv4Address
from types import MappingProxyType

from anycastle.fields import FieldError, parse_address, parse_dns_name, parse_duration, parse_label, parse_port

NODE_PORTS = range(30000, 32768)
"""The API server's default range of NodePorts, which Calico's eBPF programs take on every node."""

PORTS_OF_A_NODE = MappingProxyType(
    {
        22: "sshd",
        111: "rpcbind",
        179: "BGP",
        2112: "kube-vip's metrics",
        2379: "etcd",
        2380: "etcd",
        2381: "etcd's metrics",
        5473: "Calico's Typha",
        9098: "Calico's Typha",
        9099: "Calico's Felix",
        10248: "kubelet",
        10249: "kube-proxy",
        10250: "kubelet",
        10256: "kube-proxy",
        10257: "kube-controller-manager",
        10259: "kube-scheduler",
    }
)
"""What listens on a control plane already (Kubernetes, ports and protocols; kube-vip; Calico, system requirements)."""

LONGEST_SECRET = 150
"""Characters; a file's name has 255 bytes, and a namespace up to 63 of them."""

LONGEST_PREFIX = len("whoami.")
"""The longest name that is written before the domain, with its dot."""


def parse_secret_name(value: object) -> str:
    """The name of a Secret, which becomes part of a file's name, too."""
    text = parse_dns_name(value)
    if len(text) <= LONGEST_SECRET:
        return text
    raise FieldError(
        f"The name has {len(text)} characters; with those around it, it must fit into the name of a file.",
        f"Write at most {LONGEST_SECRET}.",
    )


def parse_api_port(value: object) -> int:
    """A TCP port on which nothing else of a control plane listens."""
    port = parse_port(value)
    owner = "NodePorts" if port in NODE_PORTS else PORTS_OF_A_NODE.get(port)
    if owner is None:
        return port
    raise FieldError(
        f"Port {port} belongs to {owner} on every control plane, so the API server could not listen there.",
        "Write 6443, or another port that is free.",
    )


def parse_router_id(value: object) -> IPv4Address:
    """A BGP identifier: 32 bits that are not zero, written as an IPv4 address (RFC 6286)."""
    address = parse_address(value)
    if isinstance(address, IPv4Address) and int(address):
        return address
    raise FieldError(
        f"{address} is no BGP identifier, which has 32 bits in every family.",
        "Write an IPv4 address of the router or node, such as 192.168.10.1.",
    )


def parse_certificate_name(value: object) -> str:
    """A name in the API server's certificate: an address, a DNS name, or `*.` before one."""
    text = value if isinstance(value, str) else ""
    try:
        return str(parse_address(text))
    except FieldError:
        pass
    try:
        parse_dns_name(text.removeprefix("*."))
    except FieldError:
        raise FieldError(
            f"{text[:60]!r} is neither an address nor a DNS name, and kubeadm refuses every other name.",
            "Write a name such as api.example.com, *.example.com or 192.168.20.1.",
        ) from None
    return text


def parse_domain(value: object) -> str:
    """A DNS name that leaves room for the names before it."""
    text = parse_dns_name(value)
    if len(text) + LONGEST_PREFIX <= 253:
        return text
    raise FieldError(
        f"The domain has {len(text)} characters, so whoami.<domain> would be longer than the 253 of a DNS name.",
        f"Write a domain of at most {253 - LONGEST_PREFIX} characters.",
    )


def parse_host_name(value: object) -> str:
    """A DNS name of a machine that others can reach: not `localhost`, which every machine is for itself (RFC 6761)."""
    text = parse_dns_name(value)
    if text == "localhost" or text.endswith(".localhost"):
        raise FieldError(
            f"{text} means this very machine wherever it is looked up, so no other node reaches it.",
            "Write a name of its own, such as k8s-node-1 or control.k8s.example.com.",
        )
    return text


def parse_node_name(value: object) -> str:
    """The name of a machine, which becomes the value of the label kubernetes.io/hostname: at most 63 characters."""
    text = parse_host_name(value)
    if len(text) <= 63:
        return text
    raise FieldError(
        f"The name has {len(text)} characters, and kubelet cannot register a node whose name is no label value.",
        "Write at most 63 characters.",
    )


def parse_service_name(value: object) -> str:
    """A name of a Service: a label that begins with a letter (RFC 1035)."""
    text = parse_label(value)
    if text[0].isalpha():
        return text
    raise FieldError(
        f"{text!r} begins with a digit, and the API server refuses a Service of that name.",
        "Begin with a letter, as in traefik.",
    )


def parse_hold_time(value: object) -> int:
    """Seconds, 16 bits of an OPEN message; 0 would switch the timer off."""
    return _within(parse_duration(value), 1, 65535, "a hold time", "With 0 a dead node is never noticed.", "9")


def parse_keepalive(value: object) -> int:
    """Seconds; a third of the longest hold time at most."""
    return _within(parse_duration(value), 1, 21845, "a keepalive time", "With 0 none is sent.", "3")


def parse_restart_time(value: object) -> int:
    """Seconds, 12 bits of the graceful restart capability (RFC 4724)."""
    return _within(parse_duration(value), 1, 4095, "a restart time", "With 0 no route is kept.", "15")


def _within(seconds: int, least: int, most: int, what: str, of_zero: str, usual: str) -> int:
    if least <= seconds <= most:
        return seconds
    problem = of_zero if seconds == 0 else f"{seconds} s do not fit into a BGP message as {what}."
    raise FieldError(problem, f"Write {least} to {most} seconds, such as {usual}.")
