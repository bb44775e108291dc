"""Rules in CEL, evaluated by whichever library is installed: cel-expr-python, or common-expression-language.

Neither is a hard requirement. Without one, and for a rule that a library cannot compile, there is no verdict;
an evaluation that fails in a way that is the library's and not the object's has none either.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from anycastle.records import dataclass
from anycastle.schemas.cel_library import FUNCTIONS, MISUSE, Function


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an expression came to: a value, or an error that an API server would meet, or neither (`unknown`)."""

    value: Any = None
    error: str = ""
    unknown: str = ""


Program = Callable[[Any], Outcome]
"""Evaluates a compiled expression for a `self`."""
Compile = Callable[[str], Program | None]
"""None where the expression cannot be compiled."""

_NOT_OURS_TO_JUDGE = ("No matching overload", "Non-CEL value", "out of range for '", "invalid regular expression")


def compiler() -> Compile | None:
    """The compiler of the first library that is installed, with a memory for expressions."""
    for library in LIBRARIES.values():
        if (found := library()) is not None:
            return found
    return None


@cache
def google() -> Compile | None:
    """The compiler of cel-expr-python (Google's C++ implementation)."""
    try:
        from cel_expr_python import cel
    except ImportError:
        return None
    plain = _environment(cel, [])

    @lru_cache(maxsize=4096)
    def compiled(text: str) -> Program | None:
        for extended in (False, True):
            try:
                expression = (_extended() if extended else plain).compile(text)
            except (RuntimeError, ImportError):
                continue
            return lambda value: _google_outcome(expression, value)
        return None

    return compiled


@cache
def _extended() -> Any:
    """With optional values, bindings, mathematics: costly to import, and rarely needed."""
    from cel_expr_python import cel
    from cel_expr_python.ext import ext_bindings, ext_math, ext_optional

    return _environment(cel, [ext_optional.ExtOptional(), ext_bindings.ExtBindings(), ext_math.ExtMath()])


def _environment(cel: Any, extensions: list[Any]) -> Any:
    types = cel.Type
    kinds = {"text": types.STRING, "int": types.INT, "double": types.DOUBLE, "bool": types.BOOL}
    kinds |= {"list": types.LIST, "any": types.DYN}

    def overload(function: Function) -> Any:
        identity = "_".join((function.name, "of" if function.member else "from", *function.kinds))
        parameters = [kinds[kind] for kind in function.kinds]
        return cel.Overload(identity, kinds[function.result], parameters, function.member, function.run)

    declared = [
        cel.FunctionDecl(name, [overload(function) for function in FUNCTIONS if function.name == name])
        for name in dict.fromkeys(function.name for function in FUNCTIONS)
    ]
    return cel.NewEnv(variables={"self": types.DYN}, functions=declared, extensions=extensions)


def _google_outcome(expression: Any, value: Any) -> Outcome:
    MISUSE.clear()
    try:
        result = expression.eval(data={"self": value})
        found = result.value()
    except (RuntimeError, TypeError, ValueError) as error:
        return Outcome(unknown=str(error))
    if MISUSE:
        return Outcome(error=MISUSE[0])
    if str(result.type()) != "ERROR":
        return Outcome(found)
    text = str(found)
    if any(mark in text for mark in _NOT_OURS_TO_JUDGE):
        return Outcome(unknown=text)
    return Outcome(error=text.partition(": ")[2] or text)


@cache
def rust() -> Compile | None:
    """The compiler of common-expression-language (the Rust implementation)."""
    cel = _rust_module()
    if cel is None:
        return None
    functions = _by_arguments()

    @lru_cache(maxsize=4096)
    def compiled(text: str) -> Program | None:
        try:
            program = cel.compile(text)
        except ValueError:
            return None
        return lambda value: _rust_outcome(program, cel.Context(variables={"self": value}, functions=functions))

    return compiled


def _rust_module() -> Any:
    """The extension alone: the package around it imports a whole command line."""
    found = importlib.util.find_spec("cel")
    for folder in (found.submodule_search_locations or ()) if found else ():
        for path in sorted(Path(folder).glob("cel.*")):
            if path.name.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES)):
                loader = importlib.machinery.ExtensionFileLoader("cel", str(path))
                spec = importlib.util.spec_from_file_location("cel", path, loader=loader)
                if spec is not None:
                    module = importlib.util.module_from_spec(spec)
                    loader.exec_module(module)
                    return module
    return None


def _by_arguments() -> dict[str, Callable[..., Any]]:
    """One callable for each name, which chooses the overload by the arguments.

    The library passes a receiver as the first argument: `ip(x)` and `x.ip()` look alike, so the second is tried
    where the first has no value.
    """
    names: dict[str, list[Function]] = {}
    for function in FUNCTIONS:
        names.setdefault(function.name, []).append(function)
    return {name: _chosen(overloads) for name, overloads in names.items()}


def _chosen(overloads: list[Function]) -> Callable[..., Any]:
    def call(*given: Any) -> Any:
        fitting = [function for function in overloads if _fits(function, given)]
        if not fitting:
            raise TypeError("No such overload")
        before = len(MISUSE)
        for function in fitting:
            del MISUSE[before:]
            result = function.run(*given)
            if len(MISUSE) == before:
                break
        return result

    return call


def _fits(function: Function, given: tuple[Any, ...]) -> bool:
    types = {"text": str, "int": int, "double": float, "bool": bool, "list": list, "any": object}
    return len(given) == len(function.kinds) and all(
        isinstance(value, types[kind]) for value, kind in zip(given, function.kinds, strict=True)
    )


_MET_BY_A_SERVER = (KeyError, IndexError, ZeroDivisionError, OverflowError)


def _rust_outcome(program: Any, context: Any) -> Outcome:
    MISUSE.clear()
    try:
        found = program.execute(context)
    except _MET_BY_A_SERVER as error:
        return Outcome(error=f"{type(error).__name__} {error}")
    except (RuntimeError, TypeError, ValueError) as error:
        return Outcome(unknown=str(error))
    return Outcome(error=MISUSE[0]) if MISUSE else Outcome(found)


LIBRARIES: dict[str, Callable[[], Compile | None]] = {
    "cel-expr-python": google,
    "common-expression-language": rust,
}
