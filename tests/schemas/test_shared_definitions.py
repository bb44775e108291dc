"""Upstream's own definitions: converted, held against good and bad objects, and against another judge."""

import copy
import importlib.util
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest
from bad_objects import CASES, Case, changed
from good_objects import good
from nulls import pruned

from anycastle.schemas import cel, fetched, upstream
from anycastle.schemas.crd import Definition
from anycastle.schemas.fetched import Pack, load, run_fetch
from anycastle.schemas.walk import as_cel, selected, with_defaults

pytestmark = pytest.mark.shared

CALICO, OPERATOR = "projectcalico.org/v3", "operator.tigera.io/v1"
GOOD = {name: value for name, value in good().items() if "." in value["apiVersion"].partition("/")[0]}
CORPUS = 600


@pytest.fixture(scope="module")
def pack(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Pack:
    """Every definition of the folder, through the cache."""
    if cel.compiler() is None:
        pytest.skip("no library for CEL is installed")
    cache = tmp_path_factory.mktemp("cache")
    said: list[str] = []
    assert run_fetch(shared_dir / "crds", cache, said.append) == 0
    assert "note:" not in "".join(said)
    found = load(cache)
    assert found is not None
    return found


def judged(definition: Definition, value: dict[str, Any]) -> list[Any]:
    """Everything that the definition alone has to say."""
    full = with_defaults(value, definition.schema)
    refused = list(upstream.structure(full, definition))
    return [*refused, *(fault for fault, _ in upstream.broken_rules(full, definition, [each.keys for each in refused]))]


def definition_of(pack: Pack, value: dict[str, Any]) -> Definition:
    found = pack.find((value["apiVersion"], value["kind"]))
    assert found is not None
    return found


def test_every_definition_becomes_a_schema_whose_rules_compile(pack: Pack, shared_dir: Path) -> None:
    assert len(pack.lines) >= len(list((shared_dir / "crds").rglob("*.yaml"))) >= 40
    compiled = cel.compiler()
    assert compiled is not None
    rules = 0
    for name in pack.lines:
        found = pack.find(name)
        assert found is not None
        api_version, kind = name
        assert judged(found, {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}, "x": 1})
        rules += len(found.rules)
        assert all(compiled(rule.text) for rule in found.rules if not rule.transition)
    assert rules > 70


@pytest.mark.parametrize("name", GOOD)
def test_good_objects_are_good_upstream(pack: Pack, findings: Any, name: str) -> None:
    if (GOOD[name]["apiVersion"], GOOD[name]["kind"]) in pack.lines:
        assert judged(definition_of(pack, GOOD[name]), GOOD[name]) == []
    assert findings(GOOD[name], pack=pack) == ()


@pytest.mark.parametrize("case", [case for case in CASES if case.base in GOOD], ids=str)
def test_with_definitions_one_mistake_is_still_one_finding(pack: Pack, findings: Any, case: Case) -> None:
    found = findings(changed(GOOD[case.base], case.change), pack=pack)
    assert [(finding.code, finding.where.key) for finding in found] == [(case.code, case.key)]


# --- another judge -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def other_judge(shared_dir: Path) -> Callable[[dict[str, Any]], bool]:
    """Whether the tool beside the definitions accepts an object, after the defaults that a server fills in."""
    path = str(shared_dir / "tools" / "conform")
    spec = importlib.util.spec_from_loader("conform", SourceFileLoader("conform", path))
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    before = list(sys.path), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        spec.loader.exec_module(tool)
        table = tool.load()
    finally:
        sys.path[:], sys.dont_write_bytecode = before

    def accepts(value: dict[str, Any]) -> bool:
        group, _, version = value["apiVersion"].rpartition("/")
        validator, checks, structural = table[group, version, value["kind"]]
        full = tool.crd_schema.apply_defaults(pruned(copy.deepcopy(value), structural), structural)
        return validator.is_valid(full) and all(
            check(part) for where, _, check in checks for _, part in tool.crd_schema.select(full, where)
        )

    return accepts


VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 33, 70000, 2**31, 2**33, 1.5),
    *("", "nonsense value", "Always", "Never", "1", "all()", "10.0.0.0/8", "2001:db8::/32", "/x", "10s", "x" * 5000),
    *([], ["x"], [1], {}, {"x": 1}, {"name": "x"}),
)


