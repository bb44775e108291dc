"""The words of FRR that may stand where sessions and filters are configured (bgpd 8 to 10).

Those that mean something to the network are read in `frr_statements`; the others are known, so that a word that is not
here can be named: a misspelt `maximum-pathes` is refused by FRR, and leaves its default.
"""

from __future__ import annotations


def vocabulary(text: str) -> frozenset[str]:
    """Words with blanks between them."""
    return frozenset(text.split())


NEIGHBOUR = vocabulary(
    "activate addpath-rx-paths-limit addpath-tx-all-paths addpath-tx-best-selected addpath-tx-bestpath-per-AS "
    "advertise-map advertisement-interval aigp allowas-in as-override attribute-unchanged bfd capability "
    "conditional-advertisement default-originate description disable-addpath-rx disable-connected-check "
    "disable-link-bw-encoding-ieee distribute-list dont-capability-negotiate ebgp-multihop encapsulation-mpls "
    "enforce-first-as enforce-multihop filter-list graceful-restart graceful-restart-disable graceful-restart-helper "
    "interface local-as local-role maximum-prefix maximum-prefix-out next-hop-self nexthop-local oad optimization "
    "override-capability passive password path-attribute peer-group port prefix-list remote-as remove-private-AS "
    "rpki route-map route-reflector-client route-server-client send-community sender-as-path-loop-detection "
    "send-nexthop-characteristics shutdown soft-reconfiguration solo soo strict-capability-match sub-group "
    "tcp-mss timers ttl-security unsuppress-map update-source v6only weight x-peer-group accept-own "
    "default-capability graceful-shutdown ip-transparent"
)
_BGP = vocabulary(
    "allow-martian-nexthop always-compare-med as-path bestpath bgp client-to-client cluster-id community "
    "conditional-advertisement confederation conditional default default-originate dampening deterministic-med "
    "disable-ebgp-connected-route-check ebgp-requires-policy enforce-first-as fast-convergence fast-external-failover "
    "graceful-restart graceful-restart-disable graceful-shutdown hard-administrative-reset input-queue-limit "
    "labeled-unicast listen long-lived-graceful-restart lu-ipv4-explicit-null lu-ipv6-explicit-null max-med "
    "log-neighbor-changes minimum-holdtime network nexthop-local output-queue-limit ipv6-auto-ra reject-as-sets "
    "retain route-map route-reflector router-id router-info rfapi send-extra-data session-dscp shutdown snmp "
    "soft-version-capability software-version-capability dynamic-capability link-local-capability "
    "suppress-duplicates suppress-fib-pending tcp-keepalive update-delay use-underlays-nexthop-weight "
    "wait-for-convergence"
)
_BLOCK = vocabulary(
    "address-family advertise advertise-all-vni advertise-default-gw advertise-pip advertise-svi-ip aggregate-address "
    "autort bmp coalesce-time distance export import label maximum-paths mpls network nexthop rd read-quanta "
    "redistribute route-target rt segment-routing sid srv6 table-map timers update-delay write-quanta vni "
    "dup-addr-detection exit exit-address-family exit-vni default-originate neighbor vnc vrf-policy"
)
ROUTE_MAP = vocabulary("match set call on-match continue description exit no optimization")


def known(words: list[str]) -> bool:
    """Whether FRR has such a statement under `router bgp` or in an address family."""
    if words[0] == "no":
        words = words[1:]
    if words[:1] == ["bgp"]:
        return len(words) > 1 and words[1] in _BGP
    if words[:1] == ["neighbor"]:
        return len(words) < 3 or words[2] in NEIGHBOUR
    return bool(words) and words[0] in _BLOCK


def whole(text: str) -> int | None:
    """A number of at most ten digits; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 11 else None
