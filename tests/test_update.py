"""`update` and `diff`: an edit of site.yaml moves exactly the files that follow from it, and no edit is ever lost."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from anycastle.cli import run
from anycastle.finding import Refused
from anycastle.repo import applying, journal
from anycastle.repo.applying import apply
from anycastle.repo.comparing import Action, History, Step, Tree, Wishes, compare, digest
from anycastle.repo.manifest import MANIFEST, generated
from tree import difference, tree_of

WORKER = "- {name: k8s-node-5, role: worker, address: 192.168.10.24}\n"
RECIPIENT = "age1r6kxll6jc7a62g7c39c8j6m9z4xsc857yz4g7x9sw855g6jt02ks8usj3a"
SIXTH = "- {name: k8s-node-6, role: worker, address: 192.168.10.25}\n"
OF_A_WORKER = {
    ".anycastle/manifest.json": "update",
    "README.md": "update",
    "docs/addresses.md": "update",
    "docs/runbook.md": "update",
    "docs/topology.svg": "update",
    "nodes/k8s-node-6/hosts": "create",
    "nodes/k8s-node-6/install.sh": "create",
    "nodes/k8s-node-6/kubeadm.yaml": "create",
    "routers/router/frr.conf": "update",
    "routers/router/nftables.conf": "update",
}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fresh")
    assert run(["new", "--no-input", "-o", str(folder)]) == 0
    return folder / "home"


@pytest.fixture
def home(fresh: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "home"
    shutil.copytree(fresh, copy)
    return copy


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> "Said":
    return Said(capsys)


class Said:
    """What the last command wrote to standard output, and its list of actions."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.text = ""

    def by(self, *arguments: str | Path) -> int:
        self.capsys.readouterr()
        status = run([str(argument) for argument in arguments])
        out, err = self.capsys.readouterr()
        self.text = out + err
        return status

    @property
    def actions(self) -> dict[str, str]:
        words = [line.split() for line in self.text.splitlines()]
        actions = {action.value for action in Action}
        return {line[1]: line[0] for line in words if len(line) == 2 and line[0] in actions}


def add_worker(home: Path) -> None:
    site = home / "site.yaml"
    text = site.read_text()
    assert WORKER in text
    site.write_text(text.replace(WORKER, WORKER + SIXTH))


def remove_worker(home: Path) -> None:
    site = home / "site.yaml"
    site.write_text(site.read_text().replace(WORKER, ""))


