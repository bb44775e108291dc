"""The only YAML reader and the only YAML writer.

Reading follows sigs.k8s.io/yaml, the parser of kubectl, kubelet, Helm, Argo CD and Flux: YAML 1.1 words
are booleans, `22:22` and `2001-01-01` are strings, `1e3` is a number, keys are strings. Where Go is silent
and a person would be surprised (a duplicate key: the last one wins; an unknown tag: the value vanishes),
there is a finding instead. Positions are kept: `Document.line` answers for any path inside a document.

Writing quotes every string that some YAML reader would take for something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, cast

import yaml

from anycastle.finding import Finding, Place, Severity
from anycastle.records import dataclass

Key = str | int
Path = tuple[Key, ...]

MAX_BYTES = 4 * 1024 * 1024
"""Of a file; upstream bundles of definitions come near 2 MiB."""
MAX_DEPTH = 100
MAX_NODES = 300_000
"""Keys, values and lists of a file, aliases unrolled; a site of 5,000 nodes has a third of it."""
MAX_DOCUMENTS = 20_000
MAX_MISTAKES = 1000
"""Duplicate keys and unknown tags of a document; whoever corrects these sees the rest."""
MAX_DIGITS = 400
"""Of a number; Python converts no text of more than 4,300 digits, and no manifest holds one of 400."""

_PLAIN = "!plain"
_STR = "tag:yaml.org,2002:str"
_MAP = "tag:yaml.org,2002:map"
_SEQ = "tag:yaml.org,2002:seq"
_MERGE = "tag:yaml.org,2002:merge"
_KNOWN_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}" for name in ("str", "map", "seq", "int", "float", "bool", "null", "binary", "timestamp")
)

_PARSER: Any = getattr(getattr(yaml, "cyaml", None), "CParser", None)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


# --- reading -------------------------------------------------------------------------------------------


class _Crowded(Exception):
    """A text may hold more than is read of one."""


class _Counting:
    """Plain scalars keep a mark so that Go's rules can be applied to them. Nodes are counted before their children."""

    depth = nodes = 0
    crowded = False

    def resolve(self, kind: type, value: Any, implicit: Any) -> str:
        if kind is yaml.ScalarNode:
            return _PLAIN if implicit[0] else _STR
        return _MAP if kind is yaml.MappingNode else _SEQ

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        self.nodes += 1
        self.depth += 1
        if self.depth > MAX_DEPTH or self.nodes > MAX_NODES:
            self.crowded = True
            if self.depth > MAX_DEPTH + 1 or self.nodes > MAX_NODES:  # a value is one deeper than the list it is in
                raise _Crowded

    def ascend_resolver(self) -> None:
        self.depth -= 1


if _PARSER is not None:

    class _Composer(_Counting, _PARSER):  # type: ignore[misc]
        """libyaml's composer."""

        def __init__(self, stream: str) -> None:
            _PARSER.__init__(self, stream)
else:

    class _Composer(  # type: ignore[no-redef]
        _Counting,
        yaml.reader.Reader,
        yaml.scanner.Scanner,
        yaml.parser.Parser,
        yaml.composer.Composer,
        yaml.resolver.BaseResolver,
    ):
        """The same in pure Python, where PyYAML was built without libyaml."""

        def __init__(self, stream: str) -> None:
            yaml.reader.Reader.__init__(self, stream)
            yaml.scanner.Scanner.__init__(self)
            yaml.parser.Parser.__init__(self)
            yaml.composer.Composer.__init__(self)
            yaml.resolver.BaseResolver.__init__(self)


_EVENTS: Any = _Composer if _PARSER is None else type("_Events", (yaml.composer.Composer, _Composer), {})


class _Reusing(_EVENTS):  # type: ignore[misc]
    """Takes an anchor that is set again, as Go and YAML 1.2 (section 3.2.2.2) do and PyYAML does not."""

    def __init__(self, stream: str) -> None:
        _Composer.__init__(self, stream)
        yaml.composer.Composer.__init__(self)

    def compose_node(self, parent: Any, index: Any) -> Any:
        if not self.check_event(yaml.AliasEvent):
            self.anchors.pop(self.peek_event().anchor, None)
        return super().compose_node(parent, index)


