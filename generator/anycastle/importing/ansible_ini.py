"""An Ansible inventory in the INI form.

The form is that of Ansible's own `ini` plugin: host lines with `key=value`, `[group]`, `[group:children]`,
`[group:vars]`, comments with `#` and `;`.
"""

from __future__ import annotations

import re
import shlex

from anycastle.fields import FieldError
from anycastle.finding import Place
from anycastle.importing import codes
from anycastle.importing.facts import MAX_NODES, Notes
from anycastle.importing.host_ranges import expand
from anycastle.importing.inventory import ALL, Inventory, Variable

_SECTION = re.compile(r"\[([^\[\]:]+)(?::(vars|children|hosts))?\]\s*(?:[#;].*)?\Z")
UNGROUPED = "ungrouped"


def looks_like(text: str) -> bool:
    """Whether a line is a group in brackets, and none before it is anything but hosts."""
    for line in map(str.strip, text.splitlines()):
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            return _SECTION.match(line) is not None
        if line.startswith(("{", "-")) or ":" in line.split("=")[0].split(" ")[0] or "," in line.split("=")[0]:
            return False
    return False


def inventory(text: str, label: str, notes: Notes) -> Inventory:
    """The groups of a text; lines that are none of its forms are findings."""
    made = Inventory()
    group, kind = UNGROUPED, "hosts"
    for number, raw in enumerate(text.splitlines(), start=1):
        line, where = raw.strip(), Place(label, number)
        if not line or line[0] in "#;":
            continue
        if line.startswith("[") and (match := _SECTION.match(line)):
            group, kind = match[1].strip(), match[2] or "hosts"
            made.group(group)
        elif kind == "vars":
            _variable(made, group, line, where, notes)
        elif kind == "children":
            made.group(group).children.setdefault(line.split("#")[0].split()[0], where)
        else:
            _host(made, group, line, where, notes)
    return made


def _variable(made: Inventory, group: str, line: str, where: Place, notes: Notes) -> None:
    name, equals, value = line.partition("=")
    if not equals or not name.strip():
        notes.findings.append(
            codes.unreadable(where, f"A line below [{group[:40]}:vars] is not NAME=VALUE.", "Correct the line.")
        )
        return
    made.group(group).variables[name.strip()] = Variable(_unquoted(value), where)


def _unquoted(value: str) -> str:
    text = value.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _host(made: Inventory, group: str, line: str, where: Place, notes: Notes) -> None:
    try:
        words = shlex.split(line, comments=True)
        names = expand(_without_port(words[0]), MAX_NODES - len(made.hosts)) if words else []
    except FieldError as error:
        notes.findings.append(codes.unusable(where, ("nodes",), error.problem, error.fix))
        return
    except ValueError:
        notes.findings.append(codes.unreadable(where, "The line has a quote that is never closed.", "Close the quote."))
        return
    own = {
        name: Variable(value, where) for name, equals, value in (word.partition("=") for word in words[1:]) if equals
    }
    for name in names:
        made.group(group).hosts.setdefault(name, where)
        made.host(name).update(own)
        made.group(ALL)


def _without_port(name: str) -> str:
    """`host:2222` names an SSH port; an IPv6 address has more colons, and a range has brackets around its own."""
    bare = re.sub(r"\[[^\]]*\]", "", name)
    return name.rpartition(":")[0] if bare.count(":") == 1 and bare.rpartition(":")[2].isdigit() else name
