"""Values are closed: what a chart does not know is refused, at every level."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from anycastle import yamlio

CHARTS = Path(__file__).resolve().parents[2] / "charts"


def _schema(chart: Path) -> dict[str, Any]:
    return json.loads((chart / "values.schema.json").read_text())


def _values(chart: Path, name: str) -> Any:
    (document,) = yamlio.load((chart / name).read_bytes(), name).documents
    return document.value


def _subschemas(node: Any, at: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema below a schema, with its path."""
    if not isinstance(node, dict):
        return
    yield at, node
    for key in ("additionalProperties", "items", "propertyNames"):
        yield from _subschemas(node.get(key), f"{at}/{key}")
    for key in ("properties", "$defs"):
        for name, below in node.get(key, {}).items():
            yield from _subschemas(below, f"{at}/{key}/{name}")


def _is_closed(schema: dict[str, Any]) -> bool:
    """No key besides `properties`, or a map: any key, one schema for all values, and no `properties`."""
    more = schema.get("additionalProperties")
    return more is False or (isinstance(more, dict) and bool(more) and "properties" not in schema)


def test_every_object_is_closed(chart):
    objects = [
        (at, schema)
        for at, schema in _subschemas(_schema(chart))
        if "object" in schema.get("type", ()) or "properties" in schema or "additionalProperties" in schema
    ]
    assert objects
    assert [at for at, schema in objects if not _is_closed(schema)] == []


def test_nothing_is_of_any_type(chart):
    """An open leaf would take a whole map; `bpfEnabled` is known only to be refused by its guard."""
    keys = {"type", "enum", "const", "$ref"}
    loose = [
        at
        for at, schema in _subschemas(_schema(chart))
        if not keys & schema.keys() and "/$defs/name" not in at and not at.endswith("/propertyNames")
    ]
    assert [at for at in loose if not at.endswith("/bpfEnabled")] == []


def test_every_property_is_described(chart):
    schema = _schema(chart)
    definitions = schema.get("$defs", {})

    def described(node: dict[str, Any]) -> bool:
        target = definitions.get(node.get("$ref", "").removeprefix("#/$defs/"), {})
        return bool(node.get("description") or target.get("description"))

    bare = [
        f"{at}/{name}"
        for at, node in _subschemas(schema)
        for name, below in node.get("properties", {}).items()
        if not described(below)
    ]
    assert bare == []


def test_schema_is_one_and_accepts_the_default_values(chart):
    schema = _schema(chart)
    jsonschema_rs.meta.validate(schema)
    validator = jsonschema_rs.Draft202012Validator(schema)
    assert [error.message for error in validator.iter_errors(_values(chart, "values.yaml"))] == []


