"""Definitions as schemas: every keyword of the converter, on objects that pass and objects that do not."""

from typing import Any

import pytest
from definitions import NAME, crd, defined, fields, rule, thing

from anycastle.schemas.crd import EACH_ENTRY, EACH_VALUE, Definition, UnusableError, definition, names
from anycastle.schemas.fault import Fault
from anycastle.schemas.upstream import structure
from anycastle.schemas.walk import as_cel, escaped, selected, with_defaults

TEXT, INT, ANY_MAP = {"type": "string"}, {"type": "integer"}, {"type": "object", "additionalProperties": True}
KEPT: dict[str, Any] = {"x-kubernetes-preserve-unknown-fields": True}
EITHER = {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}


def faults(found: Definition, value: dict[str, Any]) -> list[Fault]:
    return list(structure(with_defaults(value, found.schema), found))


def verdict(part: dict[str, Any], value: Any) -> list[tuple[str, str]]:
    """Codes and paths for a value of a field whose schema is `part`."""
    found = faults(defined(fields(a=part)), thing({"a": value}))
    return [(fault.code, ".".join(map(str, fault.keys[1:]))) for fault in found]


@pytest.mark.parametrize(
    ("part", "good", "bad", "code", "at"),
    [
        (TEXT, "x", 1, "OBJ004", "a"),
        (TEXT, "x", 7, "OBJ004", "a"),
        ({**TEXT, "nullable": True}, None, 1, "OBJ004", "a"),
        ({**TEXT, "nullable": True, "enum": ["x"]}, None, "y", "OBJ006", "a"),
        ({**TEXT, "enum": ["Always", "Never"]}, "Never", "never", "OBJ006", "a"),
        ({**TEXT, "minLength": 2}, "xx", "x", "OBJ007", "a"),
        ({**TEXT, "maxLength": 2}, "xx", "xxx", "OBJ007", "a"),
        ({**TEXT, "pattern": "^[a-z]+$"}, "x", "X", "OBJ008", "a"),
        ({**TEXT, "pattern": "^[[:alpha:]_]+$"}, "aB_", "a1", "OBJ008", "a"),
        ({**TEXT, "pattern": "^(?i)(Trace|Info)?$"}, "iNFO", "infos", "OBJ006", "a"),
        ({**TEXT, "pattern": "^(?i)[a-f]+$"}, "AbC", "xyz", "OBJ008", "a"),
        ({**INT, "minimum": 3}, 3, 2, "OBJ007", "a"),
        ({**INT, "minimum": 3, "exclusiveMinimum": True}, 4, 3, "OBJ007", "a"),
        ({**INT, "minimum": 3, "exclusiveMinimum": False}, 3, 2, "OBJ007", "a"),
        ({**INT, "maximum": 3, "exclusiveMaximum": True}, 2, 3, "OBJ007", "a"),
        ({**INT, "format": "int32"}, 2**31 - 1, 2**31, "OBJ007", "a"),
        ({**INT, "format": "int32"}, -(2**31), -(2**31) - 1, "OBJ007", "a"),
        ({**INT, "format": "int32", "maximum": 9}, 9, 10, "OBJ007", "a"),
        ({**INT, "format": "int64"}, 2**31, 2**63, "OBJ007", "a"),
        ({"type": "number", "multipleOf": 0.5}, 1.5, 1.2, "OBJ007", "a"),
        (EITHER, 80, True, "OBJ004", "a"),
        (EITHER, "http", 1.5, "OBJ004", "a"),
        ({**EITHER, "pattern": "^[0-9]+%$"}, "5%", "5", "OBJ008", "a"),
        ({"type": "array", "items": TEXT}, ["x"], ["x", 1], "OBJ004", "a.1"),
        ({"type": "array", "items": TEXT, "minItems": 1}, ["x"], [], "OBJ007", "a"),
        ({"type": "array", "items": TEXT, "maxItems": 1}, ["x"], ["x", "y"], "OBJ007", "a"),
        ({"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"}, ["x", "y"], ["x", "x"], "OBJ014", "a.1"),
        (fields(b=TEXT), {"b": "x"}, {"c": "x"}, "OBJ003", "a.c"),
        ({**fields(b=TEXT), "required": ["b"]}, {"b": "x"}, {}, "OBJ005", "a.b"),
        ({"type": "object"}, {}, {"c": 1}, "OBJ003", "a.c"),
        ({"type": "object", "additionalProperties": INT}, {"x": 1}, {"x": "1"}, "OBJ004", "a.x"),
        ({**ANY_MAP, "minProperties": 1}, {"x": []}, {}, "OBJ007", "a"),
        ({**ANY_MAP, "maxProperties": 1}, {"x": []}, {"x": 1, "y": 2}, "OBJ007", "a"),
        ({**fields(b=fields(c=INT)), **KEPT}, {"b": {"c": 1}, "z": 1}, {"b": {"d": 1}}, "OBJ003", "a.b.d"),
        ({**fields(b=TEXT, c=TEXT), "oneOf": [{"required": ["b"]}, {"required": ["c"]}]}, {"b": ""}, {}, "OBJ005", "a"),
        (
            {**fields(b=TEXT, c=TEXT), "oneOf": [{"required": ["b"]}, {"required": ["c"]}]},
            {"c": ""},
            {"b": "", "c": ""},
            "OBJ005",
            "a",
        ),
        ({**fields(b=TEXT), "anyOf": [{"required": ["b"]}]}, {"b": ""}, {}, "OBJ005", "a"),
        ({**fields(b=TEXT, c=TEXT), "not": {"required": ["b", "c"]}}, {"b": ""}, {"b": "", "c": ""}, "OBJ008", "a"),
        ({**fields(b=INT), "allOf": [{"properties": {"b": {"minimum": 2}}}]}, {"b": 2}, {"b": 1}, "OBJ007", "a.b"),
        ({**TEXT, "format": "cidr"}, "192.0.2.1/24", "192.0.2.1", "OBJ008", "a"),
        ({**TEXT, "format": "ipv4"}, "192.0.2.1", "2001:db8::1", "OBJ008", "a"),
        ({**TEXT, "format": "ipv6"}, "2001:db8::1", "192.0.2.1", "OBJ008", "a"),
        ({**TEXT, "format": "mac"}, "02:00:5e:10:00:01", "02:00:5e", "OBJ008", "a"),
        ({**TEXT, "format": "uuid"}, "7e57d004-2b97-0e7a-b45f-5387367791cd", "7e57", "OBJ008", "a"),
        ({**TEXT, "format": "date"}, "2026-01-31", "2026-01-32", "OBJ008", "a"),
        ({**TEXT, "format": "date-time"}, "2026-01-31T08:00:00Z", "2026-01-31", "OBJ105", "a"),
        ({**TEXT, "format": "duration"}, "22 ns", "soon", "OBJ008", "a"),
        ({**TEXT, "format": "byte"}, "aGVsbG8=", "hello!", "OBJ142", "a"),
    ],
)
def test_a_keyword_refuses_what_a_server_refuses(part: Any, good: Any, bad: Any, code: str, at: str) -> None:
    assert verdict(part, good) == []
    assert verdict(part, bad) == [(code, at)]


