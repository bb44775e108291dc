"""Secrets out of git, for each tool and both engines: what is generated, what becomes of it, and what is refused."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

import secret_files
from anycastle import yamlio
from anycastle.cli import run
from anycastle.finding import Severity
from anycastle.plan import plan
from anycastle.reader import read
from anycastle.render import argo_cd_sops, render, yours
from anycastle.site.load import parse
from anycastle.site.model import Site
from tree import difference, tree_of

CASES = Path(__file__).resolve().parents[1] / "cases"
NAMES = ("secrets-sops", "secrets-sealed", "secrets-external")
PARTS = "secrets|sealed-secrets|external-secrets"
DELIVERY = re.compile(
    rf"secrets/.*|\.sops\.yaml|apps/(?:{PARTS}|edge)/values\.yaml|argocd/apps/(?:{PARTS})\.yaml"
    rf"|clusters/[^/]+/(?:{PARTS}|sources)\.yaml|flux/(?:{PARTS})/.*"
)
every_case = pytest.mark.parametrize("name", NAMES)
every_engine = pytest.mark.parametrize("engine", ["argocd", "flux"])


def site(name: str, engine: str = "", **gitops: object) -> Site:
    data = yaml.safe_load((CASES / name / "site.yaml").read_text())
    data["gitops"] |= {**({"engine": engine} if engine else {}), **gitops}
    parsed = parse(data)
    assert parsed.site is not None, parsed.findings
    return parsed.site


def generated(given: Site) -> dict[str, bytes]:
    return render(given, plan(given))


def written(given: Site, root: Path) -> Path:
    for path, data in generated(given).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def said(root: Path) -> list[tuple[str, str]]:
    return [(f.code, f.where.path) for f in read(root).findings if f.severity is not Severity.UNCHECKED]


@every_case
def test_a_case_is_generated_as_expected(name: str, update_golden: bool) -> None:
    actual = {path: data for path, data in generated(site(name)).items() if DELIVERY.fullmatch(path)}
    folder = CASES / name / "delivery"
    if update_golden:
        shutil.rmtree(folder, ignore_errors=True)
        for path, data in actual.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    expected = tree_of(folder)
    assert actual == expected, difference(expected, actual)


@every_engine
@every_case
def test_every_placeholder_is_refused_until_it_is_filled_in(name: str, engine: str, tmp_path: Path) -> None:
    root = written(site(name, engine), tmp_path)
    placeholders = sorted(path.relative_to(root).as_posix() for path in (root / "secrets").glob("*.yaml"))
    assert said(root) == [("SEC006", path) for path in placeholders]
    secret_files.fill_in(root)
    assert said(root) == []
    assert run(["validate", str(root)]) == 0


@every_engine
@every_case
def test_a_secret_that_goes_is_missed_where_it_is_read(name: str, engine: str, tmp_path: Path) -> None:
    root = written(site(name, engine), tmp_path)
    secret_files.fill_in(root)
    (root / "secrets" / "other.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: other}}\n")
    for path in list((root / "secrets").glob("*.*.*.yaml")):
        kept = path.read_bytes()
        path.unlink()
        repository = read(root)
        missed = [repository.exact(one).where.path for one in repository.findings if one.code == "REF014"]
        app = "edge" if "wildcard" in path.name else "calico-bgp"
        assert missed == [f"apps/{app}/values.yaml" if engine == "argocd" else f"flux/{app}/kustomization.yaml"]
        path.write_bytes(kept)


@pytest.mark.parametrize("name", ["secrets-sops", "secrets-sealed"])
def test_a_key_that_a_secret_lacks_is_missed(name: str, tmp_path: Path) -> None:
    root = written(site(name), tmp_path)
    secret_files.fill_in(root)
    (path,) = (root / "secrets").glob("*bgp-routers*")
    path.write_text(path.read_text().replace("tor-b:", "tor-c:"))
    assert [code for code, _path in said(root)] == ["REF012"]


def test_what_a_person_has_filled_in_is_never_touched_again(tmp_path: Path) -> None:
    source = CASES / "secrets-sealed" / "site.yaml"
    assert run(["new", "--no-input", "--answers", str(source), "-o", str(tmp_path)]) == 0
    root = tmp_path / "secrets-sealed"
    secret_files.fill_in(root)
    before = tree_of(root)
    text = (root / "site.yaml").read_text()
    (root / "site.yaml").write_text(text.replace("bgp-routers/tor-b", "bgp-other/tor-b"))
    assert run(["update", str(root)]) == 0
    after = tree_of(root)
    path = "secrets/calico-system.bgp-routers.sealed.yaml"
    assert after[path] == before[path]
    assert set(after.keys() - before.keys()) == {"secrets/calico-system.bgp-other.sealed.yaml"}
    assert [(code, where) for code, where in said(root) if code == "SEC006"] == [
        ("SEC006", "secrets/calico-system.bgp-other.sealed.yaml")
    ]


def test_another_tool_takes_only_its_own_placeholders_away(tmp_path: Path) -> None:
    source = CASES / "secrets-sealed" / "site.yaml"
    assert run(["new", "--no-input", "--answers", str(source), "-o", str(tmp_path)]) == 0
    root = tmp_path / "secrets-sealed"
    text = (root / "site.yaml").read_text()
    (root / "site.yaml").write_text(text.replace("secrets: sealed-secrets", "secrets: external-secrets"))
    assert run(["update", str(root)]) == 0
    assert sorted(path.name for path in (root / "secrets").iterdir()) == [
        "calico-system.bgp-routers.external.yaml",
        "store.yaml",
    ]
    assert not (root / "apps" / "sealed-secrets" / "values.yaml").exists()
    assert (root / "apps" / "external-secrets" / "values.yaml").exists()


@pytest.mark.parametrize("path", ["secrets/n.s.sops.yaml", "secrets/store.yaml", "apps/edge/overrides.yaml"])
def test_whose_a_file_is(path: str) -> None:
    assert yours(path)
    assert not yours(f"x/{path}")
    assert not yours(".sops.yaml")


@every_engine
def test_the_store_and_the_readme_agree_on_when_its_login_is_made(engine: str) -> None:
    files = {path: data.decode() for path, data in generated(site("secrets-external", engine)).items()}
    [step] = re.findall(
        r"^# `make (bootstrap-\d-\w+)`: README\.md says how\.$", files["secrets/store.yaml"], re.MULTILINE
    )
    targets = re.findall(r"^BOOTSTRAP := (.*)", files["Makefile"], re.MULTILINE)
    assert step in targets[0].split()
    chapters = dict(re.findall(r"^### (\d+)\. (.*?)(?=^#)", files["README.md"], re.MULTILINE | re.DOTALL))
    before, runs = "before `make " + step, f"\nmake {step}\n"
    assert re.search(rf"in step 8:\n +{before}`\.\n", chapters["1"])
    assert [number for number, text in chapters.items() if runs in text] == ["8"]
    text = chapters["8"]
    namespaces = re.search(r"`external-secrets`, which `make (bootstrap-\S+)` has made", text)
    assert namespaces is not None
    assert f"make {namespaces[1]} " in chapters["5"]
    assert text.index(before) < text.index("kubectl -n external-secrets create secret generic NAME ") < text.index(runs)


@pytest.mark.parametrize("name", ["secrets-sops", "secrets-sealed"])
def test_a_tool_without_a_store_has_no_login(name: str) -> None:
    assert "logs in to your store" not in generated(site(name))["README.md"].decode()


@every_engine
@every_case
def test_no_file_but_its_placeholder_depends_on_a_secret(name: str, engine: str) -> None:
    """Without the tool the rest of the machines' half is the same, byte for byte."""
    given = site(name, engine)
    plain = given.model_copy(
        update={"gitops": given.gitops.model_copy(update={"secrets": "none", "age_recipients": ()})}
    )
    one, other = generated(given), generated(plain)
    machines = {path for path in one if path.startswith(("nodes/", "routers/", "charts/"))}
    assert all(one[path] == other[path] for path in machines)
    assert not [path for path in other if path.startswith((".sops", "secrets/", "apps/sealed", "apps/external"))]


