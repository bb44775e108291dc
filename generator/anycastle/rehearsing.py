"""Where a repository becomes a lab: read on this side, started anew in namespaces of its own, waited for, tidied up."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click

from anycastle import sitefile
from anycastle.terminal import INTERRUPTED, MISUSE, echo, warn

if TYPE_CHECKING:
    from anycastle.lab.result import Result
    from anycastle.lab.running import Blueprint
    from anycastle.lab.wires import Pair
    from anycastle.network.model import Network


def inside() -> bool:
    """Whether this process is the lab itself."""
    from anycastle.lab import isolation

    return isolation.inside()


def both_sides(directory: Path, name: str, endpoints: int, work: Callable[[Blueprint], int]) -> int:
    """The outer half or the inner one, whichever this process is."""
    from anycastle.lab.commands import LabError

    try:
        return _enclosed(directory, endpoints, work) if inside() else _enclose(directory, name)
    except LabError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        return INTERRUPTED


def _enclose(directory: Path, name: str) -> int:
    """Look, start, wait, tidy up."""
    from anycastle.lab import isolation, preflight, state
    from anycastle.lab.commands import LabError

    if lacks := preflight.lacks():
        for sentence in lacks:
            warn(f"lab not possible here: {sentence}\n")
        return MISUSE
    if not re.fullmatch(r"[\w.-]{1,64}", name):
        raise LabError(f"{name!r} cannot be the name of a lab; give it one of letters, digits and -, with --name.")
    identity = preflight.identity() or ()
    process = isolation.start(sys.argv[1:], identity)
    try:
        first = isolation.wait_for_first(process)
        found = state.Running(name, str(directory.resolve()), os.getpid(), first, state.born(first), bool(identity))
        with state.registered(found):
            return _waited(process.wait())
    finally:
        isolation.end(process)


def _waited(status: int) -> int:
    return status if status >= 0 else 128 - status


def _enclosed(directory: Path, endpoints: int, work: Callable[[Blueprint], int]) -> int:
    """Inside: the repository is read before private directories hide what is below /run and /var/tmp."""
    from anycastle.lab import isolation

    isolation.become_init()
    plan = blueprint(directory, endpoints)
    isolation.prepare()
    return work(plan)


def blueprint(directory: Path, endpoints: int) -> Blueprint:
    """A repository as the lab sees it: its network, and the files that routers and nodes get. Raises `LabError`."""
    from anycastle.lab.placement import of_the_site, place, with_addresses
    from anycastle.lab.running import Blueprint
    from anycastle.reader import read

    network = with_addresses(of_the_site(read(directory).network))
    _only_frr(network)
    routers = {router.name: _files(directory / "routers" / router.name) for router in network.routers}
    scripts = {node.name: directory / "nodes" / node.name / "install.sh" for node in network.nodes}
    settings = {name: path.read_text("utf-8", "replace") for name, path in scripts.items() if path.is_file()}
    return Blueprint(network, routers, settings, place(network, endpoints), tuple(links_told(directory)))


def links_told(directory: Path) -> Iterator[Pair]:
    """The links of two addresses in the site file: no other one says which interface of the router each of them is."""
    from anycastle.finding import Refused
    from anycastle.lab.wires import Pair

    try:
        nodes = sitefile.document_of(directory / sitefile.SITE).value["nodes"]
        for node in nodes:
            for link in node.get("links") or ():
                own, peer = ip_address(link["address"]), ip_address(link["peer"])
                interface = str(link.get("interface") or "")
                yield Pair(node=node["name"], router=link["router"], own=own, peer=peer, interface=interface)
    except (Refused, KeyError, TypeError, ValueError, AttributeError):
        return  # what is wrong there is for `validate` to say; the other files have the addresses


def _only_frr(network: Network) -> None:
    """Only FRR's daemons can be started from the very files that a router gets."""
    from anycastle.lab.commands import LabError
    from anycastle.network.bgp import Software
    from anycastle.network.platforms import PLATFORMS

    for router in network.routers:
        if router.software is not Software.FRR:
            raise LabError(
                f"the lab runs FRR, and router {router.name} is one with {PLATFORMS[router.software].name}; with "
                "software: frr in a copy of site.yaml the same site can be rehearsed"
            )


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*")) if path.is_file()}


class Picture:
    """A file to be; its folder is opened before private directories might hide it."""

    def __init__(self, path: Path | None) -> None:
        self._name = path.name if path else ""
        self._folder = os.open(path.resolve().parent, os.O_PATH | os.O_DIRECTORY) if path else -1

    def write(self, text: str) -> None:
        """Make it, where one is wanted."""
        if self._name:
            file = os.open(self._name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666, dir_fd=self._folder)
            with os.fdopen(file, "w", encoding="utf-8") as out:
                out.write(text)


def report(result: Result, form: str, picture: Picture) -> None:
    """Print it, and draw the picture where one is wanted."""
    from anycastle.lab.report_json import as_json
    from anycastle.lab.report_text import closing
    from anycastle.lab.timeline import picture as drawn

    picture.write(drawn(result))
    if form == "json":
        echo(as_json(result))
    else:
        for line in closing(result):
            say(line)


def stay(name: str) -> None:
    """Wait until somebody ends the lab."""
    warn(f"{name} stays up. Look around: anycastle lab exec client -- ip route\n")
    warn("To end it: Ctrl-C here, or anycastle lab down\n")
    signal.pause()


def say(line: str) -> None:
    """One line for people."""
    echo(f"{line}\n")