@pytest.mark.parametrize(
    ("part", "code", "at"),
    [
        ({**fields(b=TEXT), "required": ["b"]}, "OBJ005", "a.b"),
        ({"type": "object", "additionalProperties": TEXT}, "OBJ004", "a.b"),
    ],
)
def test_a_field_that_is_null_is_as_absent_as_a_server_makes_it(part: Any, code: str, at: str) -> None:
    assert verdict(fields(b=TEXT), {"b": None}) == []
    assert verdict(part, {"b": None}) == [(code, at)]
    assert verdict({"type": "array", "items": TEXT}, [None]) == [("OBJ004", "a.0")]


@pytest.mark.parametrize(
    ("part", "value"),
    [
        (KEPT, {"anything": [1, None]}),
        ({"type": "object", **KEPT}, {"anything": 1}),
        (ANY_MAP, {"anything": 1}),
        ({**fields(b=INT), "anyOf": [{"properties": {"c": {}}}]}, {"b": 1}),
        ({**TEXT, "format": "of-tomorrow"}, "x"),
        ({"type": "array", "format": "cidr", "items": TEXT}, ["x"]),
        (EITHER, "x"),
    ],
)
def test_what_a_definition_leaves_open_stays_open(part: Any, value: Any) -> None:
    assert verdict(part, value) == []


