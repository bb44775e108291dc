"""The part of SARIF 2.1.0 that a report uses, as a JSON Schema that is closed where the standard's own is open.

Written from the standard (OASIS, sections 3.13 to 3.52); what it names, the standard requires or allows there.
"""

from typing import Any


def _object(required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def _list(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


_TEXT = {"type": "string", "minLength": 1}
_MESSAGE = _object("text", text=_TEXT)
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_KIND = {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]}

_RULE = _object(
    "id shortDescription fullDescription help defaultConfiguration",
    id=_TEXT,
    shortDescription=_MESSAGE,
    fullDescription=_MESSAGE,
    help=_MESSAGE,
    defaultConfiguration=_object("level", level=_LEVEL),
    properties=_object("tags", tags=_list(_TEXT, uniqueItems=True)),
)
_ARTIFACT = _object("uri", uri={**_TEXT, "format": "uri-reference"}, uriBaseId=_TEXT)
_LOCATION = _object(
    "",
    physicalLocation=_object(
        "artifactLocation",
        artifactLocation=_ARTIFACT,
        region=_object("startLine", startLine={"type": "integer", "minimum": 1}),
    ),
    logicalLocations=_list(_object("fullyQualifiedName", fullyQualifiedName=_TEXT), uniqueItems=True),
)
_RESULT = {
    **_object(
        "ruleId ruleIndex message locations partialFingerprints suppressions",
        ruleId=_TEXT,
        ruleIndex={"type": "integer", "minimum": 0},
        kind=_KIND,
        level=_LEVEL,
        message=_MESSAGE,
        locations=_list(_LOCATION, minItems=1),
        partialFingerprints={"type": "object", "additionalProperties": _TEXT, "minProperties": 1},
        suppressions=_list(
            _object("kind", kind={"enum": ["inSource", "external"]}, justification=_TEXT), uniqueItems=True
        ),
    ),
    # 3.27.9: a level other than none is for kind fail only
    "if": {"properties": {"kind": {"const": "fail"}}},
    "else": {"properties": {"level": {"const": "none"}}},
}

SUBSET = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **_object(
        "version runs",
        **{"$schema": {"type": "string", "format": "uri"}},
        version={"const": "2.1.0"},
        runs=_list(
            _object(
                "tool results",
                tool=_object(
                    "driver",
                    driver=_object(
                        "name",
                        name=_TEXT,
                        version=_TEXT,
                        semanticVersion={"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
                        rules=_list(_RULE, uniqueItems=True),
                    ),
                ),
                originalUriBaseIds={"type": "object", "additionalProperties": _object("", description=_MESSAGE)},
                columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                results=_list(_RESULT),
            ),
            minItems=1,
            maxItems=1,
        ),
    ),
}
