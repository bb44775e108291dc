"""The scenarios as a picture: a band for each target with its lost requests, and the routes above, over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from anycastle.lab.result import Outcome, Result, Stretch, Verdict

_INK, _MUTED, _PAPER, _RULE = "#1f2328", "#57606a", "#ffffff", "#d0d7de"
_LOST, _FINE, _SHARED, _ROUTE = "#cf222e", "#dafbe1", "#ffebe9", "#0550ae"
_FONT = "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
_WIDTH, _LEFT, _RIGHT = 960, 40, 40
_HEAD, _BAND, _GAP, _FOOT = 64, 34, 26, 40
_BIN = 0.5
"""Seconds that one column of a band stands for."""


def picture(result: Result) -> str:
    """An SVG document; scenarios that were skipped are left out."""
    shown = [one for one in result.outcomes if one.verdict is not Verdict.SKIPPED and one.stretches]
    heights = [_height(one) for one in shown]
    total = 70 + sum(heights) + 16
    body: list[str] = []
    top = 70
    for outcome, height in zip(shown, heights, strict=True):
        body += _scenario(outcome, top)
        top += height
    title = f"{result.name}: what a client saw while the network failed"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{total}" '
            f'viewBox="0 0 {_WIDTH} {total}" role="img" font-family={quoteattr(_FONT)}>',
            f"<title>{escape(title)}</title>",
            f'<rect x="0.5" y="0.5" width="{_WIDTH - 1}" height="{total - 1}" rx="8" '
            f'fill="{_PAPER}" stroke="{_RULE}"/>',
            _text((_LEFT, 34), title, size=18, bold=True),
            *_legend(),
            *(body or [_text((_LEFT, 84), "No scenario was rehearsed.")]),
            "</svg>",
            "",
        ]
    )


def _height(outcome: Outcome) -> int:
    return _HEAD + len(outcome.stretches) * (_BAND + _GAP) + _FOOT


def _legend() -> Iterator[str]:
    entries = ((_FINE, "answered"), (_LOST, "lost, as a share of the requests in half a second"))
    x = _LEFT
    for colour, words in entries:
        yield f'<rect x="{x}" y="46" width="12" height="12" rx="2" fill="{colour}"/>'
        yield _text((x + 18, 56), words, size=12, colour=_MUTED)
        x += 100
    yield f'<path d="M460 46V58" stroke="{_ROUTE}" stroke-width="1.5"/>'
    yield _text((468, 56), "a route changed in a router's kernel", size=12, colour=_MUTED)


def _scenario(outcome: Outcome, top: int) -> list[str]:
    bounds = _bounds(outcome)
    passed = outcome.verdict is Verdict.PASSED
    took = "never right" if outcome.took is None else f"right after {outcome.took:.2f} s"
    verdict = f"{took}, promised {outcome.promise:g} s: {'kept' if passed else 'FAILED'}"
    lines = [
        f'<path d="M{_LEFT} {top + 6}H{_WIDTH - _RIGHT}" stroke="{_RULE}"/>',
        _text((_LEFT, top + 30), outcome.name, size=15, bold=True),
        _text((_WIDTH - _RIGHT, top + 30), verdict, colour=_MUTED if passed else _LOST, anchor="end"),
        _text((_LEFT, top + 50), _fit(outcome.what, 140), size=12, colour=_MUTED),
    ]
    at = top + _HEAD
    for stretch in outcome.stretches:
        lines += [*_band(stretch, bounds, at), *_moments(outcome, bounds, (at + 16, at + 20 + _BAND))]
        at += _BAND + _GAP
    return [*lines, *_axis(bounds, at)]


def _bounds(outcome: Outcome) -> tuple[float, float]:
    moments = [sample.at for stretch in outcome.stretches for sample in stretch.samples]
    return min(moments, default=0.0), max(moments, default=1.0) + _BIN


def _x(at: float, bounds: tuple[float, float]) -> float:
    return round(_LEFT + (at - bounds[0]) / (bounds[1] - bounds[0]) * (_WIDTH - _LEFT - _RIGHT), 1)


def _band(stretch: Stretch, bounds: tuple[float, float], top: int) -> Iterator[str]:
    lost = len(stretch.lost)
    words = f"{stretch.target}: {lost} of {len(stretch.samples)} lost"
    yield _text((_LEFT, top + 12), words, size=12, colour=_LOST if lost else _INK)
    y = top + 18
    yield (f'<rect x="{_LEFT}" y="{y}" width="{_WIDTH - _LEFT - _RIGHT}" height="{_BAND}" rx="3" fill="{_FINE}"/>')
    for start, share in _shares(stretch, bounds):
        left, right = _x(start, bounds), _x(start + _BIN, bounds)
        height = round(_BAND * share, 1)
        yield f'<rect x="{left}" y="{y}" width="{right - left:.1f}" height="{_BAND}" fill="{_SHARED}"/>'
        yield (
            f'<rect x="{left}" y="{y + _BAND - height:.1f}" width="{max(1.5, right - left - 1):.1f}" '
            f'height="{height}" fill="{_LOST}"><title>{share:.0%} lost at {start:.1f} s</title></rect>'
        )


def _shares(stretch: Stretch, bounds: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Columns in which something was lost: where they begin, and the share that was lost."""
    sent: dict[int, int] = {}
    lost: dict[int, int] = {}
    for sample in stretch.samples:
        column = int((sample.at - bounds[0]) / _BIN)
        sent[column] = sent.get(column, 0) + 1
        lost[column] = lost.get(column, 0) + bool(sample.error)
    for column, count in sorted(lost.items()):
        if count:
            yield bounds[0] + column * _BIN, count / sent[column]


def _moments(outcome: Outcome, bounds: tuple[float, float], span: tuple[int, int]) -> Iterator[str]:
    """Across one band a line for each change of a route; the failure itself as a dashed one."""
    zero = _x(0.0, bounds)
    yield f'<path d="M{zero} {span[0]}V{span[1]}" stroke="{_INK}" stroke-width="1.5" stroke-dasharray="4 3"/>'
    for event in outcome.events:
        if bounds[0] <= event.at <= bounds[1] and " -> " in event.text:
            x = _x(event.at, bounds)
            yield (
                f'<path d="M{x} {span[0]}V{span[1]}" stroke="{_ROUTE}" stroke-width="1.5">'
                f"<title>{escape(f'{event.at:.2f} s {event.text}')}</title></path>"
            )


def _axis(bounds: tuple[float, float], y: int) -> Iterator[str]:
    for second in _ticks(bounds):
        x = _x(second, bounds)
        yield f'<path d="M{x} {y - 6}v5" stroke="{_MUTED}"/>'
        yield _text((x, y + 12), f"{second} s", size=11, colour=_MUTED, anchor="middle")


def _ticks(bounds: tuple[float, float]) -> Sequence[int]:
    length = bounds[1] - bounds[0]
    step = next((step for step in (1, 2, 5, 10, 30, 60) if length / step <= 16), 120)
    return range(0, int(bounds[1]) + 1, step)


def _text(
    at: tuple[float, float],
    words: str,
    *,
    size: int = 13,
    colour: str = _INK,
    bold: bool = False,
    anchor: str = "start",
) -> str:
    weight = ' font-weight="600"' if bold else ""
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{at[0]}" y="{at[1]}" font-size="{size}" fill="{colour}"{weight}{placed}>{escape(words)}</text>'


def _fit(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1]}…"