def git(home: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    return subprocess.run(["git", "-C", home, *identity, *arguments], check=True, capture_output=True, text=True).stdout


# --- what changes ----------------------------------------------------------------------------------------


def test_a_fresh_repository_has_no_difference(home: Path, said: Said) -> None:
    before = tree_of(home)
    assert said.by("diff", home) == 0
    assert said.text == f"{home}: {len(before) - 11} identical, 11 yours.\n"
    assert said.by("update", home) == 0
    assert tree_of(home) == before
    assert git(home, "status", "--porcelain") == ""


def test_a_worker_more_changes_exactly_what_follows_from_it(home: Path, said: Said) -> None:
    before = tree_of(home)
    add_worker(home)
    site = (home / "site.yaml").read_bytes()
    assert said.by("diff", home) == 1
    assert said.actions == OF_A_WORKER
    assert "+++ b/nodes/k8s-node-6/hosts\n@@ -0,0 +1" in said.text
    assert said.by("update", "--dry-run", home) == 0
    assert said.actions == OF_A_WORKER
    assert "3 to be created, 7 to be updated, " in said.text
    assert tree_of(home) == {**before, "site.yaml": site}, "diff and a dry run write nothing"
    assert said.by("update", home) == 0
    assert said.actions == OF_A_WORKER
    assert "3 created, 7 updated, " in said.text
    assert said.text.splitlines()[-1] == "Next: read `git status` and `git diff`, then commit and push."
    after = tree_of(home)
    changed = {path for path in after if before.get(path) != after[path]}
    assert changed == {*OF_A_WORKER, "site.yaml"}
    assert (home / "site.yaml").read_bytes() == site
    assert "192.168.10.25" in (home / "routers/router/frr.conf").read_text()
    assert git(home, "rev-list", "--count", "HEAD") == "1\n", "nothing is committed"
    assert said.by("diff", home) == 0
    assert said.by("validate", home) == 0


def test_an_updated_repository_is_what_a_new_one_would_be(home: Path, tmp_path: Path) -> None:
    add_worker(home)
    assert run(["update", str(home)]) == 0
    assert run(["new", "--no-input", "--answers", str(home / "site.yaml"), "-o", str(tmp_path / "other")]) == 0
    new, updated = tree_of(tmp_path / "other/home"), tree_of(home)
    assert updated == new, difference(new, updated)


def test_a_worker_less_takes_its_folder_away(home: Path, said: Said) -> None:
    remove_worker(home)
    assert said.by("update", home) == 0
    removed = {path for path, action in said.actions.items() if action == "remove"}
    assert removed == {f"nodes/k8s-node-5/{name}" for name in ("hosts", "install.sh", "kubeadm.yaml")}
    assert not (home / "nodes/k8s-node-5").exists()
    assert said.by("diff", home) == 0


def test_what_is_there_and_back_again_is_the_same(home: Path) -> None:
    before = tree_of(home)
    site = (home / "site.yaml").read_bytes()
    add_worker(home)
    assert run(["update", str(home)]) == 0
    (home / "site.yaml").write_bytes(site)
    assert run(["update", str(home)]) == 0
    assert tree_of(home) == before


def test_programs_stay_programs_and_other_permissions_stay(home: Path) -> None:
    script, values = home / "nodes/k8s-node-1/install.sh", home / "docs/addresses.md"
    script.chmod(0o644)
    values.chmod(0o600)
    add_worker(home)
    assert run(["update", str(home)]) == 0
    assert stat.S_IMODE(script.stat().st_mode) == 0o755
    assert stat.S_IMODE(values.stat().st_mode) == 0o600
    assert (home / "nodes/k8s-node-6/install.sh").stat().st_mode & 0o100
    assert run(["diff", str(home)]) == 0


# --- edits of a person -----------------------------------------------------------------------------------


def test_what_is_the_persons_survives(home: Path) -> None:
    overrides = home / "apps/traefik/overrides.yaml"
    overrides.write_text("deployment: {replicas: 3}\n")
    (home / "notes.txt").write_text("mine")
    site = home / "site.yaml"
    site.write_text("# my own comment\n" + site.read_text())
    add_worker(home)
    mine = site.read_bytes()
    assert run(["update", str(home)]) == 0
    assert overrides.read_text() == "deployment: {replicas: 3}\n"
    assert (home / "notes.txt").read_text() == "mine"
    assert site.read_bytes() == mine


def test_a_deleted_file_comes_back(home: Path, said: Said) -> None:
    before = tree_of(home)
    (home / "docs/runbook.md").unlink()
    (home / "apps/edge/overrides.yaml").unlink()
    assert said.by("update", home) == 0
    assert said.actions == {"docs/runbook.md": "create", "apps/edge/overrides.yaml": "create"}
    assert tree_of(home) == before


@pytest.fixture
def conflicting(home: Path) -> Path:
    """A committed edit of a file that the new site changes, and one of a file that it leaves as it was."""
    for name in ("routers/router/frr.conf", "Makefile"):
        with (home / name).open("a") as file:
            file.write("# mine\n")
    git(home, "commit", "--quiet", "--all", "--message=edits")
    add_worker(home)
    return home


def test_an_edit_in_the_way_stops_everything(conflicting: Path, said: Said) -> None:
    before = tree_of(conflicting)
    assert said.by("update", conflicting) == 1
    assert said.actions == {**OF_A_WORKER, "routers/router/frr.conf": "conflict", "Makefile": "edited"}
    assert "routers/router/frr.conf: error REPO010" in said.text
    assert "--overwrite routers/router/frr.conf" in said.text
    assert said.text.endswith("Nothing was written.\n")
    assert tree_of(conflicting) == before
    assert said.by("update", "--dry-run", conflicting) == 1
    assert said.by("diff", conflicting) == 1
    assert "-# mine\n" in said.text, "both edits are shown"
    assert tree_of(conflicting) == before


def test_every_conflict_is_named_at_once(conflicting: Path, said: Said) -> None:
    (conflicting / "docs/addresses.md").write_text("mine")
    (conflicting / "nodes/k8s-node-6").mkdir()
    (conflicting / "nodes/k8s-node-6/hosts").write_text("written before it was generated")
    assert said.by("update", conflicting) == 1
    assert said.text.count("error REPO010") == 3
    assert "the one that is there was not" in said.text


def test_an_edit_that_nothing_new_meets_is_left_alone_and_said(home: Path, said: Said) -> None:
    with (home / "Makefile").open("a") as file:
        file.write("# mine\n")
    add_worker(home)
    assert said.by("update", home) == 0
    assert said.actions == {**OF_A_WORKER, "Makefile": "edited"}
    assert (home / "Makefile").read_text().endswith("# mine\n")
    assert said.by("update", home) == 0
    assert said.actions == {"Makefile": "edited"}
    others = len(tree_of(home)) - 12
    assert said.text.endswith(f"1 edited by hand and left alone, {others} identical, 11 yours.\nNothing to do.\n")
    assert said.by("diff", home) == 1, "it is a difference all the same"


def test_an_edit_that_is_equal_to_the_news_is_none(home: Path, said: Said) -> None:
    with (home / "docs/addresses.md").open("a") as file:
        file.write("mine")
    add_worker(home)
    assert said.by("update", home) == 1
    (home / "docs/addresses.md").write_bytes(_as_new(home, "docs/addresses.md"))
    assert said.by("update", home) == 0
    assert "docs/addresses.md" not in said.actions


def _as_new(home: Path, path: str) -> bytes:
    folder = home.parent / "as-new"
    assert run(["new", "--no-input", "--answers", str(home / "site.yaml"), "-o", str(folder)]) == 0
    return (folder / "home" / path).read_bytes()


def test_overwriting_gives_the_edit_up(conflicting: Path, said: Said) -> None:
    assert said.by("update", "--overwrite", "routers/router/frr.conf", conflicting) == 0
    text = (conflicting / "routers/router/frr.conf").read_text()
    assert "# mine" not in text
    assert "192.168.10.25" in text
    assert git(conflicting, "show", "HEAD:routers/router/frr.conf").endswith("# mine\n"), "history has it"
    assert (conflicting / "Makefile").read_text().endswith("# mine\n")


def test_an_edit_that_nothing_new_meets_is_given_up_as_well(home: Path, said: Said) -> None:
    path, generated_before = "routers/router/frr.conf", tree_of(home)
    for name in (path, "Makefile"):
        with (home / name).open("a") as file:
            file.write("# mine\n")
    edited = tree_of(home)
    assert said.by("update", "--overwrite", path, home) == 1
    assert f"{path}: error REPO013" in said.text, "it is in no commit"
    assert tree_of(home) == edited
    git(home, "commit", "--quiet", "--all", "--message=edits")
    assert said.by("update", "--dry-run", "--overwrite", path, home) == 0
    assert "1 to be updated, 1 edited by hand and left alone, " in said.text
    assert tree_of(home) == edited
    assert said.by("update", "--overwrite", path, home) == 0
    assert said.actions == {path: "update", "Makefile": "edited"}
    assert said.text.splitlines()[-1].startswith("Next: ")
    assert tree_of(home) == {**generated_before, "Makefile": edited["Makefile"]}
    assert said.by("update", "--overwrite", path, home) == 0, "and where there is no edit, nothing happens"
    assert said.actions == {"Makefile": "edited"}
    assert said.text.endswith("Nothing to do.\n")


@pytest.mark.parametrize("tracked", [True, False])
def test_an_edit_that_is_in_no_commit_is_not_overwritten(home: Path, said: Said, tracked: bool) -> None:
    add_worker(home)
    path = "routers/router/frr.conf" if tracked else "nodes/k8s-node-6/hosts"
    (home / path).parent.mkdir(exist_ok=True)
    with (home / path).open("a") as file:
        file.write("# mine\n")
    before = tree_of(home)
    assert said.by("update", "--overwrite", path, home) == 1
    assert f"{path}: error REPO013" in said.text
    assert tree_of(home) == before
    git(home, "add", path)
    git(home, "commit", "--quiet", "--message=edit")
    assert said.by("update", "--overwrite", path, home) == 0


def test_outside_of_git_a_named_file_is_overwritten(home: Path) -> None:
    shutil.rmtree(home / ".git")
    add_worker(home)
    (home / "routers/router/frr.conf").write_text("# mine\n")
    assert run(["update", "--overwrite", "routers/router/frr.conf", str(home)]) == 0
    assert "# mine" not in (home / "routers/router/frr.conf").read_text()


def test_where_git_cannot_answer_nothing_proves_that_the_edit_is_safe(conflicting: Path, said: Said) -> None:
    (conflicting / ".git/HEAD").write_text("nonsense\n")
    assert said.by("update", "--overwrite", "routers/router/frr.conf", conflicting) == 1
    assert "REPO013" in said.text


def test_keeping_leaves_the_file_and_lets_the_others_move(conflicting: Path, said: Said) -> None:
    kept = (conflicting / "routers/router/frr.conf").read_bytes()
    assert said.by("update", "--keep", "routers/router/frr.conf", conflicting) == 0
    assert (conflicting / "routers/router/frr.conf").read_bytes() == kept
    assert (conflicting / "nodes/k8s-node-6/hosts").exists()
    assert said.by("update", conflicting) == 0, "it was decided once, until there is something new again"
    assert said.actions["routers/router/frr.conf"] == "edited"


@pytest.mark.parametrize("path", ["nodes/k8s-node-9/hosts", "../outside", "site.yaml", "apps/traefik/overrides.yaml"])
@pytest.mark.parametrize("option", ["--overwrite", "--keep"])
def test_a_decision_about_nothing_is_misuse(home: Path, said: Said, option: str, path: str) -> None:
    assert said.by("update", option, path, home) == 2
    assert "REPO015" in said.text


def test_one_file_is_not_overwritten_and_kept(home: Path, said: Said) -> None:
    assert said.by("update", "--overwrite", "Makefile", "--keep", "Makefile", home) == 2


def test_a_stale_file_that_was_edited_is_kept_and_said(home: Path, said: Said) -> None:
    (home / "nodes/k8s-node-5/hosts").write_text("mine")
    remove_worker(home)
    assert said.by("update", home) == 0
    assert said.actions["nodes/k8s-node-5/hosts"] == "stale"
    assert "nodes/k8s-node-5/hosts: warning REPO012" in said.text
    assert tree_of(home / "nodes/k8s-node-5") == {"hosts": b"mine"}
    assert said.by("update", home) == 0
    assert "k8s-node-5" not in said.text, "from now on it is the person's"


def test_a_checkout_with_crlf_is_no_edit(home: Path, said: Said) -> None:
    for path, data in tree_of(home).items():
        (home / path).write_bytes(data.replace(b"\n", b"\r\n"))
    assert said.by("diff", home) == 0
    site = home / "site.yaml"
    site.write_bytes(site.read_bytes().replace(f"{WORKER[:-1]}\r\n".encode(), b""))
    assert said.by("update", home) == 0
    assert not (home / "nodes/k8s-node-5").exists()
    assert b"192.168.10.24" not in (home / "routers/router/frr.conf").read_bytes()
    assert said.by("diff", home) == 0


# --- what stands in the way ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["docs/addresses.md", "docs", "nodes/k8s-node-6", ".anycastle/update", "README.md"])
def test_a_symbolic_link_is_never_written_through(home: Path, said: Said, tmp_path: Path, path: str) -> None:
    outside = tmp_path / "outside"
    place = home / path
    if place.exists():
        place.rename(outside)
    elif path == ".anycastle/update":
        outside.mkdir()
    else:
        shutil.copytree(home / "nodes/k8s-node-5", outside)
    place.symlink_to(outside)
    add_worker(home)
    before, others = tree_of(home), outside.read_bytes() if outside.is_file() else tree_of(outside)
    assert said.by("update", home) == 1
    assert "error REPO011" in said.text
    assert tree_of(home) == before
    assert (outside.read_bytes() if outside.is_file() else tree_of(outside)) == others


@pytest.mark.parametrize("make", ["directory", "fifo"])
def test_what_is_no_file_is_in_the_way(home: Path, said: Said, make: str) -> None:
    place = home / "docs/addresses.md"
    place.unlink()
    if make == "directory":
        place.mkdir()
    else:
        os.mkfifo(place)
    assert said.by("update", home) == 1
    assert "docs/addresses.md: error REPO011" in said.text
    assert said.by("diff", home) == 1


def test_a_manifest_that_points_outside_removes_nothing(home: Path, tmp_path: Path, said: Said) -> None:
    victim = tmp_path / "victim"
    victim.write_text("keep")
    linked = home / "linked"
    linked.symlink_to(tmp_path)
    manifest = json.loads((home / MANIFEST).read_text())
    for path in ("../victim", str(victim), "linked/victim", ".git/HEAD"):
        data = (home / path).read_bytes() if path != str(victim) else victim.read_bytes()
        manifest["files"][path] = digest(data)
    (home / MANIFEST).write_text(json.dumps(manifest))
    assert said.by("update", home) == 0
    assert victim.read_text() == "keep"
    assert (home / ".git/HEAD").exists()
    assert said.actions == {MANIFEST: "update", "linked/victim": "stale"}


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"files": []}', '{"schema": 2, "files": {}}', "<<<<<<< HEAD\n{}", "\udcff"]
)
def test_without_a_manifest_nothing_is_written(home: Path, said: Said, text: str) -> None:
    (home / MANIFEST).write_bytes(text.encode("utf-8", "surrogateescape"))
    add_worker(home)
    before = tree_of(home)
    for command, status in (("update", 1), ("diff", 2)):
        assert said.by(command, home) == status
        assert f"{MANIFEST}: error REPO009" in said.text
    assert tree_of(home) == before


