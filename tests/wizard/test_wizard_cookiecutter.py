"""cookiecutter without a terminal, as scripts run it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from anycastle import yamlio
from anycastle.wizard.answers import site_data

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "cookiecutter-template"


def site(path: Path) -> object:
    return yamlio.load((path / "site.yaml").read_bytes()).documents[0].value


def tree(path: Path) -> dict[str, bytes]:
    """Every file but git's index, which holds inode numbers and times."""
    files = {str(p.relative_to(path)): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}
    files.pop(".git/index", None)
    return files


def test_no_input_gives_the_default_site_and_nothing_else(cookiecutter) -> None:
    done = cookiecutter.run("--no-input")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == ["THE PLAN", f"Written: {cookiecutter.out / 'home'}"]
    assert sorted(path.name for path in cookiecutter.out.iterdir()) == ["home"]
    assert sorted(path.name for path in (cookiecutter.out / "home").iterdir()) == [".git", "site.yaml"]
    assert site(cookiecutter.out / "home") == site_data({})
    assert not any(cookiecutter.litter.iterdir())


def test_answers_on_the_command_line(cookiecutter) -> None:
    done = cookiecutter.run("--no-input", "site_name=lab", "node_subnet=10.1.0.0/24", "workers=w[1-2]=10.1.0.40+")
    assert done.returncode == 0, done.stdout + done.stderr
    expected = site_data({"site_name": "lab", "node_subnet": "10.1.0.0/24", "workers": "w[1-2]=10.1.0.40+"})
    assert site(cookiecutter.out / "lab") == expected


def test_one_wrong_answer_is_one_line(cookiecutter) -> None:
    done = cookiecutter.run("--no-input", "router_asn=banana")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "error: router_asn: 'banana' is not an AS number. Write a number from 1 to 4294967295, such as 65010."
    ]
    assert done.stderr == ""
    assert cookiecutter.nothing_left()


def test_sops_without_a_key_is_refused(cookiecutter) -> None:
    done = cookiecutter.run("--no-input", "secrets=sops")
    assert done.returncode == 1
    (line,) = done.stdout.splitlines()
    assert line.startswith("error: age_recipients: SOPS has nobody to encrypt for")
    assert cookiecutter.nothing_left()


def test_all_wrong_answers_are_named_together(cookiecutter) -> None:
    done = cookiecutter.run("--no-input", "revision=..", "node_subnet=10.0.0.1/24", "router_address=10.0.0.1")
    assert [line.split(":")[:2] for line in done.stdout.splitlines()] == [
        ["error", " node_subnet"],
        ["error", " revision"],
    ]
    assert done.returncode == 1
    assert cookiecutter.nothing_left()


@pytest.mark.parametrize(
    "text",
    [
        "{{ 7*7 }}",
        "{{ cookiecutter.__class__.__mro__ }}",
        "{% set x = 1 %}49",
        "../escape",
        "/absolute",
        "a\nb",
        "'\"; import os; os.system('touch PWNED') #",
        "$(touch PWNED)",
        "`touch PWNED`",
        "höme",
        "",
        ".",
    ],
)
def test_a_hostile_name_is_refused_and_nothing_is_run_or_written(cookiecutter, text: str) -> None:
    done = cookiecutter.run("--no-input", f"site_name={text}")
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1
    assert done.stdout.startswith("error: site_name: ")
    assert "49" not in done.stdout.replace(repr(text), "")
    assert done.stderr == ""
    assert cookiecutter.nothing_left()
    assert not any(cookiecutter.here.iterdir())
    assert not (cookiecutter.out.parent / "escape").exists()


def test_a_hostile_setting_of_the_user_is_data_too(cookiecutter) -> None:
    settings = Path(cookiecutter.environment["HOME"], ".cookiecutterrc")
    settings.write_text("default_context:\n  domain: \"{{ 'a' }}.example.com\"\n  full_name: Somebody\n")
    done = cookiecutter.run("--no-input")
    assert done.returncode == 1
    assert "\"{{ 'a' }}.example.com\" is not a DNS name" in done.stdout


def test_a_misspelt_name_is_refused(cookiecutter) -> None:
    done = cookiecutter.run("--no-input", "router_adress=192.168.10.254")
    assert done.returncode == 1
    assert "'router_adress' is not a question" in done.stdout
    assert "Did you mean router_address?" in done.stdout
    assert len(done.stdout.splitlines()) == 1
    assert cookiecutter.nothing_left()


