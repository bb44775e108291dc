"""Namespaces, cables, addresses, routes, kernel settings and firewalls, as the wiring says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from anycastle.lab.commands import in_parallel, run
from anycastle.lab.isolation import RUN
from anycastle.lab.namespace import inside, set_sysctl
from anycastle.lab.wiring import CLIENT, Machine, Port, Route, Wiring, plugs
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.records import dataclass

SERVICE_INTERFACE = "kube-ipvs0"
"""Holds addresses of Services; Calico's BIRD does not look at it."""

_KERNEL_DEFAULTS = {
    "net.ipv4.ip_forward": "0",
    "net.ipv4.fib_multipath_hash_policy": "0",
    "net.ipv6.conf.all.forwarding": "0",
    "net.ipv6.fib_multipath_hash_policy": "0",
    **{
        f"net.ipv4.conf.{where}.{key}": value
        for where in ("all", "default")
        for key, value in (
            ("send_redirects", "1"),
            ("accept_redirects", "1"),
            ("rp_filter", "0"),
            ("arp_ignore", "0"),
            ("arp_announce", "0"),
            ("ignore_routes_with_linkdown", "0"),
        )
    },
    **{
        f"net.ipv6.conf.{where}.{key}": value
        for where in ("all", "default")
        for key, value in (
            ("accept_ra", "0"),
            ("accept_dad", "0"),
            ("accept_redirects", "1"),
            ("ignore_routes_with_linkdown", "0"),
        )
    },
}
"""A new namespace copies IPv4 settings from the machine it is on; a lab has to mean the same on every machine.

No duplicate address detection (RFC 4862): addresses would be of no use for their first second.
"""
_NO_IPV6 = "net.ipv6.conf.all.disable_ipv6"
_BY_PORTS = {"net.ipv4.fib_multipath_hash_policy": "1", "net.ipv6.fib_multipath_hash_policy": "1"}
_FORWARDS = {**_BY_PORTS, "net.ipv4.ip_forward": "1", "net.ipv6.conf.all.forwarding": "1"}
_SEED = "net.ipv4.fib_multipath_hash_seed"
"""Kernels from 6.11 on. Machines in a row that hash alike would choose alike: one half would never be used."""
_FIRST_TABLE = 101
"""Number of the first table for packets from one source address."""
_METRIC = (200 << 24) + 1
"""zebra reads the highest octet as the distance: worse than its own BGP (20), better than a discard route (254)."""


@dataclass(frozen=True, slots=True)
class Hosted:
    """What a node has beyond its own addresses.

    `addresses` have a full mask: interface -> addresses. `dropped` is what Felix does on every node: a packet from
    outside to a Service range ends here where no Service owns the address, and does not circle. `ways` are its default
    routes as its own files have them, arguments of `ip`; empty where the wiring says them.
    """

    addresses: Mapping[str, Sequence[IPAddress]] = field(default_factory=dict)
    dropped: Sequence[IPNetwork] = ()
    ways: Sequence[Sequence[str]] = ()


def build(wiring: Wiring, hosted: Mapping[str, Hosted]) -> None:
    """Every namespace with its cables, addresses and routes; nothing runs in them yet."""
    names = [machine.name for machine in wiring.machines]
    _ip([f"netns add {name}" for name in (*wiring.switches, *names)])
    for switch in wiring.switches:
        apply_settings(switch, {"net.ipv6.conf.default.disable_ipv6": "1"}.items())
    both = any(one.version == 6 for one in wiring.outside.ranges)
    for name in names:
        apply_settings(name, {**_KERNEL_DEFAULTS, _NO_IPV6: "0" if both else "1"}.items())
    _ip(_cables(wiring))
    in_parallel(lambda switch: _ip(_switch(wiring, switch), switch), wiring.switches)
    in_parallel(lambda machine: _set_up(machine, hosted.get(machine.name, Hosted())), wiring.machines)
    for number, machine in enumerate(wiring.machines):
        if machine.forwards or machine.name == CLIENT:
            settings = _FORWARDS if machine.forwards else _BY_PORTS
            apply_settings(machine.name, {**settings, _SEED: str(number + 1)}.items())


def _set_up(machine: Machine, hosted: Hosted) -> None:
    _ip([*_machine(machine, hosted), *_hosted(hosted), *_rules(machine, hosted, 4)], machine.name)
    for words in hosted.ways:
        run(["ip", "-n", machine.name, *words])
    if rules := list(_rules(machine, hosted, 6)):
        _ip(rules, machine.name, version=6)


def _ip(lines: Iterable[str], namespace: str = "", version: int = 4) -> None:
    within = ["-n", namespace] if namespace else []
    options = ["-6"] if version == 6 else []
    run(["ip", *options, *within, "-batch", "-"], text="\n".join(lines) + "\n")


def _cables(wiring: Wiring) -> Iterator[str]:
    for number, machine in enumerate(wiring.machines):
        for port, (switch, plug) in zip(machine.ports, plugs(number, machine), strict=True):
            yield f"link add name {plug} netns {switch} type veth peer name {port.interface} netns {machine.name}"


