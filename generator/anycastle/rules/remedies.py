"""What to write on a router, in the words of its software."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle.network.addresses import IPNetwork
from anycastle.network.bgp import Router, Software

_LINUX_HASH = "Set net.ipv4.fib_multipath_hash_policy=1 (and the same for ipv6)."
_HASH: Mapping[Software, str] = {
    Software.ROUTEROS: "Write `/ip/settings set ipv4-multipath-hash-policy=l4` (and the same in /ipv6/settings).",
    Software.VYOS: "Write `set system ip multipath layer4-hashing` (and the same under ipv6).",
    Software.IOS_XE: "Write `ip cef load-sharing algorithm include-ports source destination` (and the same with ipv6).",
    Software.NX_OS: "Write `ip load-sharing address source-destination port source-destination`.",
}
_LINUX_REDIRECTS = "Set net.ipv4.conf.all.send_redirects=0 and the same for the interface to the nodes."
_REDIRECTS: Mapping[Software, str] = {
    Software.ROUTEROS: "Write `/ip/settings set send-redirects=no`.",
    Software.VYOS: "Write `set firewall global-options send-redirects disable`.",
    Software.IOS_XE: "Write `no ip redirects` under the interface to the nodes.",
    Software.NX_OS: "Write `no ip redirects` under the interface to the nodes.",
    Software.EOS: "Write `no ip icmp redirect`.",
    Software.JUNOS: "Write `set system no-redirects`.",
}
_SPREAD: Mapping[Software, str] = {
    Software.BIRD: "merge paths on limit",
    Software.EOS: "maximum-paths",
    Software.JUNOS: "multipath, a forwarding-table policy with load-balance per-packet, and chassis maximum-ecmp",
    Software.VYOS: "maximum-paths ebgp",
}


def hashing(router: Router) -> str:
    """How next hops are chosen by port."""
    return _HASH.get(router.software, _LINUX_HASH)


def no_redirects(router: Router) -> str:
    """How ICMP redirects are switched off."""
    return _REDIRECTS.get(router.software, _LINUX_REDIRECTS)


def spreading(router: Router) -> str:
    """The statement that says how many next hops a route may have."""
    return _SPREAD.get(router.software, "maximum-paths")


_DISCARD: Mapping[Software, str] = {
    Software.BIRD: "`route {prefix} blackhole;` in a protocol static with `preference 50;`",
    Software.ROUTEROS: "`/{ip}/route/add blackhole dst-address={prefix} distance=254`",
    Software.VYOS: "`set protocols static route{six} {prefix} blackhole distance 254`",
    Software.IOS_XE: "`{ip} route {spelled} Null0 254`",
    Software.NX_OS: "`{ip} route {prefix} Null0 254`",
    Software.EOS: "`{ip} route {prefix} Null0 254`",
    Software.JUNOS: "`set routing-options {rib}static route {prefix} discard` with `preference 254`",
}


def discarding(router: Router, prefix: IPNetwork) -> str:
    """The route that drops what nobody answers for, behind any from BGP."""
    six = prefix.version == 6
    return _DISCARD.get(router.software, "`{ip} route {prefix} blackhole 254`").format(
        prefix=prefix,
        spelled=prefix if six else f"{prefix.network_address} {prefix.netmask}",
        ip="ipv6" if six else "ip",
        six="6" if six else "",
        rib="rib inet6.0 " if six else "",
    )
