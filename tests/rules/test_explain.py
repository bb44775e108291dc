"""The document that explains the codes."""

from anycastle.finding import Explanation, Severity
from anycastle.rules import RULES
from anycastle.rules.explain import rules_document

DOCUMENT = rules_document(rule.explanation for rule in RULES)


def test_every_code_has_a_row_and_a_section() -> None:
    lines = DOCUMENT.splitlines()
    for rule in RULES:
        assert f"| [{rule.code}](#{rule.code.lower()}) | {rule.severity} | {rule.title} |" in lines
        place = lines.index(f"### {rule.code}")
        assert lines[place + 2] == f"**{rule.title}** ({rule.severity})"
        assert lines[place + 4] == rule.why.split("\n\n")[0]
        assert f"Source: {rule.source}" in lines[place:]


def test_order_and_doubles_of_the_input_do_not_matter() -> None:
    explanations = [rule.explanation for rule in reversed(RULES)]
    assert rules_document([*explanations, *explanations]) == DOCUMENT


def test_a_family_that_is_not_known_keeps_its_letters() -> None:
    document = rules_document([Explanation("YAML001", "One | of two", "It breaks.", Severity.WARNING)])
    assert "## YAML\n\n### YAML001\n\n**One | of two** (warning)\n\nIt breaks.\n" in document
    assert "| [YAML001](#yaml001) | warning | One \\| of two |" in document
    assert "Source" not in document


def test_it_is_clean_markdown() -> None:
    assert DOCUMENT.startswith("# ")
    assert DOCUMENT.endswith(".\n")
    assert "\n\n\n" not in DOCUMENT
    assert all(line == line.rstrip() for line in DOCUMENT.splitlines())
