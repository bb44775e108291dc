"""The environment of kube-vip's container, and what in it stops kube-vip or is ignored.

From kube-vip's own reading of it (pkg/kubevip/config_environment.go): an empty value counts as absent, booleans are
Go's, and an unknown name is passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from ipaddress import IPv4Address, ip_address
from typing import Any

from anycastle.finding import Place
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes, as_number
from anycastle.reader.vip_names import misspelt
from anycastle.records import dataclass
from anycastle.schemas.shape import sequence, text
from anycastle.yamlio import Path as Keys

TRUE = frozenset(("1", "t", "T", "TRUE", "true", "True"))
FALSE = frozenset(("0", "f", "F", "FALSE", "false", "False"))
_BOOLEANS = (
    "vip_arp",
    "bgp_enable",
    "cp_enable",
    "svc_enable",
    "lb_enable",
    "vip_leaderelection",
    "bgp_multihop",
    "vip_interfaceloglobal",
)
_NUMBERS = ("port", "bgp_hold_time", "bgp_keepalive_interval")
HEALTH = "control_plane_health_check_"


@dataclass(frozen=True, slots=True)
class Environment:
    """Variables by name, each with its keys inside the pod.

    `named` are all of them, those without a plain value included; `fields` are those that kubelet fills in (downward
    API), with the path of the field.
    """

    item: Object
    container: int
    values: Mapping[str, tuple[str, Keys]]
    named: Mapping[str, Keys] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)

    def get(self, name: str) -> str:
        """The value; empty where it is absent."""
        return self.values.get(name, ("", ()))[0]

    def true(self, name: str) -> bool:
        """Whether Go reads the value as true."""
        return self.get(name) in TRUE

    def number(self, name: str, default: int) -> int:
        """A whole number; `default` where it is absent or none."""
        value = self.get(name)
        return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else default

    def place(self, name: str) -> Place:
        """Where the value stands."""
        above: Keys = ("spec", "containers", self.container, "env")
        return self.item.place(self.values[name][1] if name in self.values else self.named.get(name, above))


def environment(item: Object, index: int, container: dict[str, Any]) -> Environment:
    """The variables of a container that have a plain, non-empty value; the last of a name counts."""
    values: dict[str, tuple[str, Keys]] = {}
    named: dict[str, Keys] = {}
    fields: dict[str, str] = {}
    for number, entry in enumerate(sequence(container, "env")):
        named[text(entry, "name")] = ("spec", "containers", index, "env", number, "name")
        if path := text(entry, "valueFrom", "fieldRef", "fieldPath"):
            fields[text(entry, "name")] = path
        value = entry.get("value") if isinstance(entry, dict) else None
        if isinstance(value, (str, int)) and str(value):
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            values[text(entry, "name")] = shown, ("spec", "containers", index, "env", number, "value")
    return Environment(item, index, values, named, fields)


def check(item: Object, env: Environment, notes: Notes) -> None:
    """What stops kube-vip at its start, and what it passes over."""
    _types(env, notes)
    _modes(env, notes)
    _address(env, notes)
    _bgp(env, notes)
    _health(item, env, notes)
    _election(env, notes)
    for name, meant in misspelt(name for name in env.named if name not in env.fields).items():
        notes.add(
            "KVIP002",
            env.place(name),
            f"kube-vip has no variable {name} and passes over it.",
            f"Write {meant}." if meant not in env.named else f"Take it out; {meant} is there.",
        )
    if env.get("vip_cidr"):
        notes.add(
            "KVIP002",
            env.place("vip_cidr"),
            "vip_cidr was removed in kube-vip 0.9 and changes nothing.",
            'Write vip_subnet: "32" (or "128").',
        )


def _election(env: Environment, notes: Notes) -> None:
    if env.true("bgp_enable") and env.true("cp_enable") and env.true("vip_leaderelection"):
        notes.add(
            "KVIP008",
            env.place("vip_leaderelection"),
            "With vip_leaderelection only the leader has the address and announces it: the router has one next hop, "
            "and a change of leaders interrupts every connection.",
            'Write "false", so that all control planes announce it.',
        )


def _stops(env: Environment, notes: Notes, name: str, why: str, fix: str) -> None:
    notes.add("KVIP001", env.place(name), f"{name} is {env.get(name)!r}: {why}; the API address goes with it.", fix)


def _types(env: Environment, notes: Notes) -> None:
    for name in _BOOLEANS:
        if env.get(name) and env.get(name) not in TRUE | FALSE:
            _stops(env, notes, name, "kube-vip reads only true and false and ends here", 'Write "true" or "false".')
    for name in _NUMBERS:
        if env.get(name) and not env.get(name).isdigit():
            _stops(env, notes, name, "kube-vip wants a whole number and ends here", "Write digits in quotes.")


def _modes(env: Environment, notes: Notes) -> None:
    if env.true("bgp_enable") and env.true("vip_arp"):
        _stops(env, notes, "vip_arp", "with bgp_enable that is a second mode, and kube-vip ends", 'Write "false".')
    if env.true("bgp_enable") and not env.true("cp_enable") and not env.true("svc_enable"):
        _stops(env, notes, "cp_enable", "kube-vip has nothing to do and ends", 'Write cp_enable: "true".')


def _address(env: Environment, notes: Notes) -> None:
    if env.true("cp_enable") and not env.get("address"):
        _stops(env, notes, "address", "kube-vip has no address to announce and ends", "Write the API address.")
    if "/" in env.get("address"):
        _stops(
            env,
            notes,
            "address",
            "with a mask kube-vip takes it for a DNS name, finds none, and ends",
            f"Write {env.get('address').partition('/')[0]}.",
        )
    subnets = env.get("vip_subnet").split(",") if env.get("vip_subnet") else []
    wrong = [subnet for subnet in subnets if not subnet.isdigit()]
    if wrong and env.get("vip_subnet") != "auto":
        _stops(env, notes, "vip_subnet", "kube-vip adds the slash itself and ends", 'Write the bare length: "32".')
    elif env.get("vip_interface") == "lo" and any(subnet not in ("32", "128") for subnet in subnets):
        _stops(
            env,
            notes,
            "vip_subnet",
            "on lo the node then takes the whole network for its own and reaches no other host in it",
            'Write "32", or "128" for IPv6.',
        )


def _bgp(env: Environment, notes: Notes) -> None:
    if not env.true("bgp_enable"):
        return
    for name in ("bgp_as", "bgp_peeras"):
        if env.get(name) and (as_number(env.get(name)) is None or "." in env.get(name)):
            _stops(env, notes, name, "kube-vip wants a plain AS number and ends", "Write a number, such as 65020.")
    if not env.get("bgp_as"):
        notes.add(
            "KVIP003",
            env.place("bgp_as"),
            "bgp_as is missing, so kube-vip opens its sessions as AS 65000 and a router that expects another AS "
            "refuses them.",
            "Add bgp_as with the AS number of the control plane.",
        )
    if env.get("bgp_routerid") and not _is_ipv4(env.get("bgp_routerid")):
        _stops(
            env, notes, "bgp_routerid", "a router ID is an IPv4 address, and kube-vip ends", "Write the node's IPv4."
        )
    if env.get("bgp_sourceip") and env.get("bgp_sourceif"):
        _stops(env, notes, "bgp_sourceif", "it excludes bgp_sourceip, and kube-vip ends", "Keep one of the two.")


def _is_ipv4(value: str) -> bool:
    try:
        return isinstance(ip_address(value), IPv4Address)
    except ValueError:
        return False


def _health(item: Object, env: Environment, notes: Notes) -> None:
    address, period = env.get(HEALTH + "address"), env.get(HEALTH + "period_seconds")
    if not address:
        return
    if not address.startswith(("http://", "https://")):
        _stops(env, notes, HEALTH + "address", "kube-vip wants a URL and ends", "Write https://ADDRESS:6443/livez.")
    if period and env.number(HEALTH + "period_seconds", 0) < 1:
        _stops(env, notes, HEALTH + "period_seconds", "kube-vip panics on it", 'Write seconds, such as "5".')
    ca = env.get(HEALTH + "ca_path")
    if ca and not any(ca == mount or ca.startswith(mount.rstrip("/") + "/") for mount in _mounts(item, env)):
        notes.add(
            "KVIP004",
            env.place(HEALTH + "ca_path"),
            f"{ca} is not mounted into the container, so kube-vip ends before it announces anything.",
            "Mount the file from the host, hostPath type File, readOnly.",
        )


def _mounts(item: Object, env: Environment) -> list[str]:
    containers = sequence(item.spec, "containers")
    return [text(mount, "mountPath") for mount in sequence(containers[env.container], "volumeMounts")]
