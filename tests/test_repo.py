"""The writer: what it refuses, what it leaves behind, and that nothing of the user's git takes part."""

import fcntl
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from anycastle import repo
from anycastle.finding import Refused, Severity
from anycastle.repo.codes import EXPLANATIONS
from anycastle.repo.manifest import lost_files
from anycastle.repo.paths import faults_of
from anycastle.repo.staging import MARK, STAGE_MARK

FILES = {
    "site.yaml": b"schema: 1\n",
    "apps/traefik/values.yaml": b"replicas: 2\r\n",
    "nodes/a/install.sh": b"#!/bin/sh\n",
    ".gitignore": b"*.sh\n",
}


def executable(path: str) -> bool:
    return path.endswith(".sh")


def create(target: Path, files: Mapping[str, bytes] = FILES) -> None:
    repo.create(target, files, executable)


def git(target: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", target, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def tree_of(target: Path) -> dict[str, bytes]:
    return {
        path.relative_to(target).as_posix(): path.read_bytes()
        for path in target.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(target).parts
    }


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [finding.code for finding in refused.value.findings]


def nothing_beside(target: Path) -> bool:
    return not [path for path in target.parent.iterdir() if path != target]


def test_a_new_repository_holds_exactly_the_files_in_one_commit(tmp_path: Path) -> None:
    target = tmp_path / "home"
    create(target)
    assert tree_of(target) == FILES
    assert git(target, "rev-list", "--count", "main") == "1"
    assert git(target, "ls-files").splitlines() == sorted(FILES)
    assert git(target, "status", "--porcelain") == ""
    assert git(target, "cat-file", "blob", "HEAD:apps/traefik/values.yaml") == "replicas: 2"
    assert nothing_beside(target)


def test_only_what_is_executable_gets_the_bit(tmp_path: Path) -> None:
    target = tmp_path / "home"
    create(target)
    assert (target / "nodes/a/install.sh").stat().st_mode & stat.S_IXUSR
    assert not (target / "site.yaml").stat().st_mode & stat.S_IXUSR
    assert git(target, "ls-tree", "HEAD", "nodes/a/install.sh").startswith("100755")


def test_equal_bytes_give_the_equal_commit(tmp_path: Path) -> None:
    create(tmp_path / "one")
    create(tmp_path / "deep" / "er" / "two")
    assert git(tmp_path / "one", "rev-parse", "HEAD") == "1d3054e3a98519068ef33774d18f7e599cd327ff"
    assert git(tmp_path / "one", "rev-parse", "HEAD") == git(tmp_path / "deep/er/two", "rev-parse", "HEAD")


def test_nothing_of_the_users_git_takes_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create(tmp_path / "plain")
    home = tmp_path / "home-of-user"
    hooks = home / "hooks"
    hooks.mkdir(parents=True)
    for name in ("pre-commit", "commit-msg", "post-commit", "prepare-commit-msg", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/hook-ran\nexit 1\n")
        (hooks / name).chmod(0o755)
    template = home / "template"
    shutil.copytree(hooks, template / "hooks")
    (home / ".gitconfig").write_text(
        f"[core]\nhooksPath = {hooks}\nautocrlf = true\nexcludesFile = {home}/ignore\n"
        f"[init]\ntemplateDir = {template}\ndefaultBranch = trunk\ndefaultObjectFormat = sha256\n"
        "[commit]\ngpgSign = true\n[user]\nname = Somebody\nemail = somebody@example.com\nsigningKey = none\n"
    )
    (home / "ignore").write_text("*.yaml\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(template))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.hooksPath")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(hooks))
    create(tmp_path / "configured")
    monkeypatch.undo()
    assert git(tmp_path / "configured", "rev-parse", "HEAD") == git(tmp_path / "plain", "rev-parse", "HEAD")
    assert git(tmp_path / "configured", "branch", "--show-current") == "main"
    assert not (tmp_path / "configured/.git/hooks").exists()
    assert not (tmp_path / "hook-ran").exists()


def test_a_run_from_inside_a_git_hook_leaves_that_repository_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    create(other)
    before = git(other, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    create(tmp_path / "new", {"a": b"1\n"})
    monkeypatch.undo()
    assert git(other, "rev-parse", "HEAD") == before
    assert git(other, "status", "--porcelain") == ""
    assert git(tmp_path / "new", "ls-files") == "a"


def test_an_empty_directory_is_filled(tmp_path: Path) -> None:
    target = tmp_path / "home"
    target.mkdir()
    create(target)
    assert tree_of(target) == FILES


def test_a_relative_target_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    create(Path("sub/home"))
    assert tree_of(tmp_path / "sub/home") == FILES


@pytest.mark.parametrize("make", ["directory", "file", "link", "dangling"])
def test_a_taken_target_is_refused_and_untouched(tmp_path: Path, make: str) -> None:
    target = tmp_path / "home"
    if make == "directory":
        target.mkdir()
        (target / "mine").write_text("keep")
    elif make == "file":
        target.write_text("keep")
    else:
        (tmp_path / "elsewhere").mkdir()
        target.symlink_to(tmp_path / ("elsewhere" if make == "link" else "nowhere"))
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(Refused) as refused:
        create(target)
    assert codes(refused) == ["REPO001"]
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../out",
        "a/../../b",
        "a//b",
        "a/",
        "",
        ".",
        "./a",
        ".git/config",
        "s/.GIT/x",
        "a\\b",
        "\0",
        "x" * 256,
    ],
)
def test_an_unsafe_path_is_refused_before_anything_is_written(tmp_path: Path, path: str) -> None:
    with pytest.raises(Refused) as refused:
        create(tmp_path / "home", {**FILES, path: b""})
    assert codes(refused) == ["REPO002"]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("paths", [("a", "a/b"), ("Makefile", "makefile"), ("A/x", "a/X"), ("Docs", "docs/x")])
