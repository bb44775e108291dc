"""What the software of a router can do, as far as a site may ask for it. The numbers are those of the documentation."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle.network.bgp import Software
from anycastle.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """One software.

    `widths` are the numbers of next hops of one route that it can be set to: the last one is its limit, and where there
    is a single one any number up to it will do. `shares` = one setting counts for eBGP and iBGP, and `relaxes` = paths
    through different AS numbers are equal without being told so. `helper` says whether it can be told to keep the
    routes of a closed session, or not to; `keepalive` whether that time can be set apart from the hold time. `turns` =
    our files say which traffic may turn around inside the node subnet; elsewhere nothing holds such traffic back, or
    the firewall is outside of what is generated. `all_paths` = it takes several paths of a route from one neighbour
    without being told so (RFC 7911). `default_hold` is what it asks for where nothing is said,
    `longest_hold` the most that it takes, in seconds.
    """

    name: str
    widths: tuple[int, ...]
    shares: bool = False
    relaxes: bool = False
    helper: bool = True
    keepalive: bool = True
    turns: bool = False
    all_paths: bool = False
    default_hold: int = 180
    longest_hold: int = 65535

    @property
    def limit(self) -> int:
        """The most next hops of one route."""
        return self.widths[-1]

    def width(self, wanted: int) -> int:
        """What it is set to where `wanted` next hops are to be used."""
        if len(self.widths) == 1:
            return min(wanted, self.limit)
        return next((width for width in self.widths if width >= wanted), self.limit)


PLATFORMS: Mapping[Software, Platform] = {
    # Debian's and most builds; a build without --enable-multipath=256 ends earlier.
    Software.FRR: Platform(name="FRR", widths=(256,), all_paths=True, turns=True),
    # nest/rt and krt.Y: `merge paths ... limit` takes 1 to 255.
    Software.BIRD: Platform(name="BIRD", widths=(255,), shares=True, relaxes=True, turns=True, default_hold=240),
    # RouterOS documentation, BGP: "multipath is not supported"; it fails over. No property for a helper.
    Software.ROUTEROS: Platform(name="RouterOS", widths=(1,), shares=True, helper=False, turns=True, longest_hold=3600),
    # vyos-1x, afi-maximum-paths.xml.i: 1-256.
    Software.VYOS: Platform(name="VyOS", widths=(256,), all_paths=True, turns=True),
    # FreeBSD's kernel holds 64 next hops (ROUTE_MPATH, RIB_MAX_MPATH_WIDTH).
    Software.OPNSENSE: Platform(name="OPNsense", widths=(64,), all_paths=True),
    Software.PFSENSE: Platform(name="pfSense", widths=(64,), all_paths=True),
    # Nothing is documented of this build; 16 is FRR's own default.
    Software.UNIFI: Platform(name="UniFi", widths=(16,), all_paths=True),
    # IOS XE, maximum-paths: 1-32.
    Software.IOS_XE: Platform(name="IOS XE", widths=(32,)),
    # NX-OS, maximum-paths: 1-64.
    Software.NX_OS: Platform(name="NX-OS", widths=(64,), longest_hold=3600),
    # EOS, maximum-paths: up to 128 on every platform with the multi-agent model.
    Software.EOS: Platform(name="EOS", widths=(128,), shares=True, relaxes=True, longest_hold=7200),
    # Junos, chassis maximum-ecmp: 16, 32 or 64; a keepalive is always a third of the hold time.
    Software.JUNOS: Platform(name="Junos", widths=(16, 32, 64), shares=True, keepalive=False, default_hold=90),
}
"""Every software that a router can have."""
