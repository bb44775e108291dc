"""RouterOS scripts that can run again: items are found by their comments, added where missing, removed where gone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from anycastle.network.addresses import IPNetwork
from anycastle.network.bgp import End
from anycastle.render.routers.session import Side

if TYPE_CHECKING:
    from anycastle.render.routers.appliances import Item, Neighbours

OWN = "anycastle "
"""How every comment of ours begins."""


def words(
    listed: Sequence[Neighbours], side: Side, turning: Sequence[tuple[int, IPNetwork, IPNetwork]]
) -> Mapping[str, object]:
    """Functions and lists of comments for the template."""
    return {
        "pruned": pruned,
        "added": added,
        "matching": matching,
        "key_of_rule": key_of_rule,
        "key_of_connection": key_of_connection,
        "filter_keys": [key_of_rule(group, item) for group in listed for item in group.prefixes]
        + [f"{OWN}{group.name} nothing" for group in listed if not group.prefixes]
        + [f"{OWN}out"],
        "connection_keys": [
            key_of_connection(group, end, side.node_at.get(end.peer, str(end.peer)))
            for group in listed
            for end in group.ends
        ],
        "discard_keys": {
            family: [f"{OWN}discard {prefix}" for prefix in side.router.discards if prefix.version == family]
            for family in (4, 6)
        },
        "turning_keys": {
            family: [f"{OWN}turning {source} {target}" for own, source, target in turning if own == family]
            for family in (4, 6)
        },
    }


def key_of_rule(group: Neighbours, item: Item) -> str:
    """The comment of a filter rule: all that it says."""
    return f"{OWN}{group.name} {item.prefix} {item.shortest}-{item.longest}"


def key_of_connection(group: Neighbours, end: End, node: str) -> str:
    """The comment of a connection: all by which it differs from others of its template."""
    return f"{OWN}{node} {end.peer} AS {end.peer_asn} {group.name}"


def pruned(menu: str, keys: Iterable[str]) -> str:
    """Remove what has a comment of ours that is not among `keys`."""
    kept = ";".join(f'"{key}"' for key in keys)
    gone = f'[:typeof [:find {{{kept}}} [{menu} get $item comment]]] = "nil"' if kept else "true"
    return f':foreach item in=[{menu} find where comment~"^{OWN}"] do={{ :if ({gone}) do={{ {menu} remove $item }} }}'


def added(menu: str, key: str, parameters: str) -> str:
    """Add an item where none has its comment."""
    return f':if ([:len [{menu} find where comment="{key}"]] = 0) do={{ {menu} add comment="{key}" {parameters} }}'


def matching(item: Item) -> str:
    """The condition of a filter rule."""
    if item.shortest == item.longest == item.prefix.prefixlen:
        return f"dst == {item.prefix}"
    if item.shortest == item.longest:
        return f"dst in {item.prefix} && dst-len == {item.longest}"
    return f"dst in {item.prefix} && dst-len >= {item.shortest} && dst-len <= {item.longest}"
