"""What nobody could judge, in as few lines as possible: one for each code instead of one for each place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile

from anycastle.finding import Finding, Severity
from anycastle.report.lines import place_of, plain

SHOWN = 8
"""Names in one line; more are counted."""
_WORDS = 2
"""What differs between messages by more words than these is no name."""

MARK = "not checked: "

_PHRASES: dict[str, str] = {
    "ARGO005": "sources are not in the repository",
    "ARGO006": "charts are not in the repository",
    "OBJ011": "kinds have no schema here",
    "OBJ012": "kinds are covered in part",
    "OBJ016": "kinds have rules that were not asked",
    "READ006": "charts are used by nothing",
    "READ008": "routers have a configuration that is not read",
}
"""What the commonest ones have in common, after their number; of others, the message says it."""


def unchecked_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Lines without an end: several findings of one code as a sentence, a single one as it is."""
    mine = sorted((each for each in findings if each.severity is Severity.UNCHECKED), key=lambda each: each.code)
    for code, group in groupby(mine, key=lambda each: each.code):
        members = list(group)
        if len(members) == 1:
            yield f"{MARK}{place_of(members[0])}: {plain(members[0].message)} ({code})"
        else:
            yield f"{MARK}{_together(code, members)} ({code})"


def _together(code: str, findings: Sequence[Finding]) -> str:
    """`4 charts are not in the repository: a, b, c, d`: the word by which the messages differ where that is a name."""
    texts = [plain(finding.message).split() for finding in findings]
    start = _in_common(texts)
    end = _in_common([text[start:][::-1] for text in texts])
    middles = [" ".join(text[start : len(text) - end]).strip(",;:") for text in texts]
    if all(0 < len(middle.split()) <= _WORDS for middle in middles):
        around = " ".join((*texts[0][:start], "...", *texts[0][len(texts[0]) - end :])).rstrip(".")
        return f"{len(findings)} {_PHRASES.get(code, f'times {around}')}: {_listed(sorted(set(middles)))}"
    places = list(dict.fromkeys(place_of(finding) for finding in findings))
    return f"{len(findings)} {_PHRASES.get(code, 'places')}: {_listed(places)}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more}"


def _in_common(texts: Sequence[Sequence[str]]) -> int:
    """With how many equal words all texts begin."""
    return sum(1 for _words in takewhile(lambda words: len(set(words)) == 1, zip(*texts, strict=False)))