# --- order


@every_engine
@every_case
def test_what_reads_a_secret_comes_behind_it(name: str, engine: str) -> None:
    order = [app.name for app in plan(site(name, engine)).apps]
    reader = "edge" if name == "secrets-external" else "calico-bgp"
    tool = [app for app in ("sealed-secrets", "external-secrets") if app in order]
    assert order.index("namespaces") < min(order.index(app) for app in (*tool, "secrets"))
    assert [*tool, "secrets", reader] == sorted([*tool, "secrets", reader], key=order.index)
    kept = {app.name for app in plan(site(name, engine)).apps if app.protected}
    assert {*tool, "secrets"} <= kept


def test_the_foundation_waits_for_a_controller_only_where_it_needs_one() -> None:
    late = [app.name for app in plan(site("secrets-external")).apps]
    assert late.index("calico-loadbalancer") < late.index("external-secrets") < late.index("traefik")


# --- SOPS


def test_flux_decrypts_and_waits_by_itself() -> None:
    files = generated(site("secrets-sops", "flux"))
    spec = yaml.safe_load(files["clusters/secrets-sops/secrets.yaml"])["spec"]
    assert spec["decryption"] == {"provider": "sops", "secretRef": {"name": "sops-age"}}
    assert (spec["path"], spec["prune"], spec["wait"]) == ("./secrets", False, True)
    for name, kinds in (("secrets-sealed", {"SealedSecret"}), ("secrets-external", {"ExternalSecret"})):
        spec = yaml.safe_load(generated(site(name, "flux"))[f"clusters/{name}/secrets.yaml"])["spec"]
        assert kinds <= {one["kind"] for one in spec["healthCheckExprs"]}
        assert "decryption" not in spec


