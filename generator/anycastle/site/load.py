"""Plain data (as YAML or JSON carry it) to a `Site`, with every fault named at once."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from anycastle.fields import FieldError
from anycastle.finding import Finding, Place, Severity, in_order
from anycastle.records import dataclass
from anycastle.site.delivered import delivery
from anycastle.site.egress import egress
from anycastle.site.git_access import reaching
from anycastle.site.interfaces import misnamed
from anycastle.site.links import links
from anycastle.site.model import SCHEMA_VERSION, Site
from anycastle.site.references import references
from anycastle.site.speakers import speakers
from anycastle.site.support import unsupported
from anycastle.site.together import contradictions


@dataclass(frozen=True, slots=True)
class Parsed:
    """A site, or the reasons why there is none."""

    site: Site | None
    findings: tuple[Finding, ...] = ()


def parse(data: object) -> Parsed:
    """Validate plain data. Places are keys, such as `nodes[3].address`.

    Faults of single fields hide those between fields, which would only be their consequences.
    """
    if not isinstance(data, Mapping):
        return Parsed(None, (_finding("SITE003", "", "The site file is not a mapping of keys.", "See docs/site.md."),))
    version = data.get("schema")
    if isinstance(version, int) and not isinstance(version, bool) and version != SCHEMA_VERSION:
        return Parsed(None, (_wrong_schema(version),))
    try:
        site = Site.model_validate(data)
    except ValidationError as error:
        return Parsed(None, in_order(_findings(error)))
    between = in_order(
        [
            *references(site),
            *contradictions(site),
            *speakers(site),
            *links(site),
            *misnamed(site),
            *delivery(site),
            *egress(site),
            *reaching(site),
            *unsupported(site),
        ]
    )
    return Parsed(None if between else site, between)


def _wrong_schema(version: int) -> Finding:
    newer = version > SCHEMA_VERSION
    return _finding(
        "SITE004",
        "schema",
        f"The site file has schema version {version}, this program knows {SCHEMA_VERSION}.",
        "Install a newer anycastle." if newer else f"Write schema: {SCHEMA_VERSION}.",
    )


def _findings(error: ValidationError) -> Iterable[Finding]:
    details = error.errors(include_url=False)
    for detail in details:
        if detail["type"] == "too_short" and _has_fault_inside(detail["loc"], details):
            continue  # pydantic counts the good items only
        location = [part for part in detail["loc"] if not _is_union_branch(part)]
        key = _dotted(location)
        yield _from_detail(detail, key)


def _has_fault_inside(location: tuple[object, ...], details: Iterable[Any]) -> bool:
    depth = len(location)
    return any(len(other["loc"]) > depth and other["loc"][:depth] == location for other in details)


def _is_union_branch(part: object) -> bool:
    return isinstance(part, str) and ("[" in part or part in ("IPv4Address", "IPv6Address"))


def _from_detail(detail: Any, key: str) -> Finding:
    kind = detail["type"]
    if kind == "extra_forbidden":
        return _unknown_key(key)
    if kind == "missing":
        return _finding("SITE002", key, f"`{key}` is missing; nothing can be derived without it.", f"Add `{key}`.")
    cause = detail.get("ctx", {}).get("error")
    if isinstance(cause, FieldError):
        return _finding("SITE003", key, cause.problem, cause.fix)
    return _finding(
        "SITE003",
        key,
        f"`{key}` has a value that cannot be used: {_sentence(detail['msg'])}",
        _allowed(detail),
    )


def _sentence(text: str) -> str:
    text = text.removeprefix("Value error, ")
    return text[:1].lower() + text[1:] + ("" if text.endswith(".") else ".")


def _allowed(detail: Any) -> str:
    expected = detail.get("ctx", {}).get("expected")
    return f"Write one of {expected}." if expected else "Correct the value; docs/site.md describes the key."


def _unknown_key(key: str) -> Finding:
    parent, _, name = key.rpartition(".")
    known = _keys_at(parent)
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean `{near[0]}`?" if near else f"Known here: {', '.join(sorted(known))}."
    return _finding("SITE001", key, f"`{name}` is not a key of the site file, so it would change nothing.", hint)


def _keys_at(parent: str) -> list[str]:
    """The keys that the model allows at a dotted path."""
    model: Any = Site
    for part in parent.replace("]", "").replace("[", ".").split("."):
        if not part or part.isdigit():
            continue
        by_name = {(field.alias or name): field for name, field in model.model_fields.items()}
        if part not in by_name:
            return []
        model = _model_in(by_name[part].annotation)
        if model is None:
            return []
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> Any:
    if hasattr(annotation, "model_fields"):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _model_in(argument)
        if found is not None:
            return found
    return None


def _dotted(location: Iterable[object]) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)


def with_lines(findings: Iterable[Finding], path: str, line_of: Any) -> tuple[Finding, ...]:
    """The same findings placed in a file: `line_of` maps a key such as `nodes[3].address` to its line."""
    return in_order(
        Finding(f.code, f.severity, Place(path, line_of(f.where.key), f.where.key), f.message, f.fix)
        if not f.where.path
        else f
        for f in findings
    )
