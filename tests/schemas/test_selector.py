"""Calico's selectors: what they select, and what is no selector."""

import pytest

from anycastle.network.selector import SelectorError, parse

WORKER = {"rack": "a", "role": "worker", "kubernetes.io/hostname": "k8s-node-1"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("   ", True),
        ("all()", True),
        ("all( )", True),
        ("global()", True),
        ("has(rack)", True),
        ("has( rack )", True),
        ("!has(rack)", False),
        ("! has(rack)", False),
        ("!!has(rack)", True),
        ("has(zone)", False),
        ("!has(node-role.kubernetes.io/control-plane)", True),
        ("rack == 'a'", True),
        ('rack == "a"', True),
        ("rack=='a'", True),
        ("rack == 'A'", False),
        ("zone == 'a'", False),
        ("rack != 'b'", True),
        ("rack != 'a'", False),
        ("zone != 'a'", True),
        ("rack in {'a', 'b'}", True),
        ("rack in{'b','c',}", False),
        ("rack in {}", False),
        ("rack not in {'b'}", True),
        ("rack not  in {'a'}", False),
        ("zone not in {'a'}", True),
        ("zone in {'a'}", False),
        ("role contains 'ork'", True),
        ("zone contains ''", False),
        ("role starts with 'work'", True),
        ("role starts  with 'ork'", False),
        ("role ends with 'er'", True),
        ("role ends with 'work'", False),
        ("kubernetes.io/hostname == 'k8s-node-1'", True),
        ("has(zone) || has(rack) && role == 'x'", False),
        ("has(rack) || has(zone) && role == 'x'", True),
        ("(has(rack) || has(zone)) && role == 'x'", False),
        ("has(rack) && role == 'worker' && !has(zone)", True),
        ("!(has(rack) && has(zone))", True),
        ("!rack == 'a'", False),
        ("has == 'x' || in == 'y' || all != 'z'", True),
        ("role == 'it''s'", None),
        ('note == "it\'s"', False),
    ],
)
def test_selects(text: str, expected: bool | None) -> None:
    if expected is None:
        with pytest.raises(SelectorError):
            parse(text)
    else:
        assert parse(text).matches(WORKER) is expected


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("has(rack", 5),
        ("has()", 5),
        ("all(rack)", 5),
        ("rack", 5),
        ("rack = 'a'", 6),
        ("rack == a", 9),
        ("rack == 'a", 9),
        ("rack == 'a' &&", 15),
        ("rack == 'a' has(b)", 13),
        ("rack == 'a' & has(b)", 13),
        ("(has(rack)", 11),
        ("has(rack))", 10),
        ("rack in 'a'", 9),
        ("rack in {'a' 'b'}", 14),
        ("rack in {a}", 10),
        ("rack not 'a'", 6),
        ("rack startswith 'a'", 6),
        ("!", 2),
        ("&&", 1),
        ("'a' == rack", 1),
        ("rack insane {'a'}", 6),
    ],
)
def test_no_selector(text: str, where: int) -> None:
    with pytest.raises(SelectorError, match=f"at character {where}, found"):
        parse(text)


def test_an_object_in_a_namespace_is_not_global() -> None:
    assert not parse("global()").matches({"projectcalico.org/namespace": "web"})


@pytest.mark.parametrize("text", ["(" * 5000 + "all()" + ")" * 5000, "!" * 5000 + "all()"])
def test_deep_nesting_is_refused_not_a_crash(text: str) -> None:
    with pytest.raises(SelectorError, match="nested deeper"):
        parse(text)


def test_only_all_selects_everything() -> None:
    assert parse("all()").selects_all
    assert parse(" ").selects_all
    assert not parse("has(a)").selects_all


def test_an_error_is_a_value_error() -> None:
    assert issubclass(SelectorError, ValueError)
