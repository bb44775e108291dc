"""The command line: options, exit status and colour. What happens is in `compose`.

Exit status: 0 clean, 1 findings, 2 misuse (an unknown option, a path that is not there) or a fault of this program.
Where two things are compared: 0 equal, 1 different, 2 it cannot be told.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from types import FrameType

import click

from anycastle import __version__
from anycastle.finding import Misuse, Refused, Unanswered
from anycastle.terminal import (
    CLEAN,
    DIRECTORY,
    FILE,
    FINDINGS,
    INTERRUPTED,
    MISUSE,
    ReaderLeft,
    Unwritable,
    cache_folder,
    collect_rarely,
    echo,
    warn,
)

STORY = """Describe a bare-metal Kubernetes cluster on BGP once; get its whole GitOps repository.

\b
anycastle new             asks, shows the plan, writes a new repository
anycastle import FILE...  makes a site file from an inventory, a table, NetBox or a cluster
anycastle validate DIR    reads any repository and says what would break
anycastle plan [DIR]      shows addresses, sessions and announcements, of a site file or a repository
anycastle diff DIR        shows what an edit of site.yaml would change
anycastle update DIR      changes it, but no file that was edited by hand
anycastle vendor DIR      brings the upstream charts into it, for clusters without the internet
anycastle build DIR       prints every object that reaches the cluster
anycastle lab test DIR    runs the network on this machine and breaks it on purpose
anycastle explain CODE    says why a finding matters
"""


_ELSEWHERE = {
    "validate": "validate_cli",
    "plan": "plan_cli",
    "import": "import_cli",
    "diff": "update_cli",
    "update": "update_cli",
    "lab": "lab_cli",
    "vendor": "vendor_cli",
}
"""Commands by the module that has them, which is imported for its own command only."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command = getattr(import_module(f"anycastle.{_ELSEWHERE[cmd_name]}"), name)
        return command if isinstance(command, click.Command) else None


