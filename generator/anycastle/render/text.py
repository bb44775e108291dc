"""Text templates, for prose, scripts and router configuration only; YAML is built from data.

An undefined name is an error, never an empty string. Nothing is escaped by itself: what goes into a shell
script passes the filter `sh`, what goes into a comment the filter `line`.
"""

from __future__ import annotations

import shlex
from functools import cache
from pathlib import Path

import jinja2


def one_line(text: object) -> str:
    """Text without line breaks, so that a comment cannot end early."""
    return " ".join(str(text).split())


def shell_word(value: object) -> str:
    """A value as one word of a POSIX shell."""
    return shlex.quote(str(value))


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(  # noqa: S701 - shell and router text, never HTML
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"sh": shell_word, "line": one_line}
    return environment


@cache
def template(name: str) -> jinja2.Template:
    """A compiled template; `name` is its path below this folder."""
    return _environment().get_template(name)
