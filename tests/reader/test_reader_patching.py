"""Patches and expressions that people wrote for programs in Go: what they do, and that none of them takes for ever."""

from __future__ import annotations

from typing import Any

import pytest

from anycastle.finding import Place
from anycastle.reader import patterns
from anycastle.reader.documents import Object
from anycastle.reader.patching import Patch, patched
from anycastle.yamlio import load

POOL = """\
apiVersion: projectcalico.org/v3
kind: IPPool
metadata: {name: NAME, labels: {tier: web}}
spec: {cidr: 10.0.0.0/16}
"""


class Somewhere:
    def place(self, _keys: object) -> Place:
        return Place("pool.yaml", 1)


def pool(name: str = "default") -> Object:
    document = load(POOL.replace("NAME", name).encode(), "pool.yaml").documents[0]
    return Object(document.value, "pool.yaml", "cluster", Somewhere())


def after(operations: list[dict[str, Any]], *items: Object, **target: str) -> list[Object]:
    return [patched(item, [Patch(target, operations)]) for item in items]


def test_two_objects_do_not_share_what_a_patch_gives_them() -> None:
    listed = [{"op": "add", "path": "/spec/l", "value": []}, {"op": "add", "path": "/spec/l/-", "value": "x"}]
    assert [item.value["spec"]["l"] for item in after(listed, pool("a"), pool("b"))] == [["x"], ["x"]]


@pytest.mark.parametrize(
    "path", ["/spec/l/²", "/spec/l/²/a", "/spec/l/" + "9" * 5000, "/spec" + "/a" * 1500, "spec", ""]
)
def test_a_path_that_leads_nowhere_leaves_the_object_unsettled(path: str) -> None:
    made = after([{"op": "add", "path": "/spec/l", "value": [1]}, {"op": "add", "path": path, "value": 1}], pool())
    assert made[0].unsettled


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ({"name": "default"}, True),
        ({"name": "def.*"}, True),
        ({"name": "(a|default)"}, True),
        ({"name": "def"}, False),
        ({"name": "other-.*"}, False),
        ({"kind": "IPPool", "labelSelector": "tier=web"}, True),
        ({"kind": "IPPool", "labelSelector": "tier!=web"}, False),
    ],
)
def test_what_a_target_selects(target: dict[str, str], meant: bool) -> None:
    (made,) = after([{"op": "add", "path": "/spec/disabled", "value": True}], pool(), **target)
    assert ("disabled" in made.value["spec"]) == meant


@pytest.mark.parametrize(
    "target",
    [
        {"name": "(a+)+c"},
        {"name": "((a{0,200}){0,200}){0,200}b"},
        {"name": "a{99999999999999999999}"},
        {"name": "(" * 900},
        {"name": ".*.*.*.*.*.*.*b"},
        {"name": "["},
        {"labelSelector": "a" + " " * 60_000 + "!"},
        {"labelSelector": "a," * 60_000},
    ],
    ids=range(8),
)
def test_what_could_take_for_ever_is_not_tried(target: dict[str, str]) -> None:
    (made,) = after([{"op": "add", "path": "/spec/disabled", "value": True}], pool("a" * 60), **target)
    assert made.value["spec"]["disabled"]  # as if it were selected


@pytest.mark.parametrize(
    ("expression", "text", "whole", "expected"),
    [
        (r"secrets/.*\.yaml$", "a/secrets/b.yaml", False, True),
        (r"secrets/.*\.ya?ml$", "a/secrets/b.txt", False, False),
        (r"^(apps|infra)?/x", "/x", False, True),
        ("[a-z]{2,5}-[0-9]{1,3}", "web-12", True, True),
        ("a{99999999999999}", "a", False, None),
        ("(a+)+$", "a" * 40 + "b", False, None),
        ("a.*", "x" * 600, False, None),
        (r"(a)\1", "aa", True, None),
        ("(", "a", True, None),
    ],
)
def test_an_expression_is_judged_or_not(expression: str, text: str, whole: bool, expected: bool | None) -> None:
    assert patterns.found(expression, text, whole=whole) is expected