def _places(value: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        yield at
        for key, below in value.items():
            yield from _places(below, (*at, key))


def _put(values: Any, at: tuple[str, ...]) -> None:
    for key in at:
        values = values[key]
    values["surprise"] = "surprise"


CHART_NAMES = sorted(path.parent.name for path in CHARTS.glob("*/Chart.yaml"))
PLACES = [
    pytest.param(name, at, id=".".join((name, *at)))
    for name in CHART_NAMES
    for at in _places(_values(CHARTS / name, "ci/example-values.yaml"))
    if at[-1:] not in (("labels",), ("annotations",))
]


@pytest.mark.parametrize(("name", "at"), PLACES)
def test_unknown_key_is_refused_where_it_stands(name, at, example, refusal):
    values = example(name)
    _put(values, at)
    where = "/" + "/".join(at) if at else ""
    said = refusal(name, values)
    assert "don't meet the specifications of the schema" in said
    assert re.search(rf"at '{re.escape(where)}(/surprise)?': ", said)


WRONG = [
    ("calico-installation", {"installation": {"bgp": "enabled"}}, "/installation/bgp"),
    (
        "calico-installation",
        {"installation": {"ipPools": {"default-ipv4-ippool": {"cidr": "10.244.0.0"}}}},
        "/installation/ipPools/default-ipv4-ippool/cidr",
    ),
    (
        "calico-installation",
        {"installation": {"ipPools": {"default-ipv4-ippool": {"disableBGPExport": ...}}}},
        "/installation/ipPools/default-ipv4-ippool",
    ),
    ("calico-installation", {"apiEndpoint": {"port": 6443}}, "/apiEndpoint/port"),
    ("calico-installation", {"apiEndpoint": {"host": "https://api"}}, "/apiEndpoint/host"),
    ("calico-bgp", {"bgpConfiguration": {"asNumber": "64512"}}, "/bgpConfiguration/asNumber"),
    ("calico-bgp", {"bgpConfiguration": {"asNumber": 4294967296}}, "/bgpConfiguration/asNumber"),
    ("calico-bgp", {"peers": {"tor-a": {"sourceAddress": "192.0.2.9"}}}, "/peers/tor-a/sourceAddress"),
    ("calico-bgp", {"peers": {"tor-a": {"peerSelector": "all()"}}}, "/peers/tor-a"),
    ("calico-bgp", {"peers": {"tor-a": {"passwordSecret": {"key": ...}}}}, "/peers/tor-a/passwordSecret"),
    ("calico-loadbalancer", {"pools": {"reserved": {"cidr": "203.0.113.0/33"}}}, "/pools/reserved/cidr"),
    ("calico-loadbalancer", {"kubeControllers": {"assignIPs": "All"}}, "/kubeControllers/assignIPs"),
    ("edge", {"tls": {"minVersion": "VersionTLS10"}}, "/tls/minVersion"),
    ("edge", {"argocd": {"host": "argocd.example.com`)"}}, "/argocd/host"),
    ("namespaces", {"priorityClasses": {"ordinary": {"value": 1000000001}}}, "/priorityClasses/ordinary/value"),
    ("whoami", {"replicas": 0}, "/replicas"),
    ("whoami", {"probe": {"address": "203.0.113.100"}}, "/probe/address"),
    ("whoami", {"probe": {"address": ["203.0.113.100/32"]}}, "/probe/address/0"),
    ("whoami", {"entryPoint": "websecure2"}, "/entryPoint"),
]


@pytest.mark.parametrize(("name", "override", "where"), WRONG, ids=lambda part: str(part)[:60])
def test_wrong_value_is_refused_where_it_stands(name, override, where, example, refusal):
    said = refusal(name, example(name, override))
    places = re.findall(r"at '([^']*)'", said)
    assert places
    assert all(place == where or place.startswith(f"{where}/") for place in places)


NAMED = ["namespaces/namespaces", "namespaces/priorityClasses", "calico-bgp/peers", "calico-bgp/filters"]


@pytest.mark.parametrize("where", [*NAMED, "calico-loadbalancer/pools"])
def test_names_that_kubernetes_refuses_are_refused(where, example, refusal):
    chart, key = where.split("/")
    values = example(chart)
    values[key]["Tor_A"] = next(iter(values[key].values()))
    assert "'Tor_A' does not match pattern" in refusal(chart, values)


def _keys(node: dict[str, Any], definitions: dict[str, Any], at: tuple[str, ...] = ()) -> Iterator[str]:
    """Dotted paths of all keys that a chart's own values can have, below no map and no optional choice."""
    node = definitions.get(node.get("$ref", "").removeprefix("#/$defs/"), node)
    for name, below in node.get("properties", {}).items():
        yield ".".join((*at, name))
        target = definitions.get(below.get("$ref", "").removeprefix("#/$defs/"), below)
        if target.get("required"):
            yield from _keys(below, definitions, (*at, name))


def test_values_file_names_every_key_and_no_other(chart):
    schema = _schema(chart)
    written = {".".join(at) for at in _all_paths(_values(chart, "values.yaml"))}
    assert written == set(_keys(schema, schema.get("$defs", {})))


def _all_paths(value: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for key, below in value.items():
            yield (*at, key)
            yield from _all_paths(below, (*at, key))


def test_every_value_has_a_comment(chart):
    lines = (chart / "values.yaml").read_text().splitlines()
    bare = [
        line
        for before, line in zip(["", *lines], lines, strict=False)
        if re.match(r" *[A-Za-z]\w*:", line) and not before.strip().startswith("#")
    ]
    assert bare == []
