"""`hosts` beside the kubeadm documents: fragments of /etc/hosts."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from anycastle.finding import Place
from anycastle.network.addresses import IPAddress
from anycastle.network.cluster import Node
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes


def check(subject: Subject, notes: Notes) -> None:
    """Each line of each file."""
    for path, node, text in subject.beside("hosts", notes):
        lines = tuple(entries(text, path, notes))
        _endpoint(path, lines, subject, notes)
        _own(path, node, lines, notes)
        _others(node, lines, subject, notes)


Line = tuple[IPAddress, tuple[str, ...], Place]


def entries(text: str, path: str, notes: Notes) -> Iterator[Line]:
    """Address, names and place of every line."""
    for number, raw in enumerate(text.splitlines(), start=1):
        words = raw.partition("#")[0].split()
        if not words:
            continue
        place = Place(path, number)
        try:
            yield ip_address(words[0]), tuple(words[1:]), place
        except ValueError:
            notes.add("NODE006", place, f"{words[0]} is no address, so nothing has this name.", "Write an address.")


def _endpoint(path: str, lines: tuple[Line, ...], subject: Subject, notes: Notes) -> None:
    api = subject.network.api
    if api is None or not api.name or _is_address(api.name):
        return
    masters = subject.masters
    right = set(api.vips) or {address for node in masters for address in node.addresses}
    example = next(iter(api.vips), None) or (masters[0].addresses[0] if masters else "ADDRESS")
    named = [line for line in lines if api.name in line[1]]
    if not named:
        notes.add(
            "NODE006",
            Place(path, 1),
            f"No line has the name of the API endpoint, {api.name}: before there is DNS nothing on this machine finds "
            "the API server.",
            f"Add the line `{example} {api.name}`.",
        )
    written = {address for address, _names, _place in named}
    missing = [vip for vip in api.vips if vip not in written]
    if named and missing:
        notes.add(
            "NODE006",
            named[0][2],
            f"{', '.join(map(str, missing))}, an API address, has not the name {api.name} here: when the other goes, "
            "this machine does not know it.",
            f"Add the line `{missing[0]} {api.name}`.",
        )
    for address, _names, place in named:
        if right and address not in right:
            notes.add(
                "NODE006",
                place,
                f"{api.name} is said to be {address}, which is no API address.",
                f"Write {example} {api.name}.",
            )


def _is_address(name: str) -> bool:
    try:
        return bool(ip_address(name.strip("[]")))
    except ValueError:
        return False


def _own(path: str, node: Node, lines: tuple[Line, ...], notes: Notes) -> None:
    short = node.name.partition(".")[0]
    own = [(names, place) for address, names, place in lines if address in node.addresses]
    if not own:
        notes.add(
            "NODE006",
            Place(path, 1),
            f"No line has an address of {node.name}.",
            f"Add the line `{node.addresses[0]} {node.name}`.",
        )
    elif all(node.name not in names for names, _place in own):
        notes.add(
            "NODE006",
            own[0][1],
            f"The address of {node.name} has other names here: {', '.join(own[0][0])}.",
            f"Write {node.addresses[0]} {node.name}.",
        )
    for names, place in own:
        for name in names:
            first = name.partition(".")[0]
            similar = first != short and _one_letter(first, short)
            if similar:
                notes.add("NODE006", place, f"{name} is no name of {node.name}.", f"Write {node.name}.")


def _one_letter(one: str, other: str) -> bool:
    """Whether two names of one length differ in one letter."""
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) == 1


def _others(node: Node, lines: tuple[Line, ...], subject: Subject, notes: Notes) -> None:
    for address, names, place in lines:
        for name in names:
            other = subject.nodes.get(name)
            own = name in (node.name, node.name.partition(".")[0]) and address in node.addresses
            if other is not None and address not in other.addresses and not own:
                notes.add(
                    "NODE006",
                    place,
                    f"{name} is said to be {address}, but its address is {other.addresses[0]}.",
                    f"Write {other.addresses[0]} {name}.",
                )
