"""cookiecutter on a terminal, as a person types."""

import re
import time
from pathlib import Path

import pexpect
import pytest

from anycastle import yamlio
from anycastle.wizard.answers import site_data
from anycastle.wizard.asking import OPENING
from anycastle.wizard.questions import BY_KEY, QUESTIONS

TOTAL = len(QUESTIONS)
ASKED = [question for question in QUESTIONS if question.key not in ("age_recipients", "host_keys")]
"""What is asked about the default site, whose repository is read by HTTPS, and whose Secrets come without SOPS."""


@pytest.fixture
def terminal(cookiecutter):
    started = []

    def start(*arguments: str, **more: str) -> pexpect.spawn:
        program, *rest = cookiecutter.command(*arguments)
        child = pexpect.spawn(
            program, rest, env={**cookiecutter.environment, **more}, encoding="utf-8", timeout=20, dimensions=(50, 200)
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def expect_question(child: pexpect.spawn, key: str) -> None:
    number = [*BY_KEY].index(key) + 1
    child.expect(words(f"[{number}/{TOTAL}] {BY_KEY[key].why}"))
    child.expect(words(BY_KEY[key].label))
    child.expect(r"\): ")


def words(text: str) -> str:
    """A pattern for text that the terminal may wrap."""
    return r"\s+".join(map(re.escape, text.split()))


def type_through(child: pexpect.spawn, typed: dict[str, list[str]], stop: str | None = None) -> None:
    """Answer every question up to `stop`: Enter, or the given lines, the last of which is right."""
    for question in ASKED:
        if question.key == stop:
            return
        lines = typed.get(question.key, [""])
        for line in lines[:-1]:
            expect_question(child, question.key)
            child.sendline(line)
            child.expect(r"error: [^\r\n]*\r?\n")
        expect_question(child, question.key)
        child.sendline(lines[-1])


def finish(child: pexpect.spawn) -> str:
    child.expect(pexpect.EOF)
    child.close()
    return child.before


def site(path: Path) -> object:
    return yamlio.load((path / "site.yaml").read_bytes()).documents[0].value


def test_wrong_answers_are_asked_again(terminal, cookiecutter) -> None:
    child = terminal()
    typed = {
        "site_name": ["../x", "My Lab", "lab"],
        "node_subnet": ["10.0.0.1/24", "banana", "10.0.0.0/24"],
        "router_asn": ["0", "65099"],
        "workers": ["w[1-2]=10.0.0.30", "w[1-2]=10.0.0.30+"],
        "load_balancer_pool": ["10.0.0.128/25", ""],
        "assign": ["{{ 7*7 }}", "all"],
        "revision": ["a..b", "stable"],
    }
    type_through(child, typed)
    child.expect_exact("Write it?")
    child.sendline("yes")
    rest = finish(child)
    assert child.exitstatus == 0, rest
    assert site(cookiecutter.out / "lab") == site_data({key: lines[-1] for key, lines in typed.items() if lines[-1]})
    assert "THE PLAN" not in rest  # it was shown before
    assert f"Written: {cookiecutter.out / 'lab'}" in rest
    assert not any(cookiecutter.litter.iterdir())


def test_nodes_are_expanded_and_the_plan_is_shown_before_anything_is_written(terminal, cookiecutter) -> None:
    child = terminal()
    type_through(child, {"workers": ["w[8-10]=192.168.10.40+"]}, stop="api_vip")
    child.expect_exact("    w8   192.168.10.40\r\n    w9   192.168.10.41\r\n    w10  192.168.10.42")
    for question in ASKED[[*BY_KEY].index("api_vip") :]:
        expect_question(child, question.key)
        child.sendline("")
    child.expect(r"192\.168\.20\.1 +[^\r\n]*API")
    child.expect_exact("<-> Calico AS 65030")
    child.expect(r"w10 +192\.168\.10\.42")
    child.expect_exact(f"New repository: {cookiecutter.out.resolve() / 'home'}")
    child.expect_exact("Write it?")
    assert cookiecutter.nothing_left()
    child.sendline("no")
    child.expect_exact("Which answer shall change?")
    child.sendline("")
    finish(child)
    assert child.exitstatus == 1
    assert cookiecutter.nothing_left()


def test_an_error_of_the_whole_leads_back_to_its_question(terminal, cookiecutter) -> None:
    child = terminal()
    type_through(child, {"domain": ["alone.example.com", "judged.example.com"], "revision": ["stable"]})
    child.expect_exact("error: domain: This domain is bad. Take another.")
    child.expect(words(f"[2/{TOTAL}] {BY_KEY['domain'].why}"))
    child.expect(r"Domain.*\): ")
    child.sendline("better.example.com")
    child.expect_exact("Write it?")
    child.sendline("")
    finish(child)
    assert child.exitstatus == 0
    assert site(cookiecutter.out / "home") == site_data({"domain": "better.example.com", "revision": "stable"})


def test_back_and_an_explanation(terminal, cookiecutter) -> None:
    child = terminal()
    child.expect(words(OPENING))
    type_through(child, {}, stop="domain")
    expect_question(child, "domain")
    child.sendline("?")
    child.expect_exact("For example:\r\n      example.com")
    child.expect(r"Domain.*\): ")
    child.sendline("<")
    for key, line in (("site_name", "lab"), ("domain", "lab.test")):
        expect_question(child, key)
        child.sendline(line)
    for question in ASKED[2:]:
        expect_question(child, question.key)
        child.sendline("")
    child.expect_exact("Write it?")
    child.sendline("")
    finish(child)
    assert child.exitstatus == 0
    assert site(cookiecutter.out / "lab") == site_data({"site_name": "lab", "domain": "lab.test"})


def test_what_does_not_apply_is_not_asked(terminal, cookiecutter) -> None:
    child = terminal()
    type_through(child, {"api_vip": ["none"]}, stop="control_plane_asn")
    for question in ASKED[[*BY_KEY].index("worker_asn") :]:
        child.expect(rf"\[(\d+)/{len(QUESTIONS)}\] ")
        assert child.match[1] == str(QUESTIONS.index(question) + 1)
        child.sendline("")
    child.expect_exact("Write it?")
    child.sendline("")
    finish(child)
    assert site(cookiecutter.out / "home") == site_data({"api_vip": "none"})


@pytest.mark.parametrize("filled", [True, False])
def test_a_taken_place_is_said_at_the_first_question(terminal, cookiecutter, filled: bool) -> None:
    (cookiecutter.out / "home").mkdir(parents=True)
    if filled:
        (cookiecutter.out / "home" / "mine").write_text("precious")
    child = terminal()
    type_through(child, {"site_name": ["", "lab"]}, stop="domain")
    expect_question(child, "domain")
    child.sendintr()
    rest = finish(child)
    assert "Traceback" not in rest
    assert [path.name for path in cookiecutter.out.iterdir()] == ["home"]


def test_a_wrong_answer_on_the_command_line_is_asked_about(terminal, cookiecutter) -> None:
    child = terminal("domain=Bad Domain")
    type_through(child, {"domain": ["", "good.test"]})
    child.expect_exact("Write it?")
    child.sendline("")
    finish(child)
    assert site(cookiecutter.out / "home") == site_data({"domain": "good.test"})


@pytest.mark.parametrize("key", ["site_name", "workers", "revision"])
@pytest.mark.parametrize("how", ["interrupt", "end of input"])
def test_stopping_at_a_question_leaves_nothing(terminal, cookiecutter, key: str, how: str) -> None:
    child = terminal()
    type_through(child, {}, stop=key)
    expect_question(child, key)
    if how == "interrupt":
        child.sendintr()
    else:
        child.sendeof()
    rest = finish(child)
    assert child.exitstatus == 1
    assert "Traceback" not in rest
    assert cookiecutter.nothing_left()


def test_stopping_at_the_plan_leaves_nothing(terminal, cookiecutter) -> None:
    child = terminal()
    type_through(child, {})
    child.expect_exact("Write it?")
    child.sendintr()
    finish(child)
    assert child.exitstatus == 1
    assert cookiecutter.nothing_left()


def test_an_interrupt_while_generating_leaves_nothing(terminal, cookiecutter, tmp_path: Path) -> None:
    pause = tmp_path / "hook.pid"
    child = terminal("--no-input", WIZARD_TEST_PAUSE=str(pause))
    deadline = time.monotonic() + 20
    while not pause.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    child.sendintr()
    rest = finish(child)
    assert child.exitstatus == 1
    assert "Traceback" not in rest
    assert cookiecutter.nothing_left()
