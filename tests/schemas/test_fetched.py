"""The cache of definitions: what goes in, what comes out, and everything that can be wrong with it."""

import functools
import http.server
import io
import json
import socket
import tarfile
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from definitions import NAME, crd, every_definition, fields, pack_of, rule, thing

from anycastle import cache, download, yamlio
from anycastle.finding import Refused, Severity
from anycastle.schemas import fetched, fetching
from anycastle.schemas.fetched import Source, load, run_fetch, run_status, save

TEXT, INT = {"type": "string"}, {"type": "integer"}
THING = crd({**fields(a=INT), **rule("self.a < 3", message="a is too large")})


def other(kind: str, group: str = "example.com") -> dict[str, Any]:
    """The definition of another kind."""
    stated = crd(fields(a=INT))
    stated["spec"] |= {"group": group, "names": {"kind": kind, "plural": f"{kind.lower()}s"}}
    return {**stated, "metadata": {"name": f"{kind.lower()}s.{group}"}}


def kinds(cache: Path) -> list[str]:
    pack = load(cache)
    assert pack is not None
    return sorted(kind for _version, kind in pack.lines)


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({"ANYCASTLE_CACHE": "/c", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "linux", "/c"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "darwin", "/x/anycastle"),
        ({"HOME": "/h"}, "linux", "/h/.cache/anycastle"),
        ({"HOME": "/h", "XDG_CACHE_HOME": ""}, "darwin", "/h/Library/Caches/anycastle"),
    ],
)
def test_the_cache_is_where_the_system_wants_it(environment: dict[str, str], platform: str, folder: str) -> None:
    assert cache.folder(environment, platform) == Path(folder)


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    definitions = every_definition(THING, other("Gadget"))
    source = Source("upstream", "v1.2.3", "https://example.com/v1.2.3", {"b.yaml": "2", "a.yaml": "1"})
    path = save(source, definitions, tmp_path)
    assert path == tmp_path / "schemas" / "upstream.jsonl"
    pack = load(tmp_path)
    assert pack is not None
    assert (pack.sources, pack.findings) == ((source,), ())
    for name, stated in definitions.items():
        found = pack.find(name)
        assert found is not None
        assert (found.schema, found.rules) == (stated.schema, stated.rules)
    assert pack.find(("example.com/v9", "Thing")) is None


def test_the_same_definitions_make_the_same_bytes(tmp_path: Path) -> None:
    one = every_definition(THING, other("Gadget"))
    two = dict(reversed(every_definition(THING, other("Gadget")).items()))
    inputs = {"a.yaml": "1", "b.yaml": "2"}
    first = save(Source("s", "", "o", inputs), one, tmp_path / "one").read_bytes()
    second = save(Source("s", "", "o", dict(reversed(inputs.items()))), two, tmp_path / "two").read_bytes()
    assert first == second


def test_a_kind_is_parsed_when_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = pack_of(tmp_path, other("Lazy"), other("Busy"))
    parsed: list[Any] = []
    true_loads = json.loads
    monkeypatch.setattr(fetched.json, "loads", lambda data: parsed.append(data) or true_loads(data))
    assert pack.find(("example.com/v1", "Lazy"))
    assert pack.find(("example.com/v1", "Lazy"))
    assert len(parsed) == 1


def test_nothing_fetched_is_no_pack(tmp_path: Path) -> None:
    assert load(tmp_path / "absent") is None
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / ".left.part").write_text("half")
    assert load(tmp_path) is None


# --- damage ------------------------------------------------------------------------------------------------


def _cut(data: bytes) -> bytes:
    return data[:-20]


def _flipped(data: bytes) -> bytes:
    return data.replace(b'"integer"', b'"intEger"', 1)


def _head(**changes: Any) -> Any:
    def changed(data: bytes) -> bytes:
        first, _, body = data.partition(b"\n")
        return json.dumps({**json.loads(first), **changes}).encode() + b"\n" + body

    return changed


@pytest.mark.parametrize(
    "damage",
    [
        _cut,
        _flipped,
        lambda _data: b"",
        lambda _data: b"\xff\xfe\x00",
        lambda _data: b"not json\n",
        lambda _data: b"[]\n",
        lambda _data: b"null\n",
        lambda _data: b"[" * 100_000,
        _head(format=99),
        _head(source={"name": "x"}),
        _head(source=None),
        _head(kinds=[]),
        _head(kinds=[["only one"]]),
        _head(body=7),
    ],
)
def test_a_damaged_pack_is_a_finding_and_the_rest_is_used(findings: Any, tmp_path: Path, damage: Any) -> None:
    pack_of(tmp_path, THING, source="bad")
    pack_of(tmp_path, other("Gadget"), source="good")
    path = tmp_path / "schemas" / "bad.jsonl"
    path.write_bytes(damage(path.read_bytes()))
    pack = load(tmp_path)
    assert pack is not None
    assert [(finding.code, finding.severity) for finding in pack.findings] == [("OBJ017", Severity.UNCHECKED)]
    assert kinds(tmp_path) == ["Gadget"]
    found = findings(thing({"a": 7}), {**thing({"a": "7"}), "kind": "Gadget"}, pack=pack)
    assert sorted(finding.code for finding in found) == ["OBJ004", "OBJ011", "OBJ017"]
    assert "bad.jsonl" in next(finding.message for finding in found if finding.code == "OBJ017")


