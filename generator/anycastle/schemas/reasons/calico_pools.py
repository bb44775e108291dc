"""Networks and pools in objects of Calico and its operator."""

from __future__ import annotations

from anycastle.schemas.reasons.explanation import Explanation

REASONS = (
    Explanation(
        "CAL001",
        "A network in a Calico object is no CIDR",
        "The definition takes any text, so the mistake surfaces in a controller's log, if at all: no "
        "address is handed out and no route announced.",
    ),
    Explanation(
        "CAL002",
        "A network has host bits set",
        "Calico's server refuses it; where it is accepted, the network starts at an earlier address than "
        "the one written, and hands out addresses that belong to somebody else.",
    ),
    Explanation(
        "CAL003",
        "A block size is out of range",
        "Blocks are /20 to /32 for IPv4 and /116 to /128 for IPv6; nothing is assigned from such a pool.",
    ),
    Explanation(
        "CAL004",
        "A pool is smaller than one block",
        "IPAM hands out whole blocks (/26 and /122 unless said otherwise): a pool that cannot hold one never "
        "yields an address.",
    ),
    Explanation(
        "CAL005",
        "A pool lies in the link-local range",
        "Link-local addresses are not routed; Calico's server refuses the pool.",
    ),
    Explanation(
        "CAL006",
        "A pool asks for IPIP and VXLAN at once",
        "A pool has one encapsulation; the API server refuses both.",
    ),
    Explanation(
        "CAL007",
        "An IPv6 pool asks for IPIP",
        "IPIP carries IPv4 only; the pool is refused.",
    ),
    Explanation(
        "CAL008",
        "A pool mixes LoadBalancer with other uses",
        "Addresses of Services and of pods come from separate pools; the API server refuses the mixture.",
    ),
    Explanation(
        "CAL009",
        "A load-balancer pool is encapsulated",
        "Addresses of Services are announced, not tunnelled; the pool is refused.",
    ),
    Explanation(
        "CAL010",
        "A load-balancer pool is kept out of BGP",
        "Its addresses are assigned and never announced: the export filter rejects the whole pool first. "
        "With definitions alone nothing refuses this.",
    ),
    Explanation(
        "CAL011",
        "A load-balancer pool selects nodes",
        "Addresses of Services belong to no node: with a selector other than all() the pool is refused, or never used.",
    ),
    Explanation(
        "CAL012",
        "A tunnel pool selects namespaces",
        "Tunnel addresses belong to nodes, which have no namespace. A pool without allowedUses counts as "
        "one for tunnels too.",
    ),
    Explanation(
        "CAL013",
        "global() in the selector of a pool",
        "Nodes and namespaces have no such scope; Calico's server refuses the pool.",
    ),
    Explanation(
        "CAL014",
        "A selector is malformed",
        "The definition takes any text; calico-node then fails to evaluate it, and peers or pools apply "
        "to no node at all.",
    ),
    Explanation(
        "CAL015",
        "An AS number is above 2147483647 in a Calico object",
        "Calico v3.32 declares AS numbers as signed 32-bit integers, so the API server refuses the upper "
        "half of the 4-byte range, with it all private 4-byte numbers (projectcalico/calico#13494).",
    ),
    Explanation(
        "CAL016",
        "Two pools of an Installation are the same",
        "The operator refuses a name or a network that is listed twice and stops applying anything.",
    ),
)