def test_a_foreign_directory_is_refused(tmp_path: Path, said: Said) -> None:
    for command, status in (("update", 1), ("diff", 2)):
        assert said.by(command, tmp_path) == status
        assert "site.yaml: error REPO009" in said.text
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: [", "YAML"),
        ("schema: 1\nschema: 1\n", "YAML"),
        ("", "REPO009"),
        ("- 1\n", "SITE003"),
        ("schema: 9\n", "SITE"),
    ],
)
def test_a_site_that_cannot_be_read_changes_nothing(home: Path, said: Said, text: str, code: str) -> None:
    (home / "site.yaml").write_text(text)
    before = tree_of(home)
    for command, status in (("update", 1), ("diff", 2)):
        assert said.by(command, home) == status
        assert f"error {code}" in said.text
    assert tree_of(home) == before


def test_what_update_refuses_in_an_edited_site_file_validate_says_as_well(home: Path, said: Said) -> None:
    site = home / "site.yaml"
    text = site.read_text()
    site.write_text(text.replace("  assign: requested", "  assign: requested\n  asign: all"))
    assert site.read_text() != text
    line = site.read_text().splitlines().index("  asign: all") + 1
    for command in ("update", "validate"):
        assert said.by(command, home) == 1
        assert f"site.yaml:{line}" in said.text
        assert "SITE001" in said.text
        assert "assign" in said.text
    site.write_text(text)
    assert said.by("validate", home) == 0


