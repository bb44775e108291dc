"""Call the generator: the directory that cookiecutter made is replaced by the whole repository, or by nothing."""

import os
import signal
import sys
import tempfile
from pathlib import Path

SELF = Path(__file__)
if SELF.parent == Path(tempfile.gettempdir()):  # cookiecutter renders hooks to files that it never removes
    SELF.unlink(missing_ok=True)

PLAN_SHOWN = {{plan_shown_literal()}}  # noqa: F821
sys.path.append({{generator_literal}})  # noqa: F821

from anycastle.compose import generate  # noqa: E402
from anycastle.wizard.stub import replace_stub  # noqa: E402

signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
TARGET = Path.cwd()
os.chdir(TARGET.parent)  # the directory itself goes away for a while
try:
    sys.exit(replace_stub(TARGET, generate, sys.stdout.write, plan_shown=PLAN_SHOWN))
except KeyboardInterrupt:
    sys.exit(128 + signal.SIGINT)
except Exception as error:  # a person must not be shown two stacks of two programs
    what = " ".join(f"{type(error).__name__}: {error}".split())
    sys.stdout.write(f"error: a fault of anycastle, not of your answers: {what}. Please report this line.\n")
    sys.exit(1)
