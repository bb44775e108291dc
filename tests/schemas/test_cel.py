"""Rules in CEL: the libraries, what Kubernetes adds to them, and what a rule's outcome means for an object."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from definitions import crd, defined, fields, pack_of, rule, thing

from anycastle.finding import Finding, Severity
from anycastle.schemas import cel
from anycastle.schemas.cel_library import FUNCTIONS
from anycastle.schemas.crd import Definition
from anycastle.schemas.fault import Fault
from anycastle.schemas.upstream import broken_rules
from anycastle.schemas.walk import with_defaults

TEXT, INT = {"type": "string"}, {"type": "integer"}


@pytest.fixture(params=list(cel.LIBRARIES))
def compiled(request: pytest.FixtureRequest) -> Callable[[str], cel.Program]:
    """Compiles an expression with each library that is installed; a missing one is skipped visibly."""
    found = cel.LIBRARIES[request.param]()
    if found is None:
        pytest.skip(f"{request.param} is not installed")

    def run(text: str) -> cel.Program:
        program = found(text)
        assert program is not None, text
        return program

    return run


@pytest.mark.parametrize(
    "text",
    [
        "has(self.a) && self.a == 'x'",
        "!has(self.absent)",
        "self.list.all(x, x > 0) && self.list.exists(x, x == 2) && self.list.size() == 3",
        "self.map['a-b'] == 1 && 'a-b' in self.map",
        "self.either == 6 || self.either == 'TCP'",
        "self.a.matches('^[a-z]$') && self.a.startsWith('x')",
        "isIP('192.0.2.1') && isIP('::1') && !isIP('192.0.2.1/24') && !isIP('banana') && !isIP('::ffff:192.0.2.1')",
        "ip('2001:db8:0::1') == ip('2001:db8::1') && ip('192.0.2.1').family() == 4 && ip('::1').family() == 6",
        "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:db8:0::1')",
        "ip('127.0.0.1').isLoopback() && ip('0.0.0.0').isUnspecified() && ip('10.0.0.1').isGlobalUnicast()",
        "ip('fe80::1').isLinkLocalUnicast() && ip('224.0.0.5').isLinkLocalMulticast()",
        "isCIDR('192.0.2.0/24') && !isCIDR('192.0.2.0') && !isCIDR('192.0.2.0/33')",
        "cidr('10.0.2.0/24') == cidr('10.0.2.0/24').masked() && cidr('10.0.2.7/24') != cidr('10.0.2.7/24').masked()",
        "cidr('192.0.2.0/24').containsIP('192.0.2.9') && !cidr('192.0.2.0/24').containsIP(ip('192.0.3.9'))",
        "cidr('192.0.0.0/16').containsCIDR('192.0.2.0/24') && !cidr('192.0.2.0/24').containsCIDR(cidr('192.0.0.0/16'))",
        "!cidr('192.0.0.0/16').containsCIDR('2001:db8::/32') && !cidr('192.0.0.0/16').containsIP('::1')",
        "cidr('192.0.2.7/24').ip() == ip('192.0.2.7') && cidr('192.0.2.7/24').prefixLength() == 24",
        "isURL('https://example.com:8443/a') && !isURL('banana') && isURL('/a')",
        "url('https://example.com:8443/a').getScheme() == 'https' && url('https://h:8443/a').getPort() == '8443'",
        "url('https://u@Example.com:8443/a').getHost() == 'Example.com:8443'",
        "url('https://example.com/a').getHostname() == 'example.com' && url('https://h/a').getEscapedPath() == '/a'",
        "isQuantity('1Gi') && !isQuantity('1 GiB') && quantity('1000m') == quantity('1')",
        "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('1k').isLessThan(quantity('1Ki'))",
        "quantity('2').compareTo(quantity('1')) == 1 && quantity('-1').sign() == -1",
        "quantity('1500m').add(quantity('500m')) == quantity('2') && quantity('1500m').asApproximateFloat() == 1.5",
        "quantity('3').sub(quantity('1')).asInteger() == 2 && !quantity('1500m').isInteger()",
        "[1, 2, 3].isSorted() && ![2, 1].isSorted() && [1, 2, 3].sum() == 6 && [1, 2].max() == 2 && [1, 2].min() == 1",
        "['a', 'b', 'a'].indexOf('a') == 0 && ['a', 'b', 'a'].lastIndexOf('a') == 2 && [1].indexOf(7) == -1",
        "'A-b'.lowerAscii() == 'a-b' && 'a'.upperAscii() == 'A' && ' a '.trim() == 'a' && 'abc'.charAt(1) == 'b'",
        "'a,b'.split(',') == ['a', 'b'] && 'a,b,c'.split(',', 2) == ['a', 'b,c'] && ['a', 'b'].join('-') == 'a-b'",
        "'abc'.substring(1) == 'bc' && 'abc'.substring(0, 1) == 'a' && 'aa'.replace('a', 'b') == 'bb'",
        "'abab'.indexOf('b') == 1 && 'abab'.lastIndexOf('b') == 3",
    ],
)
def test_expressions_hold(compiled: Callable[[str], cel.Program], text: str) -> None:
    value = {"a": "x", "list": [1, 2, 3], "map": {"a-b": 1}, "either": 6}
    assert compiled(text)(value) == cel.Outcome(True)
    assert compiled(f"!({text})")(value) == cel.Outcome(False)


@pytest.mark.parametrize(
    "text",
    [
        "self.absent == 1",
        "self.list[9] == 1",
        "1 / self.zero == 1",
        "ip('banana').family() == 4",
        "cidr('192.0.2.1') == cidr('192.0.2.1')",
        "quantity('1 GiB').isInteger()",
    ],
)
def test_an_error_that_a_server_meets_is_an_error(compiled: Callable[[str], cel.Program], text: str) -> None:
    outcome = compiled(text)({"list": [1], "zero": 0})
    assert outcome.error
    assert (outcome.value, outcome.unknown) == (None, "")


@pytest.mark.parametrize("text", ["self.text + 1 == 2", "self.number.masked() == ''", "self.text.matches('(')"])
def test_what_a_library_cannot_do_is_unknown(compiled: Callable[[str], cel.Program], text: str) -> None:
    outcome = compiled(text)({"text": "x", "number": 1})
    assert outcome.unknown
    assert (outcome.value, outcome.error) == (None, "")


def test_the_memory_of_one_evaluation_does_not_taint_the_next(compiled: Callable[[str], cel.Program]) -> None:
    assert compiled("ip('banana').family() == 4")({}).error
    assert compiled("true")({}) == cel.Outcome(True)


@pytest.mark.parametrize("library", cel.LIBRARIES)
def test_a_text_that_is_no_rule_does_not_compile(library: str) -> None:
    found = cel.LIBRARIES[library]()
    if found is None:
        pytest.skip(f"{library} is not installed")
    assert found("self.a +") is None


def test_optional_values_and_bindings_are_there_when_needed() -> None:
    found = cel.google()
    if found is None:
        pytest.skip("cel-expr-python is not installed")
    for text in ("self.?absent.orValue('x') == 'x'", "cel.bind(x, 1, x == 1)"):
        program = found(text)
        assert program is not None
        assert program({}) == cel.Outcome(True)


def test_every_function_is_asked_above() -> None:
    marks = [mark for mark in test_expressions_hold.pytestmark if mark.name == "parametrize"]
    text = " ".join(marks[0].args[1])
    assert [function.name for function in FUNCTIONS if f"{function.name}(" not in text] == []


# --- what an outcome means ---------------------------------------------------------------------------------


@pytest.fixture(params=list(cel.LIBRARIES))
def _each_library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if cel.LIBRARIES[request.param]() is None:
        pytest.skip(f"{request.param} is not installed")
    monkeypatch.setattr(cel, "LIBRARIES", {request.param: cel.LIBRARIES[request.param]})
    return


def asked(found: Definition, value: dict[str, Any]) -> list[Fault]:
    return [fault for fault, _rule in broken_rules(with_defaults(value, found.schema), found, [])]


@pytest.mark.usefixtures("_each_library")
def test_a_broken_rule_is_named_at_its_place() -> None:
    entry = {**fields(low=INT, high=INT), **rule("self.low <= self.high", message="low is above high")}
    found = defined(fields(ranges={"type": "array", "items": entry}))
    assert asked(found, thing({"ranges": [{"low": 1, "high": 2}]})) == []
    faults = asked(found, thing({"ranges": [{"low": 1, "high": 2}, {"low": 3, "high": 2}]}))
    assert [(fault.code, fault.keys) for fault in faults] == [("OBJ015", ("spec", "ranges", 1))]
    assert "low is above high" in faults[0].message
    assert "`self.low <= self.high`" in faults[0].fix


@pytest.mark.usefixtures("_each_library")
def test_a_rule_may_make_its_message_and_name_a_field() -> None:
    stated = rule("self.a < 3", message="m", messageExpression="'%s is too much'.replace('%s', string(self.a))")
    faults = asked(defined({**fields(a=INT), **stated}), thing({"a": 7}))
    assert "7 is too much" in faults[0].message
    stated = rule("self.a < 3", message="m", messageExpression="self.absent", fieldPath=".a")
    faults = asked(defined({**fields(a=INT), **stated}), thing({"a": 7}))
    assert "says: m;" in faults[0].message
    assert faults[0].keys == ("spec", "a")


@pytest.mark.usefixtures("_each_library")
def test_a_rule_sees_defaults() -> None:
    found = defined({**fields(mode={**TEXT, "default": "Never"}), **rule("self.mode == 'Never'")})
    assert asked(found, thing({})) == []
    assert [fault.code for fault in asked(found, thing({"mode": "Always"}))] == ["OBJ015"]


@pytest.mark.usefixtures("_each_library")
def test_an_evaluation_that_fails_on_a_server_refuses_the_object() -> None:
    found = defined({**fields(a=TEXT), **rule("self.a == 'x'")})
    faults = asked(found, thing({}))
    assert [fault.code for fault in faults] == ["OBJ015"]
    assert "cannot be evaluated" in faults[0].message


def test_a_value_that_is_refused_already_is_not_asked() -> None:
    found = defined({**fields(a=INT), **rule("self.a < 3")})
    assert list(broken_rules(thing({"a": 7}), found, [("spec", "a")])) == []
    assert len(list(broken_rules(thing({"a": 7}), found, [("metadata", "name")]))) == 1


def test_rules_about_a_change_are_left_to_the_server() -> None:
    assert asked(defined({**fields(a=INT), **rule("self == oldSelf")}), thing({"a": 1})) == []


def test_without_a_library_one_finding_says_so(findings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(cel, "LIBRARIES", {})
    stated = {**fields(a=INT, b=INT), **rule("self.a < 3"), "x-kubernetes-map-type": "granular"}
    stated["x-kubernetes-validations"] += [{"rule": "self.b < 3"}]
    pack = pack_of(tmp_path, crd(stated))
    found = findings(thing({"a": 7, "b": 1}), thing({"a": 1}, "two"), thing({"c": 1}, "three"), pack=pack)
    assert [(finding.code, finding.severity) for finding in found] == [
        ("OBJ016", Severity.UNCHECKED),
        ("OBJ003", Severity.ERROR),
    ]
    assert found[0].message.startswith("2 rules of example.com/v1 Thing: no library for CEL")


def test_a_rule_that_does_not_compile_is_unchecked_and_the_others_are_asked(findings: Any, tmp_path: Any) -> None:
    if cel.compiler() is None:
        pytest.skip("no library for CEL is installed")
    stated = {**fields(a=INT), **rule("self.a < 3")}
    stated["x-kubernetes-validations"] += [{"rule": "self.a +"}, {"rule": "self.a + 'x' == 'x'"}]
    found: tuple[Finding, ...] = findings(thing({"a": 7}), pack=pack_of(tmp_path, crd(stated)))
    assert sorted(finding.code for finding in found) == ["OBJ015", "OBJ016"]
    unasked = next(finding for finding in found if finding.code == "OBJ016")
    assert unasked.message.startswith("2 rules of example.com/v1 Thing")
    assert "`self.a +` (it cannot be compiled here)" in unasked.message
    assert "`self.a + 'x' == 'x'` (it cannot be evaluated here)" in unasked.message