def test_a_check_cannot_be_overridden(cookiecutter) -> None:
    done = cookiecutter.run("--no-input", "__v_site_name=fine", "site_name=../escape")
    assert done.returncode == 1
    assert "'__v_site_name' is not a question" in done.stdout
    assert cookiecutter.nothing_left()


def test_without_hooks_it_says_that_nothing_would_be_generated(cookiecutter) -> None:
    done = cookiecutter.run("--no-input", "--accept-hooks", "no")
    assert done.returncode == 1
    assert done.stdout.startswith("error: with --accept-hooks no nothing would be generated")
    assert cookiecutter.nothing_left()


def test_without_hooks_called_from_python_the_answers_are_kept(cookiecutter) -> None:
    code = (
        "from cookiecutter.main import cookiecutter as c\n"
        f"print(c({str(TEMPLATE)!r}, no_input=True, output_dir={str(cookiecutter.out)!r}, accept_hooks=False,"
        " extra_context={'domain': 'lab.test'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=cookiecutter.environment, capture_output=True, text=True, check=True
    )
    made = Path(done.stdout.strip())
    assert sorted(path.name for path in made.iterdir()) == ["NOT-GENERATED.txt", "anycastle-answers.json"]
    assert site_data(json.loads((made / "anycastle-answers.json").read_text())) == site_data({"domain": "lab.test"})


def test_called_from_python_it_returns_the_repository(cookiecutter) -> None:
    code = (
        "from cookiecutter.main import cookiecutter as c\n"
        f"print(c({str(TEMPLATE)!r}, no_input=True, output_dir={str(cookiecutter.out)!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=cookiecutter.environment, capture_output=True, text=True, check=True
    )
    assert site(Path(done.stdout.splitlines()[-1])) == site_data({})


def test_an_existing_directory_is_refused(cookiecutter) -> None:
    (cookiecutter.out / "home").mkdir(parents=True)
    (cookiecutter.out / "home" / "mine").write_text("precious")
    plain = cookiecutter.run("--no-input")
    forced = cookiecutter.run("--no-input", "-f")
    assert (plain.returncode, forced.returncode) == (1, 1)
    assert "already exists" in plain.stdout
    assert "is a directory with something in it; nothing was written" in forced.stderr
    assert "Traceback" not in forced.stdout + forced.stderr
    assert tree(cookiecutter.out) == {"home/mine": b"precious"}


def test_an_empty_directory_can_be_forced(cookiecutter) -> None:
    (cookiecutter.out / "home").mkdir(parents=True)
    done = cookiecutter.run("--no-input", "-f")
    assert done.returncode == 0, done.stdout + done.stderr
    assert site(cookiecutter.out / "home") == site_data({})


@pytest.mark.parametrize(
    ("domain", "words"),
    [
        ("refused.example.com", "error: refused by the rules"),
        ("crash.example.com", "error: a fault of anycastle, not of your answers: RuntimeError: boom."),
    ],
)
def test_a_failing_generator_leaves_no_directory_and_no_traceback(cookiecutter, domain: str, words: str) -> None:
    done = cookiecutter.run("--no-input", f"domain={domain}")
    assert done.returncode == 1
    assert words in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert cookiecutter.nothing_left()


def test_replay(cookiecutter) -> None:
    assert cookiecutter.run("--no-input", "domain=lab.test").returncode == 0
    first = tree(cookiecutter.out / "home")
    shutil.rmtree(cookiecutter.out)
    done = cookiecutter.run("--replay")
    assert done.returncode == 0, done.stdout + done.stderr
    assert tree(cookiecutter.out / "home") == first
    assert site(cookiecutter.out / "home") == site_data({"domain": "lab.test"})


def test_a_replay_file_is_checked_like_any_answer(cookiecutter, tmp_path: Path) -> None:
    assert cookiecutter.run("--no-input").returncode == 0
    shutil.rmtree(cookiecutter.out)
    (replay,) = Path(cookiecutter.environment["HOME"], ".cookiecutter_replay").iterdir()
    context = json.loads(replay.read_text())
    context["cookiecutter"] |= {"site_name": "../escape", "router_asn": "{{ 7*7 }}"}
    replay.write_text(json.dumps(context))
    done = cookiecutter.run("--replay")
    assert done.returncode == 1
    assert [line.split(":")[1] for line in done.stdout.splitlines()] == [" site_name", " router_asn"]
    assert not (tmp_path / "escape").exists()
    assert cookiecutter.nothing_left()