def test_entries_of_a_map_list_need_keys_of_their_own() -> None:
    part = {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["port", "protocol"],
        "items": fields(port=INT, protocol={**TEXT, "default": "TCP"}),
    }
    assert verdict(part, [{"port": 53}, {"port": 53, "protocol": "UDP"}]) == []
    found = faults(defined(fields(a=part)), thing({"a": [{"port": 53}, {"port": 54}, {"port": 53, "protocol": "TCP"}]}))
    assert [(fault.code, fault.keys) for fault in found] == [("OBJ014", ("spec", "a", 2))]
    assert "port 53, protocol TCP" in found[0].message


def test_a_misspelt_field_is_answered_with_the_right_one() -> None:
    found = faults(defined(fields(peerIP=TEXT, asNumber=INT)), thing({"asNumbr": 1}))
    assert [fault.fix for fault in found] == ["Did you mean `asNumber`?"]


def test_an_embedded_object_has_a_head_of_its_own() -> None:
    part = {**fields(spec=fields(x=INT)), "x-kubernetes-embedded-resource": True}
    inner = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "labels": {"a": "b"}}, "spec": {"x": 1}}
    assert verdict(part, inner) == []
    assert verdict(part, {"kind": "Pod", "metadata": {}}) == [("OBJ005", "a.apiVersion")]
    assert verdict(part, {**inner, "metadata": {"nam": "x"}}) == [("OBJ003", "a.metadata.nam")]
    assert verdict({**part, **KEPT}, {**inner, "more": 1}) == []
    assert verdict(part, {**inner, "more": 1}) == [("OBJ003", "a.more")]


def test_the_root_is_closed_and_named() -> None:
    found = defined(fields(a=TEXT))
    assert faults(found, thing({"a": "x"})) == []
    assert [fault.keys for fault in faults(found, thing({}, data={}))] == [("data",)]
    assert [fault.keys for fault in faults(found, {**thing(), "metadata": {"lables": {}}})] == [("metadata", "lables")]
    assert [fault.code for fault in faults(found, {**thing(), "apiVersion": "example.com/v2"})] == ["OBJ008"]
    assert [fault.keys for fault in faults(found, {"apiVersion": NAME[0], "kind": "Thing"})] == [("metadata",)]


def test_a_root_that_keeps_unknown_fields_is_open() -> None:
    found = definition(crd(fields(), **KEPT), NAME)
    assert faults(found, thing({}, anything=1)) == []


