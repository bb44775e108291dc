"""FRR 8.4 and later: `frr.conf`, `daemons`, `vtysh.conf`.

FRR has no trailing comments: a comment is a line of its own that begins with `!`.
"""

from __future__ import annotations

from collections.abc import Mapping

from anycastle.network.addresses import IPNetwork
from anycastle.network.bgp import Acceptance, Software
from anycastle.render.passwords import mark
from anycastle.render.routers.session import Group, Side, groups
from anycastle.render.text import template

FILE_LIMIT = 1024  # open files of a daemon, as systems have it by default


def texts(side: Side) -> Mapping[str, str]:
    """The files below /etc/frr by name."""
    neighbours = len(side.ends)
    listed = tuple(groups(side))
    return {
        "frr.conf": template("routers/frr.conf.j2").render(
            router=side.router,
            off_link=side.off_link,
            groups=listed,
            families=sorted({group.family for group in listed}) or [4],
            word=word,
            node_at=side.node_at,
            lengths=lengths,
            passive=never_listens,
            mark=mark,
        ),
        "daemons": template("routers/daemons.j2").render(
            router=side.router.name,
            max_files=0 if neighbours < FILE_LIMIT // 2 else FILE_LIMIT + 4 * neighbours,
        ),
        "vtysh.conf": template("routers/vtysh.conf.j2").render(),
    }


def word(prefix: IPNetwork) -> str:
    """How a statement about a prefix begins."""
    return "ipv6" if prefix.version == 6 else "ip"


def lengths(acceptance: Acceptance) -> str:
    """The `ge` and `le` of a prefix-list entry; nothing where only the prefix itself is meant."""
    own, shortest, longest = acceptance.prefix.prefixlen, acceptance.shortest, acceptance.longest
    lower = f" ge {shortest}" if shortest > own else ""
    upper = f" le {longest}" if longest > own else ""
    return lower + upper


def never_listens(group: Group) -> bool:
    """kube-vip's speaker only dials; Calico's BIRD listens, too, and a session comes up faster when both dial."""
    return group.software is Software.KUBE_VIP
