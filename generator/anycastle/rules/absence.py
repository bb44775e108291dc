"""Which laws conclude from what is *not* there: they are silent where that exists and could not be read.

Nobody is told that something is missing which stands in a chart that Helm refused. That the chart could not be
rendered is a finding of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from anycastle.network.model import Unread

FROM_ABSENCE: Mapping[str, tuple[Unread, ...]] = {
    "ADDR008": (Unread.INSTALLATION,),
    "ANN001": (Unread.KUBE_VIP, Unread.NODES),
    "ANN002": (Unread.NODES, Unread.PEERS, Unread.SETTINGS),
    "ANN004": (Unread.FILTERS, Unread.SETTINGS),
    "ANN005": (Unread.FILTERS,),
    "ANN006": (Unread.FILTERS,),
    "ANN007": (Unread.FILTERS,),
    "API001": (Unread.INSTALLATION, Unread.KUBE_VIP, Unread.NODES),
    "API002": (Unread.API,),
    "API003": (Unread.NODES,),
    "KV002": (Unread.API,),
    "KV007": (Unread.KUBE_VIP, Unread.NODES),
    "ORD001": (Unread.ORDER,),
    "ORD002": (Unread.APPS,),
    "ORD004": (Unread.HEALTH,),
    "POOL003": (Unread.SETTINGS,),
    "POOL004": (Unread.POOLS, Unread.SETTINGS),
    "POOL006": (Unread.INSTALLATION, Unread.POOLS),
    "POOL008": (Unread.SETTINGS,),
    "POOL009": (Unread.SETTINGS,),
    "POOL010": (Unread.NODES, Unread.PEERS),
    "REFL001": (Unread.NODES, Unread.PEERS),
    "REFL004": (Unread.NODES, Unread.PEERS),
    "REFL005": (Unread.NODES, Unread.PEERS),
    "REFL008": (Unread.FILTERS,),
    "RT002": (Unread.INSTALLATION, Unread.KUBE_VIP, Unread.NODES, Unread.POOLS, Unread.SETTINGS),
    "SESS006": (Unread.NODES, Unread.PEERS),
    "SVC002": (Unread.INSTALLATION, Unread.POOLS),
    "SVC003": (Unread.SETTINGS,),
    "SVC004": (Unread.POOLS,),
    "SVC005": (Unread.POOLS, Unread.SETTINGS),
    "WORK001": (Unread.NODES,),
}
