"""Several objects at once: lists, duplicates, what nobody can judge, versions, and hostile input."""

import random
from typing import Any

import pytest
from good_objects import good

from anycastle.finding import NOWHERE, Place, Severity
from anycastle.schemas import CODES, Item, check
from anycastle.schemas.core import release
from anycastle.yamlio import load

GOOD = good()


def _at(path: str, line: int) -> Any:
    return lambda keys: Place(path, line, ".".join(map(str, keys)))


def test_the_good_objects_together_are_silent(findings: Any) -> None:
    assert findings(*GOOD.values()) == ()


def test_a_duplicate_names_both_places() -> None:
    again = {**GOOD["service"], "apiVersion": "v1"}
    found = check([Item(GOOD["service"], _at("a.yaml", 3)), Item(again, _at("b.yaml", 7))], "v1.36.4")
    assert [(finding.code, finding.where.path) for finding in found] == [("OBJ010", "b.yaml")]
    assert "a.yaml:3" in found[0].message


@pytest.mark.parametrize(
    "other",
    [
        {"metadata": {"name": "whoami", "namespace": "other"}},
        {"metadata": {"name": "whoami2", "namespace": "web"}},
        {"apiVersion": "example.com/v1"},
    ],
)
def test_another_namespace_name_or_group_is_no_duplicate(findings: Any, other: dict[str, Any]) -> None:
    found = findings(GOOD["ingress"], {**GOOD["ingress"], **other})
    assert "OBJ010" not in {finding.code for finding in found}


def test_one_kind_in_two_versions_is_one_object(findings: Any) -> None:
    one = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x"}}
    found = findings(one, {**one, "apiVersion": "example.com/v2"})
    assert sorted(finding.code for finding in found) == ["OBJ010", "OBJ011", "OBJ011"]


def test_static_pods_of_different_nodes_may_share_a_name() -> None:
    pods = [Item(GOOD["pod"], _at(f"nodes/{node}/kube-vip.yaml", 1), node) for node in ("a", "b")]
    assert check(pods, "v1.36.4") == ()
    assert [finding.code for finding in check([*pods, pods[0]], "v1.36.4")] == ["OBJ010"]


def test_lists_are_flattened_and_places_go_through_them(findings: Any) -> None:
    bad = {**GOOD["service"], "spec": {**GOOD["service"]["spec"], "typo": 1}}
    inner = {"apiVersion": "v1", "kind": "List", "items": [bad]}
    found = findings({"apiVersion": "v1", "kind": "List", "items": [GOOD["pod"], inner, "text"]})
    assert [(finding.code, finding.where.key) for finding in found] == [
        ("OBJ003", "items[1].items[0].spec.typo"),
        ("OBJ001", "items[2].apiVersion"),
    ]


def test_entries_of_a_typed_list_are_of_that_type(findings: Any) -> None:
    entry = {key: value for key, value in GOOD["pod"].items() if key not in ("apiVersion", "kind")}
    bad = {**entry, "metadata": {"name": "other"}, "spec": {"containers": []}}
    found = findings({"apiVersion": "v1", "kind": "PodList", "items": [entry, bad]})
    assert [(finding.code, finding.where.key) for finding in found] == [("OBJ112", "items[1].spec.containers")]


def test_a_field_is_judged_by_the_release_that_has_it(findings: Any) -> None:
    assert findings(GOOD["deployment"], version="v1.29.0") == ()
    found = findings(GOOD["deployment"], version="v1.28.9")
    assert [finding.where.key.rsplit(".", 1)[1] for finding in found] == ["sleep"]


@pytest.mark.parametrize("minor", [29, 31, 34, 37])
def test_good_objects_are_good_in_every_release(findings: Any, minor: int) -> None:
    assert findings(*GOOD.values(), version=f"v1.{minor}.0") == ()


def test_unchecked_kinds_are_counted_once_with_the_first_place() -> None:
    monitor = {"apiVersion": "monitoring.coreos.com/v1", "kind": "ServiceMonitor", "spec": {"any": 1}}
    items = [Item({**monitor, "metadata": {"name": f"m{n}"}}, _at("m.yaml", n)) for n in (4, 9)]
    found = check(items, "v1.36.4")
    assert [(finding.code, finding.severity, finding.where.line) for finding in found] == [
        ("OBJ011", Severity.UNCHECKED, 4)
    ]
    assert "2 objects of monitoring.coreos.com/v1 ServiceMonitor" in found[0].message


def test_unchecked_kinds_still_need_good_names(findings: Any) -> None:
    found = findings({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "A B"}})
    assert {finding.code for finding in found} == {"OBJ011", "OBJ101"}