def test_renovate_looks_only_for_the_releases_that_the_site_file_has(home: Path, said: Said) -> None:
    site = home / "site.yaml"
    text = site.read_text().replace("interface: eth1}", "interface: eth1, password: bgp/router}")
    gitops = f"gitops:\n  secrets: sops\n  age_recipients: [{RECIPIENT}]\n"
    site.write_text(text.replace("gitops:\n", gitops))
    assert said.by("update", home) == 0, said.text
    assert said.by("validate", "--select", "UPD", home) == 0, said.text
    assert "getsops/sops" not in (home / "renovate.json").read_text()
    site.write_text(site.read_text().replace("versions:\n", 'versions:\n  sops: "3.13.2"\n'))
    assert said.by("update", home) == 0, said.text
    assert "getsops/sops" in (home / "renovate.json").read_text()
    assert said.by("validate", "--select", "UPD", home) == 0, said.text


def test_a_mistake_in_the_site_is_named_at_its_line(home: Path, said: Said) -> None:
    add_worker(home)
    site = home / "site.yaml"
    site.write_text(site.read_text().replace("192.168.10.25", "192.168.10.24"))
    before = tree_of(home)
    assert said.by("update", home) == 1
    line = next(number for number, text in enumerate(site.read_text().splitlines(), 1) if "k8s-node-6" in text)
    assert f"{site}:{line}: error ADDR006" in said.text
    assert tree_of(home) == before