@click.group(
    cls=_Commands, help=STORY, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(__version__, prog_name="anycastle", message="%(prog)s %(version)s")
@click.option("--traceback", is_flag=True, expose_value=False, help="Show where a fault of anycastle comes from.")
def commands() -> None:
    """Every command."""


@commands.command()
@click.option(
    "-o",
    "--output-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Directory in which the repository is created, in a folder with the site's name.  [default: here]",
)
@click.option("--answers", type=FILE, help="YAML or JSON file with answers by name, or a whole site file.")
@click.option("--no-input", is_flag=True, help="Ask nothing; what is not given takes its default.")
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
def new(output_dir: Path, answers: Path | None, no_input: bool, given: tuple[str, ...]) -> int:
    """Create the repository of a new site.

    Asks one question after the other, shows who owns which address and who speaks to whom, and writes nothing
    before you agree. The default answers make the example site.
    """
    from anycastle import compose

    source = compose.Source(answers, dict(_pair(text) for text in given))
    return compose.new(source, output_dir, None if no_input else _ask, echo)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise click.UsageError(f"{text!r} is not KEY=VALUE.")
    return key, value


@commands.command()
@click.argument("directory", type=DIRECTORY, metavar="DIR")
def build(directory: Path) -> int:
    """Print every object that would reach a node or the cluster, as one YAML stream in the order of installation."""
    from anycastle import compose

    return compose.build(directory, echo, warn)


@commands.command()
@click.option("--format", "form", type=click.Choice(["json", "markdown"]), default="json", show_default=True)
def schema(form: str) -> int:
    """Print the JSON Schema of the site file, for editors; or its reference for people."""
    from anycastle import compose

    echo(compose.site_schema(form))
    return CLEAN


@commands.command()
def rules() -> int:
    """Print every code and the reason behind it, as Markdown."""
    from anycastle import compose
    from anycastle.report.explanations import rules_page

    echo(rules_page(compose.explanations()))
    return CLEAN


@commands.command()
@click.argument("codes", nargs=-1, required=True, metavar="CODE...")
def explain(codes: tuple[str, ...]) -> int:
    """Say why findings matter in a real network, and how to accept one."""
    from anycastle import compose
    from anycastle.report.explanations import explanation_text
    from anycastle.report.families import unknown

    known = {entry.code: entry for entry in compose.explanations()}
    for code in codes:
        if code.upper() not in known:
            raise click.UsageError(unknown(code, known))
    echo("\n".join(explanation_text(known[code]) for code in dict.fromkeys(map(str.upper, codes))))
    return CLEAN


@commands.group()
def schemas() -> None:
    """The definitions of custom resources by which objects are judged in full."""


@schemas.command()
@click.option("--from", "from_dir", type=DIRECTORY, help="Take them from this folder instead of the network.")
def fetch(from_dir: Path | None) -> int:
    """Fetch the upstream definitions of the pinned releases into the cache; `validate` uses them from then on."""
    from anycastle.schemas.fetched import run_fetch

    return run_fetch(from_dir, cache_folder(), echo)


@schemas.command()
def status() -> int:
    """Say which definitions the cache holds."""
    from anycastle.schemas.fetched import run_status

    return run_status(cache_folder(), echo)


def _ask(prompt: str, default: str) -> str:
    return str(click.prompt(prompt, default=default))


def _terminated(_signal: int, _frame: FrameType | None) -> None:
    """Leave by an exception, so that nothing half-made stays behind."""
    sys.exit(128 + signal.SIGTERM)


def run(arguments: Sequence[str]) -> int:
    """One command; returns its exit status. No exception of bad input or of the machine comes out."""
    try:
        return commands.main(list(arguments), prog_name="anycastle", standalone_mode=False) or CLEAN
    except (click.Abort, KeyboardInterrupt):
        return _stopped(asks="new" in arguments)
    except (click.ClickException, Refused) as error:
        return _refusal(error)
    except (ReaderLeft, Unwritable) as error:
        return _reader_left(CLEAN) if isinstance(error, ReaderLeft) else _unwritable(str(error))
    except Exception as error:  # the last resort: a person must never be shown a traceback without asking
        if isinstance(error, OSError) and (reason := _unflushed()):  # click has written its help
            return _unwritable(reason)
        return _own_fault(error, traced="--traceback" in arguments)


def _refusal(error: click.ClickException | Refused) -> int:
    """Say why a command did not do what was asked."""
    if isinstance(error, click.ClickException):
        error.show()
        return MISUSE
    from anycastle.report.text import findings_text

    warn(findings_text(error.findings, colour=False))
    return MISUSE if isinstance(error, Misuse | Unanswered) else FINDINGS


def _stopped(*, asks: bool) -> int:
    """Ctrl-C, or a question where nobody answers."""
    nobody = asks and not (sys.stdin is not None and sys.stdin.isatty())
    warn(f"\nStopped; nothing was written.{' Where nobody can answer, use --no-input.' if nobody else ''}\n")
    return INTERRUPTED


def _reader_left(status: int) -> int:
    """The reader of our output, such as `head`, has seen enough; the interpreter must not fail on its last flush."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _unwritable(reason: str) -> int:
    warn(f"anycastle: nothing can be written to standard output: {reason}.\n")
    return _reader_left(MISUSE)


def _unflushed() -> str:
    """Why what was written does not reach its reader; empty where it does."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _own_fault(error: Exception, *, traced: bool) -> int:
    import traceback

    if traced:
        traceback.print_exc()
    last = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    warn(
        f"anycastle: a fault of the program, not of your files: {what} ({Path(last.filename).name}:{last.lineno}). "
        "Please report this line with the command; --traceback before the command shows more.\n"
    )
    return MISUSE


def main() -> None:
    """The console script."""
    collect_rarely()
    signal.signal(signal.SIGTERM, _terminated)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names in files may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    status = run(sys.argv[1:])
    for asked in (
        signal.SIGINT,
        signal.SIGTERM,
    ):  # what was asked for is done: the interpreter's own end is no part of it
        signal.signal(asked, signal.SIG_IGN)
    if _unflushed():
        status = _reader_left(status)
    sys.exit(status)


if __name__ == "__main__":
    main()
