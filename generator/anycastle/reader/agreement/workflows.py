"""What holds every commit against the rules, on the forge and before it: whether it runs at all.

A forge says little about a word that it does not know: the check is simply missing, and nobody misses it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from anycastle import yamlio
from anycastle.finding import Place
from anycastle.reader import documents
from anycastle.reader.agreement import gitlab
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, sequence, text

_FOLDERS = (".github/workflows", ".gitea/workflows", ".forgejo/workflows", "ci")
"""The last one is nobody's own: where a folder of a larger repository keeps what belongs to the root."""
_NEAR = 0.8
_RUNNERS = frozenset(
    [
        "ubuntu-latest",
        "ubuntu-24.04",
        "ubuntu-22.04",
        "ubuntu-24.04-arm",
        "macos-latest",
        "windows-latest",
        "self-hosted",
    ]
)
_ACTIONS = frozenset(["actions/checkout", "actions/setup-python", "actions/cache", "actions/upload-artifact"])
_RIGHTS = ("read", "write", "none")
_REVISION = re.compile(r"v\d+(?:\.\d+){0,2}|[0-9a-f]{40}|main|master|release/v\d+")
_COMMAND = "anycastle"
_COMMANDS = frozenset(["validate", "build", "diff", "new", "update", "lab", "explain", "rules"])
_FORMATS = frozenset(("text", "json", "sarif", "github", "gitlab"))
_LANGUAGES = frozenset(
    ("python", "system", "node", "golang", "docker", "docker_image", "script", "pygrep", "unsupported")
)
_HOOKS = ".pre-commit-config.yaml"
_PIN = re.compile(r"\banycastle==(\S+)")
_PROGRAMS = frozenset(("pip", "pipx", "uv", "python", "python3", "make", "anycastle"))


def check(subject: Subject, notes: Notes) -> None:
    """Every workflow that runs, or nearly runs, this program."""
    for path in _workflows(subject):
        data = subject.tree.data(path, notes)
        for document in documents.load(data, path).documents if data else ():
            if isinstance(document.value, dict) and _concerns(document.value):
                _workflow(document, notes)
    _gitlab(subject, notes)
    data = subject.tree.data(_HOOKS, notes) if subject.tree.has_file(_HOOKS) else None
    for document in documents.load(data, _HOOKS).documents if data else ():
        _hooks(document, notes)
    _one_release(subject, notes)


def _workflows(subject: Subject) -> list[str]:
    return [path for folder in _FOLDERS for path in subject.tree.below(folder) if path.endswith((".yaml", ".yml"))]


def _gitlab(subject: Subject, notes: Notes) -> None:
    data = subject.tree.data(gitlab.FILE, notes) if subject.tree.has_file(gitlab.FILE) else None
    for document in documents.load(data, gitlab.FILE).documents if data else ():
        commands = list(gitlab.commands(document.value)) if isinstance(document.value, dict) else []
        if not _ours(line for _keys, line in commands):
            continue
        for keys, line in commands:
            _run(document, keys, line, notes)
        for keys, word, meant in gitlab.misspelt(document):
            _wrong(document, keys, f"GitLab knows no {word} there", f"Write {meant}.", notes)


def _concerns(value: dict[str, Any]) -> bool:
    return _ours(text(step, "run") for _job, _keys, step in _steps(value))


def _ours(commands: Iterable[str]) -> bool:
    words = [word for command in commands for word in re.split(r"\s|==", command)]
    return _COMMAND in words or bool(difflib.get_close_matches(_COMMAND, words, 1, _NEAR))


def _steps(value: dict[str, Any]) -> Iterator[tuple[str, tuple[str | int, ...], dict[str, Any]]]:
    for name, job in mapping(value, "jobs").items():
        for keys, step in mappings(job, "steps", ("jobs", name)):
            yield name, keys, step


def _wrong(document: yamlio.Document, keys: tuple[str | int, ...], what: str, fix: str, notes: Notes) -> None:
    notes.add("CI001", document.place(*keys), f"{what}: the workflow fails or never starts.", fix)