# --- interruptions ---------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from anycastle.cli import run
left = int(sys.argv[1])
replace = Path.replace
def counted(self, target):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    return replace(self, target)
Path.replace = counted
sys.exit(run(["update", sys.argv[2]]))
"""


def killed(home: Path, after: int) -> int:
    """Run an update and kill it before the rename with that number."""
    command = [sys.executable, "-c", KILLED, str(after), str(home)]
    return subprocess.run(command, check=False, capture_output=True).returncode


@pytest.mark.parametrize("after", [0, 1, 4, 10])
def test_a_killed_update_is_finished_by_the_next_one(home: Path, said: Said, after: int) -> None:
    """One rename for the note, ten for the files, the manifest's last."""
    add_worker(home)
    before, expected = tree_of(home), _updated(home)
    assert killed(home, after) == -signal.SIGKILL
    middle = {path: data for path, data in tree_of(home).items() if not path.startswith(journal.FOLDER)}
    new = {path for path, data in middle.items() if before.get(path) != data}
    assert len(new) == max(after - 1, 0)
    assert all(middle[path] == expected[path] for path in new)
    assert said.by("update", home) == 0
    assert "conflict" not in said.actions.values()
    assert tree_of(home) == expected
    assert said.by("diff", home) == 0


def test_an_update_is_as_many_renames_as_are_killed_here(home: Path) -> None:
    add_worker(home)
    assert killed(home, 11) == 0


