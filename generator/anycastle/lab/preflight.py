"""Whether this machine can hold a lab: programs and kernel, each lack with the sentence how to end it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from anycastle.lab.commands import FRR, attempt, found

_PACKAGES = {
    "ip": "iproute2",
    "nft": "nftables",
    "bird": "bird2",
    "birdc": "bird2",
    "gobgpd": "gobgpd",
    "gobgp": "gobgpd",
    "vtysh": "frr",
    "unshare": "util-linux",
    "nsenter": "util-linux",
    "setpriv": "util-linux",
    "mount": "util-linux",
    f"{FRR}/zebra": "frr",
    f"{FRR}/bgpd": "frr",
    f"{FRR}/staticd": "frr",
    f"{FRR}/frrinit.sh": "frr",
}
"""program -> Debian package that brings it."""

USER = ("--user", "--map-root-user")
"""Options of unshare: a user namespace in which the caller is root."""

_TRIAL = ("--net", "--mount", "--pid", "--fork", "--mount-proc")
_LINKS = "link add trial0 type veth peer name trial1\nlink add trial2 type bridge\n"


def lacks() -> tuple[str, ...]:
    """Everything that is missing, in sentences; empty where a lab can be made."""
    if sys.platform != "linux":
        return (f"It needs Linux with network namespaces, and this is {sys.platform}.",)
    missing = tuple(_programs())
    return missing or tuple(_kernel())


def identity() -> Sequence[str] | None:
    """Options of unshare by which the caller becomes root of his own namespaces; None where the kernel refuses.

    A user namespace also keeps real root away from the host; only where it is refused root goes without.
    """
    for options in (USER, *([()] if os.geteuid() == 0 else [])):
        if attempt(["unshare", *options, *_TRIAL, "true"]).returncode == 0:
            return options
    return None


def _programs() -> Iterator[str]:
    absent = [program for program in _PACKAGES if not _there(program)]
    for package in sorted({_PACKAGES[program] for program in absent}):
        names = ", ".join(program for program in absent if _PACKAGES[program] == package)
        yield f"{names} missing; on Debian and Ubuntu: apt-get install {package}"


def _there(program: str) -> bool:
    return os.access(program, os.X_OK) if program.startswith("/") else bool(found(program))


def _kernel() -> Iterator[str]:
    options = identity()
    if options is None:
        refused = attempt(["unshare", *USER, *_TRIAL, "true"]).stderr.strip()
        yield f"The kernel refuses namespaces to this user ({refused}). {_permission()}"
        return
    trial = attempt(["unshare", *options, "--net", "ip", "-batch", "-"], text=_LINKS)
    if trial.returncode:
        yield f"The kernel has no veth or no bridge ({trial.stderr.strip()}); try: modprobe veth bridge"


def _permission() -> str:
    """What usually stands in the way."""
    for path, bad, cure in (
        ("/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
        ("/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
        (
            "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
            "1",
            "sysctl kernel.apparmor_restrict_unprivileged_userns=0",
        ),
    ):
        if Path(path).exists() and Path(path).read_text().strip() == bad:
            return f"As root: {cure}; or run the lab as root."
    return "Run it as root; in a container, it needs --privileged or a seccomp profile that allows unshare."
