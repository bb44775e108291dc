"""What is remembered of objects without a fault, and that it never changes what is said."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import good_objects
import pytest

from anycastle import cache, yamlio
from anycastle.finding import Finding, Place
from anycastle.schemas import Item, check, core, faultless
from anycastle.schemas.fault import Subject

VERSION = "v1.36.4"


def item(value: dict[str, Any]) -> Item:
    return Item(value, lambda keys: Place("a.yaml", 1, ".".join(map(str, keys))), "cluster")


def service(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a", "namespace": "b"}, "spec": spec}


RIGHT = service(ports=[{"port": 80}])
WRONG = service(ports=[{"port": "eighty"}])


def judged(value: dict[str, Any], store: Path | None) -> tuple[Finding, ...]:
    return check([item(value)], VERSION, None, store)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds whose schema was asked."""
    asked: list[str] = []
    real = core.check

    def watched(subject: Subject, used: core.Release) -> Any:
        asked.append(subject.kind)
        return real(subject, used)

    monkeypatch.setattr(core, "check", watched)
    return asked


def test_a_known_object_is_not_judged_again(tmp_path: Path, compiled: list[str]) -> None:
    assert judged(RIGHT, tmp_path) == judged(RIGHT, tmp_path) == ()
    assert compiled == ["Service"]
    assert judged(service(ports=[{"port": 81}]), tmp_path) == ()
    assert compiled == ["Service", "Service"]


def test_without_a_cache_every_object_is_judged(compiled: list[str]) -> None:
    judged(RIGHT, None)
    judged(RIGHT, None)
    assert compiled == ["Service", "Service"]


def test_a_faulty_object_is_judged_every_time(tmp_path: Path, compiled: list[str]) -> None:
    first = judged(WRONG, tmp_path)
    assert [each.code for each in first] == ["OBJ004"]
    assert judged(WRONG, tmp_path) == judged(WRONG, None) == first
    assert compiled == ["Service"] * 3


def test_laws_are_asked_of_a_known_object_too(tmp_path: Path) -> None:
    twice = service(ports=[{"port": 80}, {"port": 80}])
    first = judged(twice, tmp_path)
    assert first
    assert judged(twice, tmp_path) == first


def test_a_secret_leaves_no_trace(tmp_path: Path, compiled: list[str]) -> None:
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "a", "namespace": "b"},
        "stringData": {"a": "b"},
    }
    for _ in range(2):
        assert judged(secret, tmp_path) == ()
    assert compiled == ["Secret", "Secret"]
    assert not (tmp_path / "faultless").exists()


def test_another_release_is_another_memory(tmp_path: Path, compiled: list[str]) -> None:
    for version in (VERSION, "v1.37.0", VERSION, "v1.37.0"):
        check([item(RIGHT)], version, None, tmp_path)
    assert compiled == ["Service", "Service"]
    assert len(list((tmp_path / "faultless").iterdir())) == 2


def test_other_code_is_another_memory(tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    judged(RIGHT, tmp_path)
    monkeypatch.setattr(faultless, "__version__", "9.9.9")
    judged(RIGHT, tmp_path)
    monkeypatch.setattr(faultless, "_states", lambda _package: iter([("core.py", 1, 2)]))
    judged(RIGHT, tmp_path)
    assert compiled == ["Service"] * 3


def test_every_good_and_bad_object_is_said_the_same_of(tmp_path: Path) -> None:
    good = yamlio.load(good_objects.TEXT).documents[0].value.values()
    values = [value for value in good if value["kind"] != "CustomResourceDefinition"]
    items = [item(value) for value in (*values, RIGHT, WRONG)]
    first = check(items, VERSION, None, tmp_path)
    assert check(items, VERSION, None, tmp_path) == first == check(items, VERSION)
    assert len(values) > 20
    assert list((tmp_path / "faultless").iterdir())


@pytest.mark.parametrize(
    "damage",
    [lambda _data: b"", lambda data: data[:-2], lambda data: b"\xff" + data, lambda _data: b"nonsense\n" * 9],
)
def test_a_damaged_file_costs_only_time(tmp_path: Path, compiled: list[str], damage: Callable[[bytes], bytes]) -> None:
    judged(RIGHT, tmp_path)
    (file,) = (tmp_path / "faultless").iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert judged(RIGHT, tmp_path) == ()
    assert compiled == ["Service", "Service"]
    assert whole.strip() in file.read_bytes()


def test_a_folder_that_cannot_be_written_costs_only_time(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(cache, "write", refuse)
    assert judged(RIGHT, tmp_path) == judged(RIGHT, tmp_path) == ()
    assert compiled == ["Service", "Service"]


def test_the_file_is_not_written_again_where_nothing_is_new(tmp_path: Path) -> None:
    judged(RIGHT, tmp_path)
    (file,) = (tmp_path / "faultless").iterdir()
    os.utime(file, (1, 1))
    judged(RIGHT, tmp_path)
    judged(WRONG, tmp_path)
    assert file.stat().st_mtime == 1


def test_with_too_many_objects_only_those_of_the_run_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faultless, "MAX", 3)
    for port in range(1, 4):
        judged(service(ports=[{"port": port}]), tmp_path)
    (file,) = (tmp_path / "faultless").iterdir()
    assert len(file.read_text().splitlines()) == 3
    judged(service(ports=[{"port": 9}]), tmp_path)
    assert len(file.read_text().splitlines()) == 1


def test_old_files_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(faultless.MAX_FILES + 2):
        monkeypatch.setattr(faultless, "__version__", str(number))
        judged(RIGHT, tmp_path)
        newest = max((tmp_path / "faultless").iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (number, number))
    assert len(list((tmp_path / "faultless").iterdir())) == faultless.MAX_FILES