def _updated(home: Path) -> dict[str, bytes]:
    copy = home.parent / "copy"
    shutil.copytree(home, copy)
    assert run(["update", str(copy)]) == 0
    return tree_of(copy)


def test_a_site_that_was_changed_after_a_killed_update_is_no_conflict(home: Path, said: Said) -> None:
    """Files of the first update equal neither the manifest nor what the second one makes."""
    add_worker(home)
    assert killed(home, 9) == -signal.SIGKILL
    site = home / "site.yaml"
    site.write_text(site.read_text().replace("k8s-node-6", "k8s-node-7").replace("10.25}", "10.27}"))
    assert killed(home, 3) == -signal.SIGKILL
    assert said.by("update", home) == 0
    assert not (home / "nodes/k8s-node-6").exists()
    site.write_text(site.read_text().replace("k8s-node-7", "k8s-node-6").replace("10.27}", "10.25}"))
    assert said.by("update", home) == 0
    assert not (home / "nodes/k8s-node-7").exists()
    assert not (home / journal.FOLDER).exists()
    assert tree_of(home) == {**_updated(home)}
    assert said.by("diff", home) == 0


def test_an_edit_after_a_killed_update_is_still_a_conflict(home: Path, said: Said) -> None:
    add_worker(home)
    assert killed(home, 3) == -signal.SIGKILL
    (home / "docs/addresses.md").write_text("mine")
    assert said.by("update", home) == 1
    assert said.actions["docs/addresses.md"] == "conflict"


FILES = {"a": b"1\n", "b/c.sh": b"2\n"}


def small(root: Path, files: dict[str, bytes]) -> tuple[Tree, History]:
    """A tiny repository whose files were generated before, and what is generated now."""
    manifest = {"schema": 1, "files": {path: digest(data) for path, data in FILES.items()}}
    for path, data in {**FILES, MANIFEST: json.dumps(manifest).encode()}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    new = {"schema": 1, "files": {path: digest(data) for path, data in files.items()}}
    everything = {**files, MANIFEST: json.dumps(new).encode()}
    return Tree(everything, lambda path: path.endswith(".sh"), lambda _path: False), History(generated(root), {})


def steps_of(root: Path, tree: Tree, history: History) -> tuple[Step, ...]:
    return compare(root, tree, history, Wishes())


