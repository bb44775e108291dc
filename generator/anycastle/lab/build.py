"""Namespaces, cables, addresses, routes, kernel settings and firewalls, as the wiring says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from anycastle.lab.commands import run
from anycastle.lab.isolation import RUN
from anycastle.lab.namespace import inside, set_sysctl
from anycastle.lab.wiring import CLIENT, Machine, Wiring

SERVICE_INTERFACE = "kube-ipvs0"
"""Holds addresses of Services; Calico's BIRD does not look at it."""

_KERNEL_DEFAULTS = {
    "net.ipv4.ip_forward": "0",
    "net.ipv4.fib_multipath_hash_policy": "0",
    **{
        f"net.ipv4.conf.{where}.{key}": value
        for where in ("all", "default")
        for key, value in (
            ("send_redirects", "1"),
            ("accept_redirects", "1"),
            ("rp_filter", "0"),
            ("arp_ignore", "0"),
            ("arp_announce", "0"),
        )
    },
}
"""A new namespace copies IPv4 settings from the machine it is on; a lab has to mean the same on every machine."""


def build(wiring: Wiring) -> None:
    """Every namespace with its cables, addresses and routes; nothing runs in them yet."""
    names = [*wiring.switches, *(machine.name for machine in wiring.machines)]
    _ip(f"netns add {name}" for name in names)
    for name in names:
        with inside(name):
            for key, value in _KERNEL_DEFAULTS.items():
                set_sysctl(key, value)
    _ip(_cables(wiring))
    for switch in wiring.switches:
        _ip(_switch(wiring, switch), switch)
    for machine in wiring.machines:
        _ip(_machine(machine), machine.name)
    with inside(CLIENT):
        set_sysctl("net.ipv4.fib_multipath_hash_policy", "1")


def _ip(lines: Iterable[str], namespace: str = "") -> None:
    within = ["-n", namespace] if namespace else []
    run(["ip", *within, "-batch", "-"], text="\n".join(lines) + "\n")


def _cables(wiring: Wiring) -> Iterator[str]:
    for machine in wiring.machines:
        for port, (switch, plug) in zip(machine.ports, wiring.plugs(machine.name), strict=True):
            yield f"link add name {plug} netns {switch} type veth peer name {port.interface} netns {machine.name}"


def _switch(wiring: Wiring, switch: str) -> Iterator[str]:
    yield "link add name br0 type bridge"
    yield "link set br0 up"
    for machine in wiring.machines:
        for where, plug in wiring.plugs(machine.name):
            if where == switch:
                yield f"link set {plug} master br0 up"


def _machine(machine: Machine) -> Iterator[str]:
    yield "link set lo up"
    for port in machine.ports:
        yield f"link set {port.interface} up"
        yield from (f"address add {address} dev {port.interface}" for address in port.addresses)
    for prefix, hops in machine.routes:
        yield f"route add {prefix} " + " ".join(f"nexthop via {hop}" for hop in hops)


def set_link(wiring: Wiring, name: str, *, up: bool) -> None:
    """Pull a machine's cables out of their switches, or put them back; the machine's own side only loses carrier."""
    for switch, plug in wiring.plugs(name):
        _ip([f"link set {plug} {'up' if up else 'down'}"], switch)


def host_addresses(name: str, addresses: Mapping[str, Iterable[object]]) -> None:
    """Addresses with a full mask: interface -> addresses. An interface that is not there is made, as a bridge."""
    lines: list[str] = []
    for interface, listed in addresses.items():
        if interface == SERVICE_INTERFACE:
            lines += [f"link add name {interface} type bridge", f"link set {interface} up"]
        lines += [f"address add {address}/32 dev {interface}" for address in listed]
    _ip(lines, name)


def set_address(name: str, interface: str, address: object, *, present: bool) -> None:
    """One address more or less."""
    _ip([f"address {'add' if present else 'del'} {address}/32 dev {interface}"], name)


def apply_settings(name: str, settings: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Kernel settings of a machine; returns the keys that its kernel does not know."""
    with inside(name):
        return tuple(key for key, value in settings if not set_sysctl(key, value))


def load_rules(name: str, rules: bytes) -> None:
    """A rule set for nft, byte for byte. Raises `LabError` with nft's words."""
    file = RUN / f"{name}.nft"
    file.write_bytes(rules)
    run(["nsenter", f"--net=/run/netns/{name}", "--", "nft", "-f", str(file)])


def drop_unserved(name: str, cidrs: Iterable[object]) -> None:
    """What Felix does on every node: a forwarded packet to a Service range ends here and does not circle."""
    listed = ", ".join(str(cidr) for cidr in cidrs)
    if listed:
        chain = f"type filter hook forward priority 0\n    ip daddr {{ {listed} }} drop\n"
        load_rules(name, f"table ip loop_prevention {{\n  chain forward {{\n    {chain}  }}\n}}\n".encode())


def kernel_text(name: str, path: str) -> str:
    """A file below /proc/net, as a namespace sees it."""
    with inside(name):
        return Path("/proc/thread-self/net", path).read_text()
