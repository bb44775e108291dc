"""Every code this package can raise, with the reason: the reference of rules is generated from this table."""

from __future__ import annotations

from anycastle.schemas.reasons import calico_bgp, calico_pools, definitions, engines, kubeadm, objects, pods, services
from anycastle.schemas.reasons.explanation import Explanation

__all__ = ["CODES", "Explanation"]

CODES: dict[str, Explanation] = {
    reason.code: reason
    for topic in (objects, definitions, pods, services, calico_pools, calico_bgp, kubeadm, engines)
    for reason in topic.REASONS
}