def _places(schema: dict[str, Any], depth: int = 7) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Paths of fields with their schemas; places in lists are 0, free keys `x`."""
    parts = [*schema.get("properties", {}).items(), (0, schema.get("items")), ("x", schema.get("additionalProperties"))]
    for key, part in parts:
        if isinstance(part, dict) and depth:
            yield (key,), part
            yield from (((key, *rest), found) for rest, found in _places(part, depth - 1))


def _fitting(schema: dict[str, Any], chance: random.Random) -> Any:
    """A value that its own schema most often accepts."""
    if "enum" in schema:
        return chance.choice(schema["enum"])
    kind = schema["type"][0] if isinstance(schema.get("type"), list) else schema.get("type")
    if kind == "object":
        fields = schema.get("properties", {})
        wanted = {*schema.get("required", ()), *chance.sample(sorted(fields), min(1, len(fields)))}
        return {key: _fitting(fields[key], chance) for key in sorted(wanted & fields.keys())}
    if kind == "array":
        return [_fitting(schema.get("items", {}), chance) for _ in range(chance.randint(0, 2))]
    plain = {"integer": [1, 5, 24], "boolean": [True, False], "number": [1, 0.5]}
    return chance.choice(plain.get(kind, ["x", "10s", "10.0.0.0/8", "Always", "65000:1", "/x", "oci://x"]))


def _put(value: Any, at: tuple[Any, ...], new: Any) -> Any:
    """A copy with `new` at a path; what is missing on the way is built."""
    if not at:
        return copy.deepcopy(new)
    key, rest = at[0], at[1:]
    if key == 0:
        entries = list(value) if isinstance(value, list) else []
        return [_put(entries[0] if entries else None, rest, new), *entries[1:]]
    fields = dict(value) if isinstance(value, dict) else {}
    return {**fields, key: _put(fields.get(key), rest, new)}


def _mutants(pack: Pack) -> Iterator[dict[str, Any]]:
    """Good objects with one to three fields of their definitions changed, spread over all kinds."""
    chance = random.Random(20261130)
    objects = [value for value in GOOD.values() if (value["apiVersion"], value["kind"]) in pack.lines]
    spec = {id(value): definition_of(pack, value).schema["properties"].get("spec", {}) for value in objects}
    places = {id(value): sorted([((), spec[id(value)]), *_places(spec[id(value)])], key=str) for value in objects}
    for number in range(CORPUS):
        value = objects[number % len(objects)]
        mutant = value
        for _ in range(chance.randint(1, 3)):
            at, schema = chance.choice(places[id(value)])
            new = chance.choice(VALUES) if chance.random() < 0.3 else _fitting(schema, chance)
            mutant = _put(mutant, ("spec", *at), new)
        yield mutant


def test_another_judge_agrees(pack: Pack, findings: Any, other_judge: Callable[[dict[str, Any]], bool]) -> None:
    disagreed, formats, verdicts = [], 0, {True: 0, False: 0}
    for mutant in _mutants(pack):
        faults = judged(definition_of(pack, mutant), mutant)
        theirs = other_judge(mutant)
        verdicts[theirs] += 1
        if theirs and faults and all("is no network" in fault.message for fault in faults):
            formats += 1  # the other judge passes over formats, the API server does not
        elif theirs is bool(faults):
            disagreed.append((mutant, faults))
        if not theirs:
            assert any(finding.severity == "error" for finding in findings(mutant, pack=pack))
    assert disagreed == []
    assert min(verdicts.values()) > CORPUS / 10
    assert formats < CORPUS / 20


# --- every rule of Calico's, both ways ---------------------------------------------------------------------


def _policy(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": CALICO, "kind": kind, "metadata": {"name": "default.p"}, "spec": spec}


def _named(api_version: str, kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": spec}


def _with(base: str, **spec: Any) -> dict[str, Any]:
    """A good object with a spec changed at its first level; `...` removes."""
    merged = {**GOOD[base]["spec"], **spec}
    return {**GOOD[base], "spec": {key: value for key, value in merged.items() if value is not ...}}


def _rules_of(**rule: Any) -> Iterator[dict[str, Any]]:
    """Policies of both kinds with one rule, inbound and outbound."""
    for kind in ("GlobalNetworkPolicy", "NetworkPolicy"):
        for side in ("ingress", "egress"):
            yield _policy(kind, {side: [{"action": "Allow", **rule}]})


def _filters(**rule: Any) -> Iterator[dict[str, Any]]:
    for side in ("exportV4", "exportV6", "importV4", "importV6"):
        yield _named(CALICO, "BGPFilter", "f", {side: [{"action": "Accept", **rule}]})


SERVICES = {"services": {"name": "x"}}
MADE: tuple[tuple[str, tuple[dict[str, Any], ...]], ...] = (
    ("nodeMeshPassword cannot", (_with("bgp", nodeMeshPassword={"secretKeyRef": {"key": "k", "name": "n"}}),)),
    ("nodeMeshMaxRestartTime cannot", (_with("bgp", nodeMeshMaxRestartTime="10s"),)),
    ("cidr and matchOperator", tuple(_filters(cidr="10.0.0.0/8"))),
    ("cidr is required", tuple(_filters(prefixLength={"min": 1}))),
    ("operations may only", tuple(_filters(action="Reject", operations=[{"setPriority": {"value": 5}}]))),
    ("node and nodeSelector", (_with("peer", node="n"),)),
    ("peerIP and peerSelector", (_with("peer", asNumber=..., peerSelector="all()"),)),
    ("asNumber must be empty", (_with("meshpeer", asNumber=65000),)),
    ("peerIP must be empty", (_with("peer", localWorkloadSelector="all()"),)),
    ("peerSelector must be empty", (_with("meshpeer", localWorkloadSelector="all()"),)),
    ("asNumber is required", (_with("meshpeer", peerSelector=..., localWorkloadSelector="all()"),)),
    ("nodeSelector must not be set", (_with("felix", nodeSelector="all()"),)),
    ("routeTableRange and routeTableRanges", (_with("felix", routeTableRange={"min": 1, "max": 2}),)),
    ("preDNAT and doNotTrack", (_policy("GlobalNetworkPolicy", {"preDNAT": True, "doNotTrack": True}),)),
    (
        "preDNAT policy cannot have any egress",
        (_policy("GlobalNetworkPolicy", {"preDNAT": True, "egress": [{"action": "Allow"}]}),),
    ),
    ("preDNAT policy cannot have 'Egress'", (_policy("GlobalNetworkPolicy", {"preDNAT": True, "types": ["Egress"]}),)),
    ("applyOnForward must be true", (_policy("GlobalNetworkPolicy", {"doNotTrack": True}),)),
    ("rules with HTTP match", tuple(_rules_of(protocol="UDP", http={"methods": ["GET"]}))),
    ("HTTP match is only valid", tuple(_rules_of(action="Deny", http={"methods": ["GET"]}))),
    ("ports and notPorts", tuple(_rules_of(destination={**SERVICES, "ports": [80]}))),
    ("ICMP code specified", (*_rules_of(icmp={"code": 1}), *_rules_of(notICMP={"code": 1}))),
    ("resource name must be 'default'", (_named(OPERATOR, "Goldmane", "x", {}), _named(OPERATOR, "Whisker", "x", {}))),
    ("'default' or 'tigera-secure'", (_named(OPERATOR, "APIServer", "x", {}),)),
    ("'tigera-secure', or 'overlay'", (_named(OPERATOR, "Installation", "x", {}),)),
    ("at least one of interfaceName", (_named(CALICO, "HostEndpoint", "h", {"node": "n"}),)),
    ("node must be specified", (_named(CALICO, "HostEndpoint", "h", {"interfaceName": "eth0"}),)),
    ("ipipMode and vxlanMode", (_with("pool", ipipMode="Always"),)),
    ("LoadBalancer IP pool", (_with("lbpool", vxlanMode="Always"),)),
    ("LoadBalancer cannot be combined", (_with("lbpool", allowedUses=["LoadBalancer", "Workload"]),)),
    ("IPIP is not supported on IPv6", (_with("pool6", vxlanMode=..., ipipMode="Always"),)),
    ("'kube-admin' tier", (_named(CALICO, "Tier", "kube-admin", {"defaultAction": "Deny"}),)),
    ("'kube-baseline' tier", (_named(CALICO, "Tier", "kube-baseline", {"defaultAction": "Deny"}),)),
    ("'default' tier", (_named(CALICO, "Tier", "default", {"defaultAction": "Pass"}),)),
)
FINE = (
    *(GOOD[name] for name in ("bgp", "filter", "peer", "felix", "pool", "lbpool", "pool6", "installation")),
    *(GOOD[name] for name in ("apiserver", "goldmane", "whisker")),
    *_rules_of(protocol="TCP", http={"methods": ["GET"]}, destination=SERVICES, icmp={"type": 8, "code": 0}),
    *_rules_of(notICMP={"type": 8, "code": 0}),
    *_filters(
        cidr="10.0.0.0/8", matchOperator="In", prefixLength={"min": 9}, operations=[{"setPriority": {"value": 5}}]
    ),
    _policy("GlobalNetworkPolicy", {"preDNAT": True, "applyOnForward": True, "types": ["Ingress"]}),
    _with(
        "bgp", nodeToNodeMeshEnabled=True, nodeMeshMaxRestartTime="10s", nodeMeshPassword={"secretKeyRef": {"key": "k"}}
    ),
    _with("peer", peerIP=..., reachableBy=..., localWorkloadSelector="all()"),
    _with("meshpeer"),
    _named(CALICO, "HostEndpoint", "h", {"node": "n", "interfaceName": "eth0"}),
    *(_named(CALICO, "Tier", name, {"defaultAction": "Pass"}) for name in ("kube-admin", "kube-baseline")),
    _named(CALICO, "Tier", "default", {"defaultAction": "Deny"}),
)


@pytest.mark.parametrize(("message", "objects"), MADE, ids=[message for message, _ in MADE])
def test_a_rule_of_calicos_is_broken(pack: Pack, message: str, objects: tuple[dict[str, Any], ...]) -> None:
    for value in objects:
        faults = judged(definition_of(pack, value), value)
        assert [fault.code for fault in faults if message in fault.message] == ["OBJ015"], faults


@pytest.mark.parametrize("value", FINE, ids=lambda value: value["kind"])
def test_an_object_that_meets_calicos_rules(pack: Pack, value: dict[str, Any]) -> None:
    assert judged(definition_of(pack, value), value) == []


def test_every_rule_of_calicos_has_been_asked_both_ways(pack: Pack) -> None:
    outcomes: dict[tuple[str, str], set[bool]] = defaultdict(set)
    compiled = cel.compiler()
    assert compiled is not None
    for value in (*FINE, *(each for _, objects in MADE for each in objects)):
        found = definition_of(pack, value)
        for rule in found.rules:
            program = None if rule.transition else compiled(rule.text)
            for _at, part, schema in selected(value, found.schema, rule.place) if program else ():
                outcomes[value["kind"], rule.text].add(program(as_cel(part, schema)).value)
    theirs = {
        (kind, rule.text)
        for (api_version, kind) in pack.lines
        if api_version in (CALICO, OPERATOR)
        for rule in definition_of(pack, {"apiVersion": api_version, "kind": kind}).rules
        if not rule.transition
    }
    assert len({text for _kind, text in theirs}) >= 33
    assert {name for name in theirs if outcomes[name] != {True, False}} == set()


def test_two_libraries_agree_on_every_rule(pack: Pack) -> None:
    libraries = [found for library in cel.LIBRARIES.values() if (found := library())]
    if len(libraries) < 2:
        pytest.skip("only one library for CEL is installed")
    asked = 0
    for value in (*FINE, *(each for _, objects in MADE for each in objects)):
        found = definition_of(pack, value)
        for rule in found.rules:
            programs = [] if rule.transition else [compiled(rule.text) for compiled in libraries]
            for _at, part, schema in selected(value, found.schema, rule.place):
                answers = [program(as_cel(part, schema)).value for program in programs if program]
                assert len(set(answers)) <= 1, rule
                asked += 1
    assert asked > 100


def test_the_folder_of_definitions_is_read_the_same_twice(shared_dir: Path, tmp_path: Path) -> None:
    said: list[str] = []
    for name in ("one", "two"):
        assert run_fetch(shared_dir / "crds" / "flux", tmp_path / name, said.append) == 0
    one, two = ((tmp_path / name / "schemas" / f"{fetched.FROM_FOLDER}.jsonl").read_bytes() for name in ("one", "two"))
    assert one == two
