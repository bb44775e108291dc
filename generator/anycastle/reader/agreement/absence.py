"""Which comparisons conclude from what is not there: they are silent where that exists and could not be read."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle.network.model import Unread

_ADDRESSES = (Unread.INSTALLATION, Unread.KUBE_VIP, Unread.NODES, Unread.POOLS, Unread.SETTINGS)

FROM_ABSENCE: Mapping[str, tuple[Unread, ...]] = {
    "ARGO012": (Unread.APPS,),
    "FRR010": (Unread.NODES,),
    "FRR011": _ADDRESSES,
    "FRR013": _ADDRESSES,
    "FW001": _ADDRESSES,
    "FW002": _ADDRESSES,
    "FW003": _ADDRESSES,
    "NODE003": (Unread.API,),
    "NODE004": (Unread.POOLS,),
    "NODE006": (Unread.KUBE_VIP, Unread.NODES),
    "REF001": (Unread.APPS,),
    "REF002": (Unread.APPS,),
    "REF003": (Unread.APPS,),
    "REF004": (Unread.APPS, Unread.SERVICES),
    "REF008": (Unread.APPS,),
    "REF014": (Unread.APPS,),
    "SITE020": (*_ADDRESSES, Unread.APPS, Unread.FILTERS, Unread.PEERS, Unread.ROUTERS, Unread.SERVICES),
}
