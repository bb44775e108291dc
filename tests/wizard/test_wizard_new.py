"""`anycastle new` with questions: the real network is judged at each one, and the place of the repository."""

import subprocess
from pathlib import Path

import pytest

from anycastle import compose
from anycastle.finding import Refused
from anycastle.repo.place import nesting, place_faults
from anycastle.wizard.interview import Abort
from anycastle.wizard.questions import BY_KEY, QUESTIONS

WRITE = "Write it? (yes, or no to change an answer)"
NOTHING = compose.Source(None, {})
AGE = "age1r6kxll6jc7a62g7c39c8j6m9z4xsc857yz4g7x9sw855g6jt02ks8usj3a"
ASKED = len(QUESTIONS) - 2
"""Questions about the default site; neither host keys of a server that is read by HTTPS, nor keys of SOPS."""


def answers_up_to(key: str, *lines: str) -> list[str]:
    return [""] * [*BY_KEY].index(key) + [*lines]


@pytest.mark.parametrize(
    ("key", "typed", "words"),
    [
        ("kubernetes_version", "1.28.3", "does not read kubeadm.k8s.io/v1beta4"),
        ("router_asn", "23456", "stands for every 4-byte number"),
        ("router_asn", "65535", "RFC 7300"),
        ("control_plane_asn", "23456", "stands for every 4-byte number"),
        ("worker_asn", "23456", "stands for every 4-byte number"),
        ("node_subnet", "127.0.0.0/24", "loopback"),
        ("api_vip", "224.0.0.1", "multicast"),
        ("pod_range", "172.20.0.0/26", "some nodes get no pod addresses"),
        ("pod_range", "224.0.0.0/16", "multicast"),
        ("service_range", "10.0.0.0/8", "more than 20"),
        ("ingress_address", "192.168.20.64", "network address of its pool"),
        ("ingress_address", "192.168.20.200", "not in the load-balancer pool"),
    ],
)
def test_what_cannot_work_is_refused_while_it_is_typed(
    script, tmp_path: Path, key: str, typed: str, words: str
) -> None:
    ask, asked = script(*answers_up_to(key, typed, KeyboardInterrupt()))
    said: list[str] = []
    with pytest.raises(Abort):
        compose.new(NOTHING, tmp_path, ask, said.append)
    assert asked[-2:] == [BY_KEY[key].label] * 2
    (error,) = [" ".join(text.split()) for text in said if text.startswith("error: ")]
    assert words in error
    assert "workloads" not in error
    assert all(len(line) < 80 for line in said[-1].splitlines())


def test_pressing_enter_is_judged_without_a_word_and_the_path_is_shown(script, tmp_path: Path) -> None:
    ask, asked = script(*[""] * ASKED, KeyboardInterrupt())
    said: list[str] = []
    with pytest.raises(Abort):
        compose.new(NOTHING, tmp_path, ask, said.append)
    assert asked[-1] == WRITE
    assert not [text for text in said if text.startswith(("error", "warning"))]
    assert said[-1].splitlines()[-1] == f"New repository: {tmp_path / 'home'}"
    assert [line for line in said[-1].splitlines()[:-1] if len(line) > 80] == []


@pytest.mark.parametrize(
    ("tool", "files"),
    [
        (["sops", AGE], ["traefik.certificate.sops.yaml"]),
        (["sealed-secrets"], ["traefik.certificate.sealed.yaml"]),
        (["external-secrets"], ["store.yaml", "traefik.certificate.external.yaml"]),
    ],
    ids=["sops", "sealed-secrets", "external-secrets"],
)
def test_a_tool_for_secrets_is_judged_without_a_word_and_begins_with_the_certificate(
    script, tmp_path: Path, tool: list[str], files: list[str]
) -> None:
    ask, asked = script(*answers_up_to("secrets", *tool))
    said: list[str] = []
    assert compose.new(NOTHING, tmp_path, ask, said.append) == 0
    assert (BY_KEY["age_recipients"].label in asked) == (tool[0] == "sops")
    assert not [text for text in said if text.startswith(("error", "warning"))]
    assert sorted(path.name for path in (tmp_path / "home" / "secrets").iterdir()) == files


