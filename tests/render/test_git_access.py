"""Private Git servers: what is public of the way there, and the step that hands the key or the token over."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from anycastle import yamlio
from anycastle.finding import Severity
from anycastle.plan import plan
from anycastle.reader import read
from anycastle.render import render
from anycastle.site.load import parse
from tree import difference, tree_of

CASES = Path(__file__).resolve().parents[1] / "cases"
EXPECTED = CASES / "larger-repository" / "expected"
KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIBk5zn+aqHqkZJ3fwFftx6dg/wJ59K7j0JuksF0EvjIg"
SSH: dict[str, Any] = {
    "repository": "git@git.example.com:platform/home.git",
    "known_hosts": [f"git.example.com ssh-ed25519 {KEY}"],
}
CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBhzCCAS2gAwIBAgIUNWOAHrflMGUM2AMpbt5rUuzDEJUwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwORXhhbXBsZSBHaXQgQ0EwHhcNMjYxMTMwMTExOTMyWhcNNDYx
MTI1MTExOTMyWjAZMRcwFQYDVQQDDA5FeGFtcGxlIEdpdCBDQTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABFmo/t4yNUf2l/QnpIZaQcUfkCR5wUlw6YStXOhmmvwu
K8e442HhRrbHhVmIwA42dedsDU9iN9nHL2vH1l3ITDyjUzBRMB0GA1UdDgQWBBTD
3nd0M4GhBOKVerYvU+wWm+d3cDAfBgNVHSMEGDAWgBTD3nd0M4GhBOKVerYvU+wW
m+d3cDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCUYBlVXc/A
IQp5IOeqbYWjKLup7Xgyywd5KHtcikM+4QIgMWMefuXDLwhkHTkQ6PVFO72nBgsg
2tnfw8ZD56S7tiY=
-----END CERTIFICATE-----
"""
HTTPS: dict[str, Any] = {"private": True, "ca_certificates": CERTIFICATE}


def rendered(case: str = "seed", /, **gitops: Any) -> dict[str, bytes]:
    data = yamlio.load((CASES / case / "site.yaml").read_bytes()).documents[0].value
    data["gitops"] |= gitops
    parsed = parse(data)
    assert parsed.site is not None, parsed.findings
    return render(parsed.site, plan(parsed.site))


