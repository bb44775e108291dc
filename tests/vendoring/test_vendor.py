"""Upstream charts in the repository, from a chart server on this machine."""

import functools
import gzip
import hashlib
import io
import tarfile
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from anycastle import compose, yamlio
from anycastle.cli import run
from anycastle.finding import Refused, Severity
from anycastle.render import render
from anycastle.vendoring import Wanted, archives, images, repositories

ROOT = Path(__file__).resolve().parents[2]
SEED = ROOT / "tests/cases/seed/site.yaml"
CHARTS = {
    "crd.projectcalico.org.v1": "v3.32.2",
    "tigera-operator": "v3.32.2",
    "traefik": "41.3.0",
    "argo-cd": "10.3.3",
}
POD = """apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME}
spec:
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      containers: [{name: main, image: "IMAGE", resources: {limits: {memory: 64Mi}}}]
"""
IMAGES = {"tigera-operator": "quay.io/tigera/operator:v1.42.0", "traefik": "traefik:v3.7.0"}


def packed(name: str, files: dict[str, bytes], kind: bytes = tarfile.REGTYPE) -> bytes:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for path, data in files.items():
            member = tarfile.TarInfo(f"{name}/{path}" if name else path)
            member.size, member.type = len(data), kind
            member.linkname = "/etc/passwd" if kind != tarfile.REGTYPE else ""
            archive.addfile(member, io.BytesIO(data))
    return gzip.compress(plain.getvalue(), mtime=0)


def chart(name: str, version: str, more: str = "") -> bytes:
    files = {"Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: {version}\n{more}".encode(), "values.yaml": b"{}\n"}
    if name in IMAGES:
        text = POD.replace("NAME", name).replace("IMAGE", IMAGES[name])
        files["templates/pod.yaml"] = text.encode()
    return packed(name, files)


