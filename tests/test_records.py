"""A record does what a dataclass of the standard library does."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from anycastle import records

DECORATORS: dict[str, Callable[..., Any]] = {"record": records.dataclass, "standard library": dataclasses.dataclass}


@records.dataclass(frozen=True, slots=True)
class Kept:
    name: str
    ports: tuple[int, ...] = ()


@pytest.fixture(params=sorted(DECORATORS))
def dataclass(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return DECORATORS[request.param]


def point(dataclass: Callable[..., Any], **options: bool) -> Any:
    @dataclass(slots=True, **options)
    class Point:
        """A place."""

        x: int
        y: int = 0
        tags: list[str] = dataclasses.field(default_factory=list)
        note: str = dataclasses.field(default="", compare=False, repr=False)

        @property
        def far(self) -> bool:
            return self.x > 9

    return Point


def test_arguments_and_defaults(dataclass: Callable[..., Any]) -> None:
    made = point(dataclass, frozen=True)
    one, other = made(1, tags=["a"]), made(2)
    assert (one.x, one.y, one.tags, one.note, one.far) == (1, 0, ["a"], "", False)
    assert other.tags == []
    assert other.tags is not made(2).tags
    for wrong in ((), (1, 2, [], "", 5)):
        with pytest.raises(TypeError):
            made(*wrong)
    with pytest.raises(TypeError, match="z"):
        made(1, z=3)


def test_keywords_only(dataclass: Callable[..., Any]) -> None:
    made = point(dataclass, frozen=True, kw_only=True)
    assert made(y=3, x=1).y == 3
    with pytest.raises(TypeError):
        made(1)


def test_equality_leaves_out_what_does_not_compare(dataclass: Callable[..., Any]) -> None:
    made = point(dataclass, frozen=True)
    assert made(1, note="here") == made(1, note="there")
    assert made(1) != made(1, 2)
    assert made(1) != (1, 0, [])
    assert (made(1) == 1) is False


def test_hash_and_order(dataclass: Callable[..., Any]) -> None:
    @dataclass(frozen=True, slots=True, order=True)
    class Pair:
        a: int
        b: str = ""

    assert hash(Pair(1, "x")) == hash(Pair(1, "x"))
    assert len({Pair(1), Pair(1), Pair(2)}) == 2
    assert sorted([Pair(2), Pair(1, "b"), Pair(1, "a")]) == [Pair(1, "a"), Pair(1, "b"), Pair(2)]
    assert Pair(1) <= Pair(1) >= Pair(1)
    assert Pair(1) < Pair(2) > Pair(1)
    with pytest.raises(TypeError):
        assert Pair(1) < 3


def test_frozen_and_not(dataclass: Callable[..., Any]) -> None:
    frozen, free = point(dataclass, frozen=True)(1), point(dataclass)(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x'"):
        frozen.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x'"):
        del frozen.x
    free.x = 2
    assert free.x == 2
    with pytest.raises(TypeError):
        hash(free)
    with pytest.raises(AttributeError):
        free.other = 1


def test_what_the_standard_library_does_with_one(dataclass: Callable[..., Any]) -> None:
    made = point(dataclass, frozen=True)
    one = made(1, 2, ["a"], "n")
    assert dataclasses.is_dataclass(one)
    assert [field.name for field in dataclasses.fields(one)] == ["x", "y", "tags", "note"]
    assert dataclasses.replace(one, y=5) == made(1, 5, ["a"])
    assert dataclasses.asdict(one) == {"x": 1, "y": 2, "tags": ["a"], "note": "n"}
    assert repr(one).endswith("Point(x=1, y=2, tags=['a'])")
    assert made.__doc__ == "A place."
    match one:
        case made(first, second):
            assert (first, second) == (1, 2)


def test_own_methods_stay(dataclass: Callable[..., Any]) -> None:
    @dataclass(frozen=True, slots=True)
    class Shouting:
        word: str

        def __repr__(self) -> str:
            return self.word.upper()

        def __post_init__(self) -> None:
            if not self.word:
                raise ValueError("nothing to shout")

    assert repr(Shouting("a")) == "A"
    with pytest.raises(ValueError, match="nothing"):
        Shouting("")


def test_one_without_fields(dataclass: Callable[..., Any]) -> None:
    @dataclass(frozen=True, slots=True)
    class Nothing:
        pass

    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing()}) == 1


def test_one_that_inherits(dataclass: Callable[..., Any]) -> None:
    @dataclass(frozen=True, slots=True)
    class Base:
        a: int

    @dataclass(frozen=True, slots=True)
    class More(Base):
        b: int = 2

    assert (More(1).a, More(1).b) == (1, 2)
    assert More(1) != Base(1)


def test_it_is_copied_and_pickled() -> None:
    one = Kept("a", (1,))
    assert pickle.loads(pickle.dumps(one)) == one
    assert copy.deepcopy(one) == copy.copy(one) == one
