"""Words of SVG: boxes, lines, text that fits. Pictures bring their own light background, so they read on any page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from anycastle.records import dataclass

INK = "#1f2328"
MUTED = "#57606a"
PAPER = "#ffffff"
EDGE = "#d0d7de"
BLUE = "#0550ae"
BLUE_TINT = "#ddf4ff"
GREEN = "#116329"
GREEN_TINT = "#dafbe1"
AMBER = "#7d4e00"
AMBER_TINT = "#fff8c5"
GREY_TINT = "#f6f8fa"

_FONT = "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
_CHARACTER = 0.62
"""Mean width of a character in ems, on the wide side."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Its horizontal centre."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height


def document(width: float, height: float, title: str, body: Iterable[str]) -> str:
    """A whole picture. `title` is what a screen reader says."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" font-family={quoteattr(_FONT)}>',
        f"<title>{escape(title)}</title>",
        "<defs>",
        *(_arrow_head(colour) for colour in (MUTED, BLUE, GREEN)),
        "</defs>",
        rect(Box(0.5, 0.5, width - 1, height - 1), fill=PAPER, stroke=EDGE, radius=8),
        *body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _arrow_head(colour: str) -> str:
    return (
        f'<marker id="to-{colour[1:]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
    )


def rect(box: Box, *, fill: str, stroke: str, radius: float = 6) -> str:
    """A rectangle with round corners."""
    return (
        f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="{radius:g}" '
        f'fill="{fill}" stroke="{stroke}"/>'
    )


def line(
    points: Sequence[tuple[float, float]], *, colour: str = MUTED, arrow: bool = False, dashed: bool = False
) -> str:
    """A line through points, with an arrow head at its end if wanted."""
    path = " ".join(f"{'ML'[index > 0]}{x:g} {y:g}" for index, (x, y) in enumerate(points))
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    head = f' marker-end="url(#to-{colour[1:]})"' if arrow else ""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}{head}/>'


@dataclass(frozen=True, slots=True)
class Style:
    """How a text looks; `anchor` is start, middle or end."""

    size: float = 13
    colour: str = INK
    bold: bool = False
    anchor: str = "start"


def text(at: tuple[float, float], words: str, style: Style, room: float) -> str:
    """One line of text in `room` pixels: cut with an ellipsis where it is longer, whole in the tool tip."""
    shown = fit(words, room, style.size * (1.1 if style.bold else 1))
    weight = ' font-weight="600"' if style.bold else ""
    anchor = "" if style.anchor == "start" else f' text-anchor="{style.anchor}"'
    tip = "" if shown == words else f"<title>{escape(words)}</title>"
    return (
        f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{style.size:g}" fill="{style.colour}"{weight}{anchor}>'
        f"{tip}{escape(shown)}</text>"
    )


def fit(words: str, room: float, size: float) -> str:
    """The words in `room` pixels: cut in the middle, since names of machines differ at their end."""
    most = max(1, int(room / (size * _CHARACTER)))
    if len(words) <= most:
        return words
    tail = (most - 1) // 2
    return words[: most - 1 - tail] + "…" + words[len(words) - tail :]
