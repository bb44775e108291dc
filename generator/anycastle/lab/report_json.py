"""The lab's report for machines: one JSON object; times are seconds, moments count from the failure."""

from __future__ import annotations

import json
from typing import Any

from anycastle.lab.report_text import NOT_REAL
from anycastle.lab.result import Outcome, Result, Stretch


def as_json(result: Result) -> str:
    """The whole run."""
    return json.dumps(_whole(result), indent=2, ensure_ascii=False) + "\n"


def _whole(result: Result) -> dict[str, Any]:
    return {
        "lab": result.name,
        "failed": result.failed,
        "up": _round(result.up),
        "seconds": _round(result.seconds),
        "mebibytes": round(result.mebibytes, 1),
        "endpoints": {service: list(nodes) for service, nodes in result.endpoints.items()},
        "files": dict(result.files),
        "checks": [
            {"name": one.name, "verdict": one.verdict.value, "text": one.text, "seconds": _round(one.took)}
            for one in result.checks
        ],
        "scenarios": [_outcome(one) for one in result.outcomes],
        "notes": [*result.notes, NOT_REAL],
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "name": outcome.name,
        "verdict": outcome.verdict.value,
        "what": outcome.what,
        "text": outcome.text,
        "promised": _round(outcome.promise),
        "promised_by": outcome.basis,
        "right_after": _round(outcome.took),
        "back_after": _round(outcome.back),
        "targets": [_stretch(one) for one in outcome.stretches],
        "events": [
            {"at": _round(one.at), "text": one.text} for one in sorted(outcome.events, key=lambda event: event.at)
        ],
    }


def _stretch(stretch: Stretch) -> dict[str, Any]:
    return {
        "target": stretch.target,
        "sent": len(stretch.samples),
        "lost": len(stretch.lost),
        "lost_at": [_round(one.at) for one in stretch.lost],
    }


def _round(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)