# --- where the template may come from ------------------------------------------------------------------


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A repository that holds the template and the generator, whose default name tells it from the installed one."""
    repository = tmp_path / "our-git-copy"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(TEMPLATE, repository / "cookiecutter-template", ignore=ignore)
    shutil.copytree(ROOT / "generator", repository / "generator", ignore=ignore)
    questions = repository / "generator" / "anycastle" / "wizard" / "questions.py"
    questions.write_text(questions.read_text().replace('constant("home")', 'constant("copied")'))
    return repository


def test_a_relative_path(cookiecutter, copied: Path) -> None:
    relative = os.path.relpath(copied / "cookiecutter-template", cookiecutter.here)
    done = cookiecutter.run("--no-input", template=relative, WIZARD_TEST_UNINSTALLED="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert site(cookiecutter.out / "copied") == site_data({"site_name": "copied"})


def test_a_zip_file(cookiecutter, copied: Path, tmp_path: Path) -> None:
    archive = tmp_path / "site.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.mkdir("top")
        for path in sorted(copied.rglob("*")):
            zipped.write(path, Path("top", path.relative_to(copied)))
    done = cookiecutter.run(
        "--no-input", "--directory", "cookiecutter-template", template=str(archive), WIZARD_TEST_UNINSTALLED="1"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert site(cookiecutter.out / "copied") == site_data({"site_name": "copied"})


def test_a_git_url(cookiecutter, copied: Path) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    for command in (("init", "--quiet"), ("add", "--all"), (*identity, "commit", "--quiet", "--message=x")):
        subprocess.run(["git", *command], cwd=copied, env=cookiecutter.environment, check=True)
    done = cookiecutter.run(
        "--no-input", "--directory", "cookiecutter-template", template=f"file://{copied}", WIZARD_TEST_UNINSTALLED="1"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert site(cookiecutter.out / "copied") == site_data({"site_name": "copied"})


def test_without_the_generator_it_says_how_to_install_it(cookiecutter, copied: Path) -> None:
    shutil.rmtree(copied / "generator")
    template = str(copied / "cookiecutter-template")
    done = cookiecutter.run("--no-input", template=template, WIZARD_TEST_UNINSTALLED="1")
    assert done.returncode == 1
    assert done.stdout.startswith("error: the package anycastle")
    assert "release that this template belongs to with" in done.stdout
    assert "-m pip install" in done.stdout
    assert len(done.stdout.splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert cookiecutter.nothing_left()


def test_a_template_of_another_release_is_refused(cookiecutter, copied: Path) -> None:
    settings = copied / "cookiecutter-template" / "cookiecutter.json"
    settings.write_text(settings.read_text().replace('"revision": ', '"branch": '))
    done = cookiecutter.run("--no-input", template=str(settings.parent), WIZARD_TEST_UNINSTALLED="1")
    assert done.returncode == 1
    assert "asks other questions than the anycastle in" in done.stdout
    assert cookiecutter.nothing_left()


# --- sudden death --------------------------------------------------------------------------------------


def test_killed_while_generating_the_target_is_absent(cookiecutter, tmp_path: Path) -> None:
    pause = tmp_path / "hook.pid"
    running = subprocess.Popen(
        cookiecutter.command("--no-input"),
        env={**cookiecutter.environment, "WIZARD_TEST_PAUSE": str(pause)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.kill(_hook(pause), signal.SIGKILL)
    assert running.wait(30) != 0
    assert cookiecutter.nothing_left()


def _hook(pause: Path) -> int:
    """The process ID that the hook wrote when it began to generate."""
    for _ in range(300):
        if pause.exists() and (text := pause.read_text()):
            return int(text)
        time.sleep(0.05)
    pytest.fail("the hook did not begin")


# --- with the real generator ---------------------------------------------------------------------------


@pytest.mark.parametrize("answers", [(), ("secrets=sealed-secrets", "engine=flux")], ids=["defaults", "secrets"])
def test_both_faces_give_the_same_bytes(real_cookiecutter, tmp_path: Path, answers: tuple[str, ...]) -> None:
    done = real_cookiecutter.run("--no-input", *answers)
    assert done.returncode == 0, done.stdout + done.stderr
    other = tmp_path / "new"
    subprocess.run(
        [
            sys.executable,
            "-c",
            "from anycastle.cli import main; main()",
            "new",
            "--no-input",
            "-o",
            str(other),
            *answers,
        ],
        env=real_cookiecutter.environment,
        check=True,
        capture_output=True,
    )
    ours = tree(real_cookiecutter.out / "home")
    assert ours == tree(other / "home")
    assert len([path for path in ours if not path.startswith(".git/")]) > 50
    assert ("secrets/traefik.certificate.sealed.yaml" in ours) == bool(answers)
