"""Routers that are no FRR on Linux: one file of configuration for each software, and a README.md on how to load it.

Every platform has a template; what templates have in common is prepared here. Names that reach them are checked by the
types of the site file: no blank, quote or semicolon can stand in one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anycastle.network.addresses import IPNetwork
from anycastle.network.bgp import End, Software
from anycastle.network.model import Network
from anycastle.network.platforms import PLATFORMS
from anycastle.records import dataclass
from anycastle.render.passwords import mark
from anycastle.render.routers import routeros
from anycastle.render.routers.frr import never_listens
from anycastle.render.routers.frr import texts as frr_texts
from anycastle.render.routers.session import Group, Side, groups
from anycastle.render.text import template

FILES: Mapping[Software, str] = {
    Software.BIRD: "bird.conf",
    Software.ROUTEROS: "routeros.rsc",
    Software.VYOS: "vyos.commands",
    Software.OPNSENSE: "frr-opnsense.conf",
    Software.PFSENSE: "frr-pfsense.conf",
    Software.UNIFI: "frr-unifi.conf",
    Software.IOS_XE: "ios-xe.cfg",
    Software.NX_OS: "nx-os.cfg",
    Software.EOS: "eos.cfg",
    Software.JUNOS: "junos.set",
}
"""The file that each software loads."""
RUNS_FRR = frozenset((Software.OPNSENSE, Software.PFSENSE, Software.UNIFI))


def texts(network: Network, side: Side, interface: str) -> Mapping[str, str]:
    """The files of a router by name."""
    software = side.router.software
    sheet = _sheet(network, side, interface)
    name = FILES[software]
    if software in RUNS_FRR:
        config = frr_texts(side)["frr.conf"]
    else:
        config = template(f"routers/platforms/{name}.j2").render(sheet)
    return {name: config, "README.md": template(f"routers/platforms/{software}.md.j2").render(sheet)}


@dataclass(frozen=True, slots=True)
class Item:
    """A prefix with its lengths, as a filter takes it in."""

    prefix: IPNetwork
    shortest: int
    longest: int

    @property
    def lengths(self) -> str:
        """`ge` and `le` of a prefix list; a lower bound alone would reach to the longest length."""
        own = self.prefix.prefixlen
        lower = f" ge {self.shortest}" if self.shortest > own else ""
        return lower + (f" le {self.longest}" if self.longest > own else "")

    @property
    def route_filter(self) -> str:
        """Junos: `exact`, or the range of lengths."""
        if self.shortest == self.longest == self.prefix.prefixlen:
            return "exact"
        return f"prefix-length-range /{self.shortest}-/{self.longest}"


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A group of neighbours in the words of templates; `secret` stands where a password has to be put in."""

    name: str
    software: Software
    family: int
    pattern: End
    ends: Sequence[End]
    prefixes: Sequence[Item]
    maximum: int
    passive: bool
    whose: str

    @property
    def symbol(self) -> str:
        """The name where hyphens are operators."""
        return self.name.replace("-", "_")

    @property
    def word(self) -> str:
        """How a statement about its prefixes begins."""
        return "ipv6" if self.family == 6 else "ip"

    @property
    def list(self) -> str:
        """VyOS: the kind of its prefix list."""
        return "prefix-list6" if self.family == 6 else "prefix-list"

    @property
    def secret(self) -> str:
        """The place of the password, named after the secret that holds it."""
        return mark(self.pattern.password)


def _neighbours(group: Group) -> Neighbours:
    own = [item for item in group.acceptances if item.prefix.version == group.family]
    return Neighbours(
        name=group.name,
        software=group.software,
        family=group.family,
        pattern=group.pattern,
        ends=group.ends,
        prefixes=tuple(Item(one.prefix, one.shortest, one.longest) for one in own),
        maximum=group.maximum,
        passive=never_listens(group),
        whose=group.whose,
    )


def _sheet(network: Network, side: Side, interface: str) -> Mapping[str, object]:
    """What a template may speak of."""
    router = side.router
    listed = tuple(_neighbours(group) for group in groups(side))
    families = sorted({group.family for group in listed} | {prefix.version for prefix in router.discards}) or [4]
    turning = tuple(_turning(network, side))
    return {
        "router": router,
        "platform": PLATFORMS[router.software],
        "file": FILES[router.software],
        "interface": interface,
        "groups": listed,
        "left": "`grep -n '<[^ <>]*/[^ <>]*>' COPY`",
        "families": families,
        "names": {end.peer: side.node_at.get(end.peer, str(end.peer)) for end in side.ends},
        "discards": [(family, [p for p in router.discards if p.version == family]) for family in (4, 6)],
        "turning": turning,
        "subnets": [subnet.cidr for subnet in network.subnets],
        "sessions": len(side.ends),
        **routeros.words(listed, side, turning),
    }


def _turning(network: Network, side: Side) -> Iterator[tuple[int, IPNetwork, IPNetwork]]:
    """Family, source and destination of what may turn around in the node subnet, where that is for our file to say."""
    router = side.router
    if not PLATFORMS[router.software].turns or router.one_way:
        return
    for prefix in router.hairpin:
        for subnet in network.subnets:
            if subnet.cidr.version == prefix.version:
                yield prefix.version, subnet.cidr, prefix
