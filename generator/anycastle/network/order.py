"""What an app of the GitOps engine holds, and what must be there before it.

The edges come from what the engines and Calico do: objects of a kind need its definition; Calico's BGP
must be configured before the Installation switches it on (else a full mesh of AS 64512 for a while); a pool
announces nothing without a peer; Traefik's Service has no address before the pool.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Part(StrEnum):
    """A part of the cluster that an app brings."""

    NAMESPACES = "namespaces"
    SEALED_SECRETS = "sealed-secrets"
    EXTERNAL_SECRETS = "external-secrets"
    SECRETS = "secrets"
    CALICO_CRDS = "calico-crds"
    OPERATOR = "tigera-operator"
    BGP = "calico-bgp"
    INSTALLATION = "calico-installation"
    POOLS = "calico-loadbalancer"
    ENGINE = "argo-cd"
    INGRESS = "traefik"
    EDGE = "edge"
    SMOKE_TEST = "whoami"


FOUNDATION = frozenset(
    (Part.NAMESPACES, Part.CALICO_CRDS, Part.OPERATOR, Part.BGP, Part.INSTALLATION, Part.POOLS, Part.ENGINE)
)
"""Never pruned, never deleted in a cascade: the network would go with it."""

KEPT = FOUNDATION | {Part.SEALED_SECRETS, Part.EXTERNAL_SECRETS, Part.SECRETS}
"""What this program's own repositories never prune: with the definitions of a controller its Secrets would go, too, and
a session whose password is gone ends."""

AFTER: Mapping[Part, tuple[Part, ...]] = {
    Part.SEALED_SECRETS: (Part.NAMESPACES,),
    Part.EXTERNAL_SECRETS: (Part.NAMESPACES,),
    Part.SECRETS: (Part.NAMESPACES, Part.SEALED_SECRETS, Part.EXTERNAL_SECRETS),
    Part.CALICO_CRDS: (Part.NAMESPACES,),
    Part.OPERATOR: (Part.NAMESPACES, Part.CALICO_CRDS),
    Part.BGP: (Part.OPERATOR, Part.SECRETS),
    Part.INSTALLATION: (Part.OPERATOR, Part.BGP),
    Part.POOLS: (Part.INSTALLATION, Part.BGP),
    Part.ENGINE: (Part.INSTALLATION, Part.POOLS),
    Part.INGRESS: (Part.NAMESPACES, Part.POOLS, Part.ENGINE),
    Part.EDGE: (Part.INGRESS, Part.SECRETS),
    Part.SMOKE_TEST: (Part.INGRESS, Part.EDGE),
}
"""part -> the parts whose wave must be lower."""