@pytest.mark.parametrize("line", [[], [{}, [["too", "short"]]], ["text", []], {}, [{"type": "widget"}, []]])
def test_a_pack_with_something_else_in_it_is_a_finding(findings: Any, tmp_path: Path, line: Any) -> None:
    import hashlib

    body = json.dumps(line).encode() + b"\n"
    head = {
        "format": fetched.FORMAT,
        "source": {"name": "x", "version": "", "origin": "", "inputs": {}},
        "kinds": [NAME],
        "body": hashlib.sha256(body).hexdigest(),
    }
    path = tmp_path / "schemas" / "x.jsonl"
    path.parent.mkdir()
    path.write_bytes(json.dumps(head).encode() + b"\n" + body)
    found = findings(thing({"a": 1}), pack=load(tmp_path))
    assert [finding.code for finding in found] == ["OBJ017"]


def test_a_pack_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "schemas" / "folder.jsonl").mkdir(parents=True)
    pack = load(tmp_path)
    assert pack is not None
    assert [finding.code for finding in pack.findings] == ["OBJ017"]


def test_a_failed_write_leaves_the_old_pack_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(Source("s", "v1", "o", {}), every_definition(THING), tmp_path)
    before = path.read_bytes()

    def full(_self: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(Refused, match="No space left"):
        save(Source("s", "v2", "o", {}), every_definition(other("Gadget")), tmp_path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


# --- from a folder -----------------------------------------------------------------------------------------


def _archive(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def _template(stated: dict[str, Any]) -> str:
    """As charts wrap their definitions."""
    head, body = yamlio.dump(stated).split("metadata:\n", 1)
    keep = "  annotations:\n    {{- with .Values.annotations }}\n    {{- toYaml . | nindent 4 }}\n    {{- end }}\n"
    return f"{{{{- if .Values.crds.install }}}}\n{head}metadata:\n{keep}{body}{{{{- end }}}}\n"


def _write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_a_folder_may_hold_files_charts_and_packed_charts(tmp_path: Path) -> None:
    service = yamlio.dump({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}})
    inner = _archive({"inner/crds/e.yaml": yamlio.dump(other("Packed")).encode()})
    upstream = _write(
        tmp_path / "upstream",
        {
            "a.yaml": f"{service}---\n{yamlio.dump(THING)}---\n{yamlio.dump(other('Second'))}",
            "chart/Chart.yaml": "name: x\n",
            "chart/crds/b.yml": yamlio.dump(other("Charted")),
            "chart/templates/c.yaml": _template(other("Templated")),
            "list.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": [other("Listed")]}),
            "outer.tgz": _archive({"outer/charts/inner.tgz": inner, "outer/values.yaml": b"a: 1\n"}),
            "notes.txt": "kind: CustomResourceDefinition\n",
        },
    )
    said: list[str] = []
    assert run_fetch(upstream, tmp_path / "cache", said.append) == 0
    assert kinds(tmp_path / "cache") == ["Charted", "Listed", "Packed", "Second", "Templated", "Thing"]
    pack = load(tmp_path / "cache")
    assert pack is not None
    assert sorted(pack.sources[0].inputs) == [
        "a.yaml",
        "chart/crds/b.yml",
        "chart/templates/c.yaml",
        "list.json",
        "outer.tgz/outer/charts/inner.tgz/inner/crds/e.yaml",
    ]
    assert "".join(said) == "folder: 6 kinds, 1 rules\n"


def test_what_cannot_be_read_is_said_and_the_rest_is_taken(tmp_path: Path) -> None:
    upstream = _write(
        tmp_path / "upstream",
        {
            "a.yaml": yamlio.dump(THING),
            "b.yaml": "kind: CustomResourceDefinition\n  broken: [\n",
            "c.yaml": yamlio.dump(crd({"type": "object", "properties": 7})).replace("group: example.com", "group: x.y"),
            "d.yaml": yamlio.dump(crd(fields(a=TEXT))),
            "e.tgz": b"no archive",
            "f.yaml": yamlio.dump(THING),
        },
    )
    said: list[str] = []
    assert run_fetch(upstream, tmp_path / "cache", said.append) == 0
    notes = [line for line in "".join(said).splitlines() if line.startswith("note: ")]
    assert [note.split()[1] for note in notes] == ["b.yaml:", "c.yaml:", "d.yaml:"]
    assert "cannot be used" in notes[1]
    assert "defined before, in another way" in notes[2]
    pack = load(tmp_path / "cache")
    assert pack is not None
    found = pack.find(NAME)
    assert found is not None
    assert found.schema["properties"]["spec"]["properties"]["a"] == INT


