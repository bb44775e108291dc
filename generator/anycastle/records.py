"""`dataclass` of the standard library for a tenth of its price.

A cold run defines some two hundred such classes and makes instances of half of them. The standard library compiles six
methods for every class where it is defined, about a millisecond under Python 3.11. Here `__init__` is compiled when the
first instance is made, and the rest needs no code of its own. For a type checker it is the standard library's.

Fields, defaults, `field()`, `replace`, `fields`, `asdict`, matching, pickling and copying are as there, and every class
has slots.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NoReturn

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        *, slots: Literal[True], frozen: bool = False, kw_only: bool = False, order: bool = False
    ) -> Callable[[type], type]:
        """The decorator; that there are slots has to be said, as in the standard library."""
        return lambda cls: _record(cls, frozen=frozen, kw_only=kw_only, order=order)


def _record(cls: type[Any], *, frozen: bool, kw_only: bool, order: bool) -> type[Any]:
    made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(cls)
    fields = dataclasses.fields(made)
    methods: dict[str, Any] = {
        "__init__": _init_on_demand(made, fields),
        "__repr__": _repr(tuple(one.name for one in fields if one.repr)),
        **_comparison(tuple(one.name for one in fields if one.compare), hashed=frozen, order=order),
    }
    if frozen:
        methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name, method in methods.items():
        if name not in cls.__dict__ or cls.__dict__[name] is None:
            setattr(made, name, method)
    return made


def _init_on_demand(made: type[Any], fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    def first(self: Any, *args: Any, **kwargs: Any) -> None:
        made.__init__ = _init(made, fields)
        made.__init__(self, *args, **kwargs)

    return first


def _init(made: type[Any], fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    """The real one: each value goes straight into its slot, past a `__setattr__` that refuses."""
    names: dict[str, Any] = {}
    arguments: list[str] = []
    keywords: list[str] = []
    body: list[str] = []
    for field in fields:
        names[f"_set_{field.name}"] = getattr(made, field.name).__set__
        value = field.name
        (keywords if field.kw_only else arguments).append(_argument(field, names))
        if field.default_factory is not dataclasses.MISSING:
            value = f"_make_{field.name}() if {field.name} is _none else {field.name}"
        body.append(f" _set_{field.name}(self, {value})")
    if hasattr(made, "__post_init__"):
        body.append(" self.__post_init__()")
    signature = ", ".join(["self", *arguments, *(["*", *keywords] if keywords else [])])
    names["_none"] = dataclasses.MISSING
    exec(f"def __init__({signature}):\n" + ("\n".join(body) or " pass"), names)  # noqa: S102 - names of fields, as the standard library does
    made_init: Callable[..., None] = names["__init__"]
    return made_init


def _argument(field: dataclasses.Field[Any], names: dict[str, Any]) -> str:
    if field.default is not dataclasses.MISSING:
        names[f"_default_{field.name}"] = field.default
        return f"{field.name}=_default_{field.name}"
    if field.default_factory is not dataclasses.MISSING:
        names[f"_make_{field.name}"] = field.default_factory
        return f"{field.name}=_none"
    return field.name


def _comparison(names: tuple[str, ...], *, hashed: bool, order: bool) -> Mapping[str, Any]:
    key: Callable[[Any], Any] = attrgetter(*names) if names else lambda _record: ()

    def by(compare: Callable[[Any, Any], bool]) -> Callable[[Any, object], Any]:
        return lambda one, other: compare(key(one), key(other)) if other.__class__ is one.__class__ else NotImplemented

    methods: dict[str, Any] = {"__eq__": by(operator.eq), "__hash__": (lambda one: hash(key(one))) if hashed else None}
    if order:
        methods |= {f"__{name}__": by(getattr(operator, name)) for name in ("lt", "le", "gt", "ge")}
    return methods


def _repr(names: tuple[str, ...]) -> Callable[[Any], str]:
    return lambda one: f"{one.__class__.__qualname__}({', '.join(f'{name}={getattr(one, name)!r}' for name in names)})"


def _refuse(self: Any, name: str, *_value: Any) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to or delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
