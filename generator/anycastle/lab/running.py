"""The lab that runs: every machine, daemon and server of it, with what scenarios need to break and mend them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from anycastle.lab import bird, build, gobgp
from anycastle.lab.commands import in_parallel
from anycastle.lab.daemons import Bird, Frr, GoBgp, frr
from anycastle.lab.expected import node_ends
from anycastle.lab.health import HealthCheck
from anycastle.lab.isolation import RUN
from anycastle.lab.node_files import ways_out
from anycastle.lab.placement import Placement, served
from anycastle.lab.probes import Target
from anycastle.lab.router_files import Files, kernel_settings, passwords, text
from anycastle.lab.servers import Servers
from anycastle.lab.wires import Pair
from anycastle.lab.wiring import Wiring, wiring
from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import Software
from anycastle.network.cluster import KubeVip
from anycastle.network.model import Network
from anycastle.records import dataclass

if TYPE_CHECKING:
    from anycastle.lab.backbone import Backbone

SERVICE_PORT = 80


@dataclass(frozen=True, slots=True)
class Blueprint:
    """What comes in: the plan, the routers' files, and for each node the script that makes its kernel settings.

    `links` are the links of two addresses of which the owner tells.
    """

    network: Network
    routers: Mapping[str, Files]
    settings: Mapping[str, str]
    placement: Placement
    links: tuple[Pair, ...] = ()

    @property
    def api_port(self) -> int:
        """Where API servers listen."""
        return self.network.api.port if self.network.api else 6443


@dataclass(slots=True)
class Lab:
    """Everything that is up. Moments are monotonic seconds: `begun` before the first cable, `started` the speakers."""

    plan: Blueprint
    wiring: Wiring
    routers: dict[str, Frr] = field(default_factory=dict)
    kube_vips: dict[str, GoBgp] = field(default_factory=dict)
    birds: dict[str, Bird] = field(default_factory=dict)
    health: dict[str, HealthCheck] = field(default_factory=dict)
    servers: Servers = field(default_factory=Servers)
    backbone: Backbone | None = None
    unknown_settings: list[str] = field(default_factory=list)
    begun: float = 0.0
    started: float = 0.0
    _passwords: dict[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def network(self) -> Network:
        """The plan."""
        return self.plan.network

    def password_of(self, node: str) -> Mapping[str, str]:
        """Router address -> the password that this router has for the node."""
        own = {str(a) for one in self.network.nodes if one.name == node for a in one.addresses}
        own |= {str(end.address) for end in self.network.ends if end.host == node}  # of kube-vip, it may be another one
        found: dict[str, str] = {}
        for router in self.network.routers:
            for neighbour, password in self._passwords_of(router.name).items():
                if neighbour in own:
                    found |= {str(end.peer): password for end in node_ends(self.network, router)}
        return found

    def _passwords_of(self, router: str) -> Mapping[str, str]:
        if router not in self._passwords:
            self._passwords[router] = passwords(self.plan.routers.get(router, {}))
        return self._passwords[router]

    def bird_configuration(self, node: str, placement: Placement | None = None, fault: bird.Fault | None = None) -> str:
        """What a node's BIRD is told, as planned or with another placement or a fault."""
        return bird.configuration(self.network, placement or self.plan.placement, node, self.password_of(node), fault)

    def pod(self, node: str) -> KubeVip:
        """kube-vip's pod on a node."""
        return next(pod for pod in self.network.kube_vips if pod.node == node)

    def speak(self, node: str) -> None:
        """Start kube-vip's stand-in on a control plane: the speaker, and what lets the address out."""
        self.kube_vips[node].start()
        self.announce(node)

    def announce(self, node: str) -> None:
        """Let the address out: by the health check where there is one, else for good."""
        speaker = self.kube_vips[node]
        speaker.ready()
        check = HealthCheck(self.pod(node), speaker)
        if self.pod(node).health_url:
            self.health[node] = check
            check.start()
        else:
            for prefix in check.prefixes:
                speaker.announce(prefix, present=True)

    def silence(self, node: str) -> None:
        """Kill kube-vip's stand-in."""
        if node in self.health:
            self.health.pop(node).stop()
        self.kube_vips[node].kill()

    def api_targets(self) -> tuple[Target, ...]:
        """The API by its addresses."""
        vips = dict.fromkeys(vip for pod in self.network.kube_vips for vip in pod.vips)
        return tuple(Target("API", vip, self.plan.api_port) for vip in vips)

    def service_targets(self) -> tuple[Target, ...]:
        """Every address of every Service."""
        return tuple(
            Target(service.name, address, SERVICE_PORT)
            for service in self.network.services
            for address in service.addresses
        )

    def close(self) -> None:
        """Stop what this process runs; the namespaces end what is left."""
        if self.backbone is not None:
            self.backbone.stop()
        for check in self.health.values():
            check.stop()
        self.servers.stop()


