"""An object held against the complete definition of its kind: schema with defaults, then CEL rules.

Where this tool describes the kind as well, the two are brought together: upstream's word decides which fields
and values there are, ours adds what no definition can say (forms of texts, laws across fields) and says it better.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from anycastle.finding import Severity
from anycastle.schemas import custom
from anycastle.schemas.cel import compiler
from anycastle.schemas.codes import CODES
from anycastle.schemas.counted import NO_LIBRARY
from anycastle.schemas.crd import Definition, Rule, UnusableError
from anycastle.schemas.definition_formats import DEFINITION_FORMATS, acceptors
from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.notation import Schema
from anycastle.schemas.shelf import Shelf
from anycastle.schemas.unique import LIST_KEYS, UniqueByKeys
from anycastle.schemas.walk import as_cel, selected, with_defaults
from anycastle.schemas.wording import faults as worded
from anycastle.yamlio import dotted

RULE, UNJUDGED, UNUSABLE = "OBJ015", "OBJ016", "OBJ017"
_PRUNED = "OBJ003"
_OUTSIDE = (_PRUNED, "OBJ012")


def by_definition(subject: Subject, shelf: Shelf, laws: Sequence[Fault]) -> tuple[list[Fault], bool]:
    """Faults by the complete definition, and whether there was one to judge by."""
    try:
        found = shelf.find((subject.api_version, subject.kind))
        return (list(check(subject, found, laws)), True) if found else ([], False)
    except UnusableError as error:
        return [Fault(UNUSABLE, (), str(error))], False


def check(subject: Subject, definition: Definition, laws: Sequence[Fault] = ()) -> Iterator[Fault]:
    """Faults by the definition and by our own description of the kind. Raises `UnusableError`.

    `laws` are the errors that our laws have found; a rule that says the same is left out.
    """
    _validator(definition)  # before anybody walks through the schema: it refuses what is none
    full = with_defaults(subject.value, definition.schema)
    theirs = list(structure(full, definition))
    ours = list(custom.check(subject)) if subject.kind in custom.kinds(subject.api_version) else []
    told = {law.keys for law in laws}
    faults = _together(theirs, ours, custom.check(subject, forms_only=True) if ours else ())
    yield from (fault for fault in faults if fault.code == _PRUNED or fault.keys not in told)
    for fault, rule in broken_rules(full, definition, [fault.keys for fault in theirs if fault.code != _PRUNED]):
        if rule is None or not any(_same_fact(law, fault.keys, rule) for law in laws):
            yield fault


def structure(full: dict[str, Any], definition: Definition) -> Iterator[Fault]:
    """What the schema refuses in a value that has its defaults."""
    validator = _validator(definition)

    def around(path: list[Any]) -> Schema:
        found: Any = definition.schema
        for key in path:
            found = found[key]
        return found if isinstance(found, dict) else {}

    return worded(validator.iter_errors(full), around, secret=False, forms=DEFINITION_FORMATS)


def _together(theirs: list[Fault], ours: list[Fault], forms: Iterable[Fault]) -> Iterator[Fault]:
    """Ours instead of theirs where both refuse a value, ours in addition where a form is at stake."""
    refused = {fault.keys for fault in theirs if fault.code != _PRUNED}
    better = {fault.keys: fault for fault in ours if fault.keys in refused and _grave(fault)}
    formal = [fault for fault in forms if fault.keys not in better]
    yield from better.values()
    yield from formal
    replaced = better.keys() | {fault.keys for fault in formal if _grave(fault)}
    yield from (fault for fault in theirs if fault.code == _PRUNED or fault.keys not in replaced)


def _grave(fault: Fault) -> bool:
    return fault.code not in _OUTSIDE and CODES[fault.code].severity is Severity.ERROR


def broken_rules(
    full: dict[str, Any], definition: Definition, refused: Sequence[Path]
) -> Iterator[tuple[Fault, Rule | None]]:
    """Faults by CEL, with their rules; a value is not asked where its structure is refused already."""
    rules = [rule for rule in definition.rules if not rule.transition]
    compile_rule = compiler() if rules else None
    for rule in rules:
        program = compile_rule(rule.text) if compile_rule else None
        for at, value, schema in selected(full, definition.schema, rule.place):
            if any(keys[: len(at)] == at for keys in refused):
                continue
            if program is None:
                yield _unjudged(at, rule, NO_LIBRARY if compile_rule is None else "it cannot be compiled here"), None
                break
            seen = as_cel(value, schema)
            outcome = program(seen)
            if outcome.unknown or not (outcome.error or isinstance(outcome.value, bool)):
                yield _unjudged(at, rule, "it cannot be evaluated here"), None
            elif outcome.value is not True:
                yield _broken(at, rule, outcome.error, _message(rule, seen)), rule


def _unjudged(at: Path, rule: Rule, why: str) -> Fault:
    """Counted later: the message is the reason, the fix is the rule."""
    return Fault(UNJUDGED, at, why, _brief(rule.text))


def _message(rule: Rule, seen: Any) -> str:
    compile_rule = compiler()
    program = compile_rule(rule.expression) if rule.expression and compile_rule else None
    made = program(seen).value if program else None
    text = made if isinstance(made, str) and made.strip() else rule.message
    return " ".join(text.split()).rstrip(".")


def _broken(at: Path, rule: Rule, error: str, message: str) -> Fault:
    what = message or f"`{_brief(rule.text)}` does not hold"
    reason = f" (the rule cannot be evaluated: {_brief(error)})" if error else ""
    return Fault(
        RULE,
        (*at, *rule.blamed),
        f"the definition of the kind says: {what}{reason}; the API server refuses the object",
        f"Make it meet the rule `{_brief(rule.text)}`.",
    )


def _brief(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 160 else f"{text[:157]}..."


def _same_fact(law: Fault, at: Path, rule: Rule) -> bool:
    """Whether a law speaks of a field that the rule names, at the place of the rule."""
    at = at[: len(at) - len(rule.blamed)]
    if law.keys[: len(at)] != at:
        return False
    inside = law.keys[len(at) :]
    names = inside[: next((index for index, key in enumerate(inside) if isinstance(key, int)), len(inside))]
    return not names or re.search(rf"\bself\.{re.escape(dotted(names))}\b", rule.text) is not None


@lru_cache(maxsize=1024)
def _validator(definition: Definition) -> Any:
    """The schema, compiled; patterns run in time that is linear in the text, as Go's do. Raises `UnusableError`."""
    import jsonschema_rs

    try:
        return jsonschema_rs.Draft202012Validator(
            definition.schema,
            formats=acceptors(),
            validate_formats=True,
            keywords={LIST_KEYS: UniqueByKeys},
            pattern_options=jsonschema_rs.RegexOptions(),
        )
    except ValueError as error:
        raise UnusableError(str(error).partition("\n")[0]) from error
