"""The reader follows sigs.k8s.io/yaml; what the writer writes, every reader reads alike."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from anycastle import yamlio


def values(text: str) -> list[object]:
    loaded = yamlio.load(text, "f.yaml")
    assert loaded.findings == ()
    return [document.value for document in loaded.documents]


def codes(text: str | bytes) -> list[tuple[str, int]]:
    return [(f.code, f.where.line) for f in yamlio.load(text, "f.yaml").findings]


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("on", True),
        ("No", False),
        ("y", True),
        ("n", False),
        ("22:22", "22:22"),
        ("1e3", 1000),
        ("017", 15),
        ("0o17", 15),
        ("0x1f", 31),
        ("0b101", 5),
        ("08", 8),
        ("1_000", 1000),
        ("2001-01-01", "2001-01-01"),
        ("=", "="),
        ("~", None),
        ("", None),
        ("::1", "::1"),
        ("1.5", 1.5),
        ("+7", 7),
        ("-7", -7),
        ("1.2.3", "1.2.3"),
        ("192.168.10.1", "192.168.10.1"),
        ('"on"', "on"),
        ("'5'", "5"),
        ("!!str 5", "5"),
        ("all()", "all()"),
    ],
)
def test_scalars_are_read_as_go_reads_them(scalar: str, value: object) -> None:
    assert values(f"a: {scalar}\n") == ([{"a": value}])


def test_keys_become_strings_as_in_go() -> None:
    assert values("on: 1\n2: 3\nnull: 4\n") == [{"true": 1, "2": 3, "null": 4}]


def test_merge_keys_and_aliases() -> None:
    assert values("base: &b {x: 1, z: 2}\nc:\n  <<: *b\n  z: 3\n") == [
        {"base": {"x": 1, "z": 2}, "c": {"z": 3, "x": 1}}
    ]


def test_an_anchor_may_be_set_again() -> None:
    text = "a: &x 1\nb: *x\n---\na: &x 2\nb: [*x]\nc: &x {d: 3}\ne: *x\n"
    assert values(text) == [{"a": 1, "b": 1}, {"a": 2, "b": [2], "c": {"d": 3}, "e": {"d": 3}}]
    assert codes("a: &x 1\nb: &x 2\nc: *y\n") == [("YAML001", 3)]


def test_a_merge_key_may_bear_its_tag() -> None:
    assert values("a: &x {b: 1}\nc:\n  !!merge <<: *x\n  d: 2\n") == [{"a": {"b": 1}, "c": {"b": 1, "d": 2}}]


def test_several_documents_and_empty_ones() -> None:
    assert values("a: 1\n---\n---\n# nothing\n---\nb: 2\n") == [{"a": 1}, {"b": 2}]


def test_duplicate_key_names_both_lines() -> None:
    loaded = yamlio.load("a: 1\nb: 2\na: 3\n", "f.yaml")
    assert [(f.code, f.where.line) for f in loaded.findings] == [("YAML002", 3)]
    assert "line 1" in loaded.findings[0].message
    assert loaded.documents[0].value == {"a": 3, "b": 2}


def test_unquoted_selector_is_an_unknown_tag() -> None:
    loaded = yamlio.load("spec:\n  nodeSelector: !has(rr)\n", "f.yaml")
    assert [(f.code, f.where.line) for f in loaded.findings] == [("YAML003", 2)]
    assert '"!has(rr)"' in loaded.findings[0].fix


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: [1\nb: 2\n", "YAML001"),
        ("a:\n\t- b\n", "YAML001"),
        (b"a: \xff\xfe\n", "YAML005"),
        ("[" * 3000, "YAML004"),
        ("? [a, b]\n: 1\n", "YAML006"),
        ("a: &a [*a]\n", "YAML004"),
    ],
)
def test_bad_texts_are_findings(text: str | bytes, code: str) -> None:
    assert [c for c, _ in codes(text)] == [code]


def test_alias_bomb_is_a_finding() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)
    )
    assert [c for c, _ in codes(bomb)] == ["YAML004"]


def test_deep_block_nesting_is_a_finding() -> None:
    deep = "".join(" " * i + "a:\n" for i in range(400))
    assert [c for c, _ in codes(deep)] == ["YAML004"]


@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ("{a: ", "}"), ("- ", "")])
def test_the_deepest_nesting_is_read_and_one_more_is_not(opened: str, closed: str) -> None:
    deepest = yamlio.MAX_DEPTH
    assert codes(f"a: 1\n---\n{opened * deepest}x{closed * deepest}\n") == []
    deepest += 1
    assert codes(f"a: 1\n---\n{opened * deepest}x{closed * deepest}\n") == [("YAML004", 3)]
    assert codes(f"a: &x 1\n---\na: &x 1\nb: &x 2\n---\n{opened * deepest}{closed * deepest}\n") == [("YAML004", 6)]


def test_values_are_counted_and_aliases_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlio, "MAX_NODES", 20)
    monkeypatch.setattr(yamlio, "MAX_DOCUMENTS", 5)
    assert codes("- &a x\n" + "- *a\n" * 18) == []
    assert codes("- &a x\n" + "- *a\n" * 20) == [("YAML004", 20)]
    assert codes("- x\n" * 20) == [("YAML004", 20)]
    assert codes("--- x\n" * 5) == []
    assert codes("--- x\n" * 6) == [("YAML004", 6)]


@given(st.binary(max_size=300))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    yamlio.load(data, "f.yaml")


@given(st.text(alphabet="ab:-[]{}#&*!|>'\"%@`,? \n\t01", max_size=120))
def test_no_text_makes_it_raise(text: str) -> None:
    yamlio.load(text, "f.yaml")


def test_lines_inside_a_document() -> None:
    text = "# head\na: 1\nb:\n  c: 2\n  l:\n  - x\n  - y: 5\n    z: 6\n---\nsecond:\n  k: v\n"
    first, second = yamlio.load(text, "f.yaml").documents
    assert first.line() == 2
    assert first.line(("b", "c")) == 4
    assert first.line(("b", "l", 1, "z")) == 8
    assert first.line(("b", "missing")) == 3
    assert second.line(("second", "k")) == 11
    assert str(second.place("second", "k")) == "f.yaml:11 second.k"


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.text(max_size=30),
    st.from_regex(r"[0-9a-fxo:._+eE-]{1,12}", fullmatch=True),
    st.sampled_from(["y", "n", "on", "Off", "null", "~", "=", "<<", "1e3", "0o17", "08", "2001-01-01", "22:22", "!x"]),
)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.text(alphabet="abcdefgh", min_size=1, max_size=5), inner, max_size=4),
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(alphabet="abcdefgh", min_size=1, max_size=5), TREES, min_size=1, max_size=4))
def test_what_is_written_is_read_back_by_both_kinds_of_reader(tree: dict[str, object]) -> None:
    text = yamlio.dump(tree)
    assert yaml.safe_load(text) == tree
    assert yamlio.load(text).documents[0].value == tree


def test_comments_stand_above_their_keys_and_change_nothing() -> None:
    value = {"a": 1, "b": {"c": "on", "d": ["x", "y: z"], "e": [{"q": 1, "r": "a\nb\n"}]}, "z": []}
    text = yamlio.dump_commented(
        value, {("a",): "why a", ("b", "d"): "list\ntwo", ("b", "e", 0, "r"): "deep", ("z",): "empty"}
    )
    assert yaml.safe_load(text) == value
    lines = text.splitlines()
    assert lines[lines.index("a: 1") - 1] == "# why a"
    assert "    # deep" in lines
    assert lines[lines.index("  d:") - 2 : lines.index("  d:")] == ["  # list", "  # two"]


def test_floats_are_refused() -> None:
    with pytest.raises(TypeError, match="floats"):
        yamlio.dump({"a": 1.5})
