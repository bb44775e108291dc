"""The example, written by other hands: comments, order of keys, flow style, quotes, line ends, files joined.

Nothing of that changes what the files say, so nothing more may be said of them.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from anycastle.compose import validate_tree
from anycastle.reader import read

EXAMPLE = Path(__file__).resolve().parents[3] / "output-example"


def yaml_files(root: Path) -> list[Path]:
    """Files with YAML that people edit; templates of charts are no YAML, and the site file has a form of its own."""
    return sorted(
        path
        for path in root.rglob("*.yaml")
        if "templates" not in path.parts and ".anycastle" not in path.parts and path.name != "site.yaml"
    )


def rewritten(root: Path, change: Callable[[str], str]) -> None:
    for path in yaml_files(root):
        path.write_bytes(change(path.read_text()).encode())


def crlf(root: Path) -> None:
    rewritten(root, lambda text: text.replace("\n", "\r\n"))


def commented(root: Path) -> None:
    def change(text: str) -> str:
        if "|" in text:
            return f"# by hand\n{text}"
        return "\n".join(
            f"{line}\n# {line}" if line and not line.startswith("#") else line for line in text.split("\n")
        )

    rewritten(root, change)


def quoted(root: Path) -> None:
    """Plain words of more than one letter in quotes, where they are no number and no boolean."""

    def change(text: str) -> str:
        if "|" in text:
            return text
        return re.sub(r"^(\s*(?:- )?[\w./-]+: )([a-zA-Z][\w./:-]*[a-zA-Z])$", _in_quotes, text, flags=re.MULTILINE)

    rewritten(root, change)


def _in_quotes(match: re.Match[str]) -> str:
    boolean = match[2].lower() in ("true", "false", "yes", "no", "on", "off", "null")
    return match[0] if boolean else f'{match[1]}"{match[2]}"'


def reordered(root: Path) -> None:
    """Blocks at the outermost level in another order."""

    def change(text: str) -> str:
        parts = re.split(r"^(---.*\n)", text, flags=re.MULTILINE)
        return "".join(part if part.startswith("---") else _shuffled(part) for part in parts)

    rewritten(root, change)


def _shuffled(text: str) -> str:
    blocks = re.findall(r"^[A-Za-z][^\n]*\n(?:[ #-][^\n]*\n|\n)*", text, flags=re.MULTILINE)
    head = text[: text.find(blocks[0])] if blocks else text
    return head + "".join(random.Random(7).sample(blocks, len(blocks)))


def flow_style(root: Path) -> None:
    """Mappings and lists in braces and brackets; every scalar as JSON has it, so numbers stay numbers."""
    import json

    from anycastle import yamlio

    for path in yaml_files(root):
        loaded = yamlio.load(path.read_bytes()).documents
        if loaded:
            path.write_text("---\n".join(json.dumps(document.value, indent=1) + "\n" for document in loaded))


def written_by(root: Path, form: Callable[[object], str]) -> None:
    """Every file anew from its values."""
    from anycastle import yamlio

    for path in yaml_files(root):
        loaded = yamlio.load(path.read_bytes()).documents
        if loaded:
            path.write_text("---\n".join(form(document.value) for document in loaded))


def shuffled(root: Path) -> None:
    """Keys in another order, however deep."""
    chance = random.Random(11)

    def mixed(value: object) -> object:
        if isinstance(value, dict):
            return {key: mixed(value[key]) for key in chance.sample(sorted(value), len(value))}
        return [mixed(entry) for entry in value] if isinstance(value, list) else value

    written_by(root, lambda value: yaml.safe_dump(mixed(value), sort_keys=False, width=10_000))


def anchored(root: Path) -> None:
    """What is said twice in a document is an anchor and an alias."""

    def shared(value: object, seen: dict[str, object]) -> object:
        if isinstance(value, dict):
            made: object = {key: shared(inner, seen) for key, inner in value.items()}
        elif isinstance(value, list):
            made = [shared(inner, seen) for inner in value]
        else:
            return value
        return seen.setdefault(repr(made), made)

    written_by(root, lambda value: yaml.safe_dump(shared(value, {}), sort_keys=False, width=10_000))
    assert any("*id001" in path.read_text() for path in yaml_files(root))


def double_quoted(root: Path) -> None:
    """Every text in quotes, keys included."""
    written_by(root, lambda value: yaml.safe_dump(value, default_style='"', sort_keys=False, width=40))


def spread_out(root: Path) -> None:
    """Lists indented, lines broken, document ends written, blank lines and comments behind values."""

    def change(text: str) -> str:
        if "|" in text:
            return f"---\n\n{text}...\n"
        return "---\n" + re.sub(r"^( *[\w./-]+: [\w./:-]+)$", r"\1   # as agreed", text, flags=re.MULTILINE)

    rewritten(root, change)


def joined(root: Path) -> None:
    """All Applications in one file, as some people keep them."""
    folder = root / "argocd/apps"
    text = "---\n".join(path.read_text() for path in sorted(folder.glob("*.yaml")))
    for path in folder.glob("*.yaml"):
        path.unlink()
    (folder / "everything.yml").write_text(text)


def split(root: Path) -> None:
    """The configuration of the cluster in a file of its own."""
    path = root / "nodes/k8s-master-1/kubeadm.yaml"
    first, *others = re.split(r"^---\n", path.read_text(), flags=re.MULTILINE)
    path.write_text(first)
    for number, document in enumerate(others):
        path.with_name(f"kubeadm-{number}.yml").write_text(document)


def renamed(root: Path) -> None:
    """Nodes, routers and the engine's objects in folders and files of other names."""
    (root / "nodes").rename(root / "machines")
    (root / "argocd").rename(root / "delivery")
    for path in (root / "delivery").rglob("*.yaml"):
        path.write_text(path.read_text().replace("path: argocd/", "path: delivery/"))
    for path in (root / "machines").rglob("kubeadm.yaml"):
        path.rename(path.with_name("kubernetes.yml"))
    for path in (root / "machines").rglob("kube-vip.yaml"):
        path.rename(path.with_name("static-pod.yml"))


VARIANTS = [
    *(crlf, commented, quoted, reordered, flow_style, joined, split, renamed),
    *(shuffled, anchored, double_quoted, spread_out),
]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Without the record of what was generated, which would call every edit a difference."""
    ignore = shutil.ignore_patterns(".anycastle")
    return Path(shutil.copytree(EXAMPLE, tmp_path / "home", ignore=ignore))


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.__name__)
def test_another_hand_says_the_same(variant: Callable[[Path], None], copy: Path) -> None:
    meant = read(copy)
    before = {finding.code for finding in validate_tree(copy).findings}
    variant(copy)
    said = read(copy)
    assert said.network == meant.network
    assert len(said.objects) == len(meant.objects)
    after = [finding for finding in validate_tree(copy).findings if finding.code not in before]
    assert after == []
