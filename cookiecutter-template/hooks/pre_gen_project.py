"""Refuse a directory that holds something, before cookiecutter puts anything beside it."""

import sys
import tempfile
from pathlib import Path

SELF = Path(__file__)
if SELF.parent == Path(tempfile.gettempdir()):  # cookiecutter renders hooks to files that it never removes
    SELF.unlink(missing_ok=True)

if any(Path.cwd().iterdir()):
    sys.stderr.write(
        f"error: {str(Path.cwd())!r} is a directory with something in it; nothing was written. "
        "Choose another site name or output directory.\n"
    )
    sys.exit(1)
