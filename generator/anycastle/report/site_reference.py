"""The reference of the site file as Markdown, from its JSON Schema: one section for each group of keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]

INTRODUCTION = """\
# The site file

`site.yaml` is the single source of truth: the wizard writes it, a person edits it, everything else follows from it.
Unknown keys are refused, since a misspelt one would change nothing. `anycastle schema` prints the JSON Schema for
editors; this page is made from it by `anycastle schema --format markdown`.

What the file can describe and the generator cannot carry out yet is refused with the finding SITE010, never ignored.
"""


def site_reference(schema: Schema) -> str:
    """The page `docs/site.md`."""
    return INTRODUCTION + "".join(_section(key, group, schema) for key, group in _groups("", schema, schema))


def _groups(at: str, group: Schema, root: Schema) -> Iterator[tuple[str, Schema]]:
    """Every group of keys with its place in the file, parents before children, in the order of the model."""
    yield at, group
    for name, field in group["properties"].items():
        found = _group_of(field, root)
        if found is not None:
            below, marker = found
            yield from _groups(f"{at}.{name}{marker}" if at else f"{name}{marker}", below, root)


def _group_of(field: Schema, root: Schema) -> tuple[Schema, str] | None:
    """The group that a field holds, and `[]` where it holds a list of them."""
    if "$ref" in field:
        return root["$defs"][field["$ref"].rsplit("/", 1)[1]], ""
    if "items" in field:
        found = _group_of(field["items"], root)
        return (found[0], "[]") if found else None
    return next((found for branch in field.get("anyOf", ()) if (found := _group_of(branch, root))), None)


def _section(key: str, group: Schema, root: Schema) -> str:
    required = set(group.get("required", ()))
    rows = "".join(
        f"| `{name}` | {_kind(field, root)} | {_default(name, field, required)} | {_meaning(field, root)} |\n"
        for name, field in group["properties"].items()
    )
    title = f"`{key}`" if key else "Top level"
    head = "| key | value | default | meaning |\n|---|---|---|---|\n"
    return f"\n## {title}\n\n{group.get('description', '')}\n\n{head}{rows}"


def _kind(field: Schema, root: Schema) -> str:
    """What stands there, in a word or two."""
    if _group_of(field, root) is not None:
        return "list of groups" if "items" in field else "group"
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    if "items" in field:
        return f"list of {_kind(field['items'], root)}"
    if "anyOf" in field:
        kinds = dict.fromkeys(_kind(branch, root) for branch in field["anyOf"] if branch.get("type") != "null")
        return " or ".join(kinds)
    return {"string": "text", "integer": "number", "boolean": "true or false", "object": "mapping"}[field["type"]]


def _default(name: str, field: Schema, required: set[str]) -> str:
    if name in required:
        return "required"
    value = field.get("default")
    return "" if value in (None, [], {}) or isinstance(value, dict) else f"`{json.dumps(value).strip(chr(34))}`"


def _meaning(field: Schema, root: Schema) -> str:
    """The description of the field itself, else of the group or the value that it holds."""
    if "description" in field:
        return str(field["description"])
    if found := _group_of(field, root):
        return str(found[0].get("description", ""))
    inside = [field["items"]] if "items" in field else field.get("anyOf", ())
    return next((meaning for branch in inside if (meaning := _meaning(branch, root))), "")