@pytest.mark.parametrize(
    ("base", "key", "value", "named"),
    [
        ("felix", "bpfNewThing", True, "spec.bpfNewThing"),
        ("installation", "calicoNodeDaemonSet", {"spec": {}}, "spec.calicoNodeDaemonSet.spec"),
        ("apiserver", "apiServerDeployment", {"spec": {}}, "spec.apiServerDeployment.spec"),
        ("appset", "strategy", {"type": "RollingSync"}, "spec.strategy"),
    ],
)
def test_fields_outside_a_partial_schema_are_unchecked(
    findings: Any, base: str, key: str, value: Any, named: str
) -> None:
    found = findings({**GOOD[base], "spec": {**GOOD[base]["spec"], key: value}})
    assert [(finding.code, finding.severity) for finding in found] == [("OBJ012", Severity.UNCHECKED)]
    assert found[0].message.endswith(f"{named}.")


def test_a_status_in_a_file_is_unchecked(findings: Any) -> None:
    found = findings({**GOOD["pool"], "status": {"conditions": []}})
    assert [finding.code for finding in found] == ["OBJ012"]


@pytest.mark.parametrize(
    ("asked", "used", "exact"),
    [("v1.36.4", 36, True), ("1.30", 30, True), ("v1.99.0", 37, False), ("v1.20.0", 25, False), ("x", 37, False)],
)
def test_the_nearest_shipped_release_is_used(asked: str, used: int, exact: bool) -> None:
    found = release(asked)
    assert found is not None
    assert (found.minor, found.exact) == (used, exact)


def test_a_release_without_schemas_is_said_aloud(findings: Any) -> None:
    assert [finding.code for finding in findings(GOOD["service"], version="v1.99.0")] == ["OBJ013"]
    assert findings(GOOD["pool"], version="v1.99.0") == ()


def test_the_version_decides_what_is_served(findings: Any) -> None:
    cron = {**GOOD["cronjob"], "apiVersion": "flowcontrol.apiserver.k8s.io/v1beta2", "kind": "FlowSchema", "spec": {}}
    assert "OBJ009" not in {finding.code for finding in findings(cron, version="v1.28.0")}
    found = findings(cron, version="v1.36.0")
    assert [finding.code for finding in found] == ["OBJ009"]
    assert "flowcontrol.apiserver.k8s.io/v1" in found[0].fix


def test_a_foreign_group_that_looks_like_a_core_one_is_not_mistaken(findings: Any) -> None:
    found = findings({"apiVersion": "apps.example.com/v1", "kind": "Deployment", "metadata": {"name": "x"}})
    assert [finding.code for finding in found] == ["OBJ011"]


def test_a_misspelt_field_is_answered_with_the_right_one(findings: Any) -> None:
    found = findings({**GOOD["peer"], "spec": {**GOOD["peer"]["spec"], "ttlSecurty": 1}})
    assert [(finding.code, finding.fix) for finding in found] == [("OBJ003", "Did you mean `ttlSecurity`?")]


def test_secrets_are_never_repeated(findings: Any) -> None:
    secret = {**GOOD["secret"], "data": {"a": "hunter2 in clear", "b": 31337}}
    init = {**GOOD["init"], "certificateKey": "hunter2", "bootstrapTokens": [{"token": "hunter2.x"}]}
    found = findings(secret, init)
    assert len(found) == 4
    assert not any("hunter2" in str(finding) or "31337" in str(finding) for finding in found)


def test_places_are_those_of_the_document() -> None:
    text = "apiVersion: v1\nkind: Service\nmetadata:\n  name: x\nspec:\n  ports:\n    - port: 80\n    - port: 81\n"
    document = load(text, "svc.yaml").documents[0]
    found = check([Item(document.value, lambda keys: document.place(*keys))], "v1.36.4")
    assert {(finding.where.line, finding.where.key) for finding in found} == {
        (7, "spec.ports[0].name"),
        (8, "spec.ports[1].name"),
    }


def test_severities_are_those_of_the_table() -> None:
    assert all(Severity(entry.severity) and entry.title and entry.why.endswith(".") for entry in CODES.values())
    assert all(code == entry.code for code, entry in CODES.items())


def test_nothing_to_check_is_nothing_to_say() -> None:
    assert check([], "v1.36.4") == ()


JUNK = (None, True, -1, 2**40, 1.5, "", "x", "a b", [], {}, [None], [[]], {"": None}, {"x": [1]}, ["x", 1])


def _broken(value: Any, chance: random.Random) -> Any:
    """The value with some of its parts replaced by values of another kind."""
    if chance.random() < 0.12:
        return chance.choice(JUNK)
    if isinstance(value, dict):
        return {key: _broken(part, chance) for key, part in value.items()}
    return [_broken(part, chance) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("seed", range(40))
def test_broken_objects_give_findings_never_an_exception(seed: int) -> None:
    chance = random.Random(seed)
    values = [_broken(value, chance) for value in GOOD.values()]
    items = [Item(value, lambda _keys: NOWHERE) for value in values if isinstance(value, dict)]
    found = check(items, "v1.36.4")
    assert {finding.code for finding in found} <= set(CODES)
    assert found == check(items, "v1.36.4")