def test_two_files_in_one_place_are_refused(tmp_path: Path, paths: tuple[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        create(tmp_path / "home", dict.fromkeys(paths, b""))
    assert codes(refused) == ["REPO003"]
    assert not list(tmp_path.iterdir())


def test_every_fault_is_named_at_once() -> None:
    found = [finding.code for finding in faults_of(["/a", "../b", "c", "c/d"])]
    assert found == ["REPO002", "REPO002", "REPO003"]


def test_ordinary_paths_are_no_fault() -> None:
    assert not list(faults_of(["a/b", "a/c", ".github/workflows/x.yaml", ".gitignore", "ü/ß", "a b"]))


def test_without_git_nothing_is_written(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom anycastle import repo\nfrom anycastle.finding import Refused\n"
        "try:\n    repo.create(Path(sys.argv[1]), {'a': b'1'}, lambda path: False)\n"
        "except Refused as refused:\n    print([finding.code for finding in refused.findings])\n"
    )
    source = str(Path(repo.__file__).resolve().parents[2])
    for mode in ("raise", "quiet"):  # GitPython can be told to find out later
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "home")],
            env={"PATH": str(tmp_path), "PYTHONPATH": source, "GIT_PYTHON_REFRESH": mode},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == "['REPO004']"
        assert not list(tmp_path.iterdir())


def test_a_failure_leaves_nothing_not_even_the_directories_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(Refused) as refused:
            create(tmp_path / "a" / "b" / "home")
    assert codes(refused) == ["REPO006"]
    assert "No space left" in refused.value.findings[0].message
    assert not list(tmp_path.iterdir())


def test_an_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            create(tmp_path / "home")
    assert not list(tmp_path.iterdir())


def test_a_target_that_is_filled_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "home"
    fsync = os.fsync

    def somebody_else_writes(descriptor: int) -> None:
        target.mkdir(exist_ok=True)
        (target / "theirs").write_text("keep")
        fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", somebody_else_writes)
        with pytest.raises(Refused) as refused:
            create(target)
    assert codes(refused) == ["REPO001"]
    assert tree_of(target) == {"theirs": b"keep"}
    assert nothing_beside(target)


def test_a_file_above_the_target_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused) as refused:
        create(tmp_path / "file" / "home")
    assert codes(refused) == ["REPO006"]


def test_a_stale_stage_is_removed_and_a_living_one_kept(tmp_path: Path) -> None:
    target = tmp_path / "home"
    stale = tmp_path / f".home{STAGE_MARK}0"
    (stale / "apps").mkdir(parents=True)
    (stale / MARK).parent.mkdir()
    (stale / MARK).touch()
    somebodys = tmp_path / f".home{STAGE_MARK}7"
    (somebodys / "letters").mkdir(parents=True)
    living = tmp_path / f".home{STAGE_MARK}1"
    living.mkdir()
    unrelated = tmp_path / f".other{STAGE_MARK}0"
    unrelated.mkdir()
    program = (
        "import fcntl, os, sys\n"
        "fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)\n"
        "print(flush=True)\ninput()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(living)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as owner:
        assert owner.stdout is not None
        owner.stdout.readline()
        create(target)
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
            ["home", living.name, unrelated.name, somebodys.name]
        )
        owner.kill()
    create(tmp_path / "elsewhere")  # another target does not concern itself with it
    assert living.exists()
    shutil.rmtree(target)
    create(target)
    assert not living.exists()


def test_a_file_system_without_locks_is_served_and_its_stages_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_arguments: object) -> None:
        raise OSError(95, "Operation not supported")

    stage = tmp_path / f".home{STAGE_MARK}0"
    stage.mkdir()
    monkeypatch.setattr(fcntl, "flock", unsupported)
    create(tmp_path / "home")
    assert tree_of(tmp_path / "home") == FILES
    assert stage.exists()


def test_generated_files_that_are_gone_are_said_and_only_said(tmp_path: Path) -> None:
    assert not list(lost_files(tmp_path)), "no manifest, nothing to say"
    (tmp_path / ".anycastle").mkdir()
    manifest = tmp_path / ".anycastle/manifest.json"
    manifest.write_text('{"schema": 1, "files": {"a": "1", "b/c": "2", "../x": "3", "d": "", "e": "", "f": ""}}')
    (tmp_path / "a").write_text("edited")
    (found,) = lost_files(tmp_path)
    assert (found.code, found.severity) == ("REPO007", Severity.INFO)
    assert "b/c, d, e and 1 more" in found.message
    for text in ("", "[]", '{"files": []}', "{" * 100_000):
        manifest.write_text(text)
        assert [finding.code for finding in lost_files(tmp_path)] == ["REPO008"]


def test_every_code_is_explained() -> None:
    source = (Path(repo.__file__).parent / "codes.py").read_text()
    assert [entry.code for entry in EXPLANATIONS] == [f"REPO{number:03}" for number in range(1, len(EXPLANATIONS) + 1)]
    for entry in EXPLANATIONS:
        assert source.count(f'"{entry.code}"') == 2, "explained, and raised in one place"