def test_a_folder_without_definitions_changes_nothing(tmp_path: Path) -> None:
    pack_of(tmp_path / "cache", THING)
    said: list[str] = []
    assert run_fetch(_write(tmp_path / "empty", {"a.yaml": "a: 1\n"}), tmp_path / "cache", said.append) == 1
    assert "holds no CustomResourceDefinition" in "".join(said)
    assert kinds(tmp_path / "cache") == ["Thing"]


def test_a_cache_that_cannot_be_written_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    said: list[str] = []
    assert run_fetch(_write(tmp_path / "up", {"a.yaml": yamlio.dump(THING)}), tmp_path / "file", said.append) == 1
    assert "cannot be written" in "".join(said)
    assert "ANYCASTLE_CACHE" in "".join(said)


def test_what_a_person_brought_along_outweighs_what_was_downloaded(tmp_path: Path) -> None:
    pack_of(tmp_path, crd(fields(a=INT)), source="zebra")
    pack = pack_of(tmp_path, crd(fields(b=INT)), source=fetched.FROM_FOLDER)
    found = pack.find(NAME)
    assert found is not None
    assert set(found.schema["properties"]["spec"]["properties"]) == {"b"}


def test_the_status_names_sources_and_damage(tmp_path: Path) -> None:
    said: list[str] = []
    assert run_status(tmp_path, said.append) == 0
    assert "no definitions" in said.pop()
    pack_of(tmp_path, THING)
    assert run_status(tmp_path, said.append) == 0
    assert "upstream v1.0.0: 1 files from a test\n" in "".join(said)
    (tmp_path / "schemas" / "bad.jsonl").write_text("{}")
    said.clear()
    assert run_status(tmp_path, said.append) == 1
    assert "bad.jsonl cannot be used" in "".join(said)


# --- downloads ---------------------------------------------------------------------------------------------


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Path]]:
    """A web server on the loopback, and the folder it serves."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    folder = tmp_path / "web"
    folder.mkdir()
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}", folder
        running.shutdown()
        thread.join()


def _release(folder: Path) -> None:
    """Every file of the pinned releases, with one kind each."""
    for name, version in fetching.PINNED.items():
        _host, path, files = fetching._PLACES[name]
        for number, file in enumerate(files):
            stated = other(f"Kind{number}", f"{name}.example.com")
            _write(folder / path.format(version=version), {file: yamlio.dump(stated)})


def test_releases_are_downloaded_into_a_pack_each(server: tuple[str, Path], tmp_path: Path) -> None:
    base, folder = server
    _release(folder)
    gathered = fetching.fetch(fetching.PINNED, tmp_path / "cache", base)
    pack = load(tmp_path / "cache")
    assert pack is not None
    assert [source.name for source in pack.sources] == ["argo-cd", "calico", "flux", "traefik"]
    assert [(source.name, source.version) for source in pack.sources] == sorted(fetching.PINNED.items())
    assert len(pack.lines) == sum(len(each.definitions) for each in gathered) == 3 + 1 + 1 + 10
    assert pack.sources[1].origin == f"{base}/projectcalico/calico/v3.32.2/manifests"
    assert all(len(digest) == 64 for source in pack.sources for digest in source.inputs.values())


def test_a_missing_file_stops_the_whole_fetch(server: tuple[str, Path], tmp_path: Path) -> None:
    base, folder = server
    _release(folder)
    next(folder.rglob("traefik.io_tlsstores.yaml")).unlink()
    with pytest.raises(Refused, match=r"traefik.io_tlsstores.yaml answers 404"):
        fetching.fetch(fetching.PINNED, tmp_path / "cache", base)
    assert not (tmp_path / "cache").exists()


def test_an_endless_file_is_refused(server: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, folder = server
    _release(folder)
    monkeypatch.setattr(fetching, "MAX_BYTES", 100)
    with pytest.raises(Refused, match="is larger than"):
        fetching.fetch(fetching.PINNED, tmp_path / "cache", base)


def test_a_silent_server_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(download, "TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        base = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(Refused, match=r"cannot be reached \(timed out"):
            fetching.fetch({"calico": "v3.32.2"}, tmp_path, base)


def test_without_a_network_there_is_one_message_and_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_args: Any, **_more: Any) -> Any:
        raise urllib.error.URLError("no route to host")

    monkeypatch.setattr(urllib.request, "urlopen", unreachable)
    said: list[str] = []
    assert run_fetch(None, tmp_path / "cache", said.append) == 1
    message = "".join(said)
    assert message.count("\n") == 2
    assert "cannot be reached (no route to host)." in message
    assert "--from DIR" in message
    assert message.endswith("Nothing was changed.\n")
    assert not (tmp_path / "cache").exists()


def test_the_releases_are_those_that_a_new_site_gets() -> None:
    from anycastle.site.model import Versions

    defaults = Versions()
    assert fetching.PINNED["calico"] == f"v{defaults.calico}"
    assert fetching.PINNED["traefik"] == f"v{defaults.traefik_chart}"


def test_every_download_is_encrypted_and_pinned() -> None:
    assert set(fetching._PLACES) == set(fetching.PINNED)
    for host, path, files in fetching._PLACES.values():
        assert host.startswith("https://")
        assert "{version}" in path
        assert files
