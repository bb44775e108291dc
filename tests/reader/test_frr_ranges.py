"""The numbers that FRR takes: what stands in the table, and what the real vtysh says of each bound."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from anycastle.reader.frr_ranges import RANGES, beyond

WORDS = {"neighbor": "G", "route": "10.0.0.0/8", "prefix-list": "A", "route-map": "A", "seq": "5", "ge": "0"}
"""What stands for any word, by the word before it."""
BUILT = ("maximum-paths", "maximum-paths ibgp")  # the greatest depends on the build


def statement(beginning: str, numbers: list[int]) -> str:
    words: list[str] = []
    for word in beginning.split():
        before = words[-1] if words else ""
        prefix = "0.0.0.0/0" if beginning.startswith("ip ") else "::/0"
        other = {**WORDS, "permit": prefix, "maximum-prefix": "5", "5": "90"}.get(before, "5")
        words.append((prefix if before == "route" else other) if word == "*" else word.partition("|")[0])
    tail = {"route": "", "seq": "permit any"}.get(words[-1], "") if len(numbers) == 1 else ""
    return " ".join([*words, *map(str, numbers), tail]).strip()


def lines(beginning: str) -> Iterator[tuple[str, tuple[str, int, int] | None]]:
    """Each bound and its neighbour in each place, with what is wrong."""
    ranges = RANGES[beginning]
    usual = [min(max(least, 5), most) for least, most in ranges]
    for place, (least, most) in enumerate(ranges):
        outside = ([least - 1] if least else []) + [most + 1]
        inside = [least] if beginning in BUILT else [least, most]
        for number in (*outside, *inside):
            numbers = [*usual[:place], number, *usual[place + 1 :]]
            numbers = numbers if "timers" in beginning and "connect" not in beginning else numbers[: place + 1]
            yield statement(beginning, numbers), (str(number), least, most) if number in outside else None


@pytest.mark.parametrize("beginning", RANGES)
def test_a_number_is_judged_by_its_range(beginning: str) -> None:
    for line, wrong in lines(beginning):
        assert beyond(line.split()) == wrong, line


INNOCENT = [
    "neighbor G description restart 0",
    "neighbor G shutdown message back after restart 0",
    "neighbor restart remote-as 65001",
    "neighbor weight peer-group",
    "no neighbor G maximum-prefix",
    "bgp shutdown message limit 0",
    "ip prefix-list A description hosts le 64",
    "ip prefix-list seq seq 5 permit any",
    "ip prefix-list A seq 00000000005 permit any",
    "neighbor G maximum-prefix 00000000005",
    "ipv6 access-list A remark seq 0",
    "ip route 10.0.0.0/8 10.0.0.1",
    "route-map permit permit 5",
]


@pytest.mark.parametrize("line", [*INNOCENT, "exit", "no", "no exit"])
def test_other_words_are_not_judged(line: str) -> None:
    assert beyond(line.split()) is None


@pytest.fixture(scope="module")
def vtysh() -> str:
    found = shutil.which("vtysh", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None:
        said = "FRR's own parser cannot be asked: vtysh is not installed"
        (pytest.fail if os.environ.get("ANYCASTLE_REQUIRE_DAEMONS") == "1" else pytest.skip)(said)
    return str(found)


def test_the_real_parser_agrees(vtysh: str, tmp_path: Path) -> None:
    """It names each line that it refuses."""
    expected = {line: bool(wrong) for beginning in RANGES for line, wrong in lines(beginning)}
    expected |= dict.fromkeys(INNOCENT, False)
    inside = [line for line in expected if not line.startswith(("ip ", "ipv6 ", "route-map "))]
    bgp = ["router bgp 65000", "neighbor G peer-group", "neighbor G remote-as 65001", *inside, "exit"]
    written = ["frr defaults traditional", *(line for line in expected if line not in inside), *bgp]
    file = tmp_path / "frr.conf"
    file.write_text("\n".join([*written, ""]))
    command = [vtysh, "-C", "-f", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    said = done.stdout + done.stderr
    refused = {written[int(number) - 1] for number in re.findall(r"^line (\d+): % ", said, re.MULTILINE)}
    assert refused == {line for line, wrong in expected.items() if wrong}, said
