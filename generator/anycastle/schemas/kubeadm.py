"""What kubeadm demands of its v1beta4 documents beyond types and choices."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Any

from anycastle.schemas.addresses import interface
from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.shape import mapping, mappings, sequence, text, texts

MAX_SERVICE_HOST_BITS = 20
_GONE_GATES = {"ControlPlaneKubeletLocalMode": 36, "WaitForAllControlPlaneComponents": 35}
_MINOR = re.compile(r"v?1\.(\d+)")
_ARGUMENTS = frozenset(("extraArgs", "kubeletExtraArgs"))


def outdated(subject: Subject) -> Iterator[Fault]:
    """KUBEADM016: documents of an older version."""
    yield Fault(
        "KUBEADM016",
        ("apiVersion",),
        f"{subject.api_version} is an old version of kubeadm's documents; newer kubeadm no longer reads it, and "
        "nothing else of this document was checked",
        "Write kubeadm.k8s.io/v1beta4; `kubeadm config migrate` converts.",
    )


def _argument_maps(value: Any, at: Path) -> Iterator[tuple[Path, str]]:
    for key, found in value.items() if isinstance(value, dict) else ():
        if key in _ARGUMENTS and isinstance(found, dict):
            yield (*at, key), key
        else:
            yield from _argument_maps(found, (*at, key))


def arguments(subject: Subject) -> Iterator[Fault]:
    """KUBEADM001: arguments are lists of name and value."""
    for at, key in _argument_maps(subject.value, ()):
        yield Fault(
            "KUBEADM001",
            at,
            f"{key} is a mapping, the form before v1beta4, so kubeadm cannot read the document",
            "Write a list: `- name: node-ip` and below it `value: 192.0.2.11`.",
        )


def init(subject: Subject) -> Iterator[Fault]:
    """Laws of an InitConfiguration."""
    for at, token in mappings(subject.value, "bootstrapTokens"):
        if token.get("ttl") and token.get("expires"):
            yield _exclusive((*at, "expires"), "ttl", "expires")
        usages = sequence(token, "usages")
        if sequence(token, "groups") and usages and "authentication" not in usages:
            yield Fault(
                "KUBEADM018",
                (*at, "groups"),
                "a token that cannot authenticate has no use for groups, so kubeadm refuses it",
                "Add the usage authentication, or remove groups.",
            )


def join(subject: Subject) -> Iterator[Fault]:
    """Laws of a JoinConfiguration."""
    discovery = mapping(subject.value, "discovery")
    token, file = discovery.get("bootstrapToken"), discovery.get("file")
    if token and file:
        yield _exclusive(("discovery", "file"), "bootstrapToken", "file")
    if discovery and not token and not file:
        yield Fault(
            "KUBEADM019",
            ("discovery",),
            "discovery names neither a token nor a file, so the join cannot start",
            "Add bootstrapToken or file.",
        )
    blind = isinstance(token, dict) and not sequence(token, "caCertHashes")
    if blind and mapping(token).get("unsafeSkipCAVerification") is not True:
        yield Fault(
            "KUBEADM008",
            ("discovery", "bootstrapToken", "caCertHashes"),
            "discovery by token has no caCertHashes, so kubeadm refuses to trust the API server it finds",
            "Add caCertHashes with the hash that `kubeadm token create --print-join-command` prints.",
        )


def cluster(subject: Subject) -> Iterator[Fault]:
    """Laws of a ClusterConfiguration."""
    if mapping(subject.value, "etcd", "local") and mapping(subject.value, "etcd", "external"):
        yield _exclusive(("etcd", "external"), "local", "external")
    for part in text(subject.value, "networking", "serviceSubnet").split(","):
        found = interface(part.strip())
        bits = found.network.max_prefixlen - found.network.prefixlen if found else 0
        if bits > MAX_SERVICE_HOST_BITS:
            yield Fault(
                "KUBEADM009",
                ("networking", "serviceSubnet"),
                f"{part.strip()} has {bits} host bits, kubeadm allows {MAX_SERVICE_HOST_BITS} for Services",
                f"Use a network no larger than {_largest(found)}.",
            )
    version = _MINOR.match(text(subject.value, "kubernetesVersion"))
    for gate in mapping(subject.value, "featureGates") if version else ():
        if version and gate in _GONE_GATES and int(version[1]) >= _GONE_GATES[gate]:
            yield Fault(
                "KUBEADM010",
                ("featureGates", gate),
                f"since 1.{_GONE_GATES[gate]} kubeadm no longer knows the gate {gate}, and stops at it",
                "Remove the gate: what it switched on is always on.",
            )


def _largest(found: Any) -> str:
    width = found.network.max_prefixlen - MAX_SERVICE_HOST_BITS
    return str(ipaddress.ip_network(f"{found.ip}/{width}", strict=False))


def registration(subject: Subject) -> Iterator[Fault]:
    """KUBEADM014: preflight errors to be ignored."""
    at: Path = ("nodeRegistration",)
    ignored = list(texts(mapping(subject.value, "nodeRegistration"), "ignorePreflightErrors", at))
    for here, value in ignored if len(ignored) > 1 else ():
        if value.lower() == "all":
            yield Fault(
                "KUBEADM014",
                here,
                "`all` stands beside other errors, so kubeadm refuses the document",
                "Keep `all` alone, or list the errors.",
            )


def _exclusive(at: Path, one: str, other: str) -> Fault:
    return Fault(
        "KUBEADM007",
        at,
        f"{one} and {other} exclude each other, so kubeadm refuses the document",
        f"Keep {one} or {other}.",
    )
