"""The numbers that FRR takes: what stands in the table, and what the real vtysh says of each bound."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from anycastle.reader.frr_ranges import RANGES, beyond

BUILT = {("maximum-paths", "maximum-paths"), ("maximum-paths", "ibgp")}  # the greatest depends on the build
OUTSIDE = {
    ("ip", "seq"): "ip prefix-list A seq {} permit 10.0.0.0/8",
    ("ip", "ge"): "ip prefix-list A seq 5 permit 0.0.0.0/0 ge {}",
    ("ip", "le"): "ip prefix-list A seq 5 permit 0.0.0.0/0 le {}",
    ("ip", "blackhole"): "ip route 10.0.0.0/8 blackhole {}",
    ("ipv6", "seq"): "ipv6 prefix-list A seq {} permit 2001:db8::/32",
    ("ipv6", "ge"): "ipv6 prefix-list A seq 5 permit ::/0 ge {}",
    ("ipv6", "le"): "ipv6 prefix-list A seq 5 permit ::/0 le {}",
    ("ipv6", "blackhole"): "ipv6 route 2001:db8::/32 blackhole {}",
    ("route-map", "permit"): "route-map A permit {}",
    ("route-map", "deny"): "route-map A deny {}",
}
INSIDE = {
    ("neighbor", "timers"): "neighbor G timers {} 9",
    ("neighbor", "connect"): "neighbor G timers connect {}",
    ("neighbor", "maximum-prefix"): "neighbor G maximum-prefix {}",
    ("neighbor", "restart"): "neighbor G maximum-prefix 5 restart {}",
    ("neighbor", "ebgp-multihop"): "neighbor G ebgp-multihop {}",
    ("neighbor", "hops"): "neighbor G ttl-security hops {}",
    ("neighbor", "advertisement-interval"): "neighbor G advertisement-interval {}",
    ("neighbor", "allowas-in"): "neighbor G allowas-in {}",
    ("neighbor", "weight"): "neighbor G weight {}",
    ("timers", "bgp"): "timers bgp {} 9",
    ("maximum-paths", "maximum-paths"): "maximum-paths {}",
    ("maximum-paths", "ibgp"): "maximum-paths ibgp {}",
    ("bgp", "restart-time"): "bgp graceful-restart restart-time {}",
    ("bgp", "stalepath-time"): "bgp graceful-restart stalepath-time {}",
    ("bgp", "select-defer-time"): "bgp graceful-restart select-defer-time {}",
    ("bgp", "limit"): "bgp listen limit {}",
    ("bgp", "local-preference"): "bgp default local-preference {}",
}
LINES = OUTSIDE | INSIDE


def numbers(key: tuple[str, str]) -> list[tuple[int, bool]]:
    """Each bound and its neighbour, with whether FRR takes it."""
    least, most = RANGES[key]
    below = [(least - 1, False)] if least else []
    return [*below, (least, True), *([] if key in BUILT else [(most, True)]), (most + 1, False)]


def test_every_range_has_a_line() -> None:
    assert set(LINES) == set(RANGES)


@pytest.mark.parametrize("key", RANGES, ids=" ".join)
def test_a_number_is_judged_by_its_range(key: tuple[str, str]) -> None:
    for number, taken in numbers(key):
        found = beyond(LINES[key].format(number).split())
        assert found == (None if taken else (str(number), *RANGES[key]))


@pytest.mark.parametrize(
    "line",
    [
        "neighbor G description restart 0",
        "neighbor restart remote-as 0",
        "no neighbor G maximum-prefix",
        "ip route 10.0.0.0/8 10.0.0.1",
        "exit",
        "no",
    ],
)
def test_other_words_are_not_judged(line: str) -> None:
    assert beyond(line.split()) is None


@pytest.fixture(scope="module")
def vtysh() -> str:
    found = shutil.which("vtysh", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None:
        said = "FRR's own parser cannot be asked: vtysh is not installed"
        (pytest.fail if os.environ.get("ANYCASTLE_REQUIRE_DAEMONS") == "1" else pytest.skip)(said)
    return str(found)


@pytest.mark.parametrize("key", RANGES, ids=" ".join)
def test_the_real_parser_agrees(key: tuple[str, str], vtysh: str, tmp_path: Path) -> None:
    for number, taken in numbers(key):
        line = LINES[key].format(number)
        bgp = ["router bgp 65000", " neighbor G peer-group", " neighbor G remote-as 65001"]
        lines = [line, *bgp] if key in OUTSIDE else [*bgp, f" {line}"]
        file = tmp_path / "frr.conf"
        file.write_text("\n".join(["frr defaults traditional", *lines, ""]))
        command = [vtysh, "-C", "-f", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode == 0) is taken, (line, done.stdout + done.stderr)
