"""Passwords of sessions as files have them: a mark names a Secret, a password has a finding and goes no further."""

from __future__ import annotations

import pytest

from anycastle.reader import secrets
from anycastle.reader.notes import Notes
from anycastle.reader.passwords import CLEAR_TEXT, reference

LINES = {
    "frr.conf": ("router bgp 1\n neighbor 10.0.0.1 password %s\n", 2),
    "ios-xe.cfg": ("router bgp 1\n neighbor A password 7 %s\n", 2),
    "nx-os.cfg": ("feature bgp\nrouter bgp 1\n  template peer A\n    password %s\n", 4),
    "nx-os-3.cfg": ("feature bgp\nrouter bgp 1\n  template peer A\n    password 3 %s\n", 4),
    "bird.conf": ('protocol bgp a {\n\tpassword "%s";\n}\n', 2),
    "vyos.commands": ("\nset protocols bgp peer-group A password '%s'\n", 2),
    "junos.set": ('\nset protocols bgp group A authentication-key "%s"\n', 2),
    "routeros.rsc": ('/routing/bgp/connection\nadd name=a tcp-md5-key="%s" connect=no\n', 2),
}


@pytest.mark.parametrize("name", LINES)
def test_a_password_in_a_file_is_found_and_not_shown(name: str) -> None:
    text, line = LINES[name]
    notes = Notes()
    secrets.in_text(f"routers/a/{name}", (text % "hunter2").encode(), notes)
    (found,) = notes.findings
    assert (found.code, found.where.path, found.where.line) == ("SEC005", f"routers/a/{name}", line)
    assert "hunter2" not in found.message + found.fix


@pytest.mark.parametrize("name", [name for name in LINES if name not in ("ios-xe.cfg",)])
@pytest.mark.parametrize("mark", ["<bgp/router>", "${BGP}"])
def test_a_mark_is_none(name: str, mark: str) -> None:
    notes = Notes()
    secrets.in_text(f"routers/a/{name}", (LINES[name][0] % mark).encode(), notes)
    assert not notes.findings


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("<bgp/router>", "bgp/router"),
        ('"<bgp-a.b/Key_1>"', "bgp-a.b/Key_1"),
        ("'<bgp/router>'", "bgp/router"),
        ("", ""),
        ("hunter2", CLEAR_TEXT),
        ("bgp/router", CLEAR_TEXT),
        ("<bgp/router>x", CLEAR_TEXT),
        ("<BGP/router>", CLEAR_TEXT),
        ("<router>", CLEAR_TEXT),
        ("${BGP}", CLEAR_TEXT),
        ("7 <bgp/router>", CLEAR_TEXT),
    ],
)
def test_only_a_mark_of_ours_names_a_secret(value: str, name: str) -> None:
    assert reference(value) == name