def test_the_plugin_of_argo_cd_has_what_it_is_made_of() -> None:
    files = generated(site("secrets-sops"))
    values = yaml.safe_load(files["apps/argo-cd/values.yaml"])
    plugin = yaml.safe_load(files["argocd/apps/secrets.yaml"])["spec"]["source"]["plugin"]["name"]
    assert plugin in values["configs"]["cmp"]["plugins"]
    (beside,) = values["repoServer"]["extraContainers"]
    mounts = {one["name"]: one for one in beside["volumeMounts"]}
    assert mounts["argocd-cmp-cm"]["subPath"] == f"{plugin}.yaml"
    own = {one["name"] for one in values["repoServer"]["volumes"]}
    assert mounts.keys() - own == {"var-files", "plugins"}, "volumes that the chart itself has"
    key = next(one["value"] for one in beside["env"] if one["name"] == "SOPS_AGE_KEY_FILE")
    assert key == f"{mounts['sops-age']['mountPath']}/{argo_cd_sops.KEY}"


def test_without_sops_argo_cd_has_no_plugin() -> None:
    for name, engine in (("secrets-sealed", "argocd"), ("secrets-external", "argocd")):
        values = yaml.safe_load(generated(site(name, engine))["apps/argo-cd/values.yaml"])
        assert "cmp" not in values["configs"]
        assert "repoServer" not in values or "extraContainers" not in values["repoServer"]


@pytest.fixture
def decrypt(tmp_path: Path) -> Path:
    """A folder with two files, and a `sops` that prints what it is given, or fails at the word broken."""
    tool = tmp_path / "bin" / "sops"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\n[ "$1" = decrypt ] || exit 64\ngrep -q broken "$2" && exit 1\ncat "$2"\n')
    tool.chmod(0o755)
    folder = tmp_path / "secrets"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.sops.yaml").write_text(f"kind: {name}\n")
    (folder / "README.md").write_text("broken\n")
    return folder


def _run(folder: Path) -> subprocess.CompletedProcess[str]:
    plugin = argo_cd_sops.plugin(site("secrets-sops"))
    generate = plugin["cmp"]["plugins"]["sops"]["generate"]  # type: ignore[index]
    path = f"{folder.parent / 'bin'}:/usr/bin:/bin"
    command = [*generate["command"], *generate["args"]]
    return subprocess.run(command, cwd=folder, env={"PATH": path}, capture_output=True, text=True, check=False)


def test_the_plugin_prints_every_file_as_a_document(decrypt: Path) -> None:
    found = _run(decrypt)
    assert found.returncode == 0, found.stderr
    assert [one.value for one in yamlio.load(found.stdout.encode()).documents if one.value] == [
        {"kind": "a"},
        {"kind": "b"},
    ]


@pytest.mark.parametrize("name", ["a", "b"])
def test_the_plugin_fails_at_one_file_that_cannot_be_opened(decrypt: Path, name: str) -> None:
    (decrypt / f"{name}.sops.yaml").write_text("broken\n")
    assert _run(decrypt).returncode != 0


def test_the_plugin_fails_where_there_is_no_file(decrypt: Path) -> None:
    for path in decrypt.glob("*.sops.yaml"):
        path.write_text("broken\n")
        path.unlink()
    shutil.copy(decrypt / "README.md", decrypt / "*.sops.yaml")  # what the shell leaves of a pattern that fits nothing
    assert _run(decrypt).returncode != 0


def test_renovate_finds_the_releases_of_the_tool() -> None:
    for name, engine, key in (
        ("secrets-sops", "argocd", "sops"),
        ("secrets-sealed", "flux", "sealed_secrets_chart"),
        ("secrets-external", "flux", "external_secrets_chart"),
    ):
        files = generated(site(name, engine))
        assert re.search(rf"\n +{key}: ", files["site.yaml"].decode())
        assert f"{key}:" in files["renovate.json"].decode()
    assert "  sops:" not in generated(site("secrets-sops", "flux"))["site.yaml"].decode()


# --- the step of the bootstrap


