"""Objects judged by complete definitions: in the repository, in the cache, and beside what this tool knows."""

import random
from typing import Any

import pytest
from definitions import crd, fields, pack_of, rule, thing
from good_objects import good
from test_checking import _broken as broken

from anycastle.finding import Severity
from anycastle.schemas import CODES

TEXT, INT = {"type": "string"}, {"type": "integer"}
GOOD = good()


def calico(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    """A definition under the name of one of Calico's kinds."""
    stated = crd(spec)
    stated["spec"] |= {"group": "projectcalico.org", "names": {"kind": kind, "plural": f"{kind.lower()}s"}}
    stated["spec"]["versions"][0]["name"] = "v3"
    return {**stated, "metadata": {"name": f"{kind.lower()}s.projectcalico.org"}}


def codes(found: Any) -> list[tuple[str, str]]:
    return [(finding.code, finding.where.key) for finding in found]


def test_a_definition_in_the_repository_judges_its_objects(findings: Any) -> None:
    stated = crd({**fields(asNumber=INT), **rule("self.asNumber > 0", message="no AS number")})
    assert codes(findings(thing({"asNumber": 1}))) == [("OBJ011", "")]
    assert codes(findings(stated, thing({"asNumber": 1}))) == []
    assert codes(findings(thing({"asNumbr": 1, "asNumber": 1}), stated)) == [("OBJ003", "spec.asNumbr")]
    assert codes(findings(stated, thing({"asNumber": 0}))) == [("OBJ015", "spec")]


def test_the_repository_outweighs_the_cache(findings: Any, tmp_path: Any) -> None:
    pack = pack_of(tmp_path, crd(fields(a=INT)))
    assert codes(findings(thing({"a": 1}), pack=pack)) == []
    assert codes(findings(crd(fields(b=INT)), thing({"a": 1}), pack=pack)) == [("OBJ003", "spec.a")]


def test_a_broken_definition_in_the_repository_is_said_once(findings: Any) -> None:
    stated = crd({"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}})
    found = findings(stated, thing({"a": "x"}), thing({"a": "y"}, "two"))
    assert [(finding.code, finding.severity) for finding in found] == [("OBJ017", Severity.UNCHECKED)]
    assert found[0].message.startswith("2 objects of example.com/v1 Thing")


def test_another_version_of_a_defined_kind_is_not_served(findings: Any) -> None:
    found = findings(crd(fields()), {**thing({}), "apiVersion": "example.com/v2"})
    assert codes(found) == [("OBJ009", "apiVersion")]
    assert found[0].fix == "Write apiVersion example.com/v1."


def test_a_kind_one_letter_off_is_answered(findings: Any) -> None:
    found = findings(crd(fields()), {**thing({}), "kind": "Things"})
    assert [(finding.code, finding.fix) for finding in found] == [("OBJ009", "Did you mean `Thing`?")]
    assert codes(findings(crd(fields()), {**thing({}), "kind": "Widget"})) == [("OBJ011", "")]


def test_a_definition_never_judges_kubernetes_own_kinds(findings: Any) -> None:
    stated = crd(fields())
    stated["spec"] |= {"group": "apps", "names": {"kind": "Deployment", "plural": "deployments"}}
    assert codes(findings({**stated, "metadata": {"name": "deployments.apps"}}, GOOD["deployment"])) == []


def test_fields_are_upstreams_and_forms_are_ours(findings: Any, tmp_path: Any) -> None:
    pack = pack_of(tmp_path, calico("IPPool", fields(cidr=TEXT, ofTomorrow=INT, blockSize={**INT, "maximum": 32})))
    pool = {**GOOD["lbpool"], "spec": {"cidr": "192.0.2.64/26", "ofTomorrow": 1}}
    assert codes(findings(pool)) == [("OBJ003", "spec.ofTomorrow")]
    assert codes(findings(pool, pack=pack)) == []
    changed = {**pool, "spec": {"cidr": "banana", "vxlanMode": "Never"}}
    assert codes(findings(changed, pack=pack)) == [("CAL001", "spec.cidr"), ("OBJ003", "spec.vxlanMode")]
    changed = {**pool, "spec": {"cidr": "192.0.2.64/26", "blockSize": 33}}
    assert codes(findings(changed, pack=pack)) == [("CAL003", "spec.blockSize")]


def test_a_limit_that_upstream_has_lifted_is_lifted(findings: Any, tmp_path: Any) -> None:
    spec = {"asNumber": 4200000001, "peerIP": "192.0.2.1"}
    peer = {**GOOD["peer"], "spec": spec}
    narrow = pack_of(tmp_path / "narrow", calico("BGPPeer", fields(asNumber={**INT, "format": "int32"}, peerIP=TEXT)))
    wide = pack_of(tmp_path / "wide", calico("BGPPeer", fields(asNumber={**INT, "format": "int64"}, peerIP=TEXT)))
    assert codes(findings(peer)) == codes(findings(peer, pack=narrow)) == [("CAL015", "spec.asNumber")]
    assert codes(findings(peer, pack=wide)) == []


def test_one_fact_is_told_once(findings: Any, tmp_path: Any) -> None:
    together = "!has(self.ipipMode) || !has(self.vxlanMode) || self.ipipMode == 'Never' || self.vxlanMode == 'Never'"
    named = "!has(self.cidr) || self.cidr != '192.0.2.0/24'"
    stated = {**fields(cidr=TEXT, ipipMode=TEXT, vxlanMode=TEXT), **rule(together)}
    stated["x-kubernetes-validations"] += [{"rule": named}]
    pack = pack_of(tmp_path, calico("IPPool", stated))
    pool = {**GOOD["pool"], "spec": {"cidr": "10.0.0.0/16", "ipipMode": "Always", "vxlanMode": "Always"}}
    assert codes(findings(pool)) == codes(findings(pool, pack=pack)) == [("CAL006", "spec.vxlanMode")]
    pool["spec"]["cidr"] = "192.0.2.0/24"
    assert codes(findings(pool, pack=pack)) == [("OBJ015", "spec"), ("CAL006", "spec.vxlanMode")]


@pytest.mark.parametrize("value", [thing(7), thing([]), {**thing({}), "metadata": None}, thing({"a": {}})])
def test_values_of_another_shape_are_findings(findings: Any, value: dict[str, Any]) -> None:
    stated = crd({**fields(a=INT), **rule("self.a < 3")})
    assert findings(stated, value)
    assert all(finding.severity is Severity.ERROR for finding in findings(stated, value))


RICH = crd(
    {
        **fields(
            text={**TEXT, "pattern": "^[a-z]+$", "default": "x", "maxLength": 9},
            port={"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
            entries={
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
                "items": {**fields(name=TEXT, n={**INT, "minimum": 1, "exclusiveMinimum": True}), **rule("self.n > 1")},
            },
            free={"type": "object", "additionalProperties": {**TEXT, "format": "cidr", "nullable": True}},
            kept={"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        ),
        **rule("!has(self.port) || self.port != 0", messageExpression="'x'", fieldPath=".port"),
        "oneOf": [{"required": ["text"]}, {"required": ["port"]}],
    }
)
BUSY = thing({"port": 80, "entries": [{"name": "a", "n": 2}, {"name": "b", "n": 3}], "free": {"x": "10.0.0.0/8"}})


@pytest.mark.parametrize("seed", range(60))
def test_broken_definitions_and_objects_give_findings_never_an_exception(findings: Any, seed: int) -> None:
    chance = random.Random(seed)
    stated, value = broken(RICH, chance), broken(BUSY, chance)
    values = [each for each in (stated, value, BUSY, stated) if isinstance(each, dict)]
    found = findings(*values)
    assert {finding.code for finding in found} <= set(CODES)
    assert found == findings(*values)