def bring_up(plan: Blueprint) -> Lab:
    """The whole site, from cables to endpoints. Raises `LabError` where a router refuses its own files.

    Control planes come first: kube-vip's speaker takes its time before it dials.
    """
    lab = Lab(plan, wiring(plan.network, plan.routers, plan.links), begun=time.monotonic())
    build.build(lab.wiring, {node.name: _hosted(lab, node.name) for node in plan.network.nodes})
    in_parallel(lambda router: _router(lab, router), [router.name for router in plan.network.routers])
    lab.routers = {router.name: lab.routers[router.name] for router in plan.network.routers}
    for node in plan.network.nodes:
        _node(lab, node.name)
    in_parallel(GoBgp.start, lab.kube_vips.values())
    in_parallel(lambda name: lab.birds[name].start(lab.bird_configuration(name)), lab.birds)
    lab.started = time.monotonic()
    for name in lab.kube_vips:
        lab.announce(name)
    _entries(lab)
    return lab


def _router(lab: Lab, name: str) -> None:
    files = lab.plan.routers.get(name, {})
    daemon = frr(name, files)
    lab.unknown_settings += build.apply_settings(name, kernel_settings(text(files, "sysctl.conf")))
    if rules := files.get("nftables.conf"):
        build.load_rules(name, rules)
    daemon.start()
    lab.routers[name] = daemon


def _hosted(lab: Lab, name: str) -> build.Hosted:
    """The addresses that a node answers to beside its own: of the API, and of Services."""
    network = lab.network
    addresses: dict[str, list[IPAddress]] = {}
    for pod in (pod for pod in network.kube_vips if pod.node == name):
        addresses.setdefault(pod.interface or "lo", []).extend(pod.vips)
    if services := served(network, lab.plan.placement, name):
        addresses[build.SERVICE_INTERFACE] = list(services)
    ways = tuple(ways_out(lab.plan.settings.get(name, ""))) if lab.wiring.machine(name).own else ()
    return build.Hosted(addresses, network.calico.advertised if network.calico else (), ways)


def _node(lab: Lab, name: str) -> None:
    network = lab.network
    # kubelet will not start without forwarding, whoever switches it on.
    settings = [("net.ipv4.ip_forward", "1"), *kernel_settings(lab.plan.settings.get(name, ""))]
    build.apply_settings(name, settings)
    ends = [end for end in network.ends if end.host == name]
    own = [end for end in ends if end.software is Software.KUBE_VIP]
    if any(pod.node == name for pod in network.kube_vips):
        lab.servers.listen(name, lab.plan.api_port)
    if served(network, lab.plan.placement, name):
        lab.servers.listen(name, SERVICE_PORT)
    if own:
        speaker = next(s for s in network.speakers if s.host == name and s.software is Software.KUBE_VIP)
        configured = gobgp.configuration(own, speaker.router_id or bird.router_id(network, name), lab.password_of(name))
        lab.kube_vips[name] = GoBgp(name, configured)
    inside = any(end.host == name for end in network.inside)
    if inside or any(end.software is Software.CALICO for end in ends) or (network.calico and network.calico.mesh):
        lab.birds[name] = Bird(name)


def _entries(lab: Lab) -> None:
    """A small script for each machine that runs a command on it: `anycastle lab exec` calls it."""
    folder = RUN / "enter"
    folder.mkdir()
    for name in (*lab.wiring.switches, *(machine.name for machine in lab.wiring.machines)):
        prefix = lab.routers[name].within if name in lab.routers else ["nsenter", f"--net=/run/netns/{name}", "--"]
        script = folder / name
        script.write_text("#!/bin/sh\nexec " + " ".join(prefix) + ' "$@"\n')
        script.chmod(0o755)