class Station:
    """A repository, a folder for its keys, and tools that write down what they are told."""

    def __init__(self, name: str, engine: str, folder: Path) -> None:
        self.root = written(site(name, engine), folder / "repository")
        self.keys, self.log = folder / "keys", folder / "log"
        self.keys.mkdir()
        self.tools = folder / "bin"
        self.tools.mkdir()
        answers = f"""#!/bin/sh
echo "$*" >>{self.log}
case "$*" in
*kubeadm-config*) echo 'controlPlaneEndpoint: control.{name}.example.com:6443' ;;
'get namespace/'*) echo namespace/there ;;
*'-f -'*) cat >/dev/null ;;
esac
"""
        for tool in ("kubectl", "helm", "git", "openssl", "flux"):
            (self.tools / tool).write_text(answers)
            (self.tools / tool).chmod(0o755)

    def step(self) -> subprocess.CompletedProcess[str]:
        script = (self.root / "bootstrap.sh").read_text()
        (label,) = re.findall(r"^labels=.*\b(\d+)-secrets\b", script, re.MULTILINE)
        environment = {"PATH": f"{self.tools}:/usr/bin:/bin", "ANYCASTLE_PASSWORDS": str(self.keys)}
        command = ["sh", "bootstrap.sh", label]
        return subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, check=False)

    @property
    def changed(self) -> list[str]:
        lines = self.log.read_text().splitlines()
        return [line for line in lines if line.startswith(("apply", "label", "annotate")) or " annotate " in line]


@pytest.mark.parametrize(
    ("name", "engine", "key"),
    [
        ("secrets-sops", "argocd", "age.agekey"),
        ("secrets-sops", "flux", "age.agekey"),
        ("secrets-sealed", "flux", "sealing.key"),
        ("secrets-external", "argocd", ""),
    ],
)
def test_the_bootstrap_hands_the_key_over_once_all_is_filled_in(
    name: str, engine: str, key: str, tmp_path: Path
) -> None:
    station = Station(name, engine, tmp_path)
    found = station.step()
    assert (found.returncode, station.changed) == (3, []), found.stderr
    assert "placeholders" in found.stderr
    secret_files.fill_in(station.root)
    if key:
        found = station.step()
        assert (found.returncode, station.changed) == (3, []), found.stderr
        assert key in found.stderr
        (station.keys / key).write_text("x")
    found = station.step()
    assert found.returncode == 0, found.stderr
    assert bool(station.changed) is bool(key)
    assert "x" not in [line.strip() for line in station.log.read_text().splitlines()], "a key on a command line"


SEALING = {
    "sops": "#!/bin/sh\ngrep -q . && echo sealed\n",
    "kubeseal": "#!/bin/sh\ngrep -q . && echo sealed\n",
    "kubectl": "#!/bin/sh\nfor one; do\n"
    '  case $one in --from-file=*) [ -e "${one#*=*=}" ] || exit 1 ;; esac\ndone\necho x\n',
    "openssl": "#!/bin/sh\n",
    "age-keygen": '#!/bin/sh\ncat "$2"\n',
    "git": '#!/bin/sh\necho "$@" >>calls\n',
}


@pytest.mark.parametrize("fault", ["", "sops kubeseal", "kubectl", "age-keygen", "file", "recipient"])
@pytest.mark.parametrize("name", ["secrets-sops", "secrets-sealed"])
def test_readme_seals_all_or_commits_nothing(name: str, fault: str, tmp_path: Path) -> None:
    files = generated(site(name))
    (block,) = (b for b in re.findall(r"  ```sh\n(.*?)  ```", files["README.md"].decode(), re.DOTALL) if "seal()" in b)
    (tmp_path / "bin").mkdir()
    for program, text in SEALING.items():
        (tmp_path / "bin" / program).write_text("#!/bin/sh\nexit 1\n" if program in fault.split() else text)
        (tmp_path / "bin" / program).chmod(0o755)
    keys = tmp_path / "keys"
    for path in re.findall(r'="\$passwords/(\S+)"', block):
        (keys / path).parent.mkdir(parents=True, exist_ok=True)
        (keys / path).write_text("x")
    if fault == "file":
        (keys / path).unlink()
    (keys / "age.agekey").write_text("nobody" if fault == "recipient" else "age1known")
    (tmp_path / ".sops.yaml").write_text("age1known\n")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "tmp").mkdir()
    env = {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "ANYCASTLE_PASSWORDS": str(keys),
        "TMPDIR": str(tmp_path / "tmp"),
    }
    done = subprocess.run(["sh", "-c", block], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    harmless = not fault or (name == "secrets-sealed" and fault in ("age-keygen", "recipient"))
    assert (done.returncode == 0, (tmp_path / "calls").exists()) == (harmless, harmless), done.stderr
    assert not list((tmp_path / "tmp").iterdir())
    assert all(path.read_text() == "sealed\n" for path in (tmp_path / "secrets").iterdir())


def test_sealed_secrets_may_take_over_what_the_bootstrap_made(tmp_path: Path) -> None:
    station = Station("secrets-sealed", "flux", tmp_path)
    secret_files.fill_in(station.root)
    (station.keys / "sealing.key").write_text("x")
    assert station.step().returncode == 0
    assert any("annotate" in line and "bgp-routers" in line and "managed=true" in line for line in station.changed)