def _switch(wiring: Wiring, switch: str) -> Iterator[str]:
    yield "link add name br0 type bridge"
    yield "link set dev br0 up"
    for number, machine in enumerate(wiring.machines):
        for where, plug in plugs(number, machine):
            if where == switch:
                yield f"link set dev {plug} master br0 up"


def _machine(machine: Machine, hosted: Hosted) -> Iterator[str]:
    yield "link set dev lo up"
    yield from (f"address add {_alone(address)} dev lo" for address in machine.own)
    for port in machine.ports:
        yield f"link set dev {port.interface} up"
        yield from _addresses(port, frozenset(source for source, _hop in machine.by_source))
    yield from (f"route add {_written(route, _source(machine, route))}" for route in machine.routes if not hosted.ways)
    for number, (source, hop) in enumerate(machine.by_source):
        everything = "::/0" if source.version == 6 else "0.0.0.0/0"
        yield f"route add {everything} via {hop} table {_FIRST_TABLE + number}"


def _hosted(hosted: Hosted) -> Iterator[str]:
    """An interface that is not there is made, as a bridge."""
    for interface, listed in hosted.addresses.items():
        if interface == SERVICE_INTERFACE:
            yield f"link add name {interface} type bridge"
            yield f"link set dev {interface} up"
        yield from (f"address add {_alone(address)} dev {interface}" for address in listed)


def _rules(machine: Machine, hosted: Hosted, version: int) -> Iterator[str]:
    """Which table is asked for packets from which address, and what is dropped."""
    for number, (source, _hop) in enumerate(machine.by_source):
        if source.version == version:
            yield f"rule add from {source} lookup {_FIRST_TABLE + number}"
    for cidr in hosted.dropped:
        if cidr.version == version:
            yield from (f"rule add iif {port.interface} to {cidr} blackhole" for port in machine.ports)


def _addresses(port: Port, special: frozenset[IPAddress]) -> Iterator[str]:
    """Addresses of an interface; the kernel must never choose a `special` one for packets that name no source."""
    for address in port.addresses:
        more = "" if address.version == 4 else " nodad preferred_lft 0" if address.ip in special else " nodad"
        yield f"address add {address} dev {port.interface}{more}"


def _written(route: Route, more: str = "") -> str:
    prefix, hops = route
    return f"{prefix} {more} " + " ".join(f"nexthop via {hop}" for hop in hops)


def _source(machine: Machine, route: Route) -> str:
    own = (f"src {address}" for address in machine.own if address.version == route[0].version)
    return next(own, "")


def replace_routes(name: str, wanted: Iterable[Route], obsolete: Iterable[IPNetwork]) -> None:
    """Routes of the backbone on a machine, put in or changed, and such that nobody needs any more."""
    ours = f"proto static metric {_METRIC}"
    lines = [f"route replace {_written(route, ours)}" for route in wanted]
    lines += [f"route del {prefix} {ours}" for prefix in obsolete]
    if lines:
        run(["ip", "-n", name, "-force", "-batch", "-"], text="\n".join(lines) + "\n")


def set_link(wiring: Wiring, name: str, *, up: bool) -> None:
    """Pull a machine's cables out of their switches, or put them back; the machine's own side only loses carrier."""
    cables = {wire.cable for wire in wiring.wires_of(name)}
    for switch, plug in wiring.plugs(name):
        if switch in cables:
            set_cable(wiring, switch, up=up)
        else:
            _ip([f"link set dev {plug} {'up' if up else 'down'}"], switch)


def set_cable(wiring: Wiring, cable: str, *, up: bool) -> None:
    """Cut a link of two addresses, or mend it: both of its ends lose carrier, as on a cable without a switch."""
    _ip([f"link set dev {plug} {'up' if up else 'down'}" for plug in wiring.ends(cable)], cable)


def restore_routes(machine: Machine) -> None:
    """The routes that went with a machine's cables."""
    _ip([f"route replace {_written(route, _source(machine, route))}" for route in machine.routes], machine.name)


def _alone(address: IPAddress) -> str:
    return f"{address}/{address.max_prefixlen}" + (" nodad" if address.version == 6 else "")


def set_address(name: str, interface: str, address: IPAddress, *, present: bool) -> None:
    """One address more or less."""
    words = f"add {_alone(address)}" if present else f"del {address}/{address.max_prefixlen}"
    _ip([f"address {words} dev {interface}"], name)


def apply_settings(name: str, settings: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Kernel settings of a machine; returns the keys that its kernel does not know."""
    with inside(name):
        return tuple(key for key, value in settings if not set_sysctl(key, value))


def load_rules(name: str, rules: bytes) -> None:
    """A rule set for nft, byte for byte. Raises `LabError` with nft's words."""
    file = RUN / f"{name}.nft"
    file.write_bytes(rules)
    with inside(name):
        run(["nft", "-f", str(file)])


def kernel_text(name: str, path: str) -> str:
    """A file below /proc/net, as a namespace sees it."""
    with inside(name):
        return Path("/proc/thread-self/net", path).read_text()
