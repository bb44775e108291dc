"""`docs/routers.md`: the default site on every platform, what each can do, and where its statements are documented."""

from __future__ import annotations

from collections.abc import Iterator

from examples import Answers, example
from statements import FORMS

from anycastle.network.bgp import Software
from anycastle.network.platforms import PLATFORMS, Platform
from anycastle.render import routers
from anycastle.render.routers.appliances import FILES, RUNS_FRR

INTERFACES = {
    "routeros": "bridge",
    "opnsense": "igb1",
    "pfsense": "igb1",
    "unifi": "br0",
    "ios-xe": "Vlan10",
    "nx-os": "Vlan10",
    "eos": "Vlan10",
    "junos": "irb.10",
}
"""An interface as each system names it; those on Linux have eth1."""

HEAD = """\
# Routers

`routers[].software` in `site.yaml` says what a router runs. For each of them `routers/<router>/` gets the
configuration, and for all but FRR a `README.md` that says how to load it, check it and go back.

This page is made by `pytest tests/render/test_appliances.py --update-golden`: it shows the default site on every
platform, word for word as it is generated.

| `software` | platform | file | next hops of a route | graceful-restart helper | keepalive | what turns around |
|---|---|---|---|---|---|---|
"""

TAIL = """
- *Next hops of a route*: more announcers than that are RT009. RouterOS uses one next hop of a prefix from BGP: it fails
  over and does not spread.
- *Graceful-restart helper*: whether `bgp.graceful_restart` can be set; asked of a platform without, it is RT010.
- *Keepalive*: whether `bgp.timers.keepalive` may be anything but a third of the hold time; else it is RT011. Hold times
  that a platform does not take are RT012.
- *What turns around*: a node that dials an announced address goes by the router, and the answer comes back directly.
  `in the file` = the generated configuration lets such packets past connection tracking. `nothing in the way` = these
  routers do not track connections. `by hand` = the firewall belongs to the appliance; `README.md` says what to set.

No platform here can speak BFD with open-source Calico, which has none; that is why the hold time is short.

Passwords stand in no file: `<SECRET/KEY>` marks their place.

All files are read back by `anycastle validate`. What an appliance keeps outside of them, such as a firewall of its own
or the hashing of its hardware, is reported as unchecked.
"""


def page() -> str:
    """The whole page."""
    table = "".join(_row(Software(software), platform) for software, platform in PLATFORMS.items())
    return HEAD + table + TAIL + "".join(_sections())


def rendered(software: str) -> dict[str, str]:
    """The files of the default site's router, by name."""

    def change(given: Answers) -> None:
        given["routers"][0] |= {"software": software, "interface": INTERFACES.get(software, "eth1")}

    files = dict(routers.files(*example("seed", change)))
    return {path.rpartition("/")[2]: data.decode() for path, data in files.items()}


def name_of(software: str) -> str:
    """The file that the router loads."""
    return "frr.conf" if software == "frr" else FILES[Software(software)]


def _row(software: Software, platform: Platform) -> str:
    hops = " or ".join(filter(None, (", ".join(map(str, platform.widths[:-1])), str(platform.limit))))
    turning = "in the file" if platform.turns else "by hand" if software in RUNS_FRR else "nothing in the way"
    cells = (
        f"`{software}`",
        platform.name,
        f"`{name_of(software)}`",
        f"up to {hops}" if len(platform.widths) == 1 and platform.limit > 1 else hops,
        "yes" if platform.helper else "no setting",
        "free" if platform.keepalive else "a third of the hold time",
        turning,
    )
    return f"| {' | '.join(cells)} |\n"


def _sections() -> Iterator[str]:
    for software, platform in PLATFORMS.items():
        files = rendered(software)
        yield f"\n## {platform.name}\n"
        if software in RUNS_FRR:
            yield f"\n`{name_of(software)}` is the file that FRR on Linux gets, below. How it is loaded:\n"
            yield "\n" + _quoted(files["README.md"]) + "\n"
            continue
        yield f"\n```\n{files[name_of(software)]}```\n"
        if software in FORMS:
            yield "\n| statement | documented in |\n|---|---|\n"
            yield from (f"| `{form}` | {source} |\n" for form, source in FORMS[software])
        else:
            yield "\nDocumented in the FRR User Guide; the tests load the file into FRR itself.\n"


def _quoted(text: str) -> str:
    return "".join(f"> {line}".rstrip() + "\n" for line in text.splitlines()).rstrip()
