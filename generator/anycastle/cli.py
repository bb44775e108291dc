"""The command line: options, exit status and colour. What happens is in `compose`.

Exit status: 0 clean, 1 findings, 2 misuse (an unknown option, a path that is not there) or a fault of this program.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import click

from anycastle import __version__
from anycastle.finding import Refused, Severity

CLEAN, FINDINGS, MISUSE, INTERRUPTED = 0, 1, 2, 130

DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="anycastle", message="%(prog)s %(version)s")
@click.option("--traceback", is_flag=True, expose_value=False, help="Show where a fault of anycastle comes from.")
def commands() -> None:
    r"""Describe a bare-metal Kubernetes cluster on BGP once; get its whole GitOps repository.

    \b
    anycastle new                  asks, shows the plan, writes a new repository
    anycastle validate DIR         reads any repository and says what would break
    anycastle build DIR            prints every object that reaches the cluster
    anycastle explain CODE         says why a finding matters
    """


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
    return compose.new(source, output_dir, None if no_input else _ask, _echo)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise click.UsageError(f"{text!r} is not KEY=VALUE.")
    return key, value


@commands.command()
@click.argument("directories", nargs=-1, required=True, type=DIRECTORY, metavar="DIR...")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="warning",
    show_default=True,
    help="The least severity for which the exit status is 1.",
)
def validate(directories: tuple[Path, ...], form: str, fail_on: str) -> int:
    """Check repositories: files, charts, objects, the network, the order of installation.

    Reads what kubelet, Helm, Argo CD, Calico and the router would read. The repository need not come from anycastle.
    """
    from anycastle import compose
    from anycastle.report import merged

    report = merged(compose.validate_tree(directory) for directory in directories)
    if form == "json":
        from anycastle.report.json_form import as_json

        _echo(as_json(report))
    else:
        from anycastle.report.text import report_text

        _echo(report_text(report, colour=_colour()))
    return FINDINGS if report.fails_at(Severity(fail_on)) else CLEAN


@commands.command()
@click.argument("directory", type=DIRECTORY, metavar="DIR")
def build(directory: Path) -> int:
    """Print every object that would reach a node or the cluster, as one YAML stream in the order of installation."""
    from anycastle import compose

    return compose.build(directory, _echo, _warn)


@commands.command()
@click.option("--format", "form", type=click.Choice(["json", "markdown"]), default="json", show_default=True)
def schema(form: str) -> int:
    """Print the JSON Schema of the site file, for editors; or its reference for people."""
    from anycastle import compose

    _echo(compose.site_schema(form))
    return CLEAN


@commands.command()
def rules() -> int:
    """Print every code and the reason behind it, as Markdown."""
    from anycastle import compose
    from anycastle.report.explanations import rules_page

    _echo(rules_page(compose.explanations()))
    return CLEAN


@commands.command()
@click.argument("code")
def explain(code: str) -> int:
    """Say why a finding matters in a real network."""
    from anycastle import compose
    from anycastle.report.explanations import explanation_text

    known = {entry.code: entry for entry in compose.explanations()}
    if code.upper() not in known:
        raise click.UsageError(f"{code!r} is not a code; `anycastle rules` lists them all.")
    _echo(explanation_text(known[code.upper()]))
    return CLEAN


def _ask(prompt: str, default: str) -> str:
    return str(click.prompt(prompt, default=default))


def _echo(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _warn(text: str) -> None:
    sys.stderr.write(text)


def _colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _terminated(_signal: int, _frame: FrameType | None) -> None:
    """Leave by an exception, so that nothing half-made stays behind."""
    sys.exit(128 + signal.SIGTERM)


def run(arguments: Sequence[str]) -> int:
    """One command; returns its exit status. No exception of bad input or of the machine comes out."""
    try:
        return commands.main(list(arguments), prog_name="anycastle", standalone_mode=False) or CLEAN
    except click.Abort:
        hint = "" if sys.stdin.isatty() else " Where nobody can answer, use --no-input."
        _warn(f"\nStopped; nothing was written.{hint}\n")
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return MISUSE
    except Refused as refused:
        from anycastle.report.text import findings_text

        _warn(findings_text(refused.findings, colour=False))
        return FINDINGS
    except BrokenPipeError:
        return _reader_left()
    except Exception as error:  # the last resort: a person must never be shown a traceback without asking
        return _own_fault(error, traced="--traceback" in arguments)


def _reader_left() -> int:
    """The reader of our output, such as `head`, has seen enough; the interpreter must not fail on its last flush."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLEAN


def _own_fault(error: Exception, *, traced: bool) -> int:
    import traceback

    if traced:
        traceback.print_exc()
    last = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    _warn(
        f"anycastle: a fault of the program, not of your files: {what} ({Path(last.filename).name}:{last.lineno}). "
        "Please report this line with the command; --traceback before the command shows more.\n"
    )
    return MISUSE


def main() -> None:
    """The console script."""
    signal.signal(signal.SIGTERM, _terminated)
    status = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        status = _reader_left()
    sys.exit(status)


if __name__ == "__main__":
    main()
