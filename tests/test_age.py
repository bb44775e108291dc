"""Recipients of age: the right one is taken as it is, each mistyped one is refused, and no secret half is repeated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anycastle.fields import FieldError
from anycastle.site.age import EXAMPLES, parse_recipient

RIGHT = "age1r6kxll6jc7a62g7c39c8j6m9z4xsc857yz4g7x9sw855g6jt02ks8usj3a"
ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
SECRET = "AGE-SECRET-KEY-1QYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQPQYQS"


def test_a_recipient_stays_as_it_is() -> None:
    assert parse_recipient(RIGHT) == RIGHT


@given(st.integers(4, len(RIGHT) - 1), st.sampled_from(ALPHABET))
def test_one_other_character_is_noticed(at: int, character: str) -> None:
    mistyped = RIGHT[:at] + character + RIGHT[at + 1 :]
    if mistyped != RIGHT:
        with pytest.raises(FieldError):
            parse_recipient(mistyped)


@given(st.integers(4, len(RIGHT) - 2))
def test_two_exchanged_characters_are_noticed(at: int) -> None:
    exchanged = RIGHT[:at] + RIGHT[at + 1] + RIGHT[at] + RIGHT[at + 2 :]
    if exchanged != RIGHT:
        with pytest.raises(FieldError):
            parse_recipient(exchanged)


@given(st.one_of(st.text(), st.integers(), st.none(), st.lists(st.text())))
def test_whatever_else_it_is_is_refused(value: object) -> None:
    with pytest.raises(FieldError):
        parse_recipient(value)


@pytest.mark.parametrize("value", [SECRET, f" {SECRET}\n", SECRET.lower()])
def test_a_secret_half_is_never_repeated(value: str) -> None:
    with pytest.raises(FieldError) as caught:
        parse_recipient(value)
    assert "QYQSZ" not in (caught.value.problem + caught.value.fix).upper()


@pytest.mark.parametrize("value", sorted(EXAMPLES))
def test_examples_have_a_right_checksum_and_are_refused_all_the_same(value: str) -> None:
    with pytest.raises(FieldError, match="example"):
        parse_recipient(value)
