"""Our schemas against the upstream definitions: never laxer, never ignorant of a field.

The definitions, and the converter that closes them, are no part of the project; see the fixture `shared_dir`.
"""

import copy
import importlib.util
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from good_objects import good
from nulls import pruned

from anycastle.finding import Finding, Severity
from anycastle.schemas import custom
from anycastle.schemas.notation import PARTIAL
from anycastle.yamlio import dotted

pytestmark = pytest.mark.shared

Rule = tuple[tuple[str, ...], Callable[[Any], bool]]
CUSTOM = {
    name: value
    for name, value in good().items()
    if value["kind"] in custom.kinds(value["apiVersion"]) and "metadata" in value
}
# Values that every field is tried with: of each JSON type, at the edges of ranges, and nonsense.
VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 33, 70000, 2**31, 2**33, 1.5),
    *("", "nonsense value", "Always", "1", "all()", "10.0.0.0/8", "2001:db8::/32", "x" * 5000),
    *([], ["x"], [1], {}, {"x": 1}),
)


@dataclass(frozen=True)
class Upstream:
    """One kind as the API server judges it: structure, then rules, after defaults."""

    validator: Any
    rules: list[Rule]
    structural: dict[str, Any]
    tool: Any

    def accepts(self, value: dict[str, Any]) -> bool:
        full = self.tool.apply_defaults(pruned(copy.deepcopy(value), self.structural), self.structural)
        if not self.validator.is_valid(full):
            return False
        return all(rule(part) for where, rule in self.rules for _, part in self.tool.select(full, where))


@pytest.fixture(scope="module")
def upstream(shared_dir: Path) -> dict[tuple[str, str], Upstream]:
    """(apiVersion, kind) -> judge, for the kinds that we describe."""
    cel = pytest.importorskip("cel_expr_python.cel", reason="rules of definitions need cel-expr-python")
    environment = cel.NewEnv(variables={"self": cel.Type.DYN})

    def compiled(text: str) -> Callable[[Any], bool]:
        program = environment.compile(text)
        return lambda value: program.eval(data={"self": value}).value() is True

    tool = _tool(shared_dir)
    judges: dict[tuple[str, str], Upstream] = {}
    for definition in _definitions(shared_dir):
        for group, version, kind, _scope, schema, rules, structural in tool.crd_versions(definition):
            if kind in custom.kinds(f"{group}/{version}"):
                judges[f"{group}/{version}", kind] = Upstream(
                    jsonschema_rs.Draft202012Validator(_flags_first(schema)),
                    [(where, compiled(rule["rule"])) for where, rule in rules if "oldSelf" not in rule["rule"]],
                    structural,
                    tool,
                )
    return judges


