"""The scalars of a generated file, each with its place in the text, so that one can be changed and nothing else.

Left out as they carry no meaning for a machine: comments, prose (`README.md`, `docs/`, keys named `description`),
numbers that only order the lines of a list (`seq`, clauses of a route map), what `charts/` holds (copies that are the
same for every site), and the generator's own ledger. Of a program inside a value one word is changed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import yaml

from mutation.kinds import Change, changes

NAMED = frozenset(("namespaces", "priorityClasses", "peers", "filters", "pools", "ipPools", "labels", "cm"))
"""Mappings whose keys are names of the site, and not of a schema."""


@dataclass(frozen=True)
class Mutation:
    """One file with one scalar changed; `key` is where it stands."""

    path: str
    line: int
    key: str
    kind: str
    old: str
    new: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.key}: {self.old} -> {self.new} ({self.kind})"


def mutated(path: str) -> bool:
    """Whether the file holds values of the site that a machine reads."""
    return not path.startswith(("charts/", "docs/", ".anycastle/")) and not path.endswith((".md", "Makefile", "ignore"))


def mutations(path: str, text: str, waves: Sequence[int] = ()) -> Iterator[Mutation]:
    """Every change of every scalar of a file, in the order of the text; `waves` are those of the repository."""
    yaml_like = path.endswith((".yaml", ".yml", ".json"))
    found = _yaml(text, waves) if yaml_like else _words(path, text)
    seen: set[tuple[int, int, str]] = set()
    for key, start, end, change in found:
        mark = (start + change.start, start + change.end, change.new)
        if mark in seen or text[mark[0] : mark[1]] == change.new:
            continue
        seen.add(mark)
        yield Mutation(
            path=path,
            line=text.count("\n", 0, start) + 1,
            key=key,
            kind=change.kind,
            old=text[mark[0] : mark[1]] if change.kind == "program" else text[start:end],
            new=change.new if change.kind == "program" else text[start : mark[0]] + change.new + text[mark[1] : end],
            text=text[: mark[0]] + change.new + text[mark[1] :],
        )


Found = Iterator[tuple[str, int, int, Change]]


def _yaml(text: str, waves: Sequence[int]) -> Found:
    for document in yaml.compose_all(text, Loader=yaml.SafeLoader):
        if document is not None:
            yield from _node(document, (), text, waves)


def _node(node: yaml.Node, keys: tuple[str, ...], text: str, waves: Sequence[int]) -> Found:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if keys and keys[-1] in NAMED:
                yield from _scalar(key, (*keys, "(key)"), text, waves)
            if key.value != "description":
                yield from _node(value, (*keys, key.value), text, waves)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _node(item, (*keys, _named(item) or str(index)), text, waves)
    else:
        yield from _scalar(node, keys, text, waves)


def _named(node: yaml.Node) -> str:
    """An entry of a list goes by its `name`, as environment variables and arguments do."""
    if isinstance(node, yaml.MappingNode):
        return next((value.value for key, value in node.value if key.value == "name"), "")
    return ""


def _scalar(node: yaml.Node, keys: tuple[str, ...], text: str, waves: Sequence[int]) -> Found:
    start, end = node.start_mark.index, node.end_mark.index
    raw = text[start:end]
    name = ".".join(keys)
    if node.style in ("|", ">"):
        words = list(re.finditer(r"[A-Za-z]{5,}", raw))
        for change in _shifted(words[len(words) // 2], keys):
            yield name, start, end, change
        return
    at = raw.find(node.value)
    if at < 0:
        return
    under = next((key for key in reversed(keys) if key not in ("value", "(key)") and not key.isdigit()), "")
    for change in changes(node.value, under, waves):
        yield name, start + at, start + at + len(node.value), change


def _shifted(word: re.Match[str], keys: tuple[str, ...]) -> Iterator[Change]:
    for change in changes(word[0], keys[-1]):
        yield Change(change.start + word.start(), change.end + word.start(), change.new, "program")


_ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?"
_FRR = re.compile(
    rf"(?:(?<=hostname )|(?<=description )|(?<=syslog ))\S+|{_ADDRESS}|\b[A-Z][A-Z0-9-]{{2,}}\b"
    r"|\b(?:permit|deny)\b|(?<=-as )\d+|(?<=bgp )\d+|^ *no (?=bgp)"
    r"|(?<!seq )(?<!permit )(?<!deny )(?<![\w.-])\d+(?![\w.-])",
    re.MULTILINE,
)
_NFT = re.compile(rf'{_ADDRESS}|"\w+"|@\w+|\b(?:accept|drop|tcp)\b|(?<=dport )\d+|(?<=hook )\w+|(?<=set )\w+')
_SYSCTL = re.compile(r"(?<=conf\.)(?!all|default)\w+(?=\.)|(?<= = )\S+")
_DAEMONS = re.compile(rf"(?<==)(?:yes|no)\b|{_ADDRESS}|(?<= )\d+\b")
_HOSTS = re.compile(r"\S+")
_INSTALL = re.compile(rf"(?<=^node=)\S+|{_ADDRESS}(?::\d+)?|(?<=\.arp_ignore = )\d|(?<=\.arp_announce = )\d"
                      r"|(?<=ip_forward = )\d|(?<=redirects = )\d", re.MULTILINE)  # fmt: skip

_BOOTSTRAP = re.compile(
    r"(?<=^api=)\S+|(?<=^manager=)\S+|(?<=helm template )\S+|(?<=--repo )\S+|(?<=--version )\S+"
    r"|(?<=--namespace )\S+|(?<=-f )apps/\S+|(?<=--branch=)\S+|(?<=--path=)\S+",
    re.MULTILINE,
)

_LANGUAGES: dict[str, tuple[re.Pattern[str], str]] = {
    "frr.conf": (_FRR, "!"),
    "nftables.conf": (_NFT, "#"),
    "sysctl.conf": (_SYSCTL, "#"),
    "daemons": (_DAEMONS, "#"),
    "hosts": (_HOSTS, "#"),
    "install.sh": (_INSTALL, "#"),
    "bootstrap.sh": (_BOOTSTRAP, "#"),
}


def _words(path: str, text: str) -> Found:
    language = _LANGUAGES.get(path.rpartition("/")[2])
    if language is None:
        return
    pattern, comment = language
    without: Callable[[re.Match[str]], str] = lambda match: " " * len(match[0])  # noqa: E731
    code = re.sub(rf"^[ \t]*{comment}.*$", without, text, flags=re.MULTILINE)
    for match in pattern.finditer(code):
        line = code[code.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
        if match[0].strip() == "no":
            yield line, match.start(), match.end(), Change(0, len(match[0]), match[0].replace("no ", ""), "negation")
        else:
            for change in changes(match[0], line):
                yield line, match.start(), match.end(), change
