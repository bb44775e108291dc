"""How people name several codes."""

import pytest

from anycastle.report.families import covers, names_of, unknown

KNOWN = ["ADDR001", "ADDR010", "KV001", "KVIP001", "OBJ101", "OBJ110", "OBJ201"]


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("ADDR", ["ADDR001", "ADDR010"]),
        ("ADDR001", ["ADDR001"]),
        ("ADDR00", ["ADDR001"]),
        ("KV", ["KV001"]),
        ("KVIP", ["KVIP001"]),
        ("OBJ1", ["OBJ101", "OBJ110"]),
        ("K", []),
        ("ADD", []),
        ("", []),
    ],
)
def test_what_a_name_covers(name: str, codes: list[str]) -> None:
    assert [code for code in KNOWN if covers(name, code)] == codes


def test_names_are_split_at_commas_and_in_any_case() -> None:
    assert names_of(["addr, KV001", "obj1"], KNOWN) == ("ADDR", "KV001", "OBJ1")


@pytest.mark.parametrize("text", ["NIX", "ADDR,NIX", "ADDR9", "", "ADDR,", ",", "A DDR"])
def test_a_name_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a code; "):
        names_of([text], KNOWN)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ADR", "'ADR' is not a code; did you mean ADDR?"),
        ("addr999", "'addr999' is not a code; ADDR has ADDR001 to ADDR010."),
        ("AD001", "'AD001' is not a code; did you mean ADDR001?"),
        ("zzz", "'zzz' is not a code; `anycastle rules` lists them all."),
    ],
)
def test_the_nearest_is_named(name: str, sentence: str) -> None:
    assert unknown(name, KNOWN) == sentence
