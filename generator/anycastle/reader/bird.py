"""`bird.conf` of a router (BIRD 2, and 1.6 where it differs), put into the form of `reader.frr`.

Sessions, filters, `merge paths`, static routes that drop. What is not known here is counted as not understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anycastle.finding import Place
from anycastle.network.bgp import Software
from anycastle.reader.bird_filters import Filters
from anycastle.reader.bird_options import after, limit, setting, whom
from anycastle.reader.bird_syntax import Statement, parse
from anycastle.reader.frr import Clause, Config, Neighbour, StaticRoute
from anycastle.reader.frr_words import whole
from anycastle.reader.notes import Notes

MERGED = 16
"""Next hops of `merge paths` without a limit."""
BGP_PREFERENCE, STATIC_PREFERENCE = 100, 200
"""The higher one wins in BIRD; FRR's distance counts the other way round."""
LOSES, WINS = 254, 1
_DROPS = frozenset(("blackhole", "unreachable", "prohibit", "reject", "drop"))
_CHANNELS = frozenset(("ipv4", "ipv6"))


def parse_config(text: str, path: str, notes: Notes) -> Config:
    """Read a file; never raises."""
    return _Reader(text, path, notes).config


class _Reader:
    """One file while it is read."""

    def __init__(self, text: str, path: str, notes: Notes) -> None:
        self.config = Config(path, software=Software.BIRD, multipath=1)
        self.notes = notes
        parsed = parse(text)
        self._broken(parsed.broken)
        self.top = parsed.statements
        self.defines = {s.words[1]: s.words[3:] for s in self.top if s.words[:1] == ["define"] and len(s.words) > 3}
        self.templates = {s.words[2]: s for s in self.top if s.words[:2] == ["template", "bgp"] and len(s.words) > 2}
        self.filters = Filters(self.config, self.defines, notes)
        self.helping = self.not_helping = False
        for statement in self.top:
            self._statement(statement)
        self.config.graceful_restart = not self.not_helping or self.helping

    def _broken(self, line: int) -> None:
        if line:
            self.notes.add(
                "READ022",
                self.config.place(line),
                "A brace or a semicolon is missing before this line; BIRD refuses the whole file.",
                "Close every block, and end every statement with `;`.",
            )

    def _statement(self, statement: Statement) -> None:
        words, block = statement.words, statement.block or []
        match words:
            case ["router", "id", value, *_]:
                self.config.router_id = value
            case ["filter", name, *_]:
                self.filters.add(name, block, statement.line)
            case ["protocol", "bgp", *_]:
                self._bgp(statement)
            case ["protocol", "kernel", *_]:
                self._kernel(block)
            case ["protocol", "static", *_]:
                self._static(block)
            case ["include", *_]:
                self.config.unknown.append((" ".join(words), statement.line))
            case _:
                return

    def _kernel(self, block: Iterable[Statement]) -> None:
        for words in (statement.words for statement in _flat(block)):
            if words[:2] == ["merge", "paths"]:
                most = whole(words[-1]) if "limit" in words else MERGED
                self.config.multipath = 1 if words[2:3] in (["off"], ["no"]) else most or MERGED

    def _static(self, block: list[Statement]) -> None:
        preference = STATIC_PREFERENCE
        for statement in _flat(block):
            if statement.words[:1] == ["preference"]:
                preference = whole(statement.words[-1]) or STATIC_PREFERENCE
        for statement in block:
            words = statement.words
            if words[:1] == ["route"] and len(words) > 2 and words[2] in _DROPS:
                prefix = self.notes.network(words[1], self.config.place(statement.line), "the static route")
                if prefix is not None:
                    distance = LOSES if preference < BGP_PREFERENCE else WINS
                    self.config.static_routes.append(StaticRoute(prefix, distance, statement.line))

    def _body(self, statement: Statement, depth: int = 0) -> Iterator[Statement]:
        """The statements of a protocol, those of its template first."""
        words = statement.words
        above = self.templates.get(words[words.index("from") + 1]) if "from" in words[:-1] else None
        if above is not None and depth < len(self.templates):
            yield from self._body(above, depth + 1)
        yield from statement.block or ()

    def _bgp(self, statement: Statement) -> None:
        neighbour = Neighbour("", statement.line, active=True)
        listen: list[tuple[str, int]] = []
        local = ""
        for part in self._body(statement):
            words = [value for word in part.words for value in self._value(word)]
            local = after(words, "as") if words[:1] == ["local"] else local
            if words[:2] == ["neighbor", "range"] and len(words) > 2:
                listen.append((words[2], part.line))
            self._option(neighbour, words, part)
        if local and not self.config.asn:
            self.config.asn, self.config.asn_line = local, statement.line
        neighbour.local_as = local
        restart = [part.words[2:] for part in self._body(statement) if part.words[:2] == ["graceful", "restart"]]
        off = [words for words in restart if words[:1] in (["off"], ["no"])]
        self.helping, self.not_helping = self.helping or not off, self.not_helping or bool(off)
        if listen:
            neighbour.name, neighbour.is_group = f"protocol line {statement.line}", True
            self.config.listen += [(prefix, neighbour.name, line) for prefix, line in listen]
        if neighbour.name and local:
            self.config.neighbours.setdefault(neighbour.name, neighbour)

    def _value(self, word: str) -> list[str]:
        """A symbol that `define` gave a single value."""
        known = self.defines.get(word, [])
        return known if len(known) == 1 else [word]

    def _option(self, neighbour: Neighbour, words: list[str], part: Statement) -> None:
        match words:
            case ["neighbor", *_]:
                whom(neighbour, words, part.line)
            case [("import" | "receive"), "limit", *rest]:
                limit(neighbour, rest, part.line)
            case [("import" | "export"), *_]:
                self._policy(neighbour, words, part)
            case [word, *_] if word in _CHANNELS:
                for inner in part.block or ():
                    if inner.words[1:2] == ["limit"] and inner.words[0] != "export":
                        limit(neighbour, inner.words[2:], inner.line)
                    elif inner.words[:1] in (["import"], ["export"]):
                        self._policy(neighbour, inner.words, inner)
            case _ if not setting(neighbour, words):
                self.config.unknown.append((" ".join(words), part.line))
            case _:
                return

    def _policy(self, neighbour: Neighbour, words: list[str], part: Statement) -> None:
        way = "in" if words[0] == "import" else "out"
        name = f"{words[0]} of line {part.line}"
        match words[1:]:
            case ["all"]:
                self.config.route_maps[name] = [Clause(permit=True, line=part.line)]
            case ["none"]:
                self.config.route_maps[name] = [Clause(permit=False, line=part.line)]
            case ["where", *condition]:
                self.config.route_maps.pop(name, None)
                self.filters.add_expression(name, condition, part.line)
            case ["filter"] if part.block is not None:
                self.config.route_maps.pop(name, None)
                self.filters.add(name, part.block, part.line)
            case ["filter", known, *_]:
                name = known
                self._defined(known, part.line)
            case _:
                return
        neighbour.route_map[way] = name, part.line

    def _defined(self, name: str, line: int) -> None:
        if not any(statement.words[:2] == ["filter", name] for statement in self.top):
            self.config.route_maps.setdefault(name, [])
            self.notes.add(
                "READ022",
                Place(self.config.path, line),
                f"The filter {name} is not defined; BIRD refuses the whole file.",
                "Define it, or correct the name.",
            )


def _flat(block: Iterable[Statement]) -> Iterator[Statement]:
    for statement in block:
        yield statement
        yield from _flat(statement.block or ())
