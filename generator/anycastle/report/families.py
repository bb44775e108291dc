"""Codes and how people name several of them: a family such as `ADDR`, or the beginning of a number in one (`OBJ1`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

_DIGITS = "0123456789"


def family(code: str) -> str:
    """The letters of a code."""
    return code.rstrip(_DIGITS)


def covers(name: str, code: str) -> bool:
    """Whether a name means a code. Families are taken whole, so that KV does not mean KVIP001."""
    return family(name) == family(code) and code.startswith(name)


def covered(names: Collection[str], code: str) -> bool:
    """Whether one of the names means a code."""
    return any(covers(name, code) for name in names)


def names_of(texts: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """Names from comma-separated texts, in any case. Raises `ValueError` for one that means no known code."""
    names = tuple(name.strip().upper() for text in texts for name in text.split(","))
    for name in names:
        if not any(covers(name, code) for code in known):
            raise ValueError(unknown(name, known))
    return names


def unknown(name: str, known: Iterable[str]) -> str:
    """A sentence about a name that means nothing, with the nearest one that does."""
    import difflib  # only needed once something is wrong

    codes = sorted(known)
    mine = [code for code in codes if family(code) == family(name.upper())]
    if mine:
        return f"{name!r} is not a code; {family(mine[0])} has {mine[0]} to {mine[-1]}."
    near = difflib.get_close_matches(name.upper(), [*dict.fromkeys(map(family, codes)), *codes], n=1)
    meant = f"did you mean {near[0]}?" if near else "`anycastle rules` lists them all."
    return f"{name!r} is not a code; {meant}"
