"""Names that Calico reads, and laws of the Installation, of Felix and of the controllers' configuration.

Sources as in calico_pools.py; for the Installation the operator's own validation, which only shows as a
degraded TigeraStatus.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from anycastle.schemas.fault import Fault, Subject
from anycastle.schemas.shape import mapping, mappings, number, repeated, text

_NAMES: dict[str, tuple[str, ...]] = {
    "APIServer": ("default", "tigera-secure"),
    "Goldmane": ("default",),
    "IPAMConfiguration": ("default",),
    "Installation": ("default", "tigera-secure", "overlay"),
    "KubeControllersConfiguration": ("default",),
    "Whisker": ("default",),
}
_ABSOLUTE = ("flexVolumePath", "kubeletVolumePluginPath")


def fixed_name(subject: Subject) -> Iterator[Fault]:
    """CAL050: singletons have one name."""
    allowed = _NAMES[subject.kind]
    if subject.name and subject.name not in allowed:
        yield Fault(
            "CAL050",
            ("metadata", "name"),
            f"nobody reads a {subject.kind} called `{subject.name}`, so it is refused or changes nothing",
            f"Call it {allowed[0]}.",
        )


def installation(subject: Subject) -> Iterator[Fault]:
    """CAL061, CAL062: what the operator refuses."""
    spec, network = subject.spec, mapping(subject.spec, "calicoNetwork")
    for family in ("V4", "V6"):
        key = f"nodeAddressAutodetection{family}"
        chosen = sorted(name for name, value in mapping(network, key).items() if value)
        if len(chosen) > 1:
            yield Fault(
                "CAL061",
                ("spec", "calicoNetwork", key),
                f"{' and '.join(chosen)} are set, the operator allows one method and stops",
                "Keep one.",
            )
    for keys, message, fix in _refused(spec, network):
        yield Fault("CAL062", ("spec", *keys), f"{message}: the operator stops and applies nothing", fix)


def _refused(spec: dict[str, Any], network: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    if spec.get("nonPrivileged") == "Enabled":
        yield ("nonPrivileged",), "non-privileged mode is gone", "Remove nonPrivileged."
    strategy = text(spec, "nodeUpdateStrategy", "type")
    if strategy not in ("", "RollingUpdate"):
        yield ("nodeUpdateStrategy", "type"), f"`{strategy}` is no strategy it knows", "Write RollingUpdate."
    replicas = number(spec, "controlPlaneReplicas")
    if replicas is not None and replicas <= 0:
        yield ("controlPlaneReplicas",), f"{replicas} replicas are too few", "Write at least 1."
    for key in _ABSOLUTE:
        value = text(spec, key)
        if value not in ("", "None") and not value.startswith("/"):
            yield (key,), f"`{value}` is no absolute path", "Write an absolute path or None."
    delay = number(network, "linuxPolicySetupTimeoutSeconds")
    if delay and text(network, "linuxDataplane") not in ("", "Iptables"):
        keys = ("calicoNetwork", "linuxPolicySetupTimeoutSeconds")
        yield keys, "this delay exists for the Iptables dataplane only", "Remove it."


def felix(subject: Subject) -> Iterator[Fault]:
    """CAL052, CAL053."""
    spec, name = subject.spec, subject.name
    if (name == "default" or name.startswith("node.")) and "nodeSelector" in spec:
        yield Fault(
            "CAL052",
            ("spec", "nodeSelector"),
            f"the FelixConfiguration {name} already says which nodes it is for, so a selector is refused",
            "Remove nodeSelector, or use another name.",
        )
    if "routeTableRange" in spec and "routeTableRanges" in spec:
        yield Fault(
            "CAL053",
            ("spec", "routeTableRange"),
            "routeTableRange and routeTableRanges set the same thing, so the object is refused",
            "Keep routeTableRanges.",
        )


def address_management(subject: Subject) -> Iterator[Fault]:
    """CAL054."""
    if (number(subject.spec, "maxBlocksPerHost") or 0) > 0 and subject.spec.get("strictAffinity") is False:
        yield Fault(
            "CAL054",
            ("spec", "maxBlocksPerHost"),
            "maxBlocksPerHost only holds with strictAffinity: without it IPAM refuses to assign",
            "Set strictAffinity to true, or remove the limit.",
        )


def controllers(subject: Subject) -> Iterator[Fault]:
    """CAL051: templates of host endpoints."""
    endpoint = mapping(subject.spec, "controllers", "node", "hostEndpoint")
    at = ("spec", "controllers", "node", "hostEndpoint")
    templates = list(mappings(endpoint, "templates", at))
    for here, template in templates:
        absent = []
        if not text(template, "generateName"):
            absent.append("generateName")
        if not template.get("interfaceCIDRs") and not template.get("interfacePattern"):
            absent.append("interfaceCIDRs or interfacePattern")
        for each in absent:
            yield Fault("CAL051", here, f"the template has no {each}, so the object is refused", f"Add {each}.")
    named = (((*here, "generateName"), text(template, "generateName")) for here, template in templates)
    for here, name in repeated(named):
        yield Fault("CAL051", here, f"another template is called `{name}` too", "Give each its own name.")