_BOOLS = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"), False),
}
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_FLOAT_WORDS = {
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_DECIMAL = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL = re.compile(r"([-+]?)0o?([0-7]+)\Z")
_HEX = re.compile(r"([-+]?)0x([0-9a-fA-F]+)\Z")
_BINARY = re.compile(r"([-+]?)0b([01]+)\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")


def plain_scalar(text: str) -> object:
    """The value that sigs.k8s.io/yaml gives to an unquoted scalar."""
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if text[0] not in "+-.0123456789":
        return text
    return _number(text)


def _number(text: str) -> object:
    if text in _FLOAT_WORDS:
        return _FLOAT_WORDS[text]
    bare = text.replace("_", "") if text[0] != "_" else text
    if len(bare) > MAX_DIGITS:
        return text
    for pattern, base in ((_OCTAL, 8), (_HEX, 16), (_BINARY, 2)):
        if match := pattern.match(bare):
            return int(match[1] + match[2], base)
    if _DECIMAL.match(bare):
        return int(bare)
    if _FLOAT.match(bare):
        value = float(bare)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return text


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML document: its value as JSON would carry it, and where every part of it stands.

    `offset` is added to line numbers: for documents that were cut out of a larger text.
    """

    value: Any
    path: str
    node: yaml.Node | None = field(default=None, repr=False, compare=False)
    offset: int = field(default=0, compare=False)

    def line(self, keys: Path = ()) -> int:
        """Line of the value at `keys`; where a key is missing, that of its nearest parent; 0 if unknown."""
        if self.node is None:
            return 0
        node: Any = self.node
        line = int(node.start_mark.line) + 1
        for key in keys:
            found = _child(node, key)
            if found is None:
                break
            named, node = found
            line = int(named.start_mark.line) + 1
        return line + self.offset

    def below(self, keys: Path) -> Document | None:
        """The part at `keys` as a document of its own, with the same lines; None where there is none."""
        node, value = self.node, self.value
        for key in keys:
            found = _child(node, key)
            inside = isinstance(value, dict) or (isinstance(value, list) and isinstance(key, int) and key < len(value))
            if found is None or not inside:
                return None
            node, value = found[1], value.get(key) if isinstance(value, dict) else value[cast("int", key)]
        return Document(value, self.path, node, self.offset)

    def place(self, *keys: Key) -> Place:
        """The place of the value at `keys`, for a finding."""
        return Place(self.path, self.line(keys), dotted(keys))


def _child(node: Any, key: Key) -> tuple[Any, Any] | None:
    """(node that carries the line, value node) of one step down."""
    if isinstance(node, yaml.MappingNode):
        for name, value in reversed(node.value):
            if isinstance(name, yaml.ScalarNode) and name.value == str(key):
                return name, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        return node.value[key], node.value[key]
    return None


def dotted(keys: Iterable[Key]) -> str:
    """`("nodes", 3, "address")` as `nodes[3].address`."""
    text = ""
    for key in keys:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            text += f".{key}" if text else key
    return text


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a text held: its documents that could be read, and what is wrong with it."""

    documents: tuple[Document, ...]
    findings: tuple[Finding, ...]


def load(data: bytes | str, path: str = "", offset: int = 0) -> Loaded:
    """Read every document of a text; empty documents are left out. Never raises for bad input."""
    findings: list[Finding] = []
    text = _decode(data, path, findings)
    if text is None:
        return Loaded((), tuple(findings))
    documents: list[Document] = []
    budget = _Budget()
    try:
        for node in _compose(text):
            builder = _Builder(path, offset, budget)
            value = builder.build(node)
            findings += builder.findings
            if not builder.broken and value is not None:
                documents.append(Document(value, path, node, offset))
    except (_Crowded, yaml.YAMLError) as error:
        if fault := _fault_of_size(text, path):
            return Loaded((), (fault,))
        if isinstance(error, yaml.YAMLError):
            findings.append(_syntax(error, path, offset))
    except RecursionError:
        findings.append(_finding("YAML004", path, 1, "is nested too deeply to read", "Flatten it."))
    return Loaded(tuple(documents), tuple(findings))


def _decode(data: bytes | str, path: str, findings: list[Finding]) -> str | None:
    if len(data) > MAX_BYTES:
        findings.append(_finding("YAML004", path, 0, f"is larger than {MAX_BYTES >> 20} MiB", "Split the file."))
        return None
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        findings.append(
            _finding("YAML005", path, line, "is not UTF-8; kubectl and Argo CD refuse it", "Save it as UTF-8.")
        )
        return None


def _fault_of_size(text: str, path: str) -> Finding | None:
    """Depth and size exactly, with the line: counted over events, which need no stack and know aliases."""
    depth = nodes = documents = 0
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            nodes += isinstance(event, yaml.NodeEvent)
            documents += isinstance(event, yaml.DocumentStartEvent)
            if depth > MAX_DEPTH or nodes > MAX_NODES or documents > MAX_DOCUMENTS:
                line = event.start_mark.line + 1 if event.start_mark else 0
                return _too_much(path, line, deep=depth > MAX_DEPTH)
    except yaml.YAMLError as error:
        if "flow level" in str(getattr(error, "context", "")):  # libyaml's own limit, met while it looks ahead
            return _too_much(path, 1, deep=True)
        return None
    return None


def _too_much(path: str, line: int, *, deep: bool) -> Finding:
    if deep:
        return _finding("YAML004", path, line, f"is nested deeper than {MAX_DEPTH} levels", "Flatten it.")
    what = f"holds more than {MAX_NODES} values or {MAX_DOCUMENTS} documents"
    return _finding("YAML004", path, line, what, "Split the file.")


def _compose(text: str) -> Iterator[yaml.Node]:
    """Every document; raises `_Crowded` where there may be too much of them, at the latest behind the last."""
    read = 0
    composer = _Composer(text)
    try:
        for node in _composed(composer):
            yield node
            read += 1
            if read > MAX_DOCUMENTS:
                raise _Crowded
    except yaml.composer.ComposerError as error:
        if error.problem != "second occurrence":
            raise
        composer = _Reusing(text)
        yield from islice(_composed(composer), read, None)
    if composer.crowded or composer.nodes + text.count("*") > MAX_NODES:
        raise _Crowded


def _composed(composer: Any) -> Iterator[yaml.Node]:
    try:
        while composer.check_node():
            yield composer.get_node()
    finally:
        dispose = getattr(composer, "dispose", None)
        if dispose is not None:
            dispose()


def _syntax(error: yaml.YAMLError, path: str, offset: int) -> Finding:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable text"
    line = mark.line + 1 + offset if mark is not None else 0
    return _finding(
        "YAML001",
        path,
        line,
        f"is not YAML: {problem}; every tool that reads it stops here",
        "Correct the syntax at this line; quote text that starts with a special character.",
    )


def _brief(node: yaml.Node) -> str:
    """Tag and text in one line, as it was written, cut where it is long."""
    text = " ".join([node.tag, *(str(node.value).split() if isinstance(node.value, str) else ())])
    return text if len(text) <= 120 else f"{text[:117]}..."


def _finding(code: str, path: str, line: int, what: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(path, line), f"The file {what}.", fix)


@dataclass(slots=True)
class _Budget:
    """How many values the rest of a file may still have."""

    nodes: int = MAX_NODES


class _Builder:
    """Turns one composed document into plain values, noting what Go would silently accept."""

    def __init__(self, path: str, offset: int, budget: _Budget) -> None:
        self.path = path
        self.offset = offset
        self.findings: list[Finding] = []
        self.broken = False
        self._budget = budget
        self._open: set[int] = set()

    def build(self, node: yaml.Node) -> Any:
        if len(self.findings) > MAX_MISTAKES:
            self._fault("YAML004", node, f"has more than {MAX_MISTAKES} mistakes", "Correct those before it.")
            return None
        self._budget.nodes -= 1
        if self._budget.nodes < 0:
            self._fault("YAML004", node, f"expands to more than {MAX_NODES} values (aliases)", "Unroll it.")
            return None
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if id(node) in self._open:
            self._fault("YAML004", node, "contains an alias of itself", "Remove the alias.")
            return None
        self._open.add(id(node))
        try:
            return self._mapping(node) if isinstance(node, yaml.MappingNode) else self._sequence(node)
        finally:
            self._open.discard(id(node))

    def _fault(self, code: str, node: yaml.Node, what: str, fix: str) -> None:
        if not self.broken:
            self.findings.append(_finding(code, self.path, node.start_mark.line + 1 + self.offset, what, fix))
        self.broken = True

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        if node.tag == _PLAIN:
            return plain_scalar(node.value)
        if node.tag not in _KNOWN_TAGS:
            self._unknown_tag(node)
            return None
        if node.tag in (_STR, "tag:yaml.org,2002:binary", "tag:yaml.org,2002:timestamp"):
            return node.value
        return plain_scalar(node.value)

    def _unknown_tag(self, node: yaml.Node) -> None:
        line = node.start_mark.line + 1 + self.offset
        self.findings.append(
            Finding(
                "YAML003",
                Severity.ERROR,
                Place(self.path, line),
                f"{node.tag} is read as a YAML tag, so the value after it is lost: "
                "a selector written this way becomes empty and matches everything.",
                f'Quote the text: "{_brief(node)}".',
            )
        )

    def _sequence(self, node: Any) -> list[Any]:
        if node.tag != _SEQ and node.tag not in _KNOWN_TAGS:
            self._unknown_tag(node)
        return [self.build(item) for item in node.value]

    def _mapping(self, node: Any) -> dict[str, Any]:
        if node.tag != _MAP and node.tag not in _KNOWN_TAGS:
            self._unknown_tag(node)
        result: dict[str, Any] = {}
        first: dict[str, int] = {}
        merged: list[Mapping[str, Any]] = []
        for name, value in node.value:
            line = name.start_mark.line + 1 + self.offset
            if isinstance(name, yaml.ScalarNode) and name.tag in (_PLAIN, _MERGE) and name.value == "<<":
                merged += self._merge(value)
                continue
            key = self._key(name)
            if key in first and len(self.findings) <= MAX_MISTAKES:
                self.findings.append(_duplicate(key, self.path, line, first[key]))
            first.setdefault(key, line)
            result[key] = self.build(value)
        for source in merged:
            for key, value in source.items():
                result.setdefault(key, value)
        return result

    def _merge(self, node: yaml.Node) -> list[Mapping[str, Any]]:
        value = self.build(node)
        sources = value if isinstance(value, list) else [value]
        return [source for source in sources if isinstance(source, dict)]

    def _key(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            self._fault("YAML006", node, "has a list or a mapping as a key", "Use a text as key.")
            return ""
        value = self._scalar(node)
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value)


def _duplicate(key: str, path: str, line: int, first: int) -> Finding:
    return Finding(
        "YAML002",
        Severity.ERROR,
        Place(path, line),
        f"The key `{key}` is already set in line {first}: Kubernetes tools keep the last one in silence, "
        "so one of the two values never reaches the cluster.",
        "Keep one of the two.",
    )


# --- writing -------------------------------------------------------------------------------------------

_AMBIGUOUS = re.compile(
    r"""(?xi)
    y|n|yes|no|on|off|true|false|null|~|=|<<|none
    | [-+]?0x[0-9a-f_]+ | [-+]?0o?[0-7_]+ | [-+]?0b[01_]+
    | [-+]?[0-9][0-9_]*
    | [-+]?(\.[0-9_]+|[0-9][0-9_]*(\.[0-9_]*)?)(e[-+]?[0-9]+)?
    | [-+]?\.inf | \.nan
    | [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?
    | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt\ ].*)?
    """
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]|[ \t]\n|[ \t]\Z")


class Inline(dict[str, object]):
    """A mapping that is written on one line: `{name: k8s-node-1, role: worker}`."""

    def __repr__(self) -> str:
        return f"Inline({super().__repr__()})"


class _Dumper(_DUMPER):  # type: ignore[misc]
    """SafeDumper that never writes aliases and refuses floats, which differ between readers."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        """There are no resolvers by path."""

    def ascend_resolver(self) -> None:
        """There are no resolvers by path."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        if kind is not yaml.ScalarNode:
            return super().resolve(kind, value, implicit)
        return _resolved(value, *implicit)


_RESOLVER = yaml.resolver.Resolver()


@lru_cache(maxsize=16384)
def _resolved(text: str, plain: bool, quoted: bool) -> str:
    return str(_RESOLVER.resolve(yaml.ScalarNode, text, (plain, quoted)))  # type: ignore[no-untyped-call]


def _represent_str(dumper: Any, text: str) -> Any:
    return dumper.represent_scalar(_STR, text, style=_style(text))


@lru_cache(maxsize=16384)
def _style(text: str) -> str | None:
    if "\n" in text and not _CONTROL.search(text) and not text.startswith((" ", "\n")):
        return "|"
    if not text or ":" in text or text != text.strip() or _AMBIGUOUS.fullmatch(text):
        return '"'
    return None


def _represent_float(_dumper: Any, value: float) -> Any:
    msg = f"floats are not written: {value!r}; use an integer or a string"
    raise TypeError(msg)


def _represent_inline(dumper: Any, value: Inline) -> Any:
    return dumper.represent_mapping(_MAP, value, flow_style=True)


_Dumper.add_representer(str, _represent_str)
_Dumper.add_representer(Inline, _represent_inline)
_Dumper.add_representer(float, _represent_float)


def dump(value: object) -> str:
    """One value as block YAML, keys in the order given, no document marker, a newline at the end."""
    what = repr(value)  # the files of one machine differ little from those of the next
    found = _dumped.get(what)
    if found is None:
        text = yaml.dump(
            value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**9, default_flow_style=False
        )
        found = str(text).removesuffix("...\n")
        if len(_dumped) >= _MAX_DUMPED:
            _dumped.clear()
        _dumped[what] = found
    return found


_MAX_DUMPED = 4096
_dumped: dict[str, str] = {}


Comments = Mapping[Path, str]


def dump_commented(value: Mapping[str, object], comments: Comments) -> str:
    """Like `dump`, with a comment above any key: `{("spec", "port"): "why"}`; newlines make lines."""
    above = frozenset(path[:length] for path in comments for length in range(len(path)))
    return "".join(_lines(value, (), _Commented(comments, above)))


class _Commented(NamedTuple):
    """Comments, and the paths that have one further in."""

    comments: Comments
    above: frozenset[Path]


def _lines(value: object, at: Path, commented: _Commented) -> Iterator[str]:
    comments, above = commented
    if isinstance(value, Mapping) and value and at in above:
        plain: dict[str, object] = {}  # keys in a row without any comment are written at once: a dump has its price
        for key, item in value.items():
            here = (*at, key)
            if here not in comments and here not in above:
                plain[key] = item
                continue
            yield dump(plain) if plain else ""
            plain = {}
            yield from (f"# {line}".rstrip() + "\n" for line in comments.get(here, "").splitlines())
            yield from _entry(key, item, here, commented)
        yield dump(plain) if plain else ""
    elif isinstance(value, Sequence) and not isinstance(value, str) and at in above:
        for index, item in enumerate(value):
            block = "".join(_lines(item, (*at, index), commented))
            yield "- " + _indent(block)[2:]
    else:
        yield dump(value)


def _entry(key: str, item: object, here: Path, commented: _Commented) -> Iterator[str]:
    if here in commented.above and isinstance(item, (Mapping, list, tuple)):
        yield dump({key: None}).replace(" null", "").replace(" ''", "")
        block = "".join(_lines(item, here, commented))
        yield _indent(block) if isinstance(item, Mapping) else block
    else:
        yield dump({key: item})


def _indent(block: str) -> str:
    return "".join(f"  {line}" if line.strip() else line for line in block.splitlines(keepends=True))


def header(text: str) -> str:
    """Lines of text as a comment block."""
    return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())