def _tool(shared_dir: Path) -> Any:
    found = importlib.util.spec_from_file_location("crd_schema", shared_dir / "tools" / "crd_schema.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def _definitions(shared_dir: Path) -> Iterator[dict[str, Any]]:
    ours = {value["kind"].lower() for value in CUSTOM.values()}
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for path in sorted((shared_dir / "crds").rglob("*.yaml")):
        plural = path.name.split(".", 1)[0]
        if {plural.removesuffix("s"), plural.removesuffix("es"), plural.removesuffix("ies") + "y"} & ours:
            yield yaml.load(path.read_text(encoding="utf-8"), Loader=loader)


def _flags_first(node: Any) -> Any:
    """Go writes ^(?i) where other engines want (?i)^."""
    if isinstance(node, dict):
        return {
            key: re.sub(r"^\^\(\?i\)", "(?i)^", value)
            if key == "pattern" and isinstance(value, str)
            else _flags_first(value)
            for key, value in node.items()
        }
    return [_flags_first(part) for part in node] if isinstance(node, list) else node


def _judge(upstream: dict[tuple[str, str], Upstream], value: dict[str, Any]) -> Upstream:
    return upstream[value["apiVersion"], value["kind"]]


def test_every_kind_of_ours_is_compared(upstream: dict[tuple[str, str], Upstream]) -> None:
    named = {
        (version, kind)
        for version in custom.FILES
        if not version.startswith(("kubeadm.", "kubelet.", "kubeproxy."))
        for kind in custom.kinds(version)
    }
    assert set(upstream) == named == {(value["apiVersion"], value["kind"]) for value in CUSTOM.values()}


@pytest.mark.parametrize("name", CUSTOM)
def test_good_objects_pass_upstream(upstream: dict[tuple[str, str], Upstream], name: str) -> None:
    assert _judge(upstream, CUSTOM[name]).accepts(CUSTOM[name])


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from _places(part, (*at, key))


def _known(schema: dict[str, Any], at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of every field in one of our schemas; places in lists are 0, free keys `x`."""
    yield at
    for key, part in schema.get("properties", {}).items():
        yield from _known(part, (*at, key))
    if isinstance(schema.get("items"), dict):
        yield from _known(schema["items"], (*at, 0))
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _known(schema["additionalProperties"], (*at, "x"))


def _changed(value: dict[str, Any], at: tuple[Any, ...], new: Any) -> dict[str, Any]:
    """A copy with `new` at the path, building what is missing on the way; `...` removes."""
    result: Any = copy.deepcopy(value)
    target = result
    for key, following in pairwise(at):
        fresh: Any = [] if following == 0 else {}
        if isinstance(key, int) and key == len(target):
            target.append(fresh)
        elif isinstance(target, dict) and not isinstance(target.get(key), (dict, list)):
            target[key] = fresh
        target = target[key]
    if new is ...:
        target.pop(at[-1])
    elif isinstance(target, list) and at[-1] == len(target):
        target.append(new)
    else:
        target[at[-1]] = new
    return result  # type: ignore[no-any-return]


def _mutants(value: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Every field of the kind with every value, every present one removed, an unknown key everywhere."""
    schema = custom.schema(value["apiVersion"], value["kind"])
    present = set(_places(value))
    for at in sorted(present | set(_known(schema)), key=str):
        if at[:1] not in ((), ("metadata",), ("status",), ("apiVersion",), ("kind",)):
            for new in VALUES:
                yield at, _changed(value, at, new)
            if at in present:
                yield at, _changed(value, at, ...)
            yield (*at, "unknownKey"), _changed(_changed(value, at, {}), (*at, "unknownKey"), 1)
    yield ("spec",), {key: part for key, part in value.items() if key != "spec"}


def _tells(found: tuple[Finding, ...], at: tuple[Any, ...]) -> bool:
    """Whether a finding refuses the object, or says that the changed place was not judged."""
    key = dotted(at)
    return any(
        finding.severity is Severity.ERROR
        or (finding.severity is Severity.UNCHECKED and _inside(finding.where.key, key))
        for finding in found
    )


def _inside(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


@pytest.mark.slow
@pytest.mark.parametrize("name", CUSTOM)
def test_we_never_accept_what_upstream_refuses(
    upstream: dict[tuple[str, str], Upstream], findings: Any, name: str
) -> None:
    judge = _judge(upstream, CUSTOM[name])
    refused = 0
    missed = []
    for at, mutant in _mutants(CUSTOM[name]):
        if not judge.accepts(mutant):
            refused += 1
            if not _tells(findings(mutant), at):
                missed.append((dotted(at), mutant.get("spec")))
    assert not missed
    assert refused > 10


def _unknown_to_us(schema: dict[str, Any], theirs: dict[str, Any], at: tuple[Any, ...] = ()) -> Iterator[str]:
    """Fields of a definition that a complete schema of ours would call unknown."""
    fields = theirs.get("properties") or {}
    ours = schema.get("properties", {})
    if schema.get("additionalProperties") is False and not schema.get(PARTIAL):
        yield from (dotted((*at, field)) for field in fields if field not in ours)
    for field in fields.keys() & ours.keys():
        if (*at, field) != ("metadata",):
            yield from _unknown_to_us(ours[field], fields[field], (*at, field))
    if isinstance(theirs.get("items"), dict) and isinstance(schema.get("items"), dict):
        yield from _unknown_to_us(schema["items"], theirs["items"], (*at, 0))


@pytest.mark.parametrize("name", CUSTOM)
def test_no_upstream_field_is_called_unknown(upstream: dict[tuple[str, str], Upstream], name: str) -> None:
    value = CUSTOM[name]
    schema = custom.schema(value["apiVersion"], value["kind"])
    assert list(_unknown_to_us(schema, _judge(upstream, value).structural)) == []


def _narrower(schema: dict[str, Any], theirs: dict[str, Any], at: tuple[Any, ...] = ()) -> Iterator[str]:
    """Choices and types of a definition that a schema of ours would refuse."""
    if theirs.get("enum") and schema.get("enum") and set(theirs["enum"]) - set(schema["enum"]):
        yield dotted(at)
    wide = schema.get("type")
    if theirs.get("type") and wide and theirs["type"] not in (wide if isinstance(wide, list) else [wide]):
        yield dotted(at)
    for field in (theirs.get("properties") or {}).keys() & schema.get("properties", {}).keys():
        if (*at, field) != ("metadata",):
            yield from _narrower(schema["properties"][field], theirs["properties"][field], (*at, field))
    if isinstance(theirs.get("items"), dict) and isinstance(schema.get("items"), dict):
        yield from _narrower(schema["items"], theirs["items"], (*at, 0))


@pytest.mark.parametrize("name", CUSTOM)
def test_no_upstream_choice_or_type_is_refused(upstream: dict[tuple[str, str], Upstream], name: str) -> None:
    value = CUSTOM[name]
    schema = custom.schema(value["apiVersion"], value["kind"])
    assert list(_narrower(schema, _judge(upstream, value).structural)) == []


@pytest.mark.slow
def test_upstream_definitions_are_good_objects(shared_dir: Path, findings: Any) -> None:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    paths = sorted((shared_dir / "crds").rglob("*.yaml"))
    values = [yaml.load(path.read_text(encoding="utf-8"), Loader=loader) for path in paths]
    assert len(values) > 30
    assert findings(*values) == ()
