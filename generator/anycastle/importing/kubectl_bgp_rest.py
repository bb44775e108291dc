"""Fields of Calico's BGP objects that no site file has. Whatever is neither carried nor without effect is listed.

The lists name what is carried, so that a field of a later release is listed as well. Values are not shown: nobody
knows which of them a password is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from anycastle import fields
from anycastle.fields import FieldError
from anycastle.importing import codes
from anycastle.importing.facts import Notes
from anycastle.importing.objects import Object

FILTER = "services-only"
"""The filter that every site gives its peers itself."""

_SETTINGS = frozenset(
    (
        *("asNumber", "nodeToNodeMeshEnabled", "serviceLoadBalancerAggregation", "serviceLoadBalancerIPs"),
        *("serviceClusterIPs", "serviceExternalIPs"),  # listed with words of their own
    )
)
_SETTINGS_DEFAULTS: Mapping[str, tuple[Any, ...]] = {
    "bindMode": ("None",),
    "ipv4NormalRoutePriority": (1024,),
    "ipv6NormalRoutePriority": (1024,),
    "listenPort": (179,),
    "logSeverityScreen": ("Info", "info", "INFO"),
    "nodeMeshMaxRestartTime": ("2m0s", "120s", "2m"),
}
"""Calico's defaults (confd bgp_processor.go; api projectcalico/v3/bgpconfig.go), which a site leaves alone."""

_SELECTING = frozenset(("node", "nodeSelector", "peerSelector"))
_TO_ROUTER = _SELECTING | {
    *("peerIP", "asNumber", "localASNumber", "maxRestartTime", "reachableBy", "password"),
    "reversePeering",  # has no effect beside peerIP
}
_AMONG_NODES = _SELECTING | {"reversePeering", "password"}  # both are judged with the reflectors
_PEER_DEFAULTS: Mapping[str, tuple[Any, ...]] = {
    "asNumber": (0,),
    "keepOriginalNextHop": (False,),
    "nextHopMode": ("Auto",),
    "numAllowedLocalASNumbers": (0,),
    "sourceAddress": ("UseNodeIP",),
}
_OF_REFLECTED: Mapping[str, tuple[Any, ...]] = {"keepOriginalNextHop": (False, True), "nextHopMode": ("Auto", "Keep")}
"""A site with route reflectors has these itself (render/calico_bgp.py)."""

_OF_CHART = frozenset(
    (
        *("filters", "keepOriginalNextHop", "keepaliveTime", "nextHopMode"),
        *("numAllowedLocalASNumbers", "sourceAddress", "ttlSecurity"),
    )
)
_IN_VALUES = "Set it in apps/calico-bgp/values.yaml of the new repository, if it matters."
_NOWHERE = "No site has it: do without, or write it into charts/calico-bgp of the new repository."


def of_settings(item: Object, notes: Notes) -> None:
    """List what the BGPConfiguration `default` says beyond a site."""
    _list(item, _SETTINGS, _SETTINGS_DEFAULTS, notes)


def of_router(item: Object, notes: Notes, *, reflected: bool) -> None:
    """List what a BGPPeer with a peerIP says beyond a site; `reflected`: the site gets route reflectors."""
    harmless = {**_PEER_DEFAULTS, "filters": ([FILTER],), **(_OF_REFLECTED if reflected else {})}
    if (port := _port(str(item.spec.get("peerIP") or ""))) not in ("", "179"):
        what = f"BGPPeer {item.name} dials port {codes.shown(port)}, and the routers of a site listen on 179"
        fix = "Let the router listen on 179, or set peerIP in apps/calico-bgp/values.yaml of the new repository."
        notes.skip(item.place("spec", "peerIP"), what, fix)
    _list(item, _TO_ROUTER, harmless, notes)


def of_inner(item: Object, notes: Notes) -> None:
    """List what a BGPPeer between nodes says beyond a site, which has one restart time for all sessions."""
    said = next((fact.value for fact in notes.facts if fact.key == ("bgp", "restart_time")), None)
    same = said is not None and _seconds(item.spec.get("maxRestartTime")) == said
    _list(item, _AMONG_NODES | ({"maxRestartTime"} if same else frozenset()), _PEER_DEFAULTS, notes)


def _list(item: Object, carried: Collection[str], harmless: Mapping[str, tuple[Any, ...]], notes: Notes) -> None:
    for key, value in item.spec.items():
        if key in carried or value in (None, "", [], {}) or value in harmless.get(key, ()):
            continue
        what = f"{item.kind} {item.name} sets {codes.shown(key)}"
        notes.skip(item.place("spec", key), what, _IN_VALUES if key in _OF_CHART else _NOWHERE)


def _seconds(raw: object) -> int | None:
    try:
        return fields.parse_duration(raw)
    except FieldError:
        return None


def _port(peer: str) -> str:
    """The port of `address:port` and `[address]:port`; empty where there is none."""
    if peer.startswith("["):
        return peer.partition("]")[2].removeprefix(":")
    return peer.partition(":")[2] if peer.count(":") == 1 else ""
