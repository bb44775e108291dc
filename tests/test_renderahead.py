"""Charts rendered in a thread of their own."""

import shutil
import threading
from pathlib import Path

import pytest

from anycastle import helm, rendercache
from anycastle.finding import Finding, Place, Severity
from anycastle.renderahead import Ahead

CHARTS = Path(__file__).resolve().parents[1] / "charts"
RELEASE = helm.Release("namespaces", "default", "v1.36.4")
VALUES = {"namespaces": {"web": {}}}


def task(chart: Path, label: str, store: Path | None = None) -> rendercache.Task:
    return rendercache.task(chart, VALUES, RELEASE, label, store)


def test_results_are_those_of_the_engine_and_belong_to_who_asked() -> None:
    ahead = Ahead()
    first = ahead.ask(task(CHARTS / "namespaces", "one"))
    second = ahead.ask(task(CHARTS / "nowhere", "two"))
    assert ahead.start()
    assert first.wait() == helm.render(CHARTS / "namespaces", VALUES, RELEASE, "one")
    assert any("web" in text for _name, text in first.wait().texts)
    assert [(finding.code, finding.where.path) for finding in second.wait().findings] == [("HELM001", "two")]


def test_what_is_remembered_starts_no_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = rendercache.render(CHARTS / "namespaces", VALUES, RELEASE, "one", tmp_path)
    monkeypatch.setattr(threading.Thread, "start", lambda _thread: pytest.fail("started"))
    ahead = Ahead()
    pending = ahead.ask(task(CHARTS / "namespaces", "one", tmp_path))
    assert not ahead.start()
    assert pending.wait() == made


def test_who_waits_before_anybody_began_makes_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def judged(_chart: Path, _values: object, _release: object, label: str, **_rest: object) -> helm.Rendered:
        made.append(label)
        return helm.Rendered(((label, ""),))

    monkeypatch.setattr(helm, "judged", judged)
    ahead = Ahead()
    first, second = ahead.ask(task(Path("a"), "a")), ahead.ask(task(Path("b"), "b"))
    assert first.wait().texts == (("a", ""),)
    ahead.start()
    assert (first.wait().texts, second.wait().texts) == ((("a", ""),), (("b", ""),))
    assert made == ["a", "b"]


def test_a_fault_of_the_engine_reaches_who_waits_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def judged(chart: Path, *_rest: object, linted: bool) -> helm.Rendered:
        assert linted
        if chart.name == "broken":
            raise MemoryError(chart.name)
        return helm.Rendered(((chart.name, ""),))

    monkeypatch.setattr(helm, "judged", judged)
    ahead = Ahead()
    broken, whole = ahead.ask(task(Path("broken"), "a")), ahead.ask(task(Path("whole"), "b"))
    ahead.start()
    assert whole.wait().texts == (("whole", ""),)
    with pytest.raises(MemoryError, match="broken"):
        broken.wait()


def test_a_foreign_chart_is_linted_and_an_unchanged_one_of_ours_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = Finding("HELM002", Severity.ERROR, Place("x"), "No.", "Yes.")
    monkeypatch.setattr(helm, "lint", lambda *_arguments: (said,))
    foreign = tmp_path / "namespaces"
    shutil.copytree(CHARTS / "namespaces", foreign)
    assert helm.judged(foreign, VALUES, RELEASE, "x").findings == ()
    (foreign / "templates/more.yaml").write_text("")
    assert helm.judged(foreign, VALUES, RELEASE, "x").findings == (said,)
