"""What could not be judged: one finding for each kind, with a count and the first place, not one for each object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anycastle.finding import Finding
from anycastle.schemas import core
from anycastle.schemas.fault import Fault, Path
from anycastle.schemas.judged import Judged, finding
from anycastle.yamlio import dotted

COUNTED = frozenset(("OBJ011", "OBJ012", "OBJ016", "OBJ017"))
NO_LIBRARY = "no library for CEL is installed"
_UPSTREAM = "Check it against the upstream definition before it is applied."


def unchecked(judged: Sequence[Judged]) -> Iterator[Finding]:
    """Kinds, fields, rules and definitions that nobody has looked at."""
    for (code, kind), members in _by_kind(judged, ("OBJ011", "OBJ012", "OBJ017")):
        count = f"{len(members)} object{'s' if len(members) > 1 else ''} of {kind}"
        mine = [fault for each in members for fault in each.faults if fault.code == code]
        keys: Path = ()
        if code == "OBJ011":
            message = f"{count}: no schema here, so nobody has checked the fields"
        elif code == "OBJ017":
            message = f"{count}: the definition at hand cannot be used ({mine[0].message})"
        else:
            parts = sorted({_part(fault) for fault in mine})
            keys = mine[0].keys
            message = f"{count}: not covered by the schema here, so nobody has checked: {', '.join(parts)}"
        yield finding(members[0].item, "", Fault(code, keys, message, _UPSTREAM))
    yield from _rules(judged)


def _by_kind(judged: Sequence[Judged], codes: Sequence[str]) -> list[tuple[tuple[str, str], list[Judged]]]:
    kinds: dict[tuple[str, str], list[Judged]] = {}
    for each in judged:
        for code in sorted({fault.code for fault in each.faults}.intersection(codes)):
            kinds.setdefault((code, _kind(each)), []).append(each)
    return sorted(kinds.items())


def _kind(each: Judged) -> str:
    return f"{each.subject.api_version} {each.subject.kind}"


def _part(fault: Fault) -> str:
    """The path of an unchecked field without the places in lists."""
    return dotted(key for key in fault.keys if isinstance(key, str))


def _rules(judged: Sequence[Judged]) -> Iterator[Finding]:
    """OBJ016: one finding for everything where no library is there, else one for each kind."""
    members = [each for _kind, group in _by_kind(judged, ("OBJ016",)) for each in group]
    rules = {(_kind(each), fault.message, fault.fix) for each in members for fault in each.faults if _asks(fault)}
    absent = [rule for rule in rules if rule[1] == NO_LIBRARY]
    if absent:
        kinds = ", ".join(sorted({kind for kind, _why, _rule in absent}))
        message = f"{_some(len(absent))} of {kinds}: {NO_LIBRARY}, so nobody has asked them"
        yield finding(members[0].item, "", Fault("OBJ016", (), message, "Install the extra: anycastle[cel]."))
    for kind in sorted({rule[0] for rule in rules if rule[1] != NO_LIBRARY}):
        mine = sorted(rule[1:] for rule in rules if rule[0] == kind and rule[1] != NO_LIBRARY)
        first = next(each for each in members if _kind(each) == kind)
        listed = ", ".join(f"`{rule}` ({why})" for why, rule in mine)
        message = f"{_some(len(mine))} of {kind}: nobody has asked {listed}"
        yield finding(first.item, "", Fault("OBJ016", (), message, "Let the API server judge by a dry run."))


def _asks(fault: Fault) -> bool:
    return fault.code == "OBJ016"


def _some(count: int) -> str:
    return f"{count} rule{'s' if count > 1 else ''}"


def release_gap(used: core.Release | None, asked: str, judged: Sequence[Judged]) -> Iterator[Finding]:
    """OBJ013: objects that were held against another release than theirs."""
    builtin = [each for each in judged if each.subject.group in core.GROUPS]
    if used is None or used.exact or not builtin:
        return
    fault = Fault(
        "OBJ013",
        (),
        f"there are no schemas of Kubernetes {asked or '(no version)'} here; {len(builtin)} objects were held "
        f"against those of 1.{used.minor}",
        "Update the package kubernetes-validate, or correct the version.",
    )
    yield finding(builtin[0].item, "", fault)
