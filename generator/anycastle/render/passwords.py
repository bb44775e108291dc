"""Passwords of sessions: which files have a mark in their place, and by which names they are handed over.

Nothing generated holds one. `<SECRET/KEY>` stands where it belongs, and names where it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from anycastle.network.bgp import End, Software
from anycastle.network.model import Network
from anycastle.records import dataclass
from anycastle.site.model import Site
from anycastle.site.topology import topology

FOLDER = "/etc/anycastle/passwords"
"""On a control plane, readable by root alone: a file SECRET/KEY for each password of its kube-vip."""

SPECIAL = "._+=-"
"""What a password may have besides letters and digits.

kube-vip splits a peer at `:` and `,`, and before 1.2.2 at `/` (pkg/kubevip/config_bgp.go); routers give quotes, blanks,
`?`, `$` and `\\` a meaning of their own.
"""

LONGEST = 80
"""Characters: TCP_MD5SIG_MAXKEYLEN of Linux (include/uapi/linux/tcp.h)."""


@dataclass(frozen=True, slots=True)
class Password:
    """A password by its reference, and the variable of the environment that `install.sh` takes it from."""

    reference: str
    variable: str

    @property
    def pattern(self) -> str:
        """The mark as a regular expression of awk, between slashes."""
        return mark(self.reference).replace(".", "[.]").replace("/", "\\/")


def mark(reference: str) -> str:
    """What stands in place of a password; nothing where there is none."""
    return f"<{reference}>" if reference else ""


def of(ends: Iterable[End]) -> tuple[str, ...]:
    """References of the ends, each once."""
    return tuple(sorted({end.password for end in ends if end.password}))


def of_vip(network: Network) -> Mapping[str, Password]:
    """Passwords of kube-vip's sessions by reference. Their variables are the same on every machine."""
    found: dict[str, Password] = {}
    taken: set[str] = set()
    for reference in of(end for end in network.ends if end.software is Software.KUBE_VIP):
        stem = "ANYCASTLE_" + re.sub(r"[^A-Z0-9]", "_", reference.upper())
        names = (stem, *(f"{stem}_{number}" for number in range(2, len(taken) + 3)))
        variable = next(name for name in names if name not in taken)
        taken.add(variable)
        found[reference] = Password(reference, variable)
    return found


def secrets(site: Site) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The Secrets that Calico reads, each with its keys."""
    keys: dict[str, list[str]] = {}
    for reference in topology(site).calico_passwords():
        name, _, key = reference.partition("/")
        keys.setdefault(name, []).append(key)
    return tuple((name, tuple(own)) for name, own in sorted(keys.items()))
