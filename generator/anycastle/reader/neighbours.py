"""Neighbours of a router: their session ends, and what is accepted from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from anycastle.finding import Place
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import Acceptance, End, Router, Software, Speaker
from anycastle.network.canonical import address_key
from anycastle.network.model import Unread
from anycastle.reader import frr
from anycastle.reader.notes import Notes, as_number
from anycastle.reader.policies import EVERYTHING, Policies, Policy, policy
from anycastle.records import dataclass

_LIMITS = ("maximum-prefix", "limit", "prefix-limit")
MENDED = 9
"""Major release of FRR in which FRRouting/frr#13440 is."""
BGP_DISTANCE = 20
"""Administrative distance of a route from eBGP."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one router's files say."""

    router: Router
    speaker: Speaker
    ends: tuple[End, ...]
    acceptances: tuple[Acceptance, ...]


class Neighbourhood:
    """One router with its neighbours, while they are turned into session ends."""

    def __init__(
        self, config: frr.Config, router: Router, callers: Mapping[IPAddress, list[End]], notes: Notes
    ) -> None:
        self.config = config
        self.router = router
        self.callers = callers
        self.notes = notes
        self.neighbours = tuple(self._neighbours())
        self.policies = Policies(config, router.name, notes)

    def reading(self) -> Reading:
        """Everything about the router."""
        ends = tuple(self._ends())
        with self.notes.reading(f"{Unread.ROUTER_FILTERS}:{self.router.name}"):
            acceptances = tuple(self._acceptances(ends))
        self.policies.check_names()
        self._losing_routes(acceptances)
        self._ttl_security()
        speaker = Speaker(
            host=self.router.name,
            software=self.router.software,
            address=self.router.address,
            asn=self.router.asn,
            router_id=self.router.router_id,
            where=self.router.where,
        )
        return Reading(self.router, speaker, ends, acceptances)

    def _neighbours(self) -> Iterator[tuple[IPAddress, frr.Neighbour, frr.Neighbour | None]]:
        """Address, own statements, and those of the group; dynamic neighbours as far as a node calls from the range."""
        known: set[IPAddress] = set()
        config = self.config
        for neighbour in config.neighbours.values():
            if neighbour.is_group or not (":" in neighbour.name or neighbour.name[:1].isdigit()):
                continue
            address = self.notes.address(neighbour.name, config.place(neighbour.line), "a neighbour")
            if address is not None:
                known.add(address)
                yield address, neighbour, config.neighbours.get(neighbour.group)
        for prefix, group, line in config.listen:
            network = self.notes.network(prefix, config.place(line), "bgp listen range")
            for end in self._callers():
                if network is not None and end.address not in known and end.address in network:
                    known.add(end.address)
                    yield end.address, frr.Neighbour(str(end.address), line), config.neighbours.get(group)

    def _ends(self) -> Iterator[End]:
        for address, own, group in self.neighbours:
            if self._is_off(own, group):
                continue
            keepalive, hold = self._timers(own, group)
            source = own.update_source or (group.update_source if group else "")
            peer_asn = self._peer_asn(address, own.remote_as or (group.remote_as if group else ""))
            yield End(
                host=self.router.name,
                software=self.router.software,
                address=self._source(source),
                asn=self._own_asn(own, group),
                peer=address,
                peer_asn=peer_asn,
                hops=own.hops or (group.hops if group else None) or 1,
                hold=hold,
                keepalive=keepalive,
                silent=self._silent(own, group, peer_asn),
                password=own.password or (group.password if group else ""),
                where=self.config.place(own.line),
                number_where=self._line(own, group, "remote-as"),
                timers_where=self._line(own, group, "timers", self.config.timers_line),
                reflected=own.reflected or (group is not None and group.reflected),
                next_hop_self=own.next_hop_self or (group is not None and group.next_hop_self),
                limit=(own.limit if own.limit is not None else group.limit if group is not None else None) or 0,
                limit_where=self._line(own, group, self._limiting(own, group)),
                forgetful=self._forgetful(own, group),
            )

    def _limiting(self, own: frr.Neighbour, group: frr.Neighbour | None) -> str:
        """The word of the statement that limits the number of prefixes."""
        known = {*own.at, *(group.at if group is not None else ())}
        return next((word for word in _LIMITS if word in known), "")

    def _forgetful(self, own: frr.Neighbour, group: frr.Neighbour | None) -> bool:
        """Whether this is an FRR that dials a peer several hops away, and looks for next hops on the link otherwise."""
        both = [one for one in (own, group) if one is not None]
        return (
            self.config.link_checked
            and self.config.release < MENDED
            and self.router.software is Software.FRR
            and not any(one.passive or one.unchecked for one in both)
        )

    def _line(self, own: frr.Neighbour, group: frr.Neighbour | None, word: str, otherwise: int = 0) -> Place:
        """Where a statement of a neighbour stands, else another line, else the neighbour."""
        found = (one.at[word] for one in (own, group) if one is not None and word in one.at)
        return self.config.place(next(found, otherwise or own.line))

    def _own_asn(self, own: frr.Neighbour, group: frr.Neighbour | None) -> int:
        """What `local-as` shows to this neighbour, else the router's own."""
        return as_number(own.local_as or (group.local_as if group else "")) or self.router.asn

    def _is_off(self, own: frr.Neighbour, group: frr.Neighbour | None) -> bool:
        if own.shutdown or (group is not None and group.shutdown):
            return True
        active = own.active if own.active is not None else group.active if group is not None else None
        if active is None and self.config.active_by_default:
            return False
        if not active and not (own.ethernet or (group is not None and group.ethernet)):
            self.notes.add(
                "FRR005",
                self.config.place(own.line),
                f"{own.name} is activated in no address family, so FRR opens no session to it.",
                "Write `neighbor ... activate` under `address-family ipv4 unicast`.",
            )
        return not active

    def _timers(self, own: frr.Neighbour, group: frr.Neighbour | None) -> tuple[int, int]:
        for one in (own, group):
            if one is not None and one.hold is not None and one.keepalive is not None:
                return one.keepalive, one.hold
        return self.config.timers

    def _source(self, value: str) -> IPAddress:
        value = self.config.interfaces.get(value, value)
        if not value or not (":" in value or value.replace(".", "").isdigit()):
            return self.router.address
        found = self.notes.address(value, self.router.where, "update-source")
        return self.router.address if found is None else found

    def _peer_asn(self, address: IPAddress, value: str) -> int:
        """`external` stands for whatever AS the caller has, 0 where nobody calls."""
        if value == "internal":
            return self.router.asn
        number = as_number(value)
        if number is not None:
            return number
        return next((end.asn for end in self._callers() if end.address == address), 0)

    def _callers(self) -> Iterator[End]:
        """Ends of nodes that dial this router."""
        for address in self.router.addresses:
            yield from self.callers.get(address, ())

    def _silent(self, own: frr.Neighbour, group: frr.Neighbour | None, peer_asn: int) -> bool:
        """Whether nothing is sent: all of it is denied, or there is no policy and eBGP wants one (RFC 8212)."""
        found = policy(own, group, "out")
        if found is None:
            return self.config.policy_required and peer_asn != self.router.asn
        return not self.policies.passed(found)

    def _acceptances(self, ends: Iterable[End]) -> Iterator[Acceptance]:
        """For every in-policy, the neighbours that have it; a group without members counts, too."""
        internal = {end.peer for end in ends if end.peer_asn == self.router.asn}
        peers: dict[Policy, list[IPAddress]] = {}
        unfiltered: list[IPAddress] = []
        first_unfiltered = 0
        for neighbour in self.config.neighbours.values():
            found = policy(neighbour, None, "in")
            if neighbour.is_group and found:
                peers.setdefault(found, [])
        for address, own, group in self.neighbours:
            if found := policy(own, group, "in"):
                peers.setdefault(found, []).append(address)
            elif address in internal or not self.config.policy_required:
                unfiltered.append(address)
                first_unfiltered = first_unfiltered or own.line
            if "in" in own.opaque or (group is not None and "in" in group.opaque):
                self._opaque(own)
        for found, addresses in peers.items():
            for prefix, shortest, longest, line in self.policies.passed(found):
                yield self._acceptance((prefix, shortest, longest), addresses, line)
        for everything in EVERYTHING if unfiltered else ():
            yield self._acceptance(everything, unfiltered, first_unfiltered)

    def _opaque(self, own: frr.Neighbour) -> None:
        self.notes.add(
            "READ009",
            self.config.place(own.line),
            f"A distribute-list or filter-list governs what {own.name} may send; it was not followed.",
        )

    def _acceptance(self, passed: tuple[IPNetwork, int, int], peers: list[IPAddress], line: int) -> Acceptance:
        prefix, shortest, longest = passed
        return Acceptance(
            router=self.router.name,
            prefix=prefix,
            shortest=shortest,
            longest=longest,
            peers=tuple(sorted(peers, key=address_key)),
            where=self.config.place(line),
        )

    def _losing_routes(self, acceptances: Iterable[Acceptance]) -> None:
        exact = {(a.prefix, a.shortest) for a in acceptances}
        for route in self.config.static_routes:
            if route.distance < BGP_DISTANCE and (route.prefix, route.prefix.prefixlen) in exact:
                self.notes.add(
                    "FRR003",
                    self.config.place(route.line),
                    f"The static route for {route.prefix} has distance {route.distance} and beats the same prefix from "
                    "BGP: every packet to it is dropped.",
                    f"Write `ip route {route.prefix} blackhole 254`."
                    if self.router.software is Software.FRR
                    else "Write `preference 50;` into the protocol static.",
                )

    def _ttl_security(self) -> None:
        kube_vip = {end.address for end in self._callers() if end.software is Software.KUBE_VIP}
        for address, own, group in self.neighbours:
            if address in kube_vip and (own.ttl_security or (group is not None and group.ttl_security)):
                self.notes.add(
                    "FRR006",
                    self.config.place(own.line),
                    f"ttl-security drops every packet of kube-vip on {address}, which sends them with TTL 1.",
                    "Take ttl-security away from this neighbour.",
                )