def written(root: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def configs(files: dict[str, bytes]) -> Any:
    return yamlio.load(files["apps/argo-cd/values.yaml"]).documents[0].value["configs"]


def test_a_site_that_says_nothing_gets_nothing() -> None:
    files = rendered()
    assert not [path for path in files if path.startswith("git/")]
    assert not {"ssh", "tls"} & configs(files).keys()
    assert "repository()" not in files["bootstrap.sh"].decode()


def test_argo_cd_gets_host_keys_behind_its_own() -> None:
    files = rendered(**SSH)
    assert files["git/known_hosts"].decode() == f"git.example.com ssh-ed25519 {KEY}\n"
    assert configs(files)["ssh"] == {"extraHosts": f"git.example.com ssh-ed25519 {KEY}"}
    assert "tls" not in configs(files)


def test_argo_cd_trusts_an_authority_for_one_host_without_its_port() -> None:
    files = rendered(repository="https://git.example.com:8443/p/h.git", **HTTPS)
    assert files["git/ca.crt"].decode() == CERTIFICATE
    assert configs(files)["tls"] == {"certificates": {"git.example.com": CERTIFICATE}}


def test_flux_is_told_by_its_bootstrap() -> None:
    script = rendered(engine="flux", **HTTPS)["bootstrap.sh"].decode()
    assert '--token-auth --username="${GIT_USERNAME:-flux}" --ca-file=git/ca.crt' in script
    pinned = rendered(engine="flux", **SSH)["bootstrap.sh"].decode()
    assert "--private-key-file" not in pinned  # with it Flux would take whatever host key answers first


@pytest.mark.parametrize(
    ("gitops", "path", "old", "new", "key"),
    [
        (SSH, "git/known_hosts", "example.com", "example.net", "known_hosts"),
        (SSH, "apps/argo-cd/values.yaml", KEY, KEY.replace("Bk5", "Bk6"), "known_hosts"),
        (HTTPS, "git/ca.crt", "MIIB", "MIIC", "ca_certificates"),
        (HTTPS, "apps/argo-cd/values.yaml", "      git.example.com: |", "      git.example.net: |", "ca_certificates"),
    ],
)
def test_a_file_that_differs_from_the_site_file_is_said(
    gitops: dict[str, Any], path: str, old: str, new: str, key: str, tmp_path: Path
) -> None:
    files = rendered(**gitops)
    assert not [one for one in read(written(tmp_path, files)).findings if one.severity is not Severity.UNCHECKED]
    assert old.encode() in files[path]
    (tmp_path / path).write_bytes(files[path].replace(old.encode(), new.encode()))
    [finding] = [one for one in read(tmp_path).findings if one.severity is not Severity.UNCHECKED]
    assert finding.code == "SITE020"
    assert f"says gitops.{key}:" in finding.message


def test_host_keys_that_the_site_file_does_not_have_are_said(tmp_path: Path) -> None:
    files = rendered(**SSH)
    text = files["site.yaml"].decode()
    assert "  known_hosts:" in text
    kept = [line for line in text.splitlines() if "known_hosts:" not in line and KEY not in line]
    written(tmp_path, files | {"site.yaml": "\n".join(kept).encode()})
    found = [one for one in read(tmp_path).findings if one.severity is not Severity.UNCHECKED]
    assert [(one.code, one.where.path) for one in found] == [
        ("SITE020", "apps/argo-cd/values.yaml"),
        ("SITE020", "git/known_hosts"),
    ]


KUBECTL = """#!/bin/sh
echo "kubectl $*" >>"$LOG"
case "$*" in
*kubeadm-config*) echo 'controlPlaneEndpoint: control.k8s.example.com:6443' ;;
*'create secret'*)
    echo kind: Secret
    for word in "$@"; do
        case $word in
        --from-file=*=*) name=${word#--from-file=}; echo "${name%%=*}: [$(cat "${name#*=}")]" ;;
        --from-literal=*) echo "${word#--from-literal=}" ;;
        esac
    done ;;
*'create namespace'*) echo kind: Namespace ;;
'label --local'*) cat; echo "label: ${*##* }" ;;
apply*) cat >>"$APPLIED" ;;
*'secret -o name'*) echo secret/repository; echo secret/flux-system ;;
*'-o name') echo "$2" ;;
esac
"""
GIT = """#!/bin/sh
echo "git $*" >>"$LOG"
echo "$GIT_SSH_COMMAND CA=$GIT_SSL_CAINFO" >>"$SAID"
for word in "$@"; do
    case $word in credential.helper=!*) sh -c "${word#credential.helper=!} get" >>"$SAID" ;; esac
done
case "$*" in *ls-remote*) exit "${GIT_EXIT:-0}" ;; esac
"""
FLUX = """#!/bin/sh
echo "flux $* SSH_KNOWN_HOSTS=$SSH_KNOWN_HOSTS" >>"$LOG"
"""
AGENT = """#!/bin/sh
exec "$@"
"""
ADD = """#!/bin/sh
echo "ssh-add $*" >>"$LOG"
"""


class Station:
    """A workstation: its programs say what they were called with, and ssh-keygen is the real one."""

    def __init__(self, folder: Path, files: dict[str, bytes]) -> None:
        self.root = written(folder / "repository", files)
        self.secrets, self.log = folder / "own", folder / "log"
        self.applied, self.said = folder / "applied", folder / "said"
        (self.secrets / "git").mkdir(parents=True)
        programs = folder / "bin"
        programs.mkdir()
        texts = {"kubectl": KUBECTL, "git": GIT, "flux": FLUX, "ssh-agent": AGENT, "ssh-add": ADD, "helm": AGENT}
        for name, text in texts.items():
            (programs / name).write_text(text)
            (programs / name).chmod(stat.S_IRWXU)
        self.environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "LOG": str(self.log),
            "APPLIED": str(self.applied),
            "SAID": str(self.said),
            "ANYCASTLE_PASSWORDS": str(self.secrets),
        }

    def step(self, name: str, **more: str) -> subprocess.CompletedProcess[str]:
        listed = subprocess.run(["sh", "bootstrap.sh"], cwd=self.root, capture_output=True, text=True, check=True)
        [label] = [word for word in listed.stdout.split() if word.endswith(f"-{name}") and word.startswith("boot")]
        return subprocess.run(
            ["sh", "bootstrap.sh", label.removeprefix("bootstrap-")],
            cwd=self.root,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            check=False,
        )

    def key(self, passphrase: str = "") -> str:
        path = self.secrets / "git/identity"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", str(path)], check=True)
        return path.read_text()


needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


@needs_ssh
def test_the_key_reaches_argo_cd_by_way_of_its_file(tmp_path: Path) -> None:
    station = Station(tmp_path, rendered(**SSH))
    key = station.key()
    run = station.step("repository")
    assert run.returncode == 0, run.stderr
    applied = station.applied.read_text()
    assert f"sshPrivateKey: [{key.strip()}]" in applied
    assert "url=git@git.example.com:platform/home.git" in applied
    assert "label: argocd.argoproj.io/secret-type=repository" in applied
    assert "StrictHostKeyChecking=yes -o UserKnownHostsFile=git/known_hosts" in station.said.read_text()
    assert key.splitlines()[1] not in station.log.read_text()