def test_a_definition_may_narrow_the_name() -> None:
    stated = crd(fields())
    schema = stated["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    schema["properties"]["metadata"] = fields(name={**TEXT, "pattern": "^default$"})
    found = definition(stated, NAME)
    assert faults(found, thing({}, "default")) == []
    assert [fault.keys for fault in faults(found, thing({}, "other"))] == [("metadata", "name")]


def test_a_pattern_cannot_be_made_to_run_for_ever() -> None:
    assert verdict({**TEXT, "pattern": "^(a+)+$"}, "a" * 5000 + "!") == [("OBJ008", "a")]


def test_defaults_come_first_as_on_a_server() -> None:
    spec = {
        **fields(a={**TEXT, "default": "x"}, b={**fields(c={**INT, "default": 3}), "default": {}}),
        "required": ["a", "b"],
    }
    found = defined(spec)
    assert faults(found, thing({})) == []
    assert with_defaults(thing({"b": {"c": 4}}), found.schema)["spec"] == {"a": "x", "b": {"c": 4}}
    listed = defined(fields(entries={"type": "array", "items": fields(d={**INT, "default": 1})}))
    assert with_defaults(thing({"entries": [{}, {"d": 2}, "?"]}), listed.schema)["spec"]["entries"] == [
        {"d": 1},
        {"d": 2},
        "?",
    ]
    mapped = defined(fields(entries={"type": "object", "additionalProperties": fields(d={**INT, "default": 1})}))
    assert with_defaults(thing({"entries": {"x": {}}}), mapped.schema)["spec"]["entries"] == {"x": {"d": 1}}


def test_defaults_neither_change_the_object_nor_are_shared() -> None:
    found = defined(fields(a={"type": "array", "items": TEXT, "default": []}))
    value = thing({})
    first, second = (with_defaults(value, found.schema) for _ in range(2))
    first["spec"]["a"].append("x")
    assert (value["spec"], second["spec"]) == ({}, {"a": []})


def test_rules_know_their_places() -> None:
    spec = fields(
        entries={"type": "array", "items": {**fields(x=INT), **rule("self.x > 0")}},
        byName={"type": "object", "additionalProperties": {**INT, **rule("self > 0", fieldPath=".a['b-c']")}},
    )
    found = defined(spec, **rule("has(self.spec)", message="m", messageExpression="'e'"))
    assert [(each.place, each.text, each.message, each.expression, each.blamed) for each in found.rules] == [
        ((), "has(self.spec)", "m", "'e'", ()),
        (("spec", "entries", EACH_ENTRY), "self.x > 0", "", "", ()),
        (("spec", "byName", EACH_VALUE), "self > 0", "", "", ("a", "b-c")),
    ]
    value = thing({"entries": [{"x": 1}, {"x": 2}], "byName": {"p": 5, "q": 6}})
    places = [[at for at, _, _ in selected(value, found.schema, each.place)] for each in found.rules]
    assert places == [
        [()],
        [("spec", "entries", 0), ("spec", "entries", 1)],
        [("spec", "byName", "p"), ("spec", "byName", "q")],
    ]


@pytest.mark.parametrize("value", [thing(), thing(None), thing([]), thing({"entries": {}}), thing({"entries": [None]})])
def test_a_place_that_is_absent_selects_nothing(value: dict[str, Any]) -> None:
    found = defined(fields(entries={"type": "array", "items": fields(x={**INT, **rule("self > 0")})}))
    assert list(selected(value, found.schema, found.rules[0].place)) == []


@pytest.mark.parametrize(
    ("text", "transition"),
    [("self == oldSelf", True), ("self.size() > oldSelf.size()", True), ("self.oldSelfish == 1", False)],
)
def test_rules_about_a_change_are_told_apart(text: str, transition: bool) -> None:
    assert defined({**fields(), **rule(text)}).rules[0].transition is transition


def test_values_reach_a_rule_as_a_server_types_them() -> None:
    spec = fields(n={"type": "number"}, i=INT, b={**TEXT, "format": "byte"}, labels=ANY_MAP)
    spec["properties"]["no-way"] = TEXT
    schema = defined(spec).schema["properties"]["spec"]
    value = {"n": 1, "i": 1, "b": "aGk=", "no-way": "x", "labels": {"a-b": 1}}
    seen = as_cel(value, schema)
    assert seen == {"n": 1.0, "i": 1, "b": b"hi", "no__dash__way": "x", "labels": {"a-b": 1}}
    assert (type(seen["n"]), type(seen["i"])) == (float, int)


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("plain", "plain"),
        ("namespace", "__namespace__"),
        ("a-b", "a__dash__b"),
        ("a.b/c", "a__dot__b__slash__c"),
        ("a__b", "a__underscores__b"),
    ],
)
def test_field_names_become_identifiers(name: str, identifier: str) -> None:
    assert escaped(name) == identifier


def test_only_served_versions_have_names() -> None:
    stated = crd(fields())
    version = stated["spec"]["versions"][0]
    stated["spec"]["versions"] = [
        {**version, "name": "v1alpha1", "served": False},
        {**version, "name": "v2"},
        version,
        {"served": True},
        "v3",
    ]
    assert names(stated) == (("example.com/v2", "Thing"), ("example.com/v1", "Thing"))


@pytest.mark.parametrize("value", [{}, {"spec": None}, {"spec": {"group": "x"}}, {"spec": {"group": 1, "names": {}}}])
def test_a_definition_without_a_name_has_none(value: dict[str, Any]) -> None:
    assert names(value) == ()


@pytest.mark.parametrize(
    "spec",
    [
        7,
        {"type": "object", "properties": []},
        {"type": "object", "properties": {"a": None}},
        {"allOf": {}},
        {"not": []},
        {"anyOf": [7]},
        {"anyOf": [{"properties": 1}]},
        {"x-kubernetes-validations": {}},
        {"x-kubernetes-validations": [{"message": "no rule"}]},
        {"type": "widget"},
        {"type": "string", "pattern": "("},
        {"type": "array", "items": {"type": "object", "required": 3}},
    ],
)
def test_a_definition_that_cannot_be_read_is_refused_in_words(spec: Any) -> None:
    with pytest.raises(UnusableError) as caught:
        faults(defined(spec), thing({}))
    assert str(caught.value)


def test_a_version_without_a_schema_is_refused() -> None:
    stated = crd(fields())
    del stated["spec"]["versions"][0]["schema"]
    with pytest.raises(UnusableError, match="schema is no mapping"):
        definition(stated, NAME)
