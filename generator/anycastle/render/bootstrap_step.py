"""One step of the bootstrap, as data."""

from __future__ import annotations

from anycastle.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step. `needs`, `action` and `proves` are lines of POSIX shell, run in this order under `set -eu`.

    `name` is one word of letters and dashes, `does` a line for the list of steps. `needs` only look, and end the
    script with status 3 (`need`, in templates/bootstrap.sh.j2) before anything is changed; that kubectl speaks to this
    cluster is always asked before them. `action` may be repeated at any time, also after it was killed half-way, and
    deletes nothing. `proves` wait for the result, or fail. `stops` say how the step can stop: what one sees, and
    what helps, as they stand in docs/runbook.md.
    """

    number: int = 0
    name: str
    does: str
    needs: tuple[str, ...] = ()
    action: tuple[str, ...] = ()
    proves: tuple[str, ...] = ()
    stops: tuple[tuple[str, str], ...] = ()

    @property
    def target(self) -> str:
        """Of the Makefile, such as `bootstrap-3-calico`."""
        return f"bootstrap-{self.label}"

    @property
    def label(self) -> str:
        """Number and name, such as `3-calico`."""
        return f"{self.number}-{self.name}"