def test_a_taken_place_is_said_at_the_first_question_and_another_directory_will_do(script, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "mine").write_text("precious")
    ask, asked = script("", f"-o {tmp_path / 'other'}")
    said: list[str] = []
    assert compose.new(NOTHING, tmp_path, ask, said.append) == 0
    assert asked[:4] == ["Site name", "Site name", "Site name", "Domain"]
    (error,) = [" ".join(text.split()) for text in said if text.startswith("error: ")]
    assert "a directory with something in it" in error
    assert error.endswith("Write another site name, or -o DIR to create it in another directory.")
    assert (tmp_path / "other" / "home" / "site.yaml").is_file()
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["mine"]


def test_a_place_that_is_taken_in_the_meantime_loses_no_answer(script, tmp_path: Path) -> None:
    def ask(prompt: str, default: str) -> str:
        if prompt == "Branch":
            (tmp_path / "home").write_text("now taken")
        return typed(prompt, default)

    typed, asked = script(*answers_up_to("domain", "lab.test"), *[""] * (ASKED - 2), "lab", "yes")
    assert compose.new(NOTHING, tmp_path, ask, lambda _: None) == 0
    assert asked[ASKED:] == ["Site name", WRITE]
    assert "lab.test" in (tmp_path / "lab" / "site.yaml").read_text()


def test_without_questions_a_taken_place_is_said_instead_of_the_plan(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "mine").write_text("precious")
    said: list[str] = []
    with pytest.raises(Refused, match="a directory with something in it"):
        compose.new(NOTHING, tmp_path, None, said.append)
    assert said == []


def test_a_whole_site_file_on_a_terminal_names_its_faults(script, tmp_path: Path) -> None:
    site = tmp_path / "site.yaml"
    seed = Path(__file__).resolve().parents[1] / "cases" / "seed" / "site.yaml"
    site.write_text(seed.read_text().replace("asn: 65010", "asn: banana"))
    ask, asked = script()
    said: list[str] = []
    assert compose.new(compose.Source(site, {}), tmp_path, ask, said.append) == 1
    assert "not an AS number" in said[0]
    assert asked == []


# --- the place ------------------------------------------------------------------------------------------


def test_a_place_below_a_file_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert [fault.code for fault in place_faults(tmp_path / "file" / "a" / "home")] == ["REPO006"]
    assert [*place_faults(tmp_path / "new" / "a" / "home")] == []


def test_a_place_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, _mode: path != tmp_path)
    (fault,) = place_faults(tmp_path / "new" / "home")
    assert "Permission denied" in fault.message


def test_a_repository_in_a_repository_is_said_unless_it_is_ignored(script, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("/demo/\n")
    assert nesting(tmp_path / "demo" / "1" / "home") == ""
    assert f"inside the git repository {tmp_path.resolve()}" in nesting(tmp_path / "sites" / "home")
    said: list[str] = []
    assert compose.new(NOTHING, tmp_path / "demo", None, said.append) == 0
    assert "warning" not in "".join(said)
    assert compose.new(NOTHING, tmp_path / "sites", None, said.append) == 0
    assert "\nwarning: " in "".join(said)
    refused: list[str] = []
    wrong = compose.Source(None, {"kubernetes_version": "1.28.3"})
    assert compose.new(wrong, tmp_path / "more", None, refused.append) == 1
    assert "inside the git repository" not in "".join(refused), "nothing is written there"
    ask, _ = script(*[""] * ASKED, KeyboardInterrupt())
    shown: list[str] = []
    with pytest.raises(Abort):
        compose.new(NOTHING, tmp_path / "asked", ask, shown.append)
    assert "inside the git repository" in " ".join(shown[-1].split())


def test_outside_of_any_repository_nothing_is_said(tmp_path: Path) -> None:
    assert nesting(tmp_path / "home") == ""
