"""A plan as JSON. docs/plan.md describes every key; a change of meaning raises `SCHEMA`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from anycastle.network.addresses import Owner
from anycastle.network.bgp import Acceptance, Announcement, Dial, End, Router
from anycastle.overview import Overview, Peering, words

SCHEMA = 1

Object = Mapping[str, Any]


def plan_json(plans: Iterable[tuple[str, Overview]]) -> str:
    """The plan of each cluster with the folder that it was read from."""
    value = {"schema": SCHEMA, "clusters": [{"folder": folder, **_plan(plan)} for folder, plan in plans]}
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _plan(plan: Overview) -> Object:
    return {
        "ranges": [_owner(owner, "prefix", str(owner.prefix)) for owner in plan.ranges],
        "addresses": [_owner(owner, "address", str(owner.prefix.network_address)) for owner in plan.addresses],
        "routers": [_router(router) for router in plan.routers],
        "sessions": [_session(item) for item in plan.peerings],
        "one_sided": [_end(end) for end in plan.one_sided],
        "dials": [_dial(dial) for dial in plan.dials],
        "mesh_asn": plan.mesh or None,
        "announcements": [_announcement(item) for item in plan.announcements],
        "acceptances": [_acceptance(item) for item in plan.acceptances],
        "apps": [{"wave": app.wave, "name": app.name} for app in plan.apps],
        "unread": list(plan.unread),
    }


def _owner(owner: Owner, key: str, text: str) -> Object:
    return {key: text, "kind": str(owner.kind), "name": owner.name}


def _router(router: Router) -> Object:
    return {
        "name": router.name,
        "software": str(router.software),
        "address": str(router.address),
        "asn": router.asn,
        "router_id": str(router.router_id) if router.router_id else None,
        "multipath": router.multipath,
        "graceful_restart": router.graceful_restart,
        "discards": list(map(str, router.discards)),
    }


def _session(item: Peering) -> Object:
    return {
        "kind": item.kind,
        "multihop": item.multihop,
        "hold": item.hold,
        "keepalive": item.keepalive,
        "node": _end(item.near),
        "router": _end(item.far),
        "announced": [_prefixes(entry) for entry in item.announced],
        "accepted": [_prefixes(entry) for entry in item.accepted],
    }


def _end(end: End) -> Object:
    return {
        "host": end.host,
        "software": str(end.software),
        "called": end.called or None,
        "address": str(end.address),
        "asn": end.asn,
        "peer": str(end.peer),
        "peer_asn": end.peer_asn,
        "hops": end.hops,
        "hold": end.hold,
        "keepalive": end.keepalive,
        "restart": end.restart,
        "silent": end.silent,
        "password": end.password or None,
        "filters": list(end.filters),
    }


def _dial(dial: Dial) -> Object:
    return {"software": str(dial.software), "asn": dial.asn, "peer": str(dial.peer), "peer_asn": dial.peer_asn}


def _prefixes(item: Announcement | Acceptance) -> dict[str, Any]:
    return {"prefix": str(item.prefix), "shortest": item.shortest, "longest": item.longest}


def _announcement(item: Announcement) -> Object:
    said = {"software": str(item.software), "hosts": list(item.hosts), "when": str(item.when)}
    return _prefixes(item) | said


def _acceptance(item: Acceptance) -> Object:
    return {
        "router": item.router,
        **_prefixes(item),
        "most": words.most(item),
        "peers": list(map(str, item.peers)),
    }
