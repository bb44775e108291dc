"""Damage without any idea of what a file means: bytes are lost, doubled, exchanged, or come from another file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

NASTY = (
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\x1b[31m", b"\xe2\x80\xa8", b"\xc3", b"\xed\xa0\x80"),
    *(b"{", b"}", b"[", b"]", b": ", b"- ", b"? ", b"&a ", b"*a", b"!x ", b"|\n", b">-\n", b"<<: *a\n", b"---\n"),
    *(b"%YAML 1.1\n", b"'", b'"', b"#", b"\t", b"{{", b"}}", b"{% if %}", b"${x}", b"$(x)", b"@X@", b"\\"),
    *(b"0", b"-1", b"1e999", b".nan", b".inf", b"0x", b"9" * 400, b"9" * 5000, b"1_000", b"08", b"~", b"null", b"true"),
    *(b"255.255.255.255/33", b"0.0.0.0/0", b"::/0", b"::", b"fe80::1%eth0", b"4294967296", b"1.1", "٣".encode()),
    *("²".encode(), "ı".encode(), b"[]", b"{}", b'""', b"a" * 300, b"../../..", b"/", b"", b"*", b"(" * 50),
)


def spoiled(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """The same file with one to six injuries."""
    for _injury in range(chance.randint(1, 6)):
        data = chance.choice(INJURIES)(data, others, chance)
    return data[: 1 << 20]


def _span(data: bytes, chance: Random) -> tuple[int, int]:
    start = chance.randint(0, len(data))
    return start, min(len(data), start + int(2 ** chance.uniform(0, 9)))


def lost(data: bytes, _others: Sequence[bytes], chance: Random) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def cut(data: bytes, _others: Sequence[bytes], chance: Random) -> bytes:
    return data[: chance.randint(0, len(data))]


def flipped(data: bytes, _others: Sequence[bytes], chance: Random) -> bytes:
    changed = bytearray(data)
    for _hit in range(chance.randint(1, 8) if data else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def noise(data: bytes, _others: Sequence[bytes], chance: Random) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + chance.randbytes(chance.randint(0, 64)) + data[end:]


def nasty(data: bytes, _others: Sequence[bytes], chance: Random) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + chance.choice(NASTY) + data[end if chance.random() < 0.5 else start :]


def word(data: bytes, _others: Sequence[bytes], chance: Random) -> bytes:
    """A word or number becomes something else."""
    words = data.split(b" ")
    words[chance.randrange(len(words))] = chance.choice(NASTY)
    return b" ".join(words)


def lines(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """Lines are lost, doubled, moved, indented, or come from another file."""
    kept = data.split(b"\n")
    at = chance.randrange(len(kept))
    what = chance.randrange(5)
    if what == 0:
        del kept[at : at + chance.randint(1, 5)]
    elif what == 1:
        kept[at:at] = kept[at : at + chance.randint(1, 5)]
    elif what == 2:
        kept.insert(chance.randrange(len(kept)), kept.pop(at))
    elif what == 3:
        kept[at] = b" " * chance.randint(0, 5) + kept[at].lstrip()
    else:
        foreign = chance.choice(others).split(b"\n")
        start = chance.randrange(len(foreign))
        kept[at:at] = foreign[start : start + chance.randint(1, 9)]
    return b"\n".join(kept)


def spliced(data: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """The beginning of one file with the end of another."""
    other = chance.choice(others)
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


Injury = Callable[[bytes, Sequence[bytes], Random], bytes]
INJURIES: tuple[Injury, ...] = (lost, cut, flipped, noise, nasty, nasty, word, word, lines, lines, lines, spliced)
