"""The cache of rendered charts: it changes nothing but the time."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from anycastle import cache, compose, helm, rendercache
from anycastle.cli import run
from anycastle.finding import Finding, Place, Severity

EXAMPLE = Path(__file__).resolve().parents[1] / "output-example"
RELEASE = helm.Release("web", "default", "v1.36.4")
VALUES: dict[str, Any] = {"answer": 42}


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    folder = tmp_path / "chart"
    (folder / "templates/more").mkdir(parents=True)
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
    (folder / "templates/a.yaml").write_text("a: {{ .Values.answer }}\n")
    (folder / "templates/more/b.yaml").write_text("b: {{ .Release.Name }}\n")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "cache"


class Engine:
    """Stands for Helm and counts how often it is asked."""

    def __init__(self, answer: helm.Rendered, linted: tuple[Finding, ...] = ()) -> None:
        self.answer, self.linted, self.asked = answer, linted, 0

    def render(self, *_arguments: object, linted: bool = True) -> helm.Rendered:
        self.asked += 1
        return replace(self.answer, findings=(*self.answer.findings, *self.linted))


TEXTS = helm.Rendered((("templates/a.yaml", "a: 42\n"), ("templates/b.yaml", "ü: \U0001f600\n")))
REFUSED = helm.Rendered(
    findings=(Finding("HELM001", Severity.ERROR, Place("chart/templates/a.yaml", 3), "No.", "Yes."),)
)
LINTED = Finding("HELM002", Severity.ERROR, Place("chart"), "Old.", "New.")


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Engine]]:
    def stand_in(answer: helm.Rendered = TEXTS, linted: tuple[Finding, ...] = ()) -> Engine:
        made = Engine(answer, linted)
        monkeypatch.setattr(helm, "judged", made.render)
        return made

    return stand_in


def entries(store: Path) -> list[Path]:
    return sorted((store / "renders").iterdir()) if store.exists() else []


@pytest.mark.parametrize(("answer", "linted"), [(TEXTS, ()), (TEXTS, (LINTED,)), (REFUSED, ()), (helm.Rendered(), ())])
def test_a_second_run_says_the_same_and_asks_nobody(
    chart: Path, store: Path, engine: Callable[..., Engine], answer: helm.Rendered, linted: tuple[Finding, ...]
) -> None:
    asked = engine(answer, linted)
    first = rendercache.render(chart, VALUES, RELEASE, "chart", store)
    assert first == helm.Rendered(answer.texts, answer.findings or linted)
    assert rendercache.render(chart, VALUES, RELEASE, "chart", store) == first
    assert asked.asked == 1


def test_without_a_cache_everything_is_made_anew(chart: Path, engine: Callable[..., Engine]) -> None:
    asked = engine()
    for _ in range(2):
        rendercache.render(chart, VALUES, RELEASE, "chart", None)
    assert asked.asked == 2


def write(name: str, text: str) -> Callable[[Path], None]:
    return lambda chart: (chart / name).write_text(text) and None


@pytest.mark.parametrize(
    "change",
    [
        write("templates/a.yaml", "a: {{ .Values.answer }}\n\n"),
        write("values.yaml", "answer: 1\n"),
        write("values.schema.json", "{}"),
        write(".helmignore", "templates/a.yaml\n"),
        lambda chart: (chart / "templates/a.yaml").rename(chart / "templates/c.yaml"),
        lambda chart: (chart / "templates/more/b.yaml").rename(chart / "templates/b.yaml"),
        lambda chart: (chart / "templates/a.yaml").unlink(),
    ],
    ids=["edit", "defaults", "schema", "ignore", "rename", "move", "remove"],
)
def test_any_change_of_the_chart_counts(
    chart: Path, store: Path, engine: Callable[..., Engine], change: Callable[[Path], None]
) -> None:
    asked = engine()
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    change(chart)
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    assert asked.asked == 2


@pytest.mark.parametrize(
    ("values", "release", "label"),
    [
        ({"answer": 43}, RELEASE, "chart"),
        ({"answer": "42"}, RELEASE, "chart"),
        ({"answer": True}, RELEASE, "chart"),
        (VALUES, replace(RELEASE, name="other"), "chart"),
        (VALUES, replace(RELEASE, namespace="other"), "chart"),
        (VALUES, replace(RELEASE, kube_version="v1.35.0"), "chart"),
        (VALUES, replace(RELEASE, api_versions=("a/v1",)), "chart"),
        (VALUES, RELEASE, "elsewhere"),
    ],
)
def test_any_change_of_what_is_asked_counts(
    chart: Path,
    store: Path,
    engine: Callable[..., Engine],
    values: dict[str, Any],
    release: helm.Release,
    label: str,
) -> None:
    asked = engine()
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    rendercache.render(chart, values, release, label, store)
    assert asked.asked == 2


def test_another_engine_and_another_format_count(
    chart: Path, store: Path, engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = engine()
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    rendercache._engine.cache_clear()
    monkeypatch.setattr(helm, "identity", lambda: (("libhelm_c.so", 1, 2),))
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    monkeypatch.setattr(rendercache, "FORMAT", 99)
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    rendercache._engine.cache_clear()
    assert asked.asked == 3


def test_the_identity_of_the_engine_names_its_library() -> None:
    assert any(name.startswith("libhelm") and size > 1_000_000 for name, size, _time in helm.identity())


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data.replace(b"42", b"43"),
        lambda data: b"\xff" + data,
        lambda data: data.partition(b"\n")[0],
        lambda data: b"\n",
        lambda data: data * 2,
    ],
)
def test_a_damaged_entry_is_ignored_and_replaced(
    chart: Path, store: Path, engine: Callable[..., Engine], damage: Callable[[bytes], bytes]
) -> None:
    asked = engine()
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    (entry,) = entries(store)
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert rendercache.render(chart, VALUES, RELEASE, "chart", store) == TEXTS
    assert asked.asked == 2
    assert entry.read_bytes() == whole


def test_an_entry_of_another_shape_is_ignored(chart: Path, store: Path, engine: Callable[..., Engine]) -> None:
    import hashlib

    asked = engine()
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    (entry,) = entries(store)
    for body in (b"[]", b"{}", b'{"texts": 3, "findings": []}', b'{"texts": [], "findings": [[1]]}', b"7"):
        entry.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        assert rendercache.render(chart, VALUES, RELEASE, "chart", store) == TEXTS
    assert asked.asked == 6


@pytest.mark.parametrize("what", ["a file", "a folder that may not be written", "an entry that is a folder"])
def test_a_cache_that_cannot_be_used_costs_only_time(
    chart: Path, store: Path, engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    asked = engine()
    if what == "a file":
        store.write_text("")
    elif what == "an entry that is a folder":
        rendercache.render(chart, VALUES, RELEASE, "chart", store)
        (entry,) = entries(store)
        entry.unlink()
        (entry / "inside").mkdir(parents=True)
    else:

        def refuse(*_arguments: object, **_options: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(cache, "write", refuse)
    before = asked.asked
    for _ in range(2):
        assert rendercache.render(chart, VALUES, RELEASE, "chart", store) == TEXTS
    assert asked.asked == before + 2


def test_an_entry_that_may_only_be_read_is_used(
    chart: Path, store: Path, engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = engine()
    rendercache.render(chart, VALUES, RELEASE, "chart", store)

    def refuse(*_arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "utime", refuse)
    assert rendercache.render(chart, VALUES, RELEASE, "chart", store) == TEXTS
    assert asked.asked == 1


def test_what_cannot_be_told_is_not_remembered(chart: Path, store: Path, engine: Callable[..., Engine]) -> None:
    engine()
    elsewhere = chart.parent / "elsewhere"
    elsewhere.mkdir()
    rendercache.render(chart, {"a": float("nan")}, RELEASE, "chart", store)
    rendercache.render(chart, {"a": {1, 2}}, RELEASE, "chart", store)
    (chart / "templates/linked").symlink_to(elsewhere)
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    assert entries(store) == []


def test_a_chart_that_was_stopped_is_tried_again(chart: Path, store: Path, engine: Callable[..., Engine]) -> None:
    engine(helm.Rendered(findings=(Finding("HELM003", Severity.ERROR, Place("chart"), "Stopped."),)))
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    assert entries(store) == []


def test_old_entries_make_room_and_used_ones_stay(
    chart: Path, store: Path, engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine(helm.Rendered((("templates/a.yaml", "a" * 900),)))
    monkeypatch.setattr(rendercache, "MAX_BYTES", 5_000)
    for answer in range(4):
        rendercache.render(chart, {"answer": answer}, RELEASE, "chart", store)
    for age, entry in enumerate(entries(store)):
        os.utime(entry, (1000 + age, 1000 + age))
    rendercache.render(chart, {"answer": 0}, RELEASE, "chart", store)  # used: the youngest of all
    used = max(entries(store), key=lambda path: path.stat().st_mtime)
    rendercache.render(chart, {"answer": 4}, RELEASE, "chart", store)
    left = entries(store)
    assert used in left
    assert len(left) == 3
    assert sum(path.stat().st_size for path in left) <= 5_000 * 3 // 4


def test_a_giant_is_not_kept(
    chart: Path, store: Path, engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendercache, "MAX_ENTRY", 1_000)
    engine(helm.Rendered((("templates/a.yaml", "a" * 1_000),)))
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    assert entries(store) == []


def test_entries_are_for_their_owner_alone_and_leave_no_litter(
    chart: Path, store: Path, engine: Callable[..., Engine]
) -> None:
    engine()
    rendercache.render(chart, VALUES, RELEASE, "chart", store)
    (entry,) = entries(store)
    assert entry.stat().st_mode & 0o077 == 0
    assert (store / "renders").stat().st_mode & 0o077 == 0


# --- with the real engine --------------------------------------------------------------------------------


def reported(root: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    run(["validate", str(root), "--format", "json", *options])
    return capsys.readouterr().out


def break_schema(root: Path) -> None:
    path = root / "apps/whoami/values.yaml"
    path.write_text(path.read_text().replace("replicas:", "replicaz:"))


def break_template(root: Path) -> None:
    path = next((root / "charts/whoami/templates").glob("*.yaml"))
    path.write_text(path.read_text() + '{{ fail "not today" }}\n')


def nothing(_root: Path) -> None:
    return


@pytest.mark.parametrize("change", [nothing, break_schema, break_template])
def test_reports_with_and_without_a_cache_are_equal(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Path], None],
) -> None:
    root = tmp_path / "home"
    shutil.copytree(EXAMPLE, root)
    change(root)
    monkeypatch.setenv("ANYCASTLE_CACHE", str(tmp_path / "cache"))
    uncached = reported(root, capsys, "--no-cache")
    assert not (tmp_path / "cache").exists()
    assert reported(root, capsys) == uncached, "while it fills"
    assert entries(tmp_path / "cache")
    assert reported(root, capsys) == uncached, "from the cache"
    assert ("HELM001" in uncached) == (change is not nothing)
    assert json.loads(uncached)["summary"]["objects"] > 0


def test_a_run_from_the_cache_never_loads_the_engine(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom anycastle.cli import run\nstatus = run(sys.argv[1:])\n"
        "sys.stderr.write(str('helm_python' in sys.modules))\nsys.exit(status)"
    )
    environment = {**os.environ, "ANYCASTLE_CACHE": str(tmp_path / "cache")}

    def loaded() -> str:
        command = [sys.executable, "-c", program, "validate", str(EXAMPLE)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stdout
        return done.stderr

    loaded()
    assert loaded() == "False"


def test_the_tree_of_the_example_is_judged_alike(tmp_path: Path) -> None:
    store = tmp_path / "cache"
    assert (
        compose.validate_tree(EXAMPLE, store) == compose.validate_tree(EXAMPLE, store) == compose.validate_tree(EXAMPLE)
    )
