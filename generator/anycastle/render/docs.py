"""README.md and `docs/`: this site in words, with its own values in every command."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from anycastle.network.addresses import IPNetwork, PoolUse, TrafficPolicy
from anycastle.network.bgp import Router, Software
from anycastle.network.cluster import Node, Role
from anycastle.network.model import Network
from anycastle.network.platforms import PLATFORMS
from anycastle.network.questions import on_router, wired
from anycastle.overview import spans
from anycastle.render import address_plan, bootstrap, ci, flux, git_access, passwords, pictures, secrets, waves
from anycastle.render.apps import ARGOCD, WHOAMI, host, on_argocd
from anycastle.render.argo_cd import SYNC_TIMEOUT
from anycastle.render.flux_releases import FIELD_MANAGER
from anycastle.render.release import ingress_name, releases
from anycastle.render.text import template
from anycastle.site.git_access import by_ssh, needs_credentials, slug
from anycastle.site.model import Site
from anycastle.site.parts import parts

BY_NAME = 3
"""So many routers are named."""

FEW_NODES = 12
"""So many nodes are named in a loop; more are found by their files."""

_SECRET_TOOLS = {"sops": ", `sops` 3.10 or newer, `age`", "sealed-secrets": ", `kubeseal`"}
_NO_PROXY = "env -u HTTPS_PROXY -u HTTP_PROXY -u https_proxy -u http_proxy "
"""As install.sh does: kubeadm would ask the proxy for the API."""


def files(site: Site, network: Network) -> dict[str, bytes]:
    """The prose and the pictures."""
    words = _words(site, network)
    texts = {
        "README.md": template("templates/README.md.j2").render(words),
        "docs/addresses.md": template("templates/addresses.md.j2").render(words),
        "docs/runbook.md": template("templates/runbook.md.j2").render(words),
        "docs/topology.svg": pictures.topology(network),
        "docs/waves.svg": waves.waves(network),
    }
    return {path: text.encode() for path, text in texts.items()}


def _words(site: Site, network: Network) -> Mapping[str, Any]:
    """What the templates may speak of."""
    return {
        "site": site,
        "interface": site.routers[0].interface,
        "network": network,
        "api": network.api,
        "calico": network.calico,
        "plan": address_plan.of(network),
        "parts": [
            (part.written, part.name, str(part.cidr), str(part.cidr[0]), str(part.cidr[-1]))
            for part in parts(site)
            if not part.as_written
        ],
        **_machines(network),
        **_seen(site, network),
        **_ranges(site, network),
        **_services(site, network),
        **_passwords(site, network),
        **_secrets(site, network),
        "release": releases(site, network),
        "sync_timeout": SYNC_TIMEOUT,
        "no_proxy": _NO_PROXY if site.egress.proxy.https or site.egress.proxy.http else "",
        **_bootstrap(site, network),
        **_engine(site),
        **_git(site),
        **_functions(),
    }


def _seen(site: Site, network: Network) -> Mapping[str, Any]:
    """Addresses under which people know the routers, and those under which routers know the first and the last node.

    Where there are links, a router has another address on each of them, and so has a node.
    """
    linked = {link.router for node in site.nodes for link in node.links}
    own = {router.name: router.address for router in site.routers}
    known = [own[one.name] if one.name in linked else one.address for one in network.routers]
    single = network.routers[0]
    first, last = _ends_of(network)
    hops: dict[str, list[object]] = defaultdict(list)
    for end in wired(network):
        hops[end.host].append(end.address)
    return {
        "login": str(known[0]),
        "logins": single.addresses if len(known) == 1 and not linked else known,
        "first_hops": " or ".join(map(str, hops.get(first.name, [first.addresses[0]]))),
        "last_hop": hops.get(last.name, [last.addresses[0]])[0],
        "wired": bool(hops),
    }


def _ends_of(network: Network) -> tuple[Node, Node]:
    """The first control plane, and the last worker, or else control plane."""
    nodes = spans.in_address_order(network.nodes)
    controls = [node for node in nodes if node.role is Role.CONTROL_PLANE]
    workers = [node for node in nodes if node.role is Role.WORKER]
    return controls[0], (workers or controls)[-1]


def _git(site: Site) -> Mapping[str, Any]:
    """How the repository is reached, and what is read at the root of a larger one."""
    return {
        "ssh": by_ssh(site),
        "credentials": needs_credentials(site),
        "pinned_hosts": git_access.pinned(site),
        "git_files": bool(git_access.files(site)),
        "git_folder": git_access.folder(site),
        "forge": ci.forge(site),
        "ci_path": ci.path(site),
        "ci_read_at": ci.read_at(site),
        "slug": slug(site),
    }


def _bootstrap(site: Site, network: Network) -> Mapping[str, Any]:
    steps = bootstrap.steps(site, network)
    return {
        "boot": {step.name: step.target for step in steps},
        "bootstrap_steps": steps,
        "starts_disabled": bootstrap.starts_disabled(network),
    }


def _secrets(site: Site, network: Network) -> Mapping[str, Any]:
    """What stands in secrets/; the certificate stands nowhere else."""
    found = tuple(secrets.commands(site))
    certificates = [file for one, _path in found if one.type != "Opaque" for _key, file in one.keys]
    return {
        "wanted_secrets": found,
        "secret_tools": _SECRET_TOOLS.get(site.gitops.secrets, "") if found else "",
        "has_certificate": bool(certificates) and site.gitops.secrets != "external-secrets",
        "certificate_files": certificates,
        "sealing_certificate": secrets.CERTIFICATE,
        "store_name": secrets.STORE_NAME,
    }


def _passwords(site: Site, network: Network) -> Mapping[str, Any]:
    ends = network.ends
    frr = (end for end in ends if end.software is Software.FRR)
    return {
        "passwords": passwords.of(ends),
        "vip_passwords": passwords.of(end for end in ends if end.software is Software.KUBE_VIP),
        "frr_passwords": passwords.of(frr),
        "calico_secrets": passwords.secrets(site),
        "password_special": passwords.SPECIAL,
        "password_length": passwords.LONGEST,
    }


def _engine(site: Site) -> Mapping[str, Any]:
    argocd = on_argocd(site)
    return {
        "argocd": argocd,
        "engine": "Argo CD" if argocd else "Flux",
        "field_manager": "argocd-controller" if argocd else FIELD_MANAGER,
        "flux_path": flux.folder(site),
        "flux_url": flux.url(site),
    }


def _machines(network: Network) -> Mapping[str, Any]:
    nodes = spans.in_address_order(network.nodes)
    controls = [node for node in nodes if node.role is Role.CONTROL_PLANE]
    workers = [node for node in nodes if node.role is Role.WORKER]
    sessions = [end for end in network.ends if not on_router(end)]
    reflectors = [node for node in nodes if node.cluster_id is not None]
    return {
        "nodes": nodes,
        "controls": controls,
        "workers": workers,
        "few": len(nodes) <= FEW_NODES,
        "six": nodes[0].addresses[0].version == 6,
        **_routers(network, controls),
        "session_count": len(sessions),
        "own_session_count": sum(end.software is not Software.OTHER for end in sessions),
        "others": sorted({end.called for end in sessions if end.software is Software.OTHER}),
        "reflectors": [node.name for node in reflectors],
        "cluster_id": reflectors[0].cluster_id if reflectors else None,
        "vip_sessions": sum(end.software is Software.KUBE_VIP for end in sessions),
        "calico_sessions": sum(end.software is Software.CALICO for end in sessions),
    }


def _routers(network: Network, controls: Sequence[Node]) -> Mapping[str, Any]:
    """The routers in words: one has a name, several are spoken of as `each router`."""
    routers = network.routers
    single = len(routers) == 1
    named = [f"`{router.name}` (AS {router.asn})" for router in routers]
    many = f"{spans.count(len(routers), 'router')} (AS {_numbers(router.asn for router in routers)})"
    peers = {end.peer for end in network.ends if controls and end.host == controls[0].name}
    first = [f"`{router.name}`" for router in routers if peers & set(router.addresses)] or [f"`{routers[0].name}`"]
    speakers = network.speakers
    calico = {s.asn for s in speakers if s.software is Software.CALICO}
    return {
        "router": routers[0],
        "routers": routers,
        "single": single,
        "appliances": [(one, PLATFORMS[one.software].name) for one in routers if one.software is not Software.FRR],
        "behind": " and ".join(named) if len(named) <= BY_NAME else many,
        "at": f"`{routers[0].name}`" if single else "each router",
        "first_routers": " and ".join(first),
        "forwarding": tuple(_alike(routers)),
        "one_way": any(router.one_way for router in routers),
        "vip_numbers": _numbers(s.asn for s in speakers if s.software is Software.KUBE_VIP),
        "calico_numbers": _numbers(calico or ({network.calico.asn} if network.calico else ())),
    }


def _alike(routers: Iterable[Router]) -> Iterator[tuple[str, Router]]:
    """Routers that forward alike, in words, and one of them."""
    groups: dict[tuple[object, ...], list[Router]] = defaultdict(list)
    for router in routers:
        groups[router.discards, router.multipath, router.hash_ports].append(router)
    for group in groups.values():
        names = [f"`{router.name}`" for router in group]
        each = "Each of " + (
            ", ".join(names) if len(names) <= FEW_NODES else f"{names[0]} to {names[-1]} ({len(names)})"
        )
        yield (names[0] if len(names) == 1 else each), group[0]


def _numbers(asns: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(set(asns))))


def _ranges(site: Site, network: Network) -> Mapping[str, Any]:
    pods = [pool for pool in network.pools if pool.use is PoolUse.PODS]
    return {
        "pod_pools": pods,
        "service_pools": [pool for pool in network.pools if pool.use is PoolUse.LOAD_BALANCER],
        "vxlan": any(pool.encapsulation.startswith("VXLAN") for pool in pods),
        "announced_ranges": [
            *(f"{vip}/{vip.max_prefixlen}" for vip in (network.api.vips if network.api else ())),
            *_advertised(network),
            *dict.fromkeys(prefix for node in site.nodes for speaker in node.speakers for prefix in speaker.announces),
        ],
    }


def _services(site: Site, network: Network) -> Mapping[str, Any]:
    service = next((item for item in network.services if item.name == ingress_name(site)), None)
    pools = _advertised(network)
    return {
        "sample_address": str(pools[0][0]) if pools else "192.0.2.1",
        "service": service,
        "service_address": str(service.addresses[0]) if service and service.addresses else "",
        "service_addresses": ", ".join(map(str, service.addresses)) if service else "",
        "other_services": [item for item in network.services if item is not service],
        "local": service is not None and service.policy is TrafficPolicy.LOCAL,
        "ingress": ingress_name(site),
        "whoami_host": host(site, WHOAMI),
        "argocd_host": host(site, ARGOCD),
    }


def _advertised(network: Network) -> tuple[IPNetwork, ...]:
    return network.calico.advertised if network.calico else ()


def _functions() -> Mapping[str, Callable[..., str]]:
    return {
        "spans": spans.addresses,
        "names": spans.names,
        "count": spans.count,
        "announced": spans.announced,
        "bracketed": bracketed,
    }


def bracketed(address: object) -> str:
    """An address where a colon follows, as in a URL or for scp (RFC 3986 section 3.2.2)."""
    return f"[{address}]" if ":" in str(address) else str(address)
