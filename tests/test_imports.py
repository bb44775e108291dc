"""The direction of imports, and what the pure part must not touch."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "generator" / "anycastle"

# room -> the rooms that it may import; `finding`, `records`, itself and the bare package (its version) are free to all.
ARROWS: dict[str, set[str]] = {
    "finding": set(),
    "records": set(),
    "fields": set(),
    "yamlio": set(),
    "textfile": set(),
    "sitefile": {"textfile", "yamlio"},
    "helm": {"textfile"},
    "urls": set(),
    "cache": set(),
    "download": set(),
    "rendercache": {"helm", "cache", "textfile"},
    "renderahead": {"helm", "rendercache"},
    "terminal": {"cache"},
    "site": {"fields", "urls"},
    "network": set(),
    "plan": {"fields", "urls", "site", "network"},
    "wizard": {"site", "fields", "yamlio", "textfile"},
    "importing": {"fields", "network", "wizard", "yamlio"},
    "rules": {"network", "urls"},
    "overview": {"network"},
    "render": {"fields", "site", "network", "overview", "yamlio"},
    "schemas": {"yamlio", "network", "cache", "download"},
    "reader": {"yamlio", "textfile", "helm", "rendercache", "renderahead", "network", "schemas"},
    "repo": {"textfile"},
    "vendoring": {"yamlio", "textfile", "download"},
    "report": {"network", "overview"},
    "lab": {"network"},
}
# These compose the stages and may import everything.
EDGE = {
    "abreast",
    "cli",
    "compose",
    "asked",
    "bringing",
    "import_cli",
    "imported",
    "lab_cli",
    "plan_cli",
    "planning",
    "rehearsing",
    "update_cli",
    "vendor_cli",
    "updating",
    "validate_cli",
    "validation",
    "watching",
    "__main__",
}
PURE = {"finding", "fields", "urls", "site", "network", "overview", "plan", "rules", "render", "report"}
WITNESS = {"reader", "schemas", "rules"}  # must not share the mistakes of the author
AUTHOR = {"site", "plan", "render"}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if first != "__init__":
            yield first, path


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imported_rooms(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Rooms of this package that a module imports, at any depth, under TYPE_CHECKING, too."""
    for node in ast.walk(module):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write imports in full, so that their direction shows"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "anycastle" and len(parts) > 1 and not parts[1].startswith("__"):
                yield parts[1], node.lineno


def test_every_room_is_in_the_table() -> None:
    rooms = {room for room, _path in modules()}
    assert rooms - EDGE <= ARROWS.keys()
    assert {"finding", "site", "network", "plan", "repo", "report", "cli"} <= rooms


def test_no_arrow_points_the_wrong_way() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {other}"
        for room, path in modules()
        if room not in EDGE
        for other, line in imported_rooms(tree(path))
        if other not in ARROWS[room] | {room, "finding", "records"}
    ]
    assert not wrong, "\n".join(wrong)


def test_the_table_keeps_witness_and_author_apart() -> None:
    for room in WITNESS:
        assert not _reachable(room) & AUTHOR, f"{room} reaches {_reachable(room) & AUTHOR}"


def _reachable(room: str) -> set[str]:
    found: set[str] = set()
    todo = [room]
    while todo:
        for other in ARROWS[todo.pop()] - found:
            found.add(other)
            todo.append(other)
    return found


def test_the_table_has_no_cycle() -> None:
    for room in ARROWS:
        assert room not in _reachable(room)


FORBIDDEN_CALLS = {"print", "input", "open", "exec", "eval"}
FORBIDDEN_NAMES = {
    ("os", "environ"),
    ("os", "getenv"),
    ("os", "chdir"),
    ("os", "getcwd"),
    ("Path", "cwd"),
    ("Path", "home"),
    ("sys", "argv"),
    ("sys", "stdout"),
    ("sys", "stderr"),
}
FORBIDDEN_MODULES = {"time", "datetime", "random", "secrets", "socket", "subprocess", "platform", "getpass", "uuid"}


def impurities(module: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            yield node.lineno, f"calls {node.func.id}"
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and (node.value.id, node.attr) in FORBIDDEN_NAMES
        ):
            yield node.lineno, f"uses {node.value.id}.{node.attr}"
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] in FORBIDDEN_MODULES:
                    yield node.lineno, f"imports {alias.name}"
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in FORBIDDEN_MODULES:
            yield node.lineno, f"imports {node.module}"


def test_the_pure_part_touches_nothing() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} {what}"
        for room, path in modules()
        if room in PURE
        for line, what in impurities(tree(path))
    ]
    assert not wrong, "\n".join(wrong)


def test_nobody_changes_directory_or_uses_a_shell() -> None:
    wrong = []
    for _room, path in modules():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Attribute) and node.attr == "chdir":
                wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno} chdir")
            if isinstance(node, ast.keyword) and node.arg == "shell":
                wrong.append(f"{path.relative_to(PACKAGE)}:{node.value.lineno} shell=")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("print(1)", "calls print"),
        ("import os\nos.environ['A']", "uses os.environ"),
        ("def f():\n    from datetime import datetime", "imports datetime"),
        ("import time", "imports time"),
    ],
)
def test_an_impurity_is_seen(source: str, what: str) -> None:
    assert [found for _line, found in impurities(ast.parse(source))] == [what]


def test_a_wrong_arrow_is_seen_where_only_types_need_it() -> None:
    source = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from anycastle.plan import plan"
    assert list(imported_rooms(ast.parse(source))) == [("plan", 3)]


def long_functions(limit: int) -> Iterator[str]:
    for _room, path in modules():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= limit:
                yield f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}"


def test_no_function_grows_over_forty_lines() -> None:
    assert not list(long_functions(40))
    assert list(long_functions(20)), "the measure itself must be able to find something"