@needs_ssh
@pytest.mark.parametrize("engine", ["argocd", "flux"])
def test_nothing_is_applied_without_a_key_that_opens_the_repository(engine: str, tmp_path: Path) -> None:
    station = Station(tmp_path, rendered(engine=engine, **SSH))
    run = station.step("repository")
    assert (run.returncode, "is missing or empty" in run.stderr) == (3, True)
    station.key("a passphrase")
    run = station.step("repository")
    assert (run.returncode, "without a passphrase" in run.stderr) == (3, True)
    (station.secrets / "git/identity").unlink()
    station.key()
    run = station.step("repository", GIT_EXIT="128")
    assert (run.returncode, "does not open git@git.example.com" in run.stderr) == (3, True)
    assert not station.applied.exists()


@needs_ssh
def test_flux_gets_the_pinned_host_keys_and_never_asks_for_others(tmp_path: Path) -> None:
    station = Station(tmp_path, rendered(engine="flux", **SSH))
    key = station.key()
    assert station.step("repository").returncode == 0
    applied = station.applied.read_text()
    assert f"identity: [{key.strip()}]" in applied
    assert f"known_hosts: [git.example.com ssh-ed25519 {KEY}]" in applied
    run = station.step("flux")
    assert run.returncode == 0, run.stderr
    [called] = [line for line in station.log.read_text().splitlines() if line.startswith("flux bootstrap")]
    assert called.endswith(f"SSH_KNOWN_HOSTS={station.root}/git/known_hosts")
    assert f"ssh-add -q {station.secrets}/git/identity" in station.log.read_text()


def test_the_token_stands_on_no_command_line(tmp_path: Path) -> None:
    station = Station(tmp_path, rendered(**HTTPS))
    assert station.step("repository").returncode == 3
    (station.secrets / "git/token").write_text("s3cret-token\n")
    run = station.step("repository", GIT_USERNAME="reader")
    assert run.returncode == 0, run.stderr
    applied = station.applied.read_text()
    assert "password: [s3cret-token]" in applied
    assert "username=reader" in applied
    assert "username=reader\npassword=s3cret-token\n" in station.said.read_text()
    log = station.log.read_text()
    assert "s3cret-token" not in log
    assert "CA=git/ca.crt" in station.said.read_text()


@pytest.mark.parametrize(("given", "user"), [({}, "flux"), ({"GIT_USERNAME": "a pusher"}, "a pusher")])
def test_flux_takes_the_user_from_the_environment(given: dict[str, str], user: str, tmp_path: Path) -> None:
    station = Station(tmp_path, rendered(engine="flux", **HTTPS))
    station.environment.pop("GIT_USERNAME", None)
    run = station.step("flux", GIT_PASSWORD="s3cret-token", **given)
    assert run.returncode == 0, run.stderr
    [called] = [line for line in station.log.read_text().splitlines() if line.startswith("flux bootstrap")]
    assert f" --token-auth --username={user} --ca-file=git/ca.crt " in called
    assert "s3cret-token" not in called


@pytest.mark.parametrize(("engine", "user"), [("argocd", "argocd"), ("flux", "flux")])
def test_the_readme_says_where_the_user_is_given(engine: str, user: str) -> None:
    text = rendered(engine=engine)["README.md"].decode()
    assert f"GIT_USERNAME={user}   # or the user that the Git server wants with it\n" in text
    assert ('--from-literal=username="$GIT_USERNAME"' in text) is (engine == "argocd")


SHOWN = (
    ".gitlab-ci.yml",
    ".pre-commit-config.yaml",
    "argocd/apps/edge.yaml",
    "argocd/root.yaml",
    "clusters/hall/edge.yaml",
    "clusters/hall/flux-system/gotk-sync.yaml",
    "flux/edge/release.yaml",
    "git/known_hosts",
    "renovate-preset.json",
)


@pytest.mark.parametrize("engine", ["argocd", "flux"])
def test_a_folder_of_a_larger_private_repository(engine: str, tmp_path: Path, update_golden: bool) -> None:
    files = rendered("larger-repository", engine=engine)
    actual = {path: data for path, data in files.items() if path in SHOWN}
    folder = EXPECTED / engine
    if update_golden:
        shutil.rmtree(folder, ignore_errors=True)
        written(folder, actual)
    expected = tree_of(folder)
    assert actual == expected, difference(expected, actual)


def test_the_readme_says_what_is_read_at_the_root_only() -> None:
    text = rendered("larger-repository")["README.md"].decode()
    assert "Run everything in `sites/hall` in a clone of the repository" in text
    assert "include:\n  - local: /sites/hall/.gitlab-ci.yml" in text
    assert "local>platform/clusters//sites/hall/renovate-preset" in text
    assert "git remote add origin" not in text
    assert "make bootstrap-6-repository" in text
    github = rendered("larger-repository", ci="github")["README.md"].decode()
    assert "cp sites/hall/ci/hall.yaml .github/workflows/hall.yaml" in github
    assert "**CI.**" not in rendered("larger-repository", ci="none")["README.md"].decode()
