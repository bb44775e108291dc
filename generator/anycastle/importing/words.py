"""The many words for the same things: what a machine is for, and how its address is written."""

from __future__ import annotations

import re
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from anycastle.fields import FieldError, parse_address, parse_dns_name, parse_version


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONTROL_PLANE, WORKER, ROUTER = "control-plane", "worker", "router"

_CONTROL_WORDS = _words(
    "kube_control_plane kube_controlplane kube_control_planes kube_master kube_masters master masters control_plane "
    "control_planes controlplane controlplanes controller controllers cp k8s_master k8s_masters k8s_control_plane "
    "k8s_controlplane kubernetes_master kubernetes_control_plane k3s_master k3s_masters k3s_server k3s_servers "
    "rke2_server rke2_servers"
)
_WORKER_WORDS = _words(
    "kube_node kube_nodes kube_worker kube_workers worker workers node nodes agent agents minion minions compute "
    "k8s_node k8s_nodes k8s_worker k8s_workers kubernetes_node kubernetes_worker k3s_node k3s_nodes k3s_agent "
    "k3s_agents rke2_agent rke2_agents"
)
_ROUTER_WORDS = _words(
    "router routers tor tors top_of_rack leaf leaf_switch gateway gateways edge_router border_router core_router"
)
_SERVER_WORDS = frozenset(("server", "servers"))
"""k3s calls its control planes so; elsewhere any machine is one."""


def word(text: str) -> str:
    """In one spelling: `Control Plane` and `control-plane` are `control_plane`."""
    return re.sub(r"[\s./-]+", "_", text.strip().lower())


def role_of(text: str, *, server: str = "") -> str:
    """`control-plane`, `worker`, `router`; `server` for that word alone; empty for any other."""
    name = word(text)
    if name in _CONTROL_WORDS:
        return CONTROL_PLANE
    if name in _WORKER_WORDS:
        return WORKER
    if name in _ROUTER_WORDS:
        return ROUTER
    return server if name in _SERVER_WORDS else ""


def parse_name(value: object) -> str:
    """A machine's name as kubelet registers it: in lower case."""
    return parse_dns_name(value.strip().lower() if isinstance(value, str) else value)


def parse_interface_address(value: object) -> IPv4Interface | IPv6Interface:
    """An address with or without a prefix length; without one it is a /32 or /128."""
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, str) and "/" in text and "%" not in text:
        try:
            return ip_interface(text)
        except ValueError:
            raise FieldError(
                f"{text[:60]!r} is not an address with a prefix length.", "Write an address such as 192.168.10.17/24."
            ) from None
    return ip_interface(parse_address(text))


def parse_block_size(value: object) -> int:
    """The length of a block of Calico: 20 to 32, for IPv6 116 to 128 (libcalico-go clientv3/ippool.go)."""
    text = str(value)
    if text.isascii() and text.isdigit() and len(text) < 4 and 20 <= int(text) <= 128:
        return int(text)
    raise FieldError(
        f"{text[:40]!r} is not a block size.", "Write a prefix length: 20 to 32, such as 26, or 116 to 128 for IPv6."
    )


def parse_release(value: object) -> str:
    """A release of Kubernetes; what a distribution appends (`+k3s1`) is left out."""
    return parse_version(value.strip().partition("+")[0] if isinstance(value, str) else value)