class Server:
    """Serves packed charts with their index."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder, self.address = folder, address
        self.digests: dict[str, str] = {}
        for name, version in CHARTS.items():
            self.serve(name, version, chart(name, version))

    def serve(self, name: str, version: str, data: bytes, digest: str | None = None) -> None:
        (self.folder / f"{name}-{version}.tgz").write_bytes(data)
        self.digests[f"{name} {version}"] = hashlib.sha256(data).hexdigest() if digest is None else digest
        entries: dict[str, list[dict[str, object]]] = {}
        for key, known in self.digests.items():
            one, its = key.split(" ")
            entries.setdefault(one, []).append({"version": its, "urls": [f"{one}-{its}.tgz"], "digest": known})
        (self.folder / "index.yaml").write_text(yamlio.dump({"apiVersion": "v1", "entries": entries}))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *_arguments: object) -> None:
            pass

    folder = tmp_path / "served"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield Server(folder, f"http://127.0.0.1:{http.server_port}")
        http.shutdown()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "home"
    judged = compose.site_findings(
        yamlio.load(SEED.read_text().replace("engine: argocd", "engine: argocd\n  source: vendored")).documents[0].value
    )
    assert judged.site is not None, judged.findings
    assert judged.network is not None
    for path, data in render(judged.site, judged.network).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def cut() -> None:
        monkeypatch.setattr(repositories, "download", lambda *_arguments: pytest.fail("network"))

    return cut


def grave(root: Path) -> set[str]:
    found = compose.validate_tree(root).findings
    return {f"{one.code} {one.where.path}" for one in found if one.severity in (Severity.ERROR, Severity.WARNING)}


def test_before_the_charts_are_here_the_cure_is_named(repository: Path) -> None:
    missing = [one for one in compose.validate_tree(repository).findings if one.code == "ARGO001"]
    assert len(missing) == len(CHARTS)
    assert {one.fix for one in missing} == {
        "Run `anycastle vendor .` where there is a network, and commit what it brings."
    }


def test_charts_are_brought_locked_and_checked_without_a_network(
    repository: Path, server: Server, offline: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["vendor", str(repository), "--charts", server.address, "--registry", "mirror.example.com/k8s"]
    assert run(asked) == 0
    assert "4 charts fetched, 0 unchanged" in capsys.readouterr().out
    lock = yamlio.load((repository / "vendor/charts.lock.yaml").read_bytes()).documents[0].value
    assert {one["name"]: one["version"] for one in lock["charts"]} == CHARTS
    assert {one["digest"] for one in lock["charts"]} == {f"sha256:{one}" for one in server.digests.values()}
    offline()
    before = {path: path.read_bytes() for path in sorted(repository.rglob("*")) if path.is_file()}
    assert run(asked) == 0
    assert "0 charts fetched, 4 unchanged" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in sorted(repository.rglob("*")) if path.is_file()} == before
    assert {one.split(" ")[0] for one in grave(repository)} & {"ARGO001", "VEND001", "VEND002", "VEND003"} == set()
    named = (repository / "vendor/images.txt").read_text().splitlines()
    assert "quay.io/tigera/operator:v1.42.0 mirror.example.com/k8s/tigera/operator:v1.42.0" in named
    assert "docker.io/library/traefik:v3.7.0 mirror.example.com/k8s/library/traefik:v3.7.0" in named
    assert any("docker run --rm quay.io/tigera/operator:v1.42.0 --print-images=list" in line for line in named)


def test_no_source_leads_out_of_a_vendored_repository(repository: Path) -> None:
    for path in sorted((repository / "argocd").rglob("*.yaml")):
        for document in yamlio.load(path.read_bytes()).documents:
            for source in document.value["spec"].get("sources", []):
                assert source["repoURL"] == "https://git.example.com/platform/home.git"
                assert "chart" not in source


def test_the_versions_of_vendored_charts_are_read_from_them(repository: Path, server: Server) -> None:
    from anycastle.reader import read

    assert run(["vendor", str(repository), "--charts", server.address]) == 0
    found = {one.component: one.version for one in read(repository).network.versions}
    assert found["calico"] == "3.32.2"
    assert found["traefik-chart"] == "41.3.0"
    assert found["argo-cd-chart"] == "10.3.3"


def test_other_bytes_under_a_known_version_are_refused(
    repository: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("traefik", "41.3.0", chart("traefik", "41.3.0"), digest="0" * 64)
    assert run(["vendor", str(repository), "--charts", server.address]) == 1
    assert "VEND002" in capsys.readouterr().err
    assert not (repository / "vendor").exists()
    server.serve("traefik", "41.3.0", chart("traefik", "41.3.0"))
    assert run(["vendor", str(repository), "--charts", server.address]) == 0
    server.serve("traefik", "41.3.0", chart("traefik", "41.3.0", "description: evil\n"))
    (repository / "vendor/traefik/Chart.yaml").unlink()
    (repository / "vendor/traefik/values.yaml").unlink()
    for path in sorted((repository / "vendor/traefik").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    (repository / "vendor/traefik").rmdir()
    assert run(["vendor", str(repository), "--charts", server.address]) == 1
    assert "VEND002" in capsys.readouterr().err
    assert not (repository / "vendor/traefik").exists()


def test_an_edited_chart_is_found_and_not_overwritten(
    repository: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["vendor", str(repository), "--charts", server.address]) == 0
    edited = repository / "vendor/traefik/values.yaml"
    edited.write_text("replicas: 9\n")
    assert "VEND003 vendor/traefik/Chart.yaml" in grave(repository)
    capsys.readouterr()
    assert run(["vendor", str(repository), "--charts", server.address]) == 1
    assert "VEND003" in capsys.readouterr().err
    assert edited.read_text() == "replicas: 9\n"


def test_a_run_that_was_killed_before_the_lock_is_finished_by_the_next(repository: Path, server: Server) -> None:
    asked = ["vendor", str(repository), "--charts", server.address]
    assert run(asked) == 0
    lock = repository / "vendor/charts.lock.yaml"
    whole = lock.read_bytes()
    lock.unlink()
    assert run(asked) == 0
    assert lock.read_bytes() == whole


@pytest.mark.parametrize("name", ["../..", "/", "a/../..", ""])
def test_a_lock_leads_nowhere_else(repository: Path, server: Server, name: str, tmp_path: Path) -> None:
    assert run(["vendor", str(repository), "--charts", server.address]) == 0
    lock = repository / "vendor/charts.lock.yaml"
    lock.write_text(lock.read_text().replace("name: traefik", f'name: "{name}"'))
    before = sorted(path for path in tmp_path.rglob("*"))
    assert "VEND003 vendor/charts.lock.yaml" in grave(repository)
    assert run(["vendor", str(repository), "--charts", server.address]) == 1
    assert sorted(path for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("link", ["vendor", "vendor/traefik", ".anycastle"])
def test_nothing_is_written_through_a_link(repository: Path, server: Server, link: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("mine")
    place = repository / link
    if link == ".anycastle":
        place.rename(tmp_path / "put aside")
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(outside)
    assert run(["vendor", str(repository), "--charts", server.address]) == 1
    assert [path.name for path in outside.iterdir()] == ["precious"]


def test_a_missing_version_names_those_that_there_are(
    repository: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    del server.digests["traefik 41.3.0"]
    server.serve("traefik", "42.0.0", chart("traefik", "42.0.0"))
    assert run(["vendor", str(repository), "--charts", server.address]) == 1
    said = capsys.readouterr().err
    assert "VEND001" in said
    assert "42.0.0" in said
    assert not (repository / "vendor").exists()


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"no archive", "no packed chart"),
        (packed("traefik", {"../../../evil": b""}), "not below traefik/"),
        (packed("", {"/etc/evil": b""}), "not below traefik/"),
        (packed("other", {"Chart.yaml": b""}), "not below traefik/"),
        (packed("traefik", {"Chart.yaml": b""}, tarfile.SYMTYPE), "no regular file"),
        (packed("traefik", {"values.yaml": b""}), "no Chart.yaml"),
        (gzip.compress(b"\0" * (archives.MAX_UNPACKED + 1)), "more than 64 MiB"),
        (chart("traefik", "1")[:200], "no packed chart"),
    ],
)
def test_a_hostile_archive_is_refused(data: bytes, what: str) -> None:
    with pytest.raises(archives.Unusable, match=what):
        archives.unpacked(data, "traefik")


@pytest.mark.parametrize("index", [b"", b"[]", b"entries: 7", b"{", b"entries: {traefik: 3}", b"\xff\xfe", b"[" * 9000])
def test_a_damaged_index_is_refused(index: bytes) -> None:
    with pytest.raises(Refused) as refused:
        repositories.found_in(index, Wanted("https://charts.example.com", "traefik", "1.0.0"), "https://x")
    assert [finding.code for finding in refused.value.findings] == ["VEND001"]


def test_names_of_images() -> None:
    values = [{"spec": {"initContainers": [{"image": "busybox"}], "containers": [{"image": "ghcr.io/a/b:1@sha256:0"}]}}]
    assert images.images(values) == ("docker.io/library/busybox", "ghcr.io/a/b:1@sha256:0")
    assert images.full_name("localhost/x") == "localhost/x"
    assert images.full_name("traefik/whoami:v1") == "docker.io/traefik/whoami:v1"
    assert images.mirrored("registry.k8s.io/pause:3.10", "m.example.com/") == "m.example.com/pause:3.10"
