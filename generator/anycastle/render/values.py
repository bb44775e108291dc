"""The two value files of an app: ours, and the one that belongs to the person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from anycastle import yamlio
from anycastle.records import dataclass
from anycastle.yamlio import Comments


@dataclass(frozen=True, slots=True)
class Values:
    """What `apps/<app>/values.yaml` says: `answers` are the keys of site.yaml that it follows from."""

    answers: tuple[str, ...]
    value: Mapping[str, object] = field(default_factory=dict)
    comments: Comments = field(default_factory=dict)
    note: str = ""

    def text(self) -> str:
        """The file."""
        origin = f"Follows from site.yaml: {', '.join(self.answers)}." if self.answers else "The same at every site."
        origin += "\nGenerated. Your own values go into overrides.yaml, which is read after this file."
        head = yamlio.header(_wrapped(origin) + (f"\n\n{self.note}" if self.note else ""))
        return f"{head}\n{yamlio.dump_commented(self.value, self.comments)}" if self.value else head


def overrides(source: str) -> str:
    """The person's file: a comment, and no value. `source` says where the keys are explained."""
    return yamlio.header(
        "Yours: written once, never touched again. Read after values.yaml, so a value here wins; maps are merged,\n"
        "lists are replaced, and null takes a value away.\n"
        f"The keys: {source}."
    )


def _wrapped(text: str, width: int = 116) -> str:
    """Lines of at most `width` characters where blanks allow it."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split(" "):
            if line and len(line) + 1 + len(word) > width:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return "\n".join(lines)
