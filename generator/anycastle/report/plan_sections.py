"""A plan as titled tables; `plan_terminal` and `plan_markdown` write them.

A large site is shown by runs of neighbouring addresses, since nobody reads 5,000 lines; `full` shows each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from anycastle.network.addresses import IPAddress, Owner, OwnerKind
from anycastle.network.bgp import Dial, End, Router
from anycastle.network.canonical import address_key
from anycastle.network.cluster import App
from anycastle.overview import Overview, Peering, spans, words
from anycastle.overview.peerings import alike
from anycastle.records import dataclass

MANY = 24
"""Rows of one sort from which on neighbouring addresses share one."""

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A table with a few lines before it; either may be empty."""

    head: Row
    rows: tuple[Row, ...]
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Tables under a title."""

    title: str
    blocks: tuple[Block, ...]


def sections(plan: Overview, *, full: bool = False) -> tuple[Section, ...]:
    """Those that have anything to say."""
    found = (
        Section("Ranges", _table(("range", "owner"), map(_range, plan.ranges))),
        Section("Addresses", _table(("address", "owner"), _addresses(plan.addresses, full))),
        Section("BGP sessions", tuple(_sessions(plan, full))),
        Section("Ends that nobody answers", _table(_LONELY, map(_lonely, plan.one_sided))),
        Section("Peers of nodes that no file names", _table(("speaks", "to", "AS"), map(_dial, plan.dials))),
        Section("Announcements", _table(("prefix", "by", "nodes", "when"), _announcements(plan))),
        Section("What routers let in", tuple(_accepted(plan))),
        Section("Order of installation", _table(("wave", "apps"), _waves(plan.apps))),
        Section("Not read", _table(("what",), ((name,) for name in plan.unread))),
    )
    return tuple(section for section in found if section.blocks)


def _table(head: Row, rows: Iterable[Row]) -> tuple[Block, ...]:
    made = tuple(rows)
    return (Block(head, made),) if made else ()


def _range(owner: Owner) -> Row:
    return str(owner.prefix), str(owner)


def _addresses(owners: Sequence[Owner], full: bool) -> Iterator[Row]:
    """By kind; many of one kind by runs."""
    by_kind: dict[OwnerKind, list[Owner]] = defaultdict(list)
    for owner in owners:
        by_kind[owner.kind].append(owner)
    for kind in (kind for kind in OwnerKind if kind in by_kind):
        held = by_kind[kind]
        if full or len(held) <= MANY:
            yield from ((str(owner.prefix.network_address), str(owner)) for owner in held)
        else:
            names = {owner.prefix.network_address: owner.name for owner in held}
            yield from ((span, f"{kind} {who}") for span, who in _runs(names))


def _runs(names: dict[IPAddress, str]) -> Iterator[tuple[str, str]]:
    for first, last in spans.runs(names):
        number = int(last) - int(first) + 1
        who = names[first] if number == 1 else f"{names[first]} to {names[last]} ({number})"
        yield str(first) if number == 1 else f"{first}-{last}", who


def _sessions(plan: Overview, full: bool) -> Iterator[Block]:
    """The machines under all that their sessions have in common."""
    for group in alike(plan.peerings):
        if full or len(group) <= MANY:
            rows: Iterable[Row] = ((item.near.host, str(item.near.address)) for item in group)
        else:
            rows = ((who, span) for span, who in _runs({item.near.address: item.near.host for item in group}))
        yield Block(("node", "address"), tuple(rows), tuple(_common(group[0])))
    if plan.mesh:
        yield Block((), (), (f"Calico on every node also peers with every other, AS {plan.mesh} (node-to-node mesh).",))


def _common(item: Peering) -> Iterator[str]:
    near, far = item.near, item.far
    yield (
        f"{far.host} {words.software(far.software)} {far.address} AS {far.asn} <-> {words.speaker(near)} AS {near.asn}"
    )
    held = f"hold / keepalive {words.seconds_in_force(item)}"
    restart = f", restart time {near.restart} s" if near.restart else ""
    yield f"{item.kind}, {words.reach(item)}, {held}{restart}{_password(item)}"
    filters = f" (filters: {', '.join(near.filters)})" if near.filters else ""
    announced = ", ".join(map(spans.announced, item.announced)) or "nothing"
    if item.inside:
        back = "it passes that on to the others, and theirs back" if item.reflects else "both tell what they announce"
        yield f"announced to {far.host}: {announced}{filters}; {back}"
        return
    yield f"announced to {far.host}: {announced}{filters}"
    yield f"let in by {far.host}: {words.let_in(item.accepted)}; sent back: {words.sent_back(far)}"


def _password(item: Peering) -> str:
    """The name of the secret; the secret itself is nowhere in a network."""
    names = sorted({name for name in (item.near.password, item.far.password) if name})
    return f", password {' and '.join(names)}" if names else ""


_LONELY = ("host", "speaks", "from", "to", "expects")


def _lonely(end: End) -> Row:
    return (
        end.host,
        f"{words.speaker(end)} AS {end.asn}",
        str(end.address),
        str(end.peer),
        f"AS {end.peer_asn}",
    )


def _dial(dial: Dial) -> Row:
    return f"{words.software(dial.software)} AS {dial.asn}", str(dial.peer), str(dial.peer_asn)


def _announcements(plan: Overview) -> Iterator[Row]:
    place = {node.name: address_key(node.addresses[0]) for node in plan.nodes if node.addresses}
    for item in plan.announcements:
        hosts = sorted(item.hosts, key=lambda name: (place.get(name, (0, 0)), name))
        yield spans.announced(item), words.software(item.software), spans.names(hosts), words.WHEN[item.when]


def _accepted(plan: Overview) -> Iterator[Block]:
    for router in plan.routers:
        rows = tuple(
            (
                spans.prefixes(item.prefix, item.shortest, item.longest),
                f"at most {words.most(item)}",
                words.peers(item.peers),
            )
            for item in plan.acceptances
            if item.router == router.name
        )
        yield Block(("prefixes", "how many", "from"), rows, tuple(_router(router, bool(rows))))


def _router(router: Router, lists: bool) -> Iterator[str]:
    identity = f", router ID {router.router_id}" if router.router_id else ""
    yield f"{router.name} {words.software(router.software)} {router.address} AS {router.asn}{identity}"
    paths = f"up to {router.multipath} next hops of one prefix" if router.multipath else "next hops: not said"
    kept = "kept" if router.graceful_restart else "dropped at once"
    yield f"{paths}; routes of a neighbour that went away are {kept}"
    if router.discards:
        yield f"drops, where nobody announces them: {', '.join(map(str, router.discards))}"
    if not lists:
        yield "no prefix list is known"


def _waves(apps: Iterable[App]) -> Iterator[Row]:
    waves: dict[int, list[str]] = defaultdict(list)
    for app in apps:
        waves[app.wave].append(app.name)
    yield from ((str(wave), ", ".join(names)) for wave, names in sorted(waves.items()))