def _near(
    document: yamlio.Document, keys: tuple[str | int, ...], word: str, known: frozenset[str], notes: Notes
) -> None:
    near = [] if word in known else difflib.get_close_matches(word, sorted(known), 1, _NEAR)
    if near:
        _wrong(document, keys, f"There is no {word}", f"Write {near[0]}.", notes)


def _workflow(document: yamlio.Document, notes: Notes) -> None:
    value = document.value
    for right, given in mapping(value, "permissions").items():
        if given not in _RIGHTS:
            _wrong(document, ("permissions", right), f"{given} is no permission", "Write read.", notes)
    for name, job in mapping(value, "jobs").items():
        _near(document, ("jobs", name, "runs-on"), text(job, "runs-on"), _RUNNERS, notes)
    for _name, keys, step in _steps(value):
        action, _, revision = text(step, "uses").removeprefix("https://github.com/").partition("@")
        _near(document, (*keys, "uses"), action, _ACTIONS, notes)
        if action in _ACTIONS and not _REVISION.fullmatch(revision):
            _wrong(document, (*keys, "uses"), f"{action} has no revision {revision}", "Write v5 or a commit.", notes)
        _run(document, (*keys, "run"), text(step, "run"), notes)


def _run(document: yamlio.Document, keys: tuple[str | int, ...], command: str, notes: Notes) -> None:
    for line in command.splitlines():
        words = line.split()
        if not words:
            continue
        installs = any(word.partition("==")[0] == _COMMAND for word in words[1:])
        if installs and "install" in words and words[0] not in _PROGRAMS | {"sudo", "pip3", "poetry", "pdm"}:
            _wrong(document, keys, f"There is no {words[0]} that installs", "Write pip install.", notes)
        _near(document, keys, words[0], _PROGRAMS, notes)
        for word in words[1:]:
            _near(document, keys, word.partition("==")[0], frozenset((_COMMAND,)), notes)
        if words[0] == _COMMAND and len(words) > 1:
            _near(document, keys, words[1], _COMMANDS, notes)
        if "--format" in words[:-1]:
            _near(document, keys, words[words.index("--format") + 1], _FORMATS, notes)


def _hooks(document: yamlio.Document, notes: Notes) -> None:
    """Hooks of pre-commit that run, or nearly run, this program."""
    for at, repo in mappings(document.value, "repos"):
        for keys, hook in mappings(repo, "hooks", at):
            words = text(hook, "entry").split()
            if not words or not difflib.get_close_matches(words[0], [_COMMAND], 1, _NEAR):
                continue
            _near(document, (*at, "repo"), text(repo, "repo"), frozenset(("local",)), notes)
            _near(document, (*keys, "language"), text(hook, "language"), _LANGUAGES, notes)
            _run(document, (*keys, "entry"), text(hook, "entry"), notes)
            for name in sequence(hook, "additional_dependencies"):
                plain = str(name).partition("==")[0]
                _near(document, (*keys, "additional_dependencies"), plain, frozenset((_COMMAND,)), notes)
            if len(words) > 2 and hook.get("pass_filenames") is not False:
                what = "The names of changed files come behind the directory, which the command does not take"
                _wrong(document, (*keys, "pass_filenames"), what, "Write pass_filenames: false.", notes)


def _one_release(subject: Subject, notes: Notes) -> None:
    """The check before a commit and that of the forge are of one release, or they disagree about a commit."""
    found: list[tuple[str, Place]] = []
    single = (path for path in (gitlab.FILE, _HOOKS) if subject.tree.has_file(path))
    for path in (*_workflows(subject), *single):
        content = subject.tree.text(path, notes) or ""
        for match in _PIN.finditer(content):
            found.append((match[1].strip("\"'"), Place(path, content.count("\n", 0, match.start()) + 1)))
    for version, place in found[1:]:
        if version != found[0][0]:
            notes.add(
                "CI001",
                place,
                f"The release is {version} here and {found[0][0]} in {found[0][1]}: the two checks of a commit differ.",
                f"Write {found[0][0]} in both.",
            )