def test_a_full_disk_changes_nothing_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree, history = small(tmp_path, {"a": b"new\n", "d": b"4\n"})
    before = tree_of(tmp_path)

    def full(*_arguments: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused, match="nothing was changed"):
        apply(tmp_path, steps_of(tmp_path, tree, history), history, tree.executable)
    monkeypatch.undo()
    assert tree_of(tmp_path) == before
    assert not (tmp_path / journal.FOLDER).exists()


def test_what_is_changed_while_an_update_runs_is_not_lost(tmp_path: Path) -> None:
    tree, history = small(tmp_path, {"a": b"new\n"})
    steps = steps_of(tmp_path, tree, history)
    (tmp_path / "a").write_text("mine")
    before = tree_of(tmp_path)
    with pytest.raises(Refused, match="changed while the update ran"):
        apply(tmp_path, steps, history, tree.executable)
    assert tree_of(tmp_path) == before


def test_a_failure_in_the_middle_says_to_run_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree, history = small(tmp_path, {"a": b"new\n", "b/c.sh": b"new\n"})

    def unlucky(self: Path, target: Path) -> Path:
        if target.name == "c.sh":
            raise PermissionError(13, "Permission denied", str(target))
        return replace(self, target)

    replace = Path.replace
    monkeypatch.setattr(Path, "replace", unlucky)
    with pytest.raises(Refused, match="run the same command again"):
        apply(tmp_path, steps_of(tmp_path, tree, history), history, tree.executable)
    monkeypatch.undo()
    history = History(generated(tmp_path), journal.read(tmp_path))
    again = steps_of(tmp_path, tree, history)
    assert {step.path: step.action for step in again} == {
        "a": Action.IDENTICAL,
        "b/c.sh": Action.UPDATE,
        MANIFEST: Action.UPDATE,
    }
    apply(tmp_path, again, history, tree.executable)
    assert tree_of(tmp_path) == dict(tree.files)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_who_asks_for_an_end_among_the_renames_gets_a_finished_update(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: signal.Signals
) -> None:
    tree, history = small(tmp_path, {"a": b"new\n", "b/c.sh": b"new\n"})
    replace, handler = Path.replace, signal.getsignal(ending)

    def interrupted(self: Path, target: Path) -> Path:
        if target.name == "c.sh":
            os.kill(os.getpid(), ending)
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    apply(tmp_path, steps_of(tmp_path, tree, history), history, tree.executable)
    assert tree_of(tmp_path) == dict(tree.files)
    assert signal.getsignal(ending) == handler


def test_an_interrupt_before_the_first_rename_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree, history = small(tmp_path, {"a": b"new\n"})
    before = tree_of(tmp_path)

    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(applying, "_stage", interrupted)
    with pytest.raises(KeyboardInterrupt):
        apply(tmp_path, steps_of(tmp_path, tree, history), history, tree.executable)
    assert tree_of(tmp_path) == before


def test_an_empty_folder_goes_with_its_last_file(tmp_path: Path) -> None:
    tree, history = small(tmp_path, {"a": b"1\n"})
    (tmp_path / "b/mine").mkdir()
    apply(tmp_path, steps_of(tmp_path, tree, history), history, tree.executable)
    assert not (tmp_path / "b/c.sh").exists()
    assert (tmp_path / "b/mine").is_dir(), "an empty folder of somebody else stays"


def test_the_engine_is_switched_in_one_go_and_back(home: Path, said: Said) -> None:
    site = home / "site.yaml"
    before, written = tree_of(home), site.read_text()
    site.write_text(written.replace("engine: argocd", "engine: flux"))
    assert said.by("update", home) == 0
    after = tree_of(home)
    assert not [path for path in after if path.startswith("argocd/")]
    assert {path for path in after if path.startswith("apps/argo-cd/")} <= {"apps/argo-cd/overrides.yaml"}
    assert "clusters/home/flux-system/gotk-sync.yaml" in after
    assert said.by("validate", home) == 0, said.text
    site.write_text(written)
    assert said.by("update", home) == 0
    assert tree_of(home) == before, difference(before, tree_of(home))
