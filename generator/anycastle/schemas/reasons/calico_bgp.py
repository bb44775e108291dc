"""BGP objects of Calico, and its remaining kinds."""

from __future__ import annotations

from anycastle.finding import Severity
from anycastle.schemas.reasons.explanation import Explanation

REASONS = (
    Explanation(
        "CAL020",
        "Fields of a BGPPeer exclude each other",
        "The API server refuses the peer; no session is configured.",
    ),
    Explanation(
        "CAL021",
        "An address of a BGPPeer or a BGPConfiguration is malformed",
        "The definition takes any text; BIRD's configuration then lacks the session.",
    ),
    Explanation(
        "CAL022",
        "reachableBy does not fit the peer",
        "It is the gateway towards peerIP: it needs a peerIP, of the same address family.",
    ),
    Explanation(
        "CAL023",
        "keepOriginalNextHop together with nextHopMode",
        "Both set the next hop; Calico's server refuses the pair.",
    ),
    Explanation(
        "CAL024",
        "A BGPPeer names no peer",
        "Without peerIP, peerSelector or localWorkloadSelector there is nobody to peer with: the object is "
        "accepted and does nothing.",
        Severity.WARNING,
    ),
    Explanation(
        "CAL025",
        "A BGPPeer has an address and no AS number",
        "The session is rendered with remote AS 0, which BIRD does not accept.",
        Severity.WARNING,
    ),
    Explanation(
        "CAL026",
        "A BGPPeer has a selector that is empty",
        "Calico takes a BGPPeer without a selector for one of every node. It works, and hides that the selector was "
        "lost.",
        Severity.WARNING,
        source="projectcalico/calico#6451.",
    ),
    Explanation(
        "CAL030",
        "A filter rule has a network without operator, or the reverse",
        "cidr and matchOperator stand together or not at all; the API server refuses the filter.",
    ),
    Explanation(
        "CAL031",
        "A filter rule has a prefix length without a network",
        "prefixLength narrows cidr; the API server refuses it alone.",
    ),
    Explanation(
        "CAL032",
        "A filter rule changes a route that it rejects",
        "operations belong to action Accept; the API server refuses them elsewhere.",
    ),
    Explanation(
        "CAL033",
        "An operation of a filter rule is not exactly one",
        "Each entry holds one of addCommunity, prependASPath and setPriority.",
    ),
    Explanation(
        "CAL034",
        "A filter rule holds a network of the other address family",
        "V4 lists filter IPv4 routes and V6 lists IPv6 ones; such a rule is refused or never matches.",
    ),
    Explanation(
        "CAL035",
        "The prefix lengths of a filter rule are impossible",
        "A length lies between that of the network and 32 (IPv4) or 128 (IPv6), with min not above max; "
        "BIRD cannot load such a filter or it never matches.",
    ),
    Explanation(
        "CAL040",
        "Mesh settings although the mesh is off",
        "nodeMeshPassword and nodeMeshMaxRestartTime need the node-to-node mesh; the API server refuses "
        "them without it.",
    ),
    Explanation(
        "CAL041",
        "A BGPConfiguration that is neither default nor of a node",
        "Calico reads `default` for the cluster and `node.<name>` for one node, and the latter only for "
        "listenPort, log level and prefixAdvertisements: the rest is ignored or refused.",
    ),
    Explanation(
        "CAL042",
        "A BGP community is malformed",
        "Communities are aa:nn with 16-bit parts or aa:nn:mm with 32-bit parts; Calico refuses the rest.",
    ),
    Explanation(
        "CAL043",
        "A named community is unknown or unused",
        "Names listed under communities must be used by a prefix advertisement, and the other way round; "
        "Calico's server refuses the object.",
    ),
    Explanation(
        "CAL044",
        "An ignored interface is malformed",
        "Entries are interface names of up to 15 characters with `*` as wildcard; `*` alone is refused.",
    ),
    Explanation(
        "CAL050",
        "An object has a name that Calico does not read",
        "Controllers look for one fixed name: under another one the object is refused or changes nothing.",
    ),
    Explanation(
        "CAL051",
        "A host endpoint template is incomplete",
        "A template needs a unique generateName and says which interfaces: interfaceCIDRs or "
        "interfacePattern; Calico's server refuses it otherwise.",
    ),
    Explanation(
        "CAL052",
        "A node selector on the default FelixConfiguration",
        "`default` and `node.<name>` already say which nodes they are for; the API server refuses a selector there.",
    ),
    Explanation(
        "CAL053",
        "routeTableRange and routeTableRanges together",
        "They set the same thing; the API server refuses the pair.",
    ),
    Explanation(
        "CAL054",
        "maxBlocksPerHost without strict affinity",
        "The limit only holds with strictAffinity; IPAM refuses the combination when it is used.",
    ),
    Explanation(
        "CAL060",
        "A pool of the Installation needs BGP, which is disabled",
        "Pods of different nodes reach each other over IPIP or without encapsulation only by routes that "
        "BGP distributes; the operator refuses to go on.",
    ),
    Explanation(
        "CAL061",
        "More than one way to find the node's address",
        "The operator allows one method per address family and stops at two.",
    ),
    Explanation(
        "CAL062",
        "A field of the Installation has a value that the operator refuses",
        "The definition takes it; the operator then stays degraded and applies nothing at all.",
    ),
    Explanation(
        "CAL070",
        "A Calico annotation of a Service is malformed",
        "The value is a JSON list in a text. Anything else is only logged by kube-controllers, and the "
        "Service stays pending without an event.",
    ),
)
