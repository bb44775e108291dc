"""The interview, with a person made of lines."""

import pytest

from anycastle.finding import Finding, Place, Refused, Severity
from anycastle.wizard.answers import complete
from anycastle.wizard.interview import Abort, interview
from anycastle.wizard.questions import BY_KEY, QUESTIONS


def finding(key: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding("NET001", severity, Place(key=key), "It will not work.", "Do better.")


def answers_up_to(key: str, *lines: str) -> list[str]:
    """Enter up to a question, then these lines."""
    return [""] * [*BY_KEY].index(key) + [*lines]


def test_enter_all_the_way_gives_the_defaults_and_asks_each_question_once(script) -> None:
    ask, asked = script()
    said: list[str] = []
    assert interview(ask, said.append) == complete({}).answers
    assert asked == [question.label for question in QUESTIONS]
    for number, question in enumerate(QUESTIONS, start=1):
        assert f"\n[{number}/{len(QUESTIONS)}] {question.why}" in said


def test_a_wrong_answer_is_explained_in_one_line_and_asked_again(script) -> None:
    ask, asked = script(*answers_up_to("node_subnet", "10.0.0.1/24", "banana", "10.0.0.0/24"))
    said: list[str] = []
    answers = interview(ask, said.append)
    assert answers["node_subnet"] == "10.0.0.0/24"
    assert answers["router_address"] == "10.0.0.1"
    assert asked.count("Node subnet") == 3
    errors = [line for line in said if line.startswith("error:")]
    assert len(errors) == 2
    assert "Did you mean 10.0.0.0/24?" in errors[0]


def test_node_lists_are_expanded_before_the_eyes(script) -> None:
    ask, _ = script(*answers_up_to("workers", "w[1-2]=192.168.10.40+"))
    said: list[str] = []
    interview(ask, said.append)
    assert "    w1  192.168.10.40\n    w2  192.168.10.41" in said


def test_what_is_preset_is_not_asked_unless_it_is_wrong(script) -> None:
    ask, asked = script()
    said: list[str] = []
    answers = interview(ask, said.append, {"domain": "lab.test", "router_address": "10.0.0.1"})
    assert "Domain" not in asked
    assert asked.count("Router address") == 1
    assert any(line.startswith("error: router_address: ") and "outside" in line for line in said)
    assert answers["domain"] == "lab.test"
    assert answers["router_address"] == "192.168.10.1"


def test_an_unknown_preset_is_refused_before_the_first_question(script) -> None:
    ask, asked = script()
    with pytest.raises(Refused, match="Did you mean router_asn"):
        interview(ask, print, {"router_as": "1"})
    assert not asked


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), EOFError(), Abort()])
@pytest.mark.parametrize("after", [0, 7, len(QUESTIONS)])
def test_stopping_anywhere(script, stop: BaseException, after: int) -> None:
    ask, _ = script(*[""] * after, stop)
    with pytest.raises(Abort):
        interview(ask, lambda _: None, show_plan=lambda _: "plan")


def test_the_plan_is_shown_and_confirmed(script) -> None:
    ask, asked = script(*[""] * len(QUESTIONS), "maybe", "y")
    said: list[str] = []
    interview(ask, said.append, show_plan=lambda answers: f"plan of {answers['site_name']}")
    assert said.index("plan of home") > len(QUESTIONS)
    assert asked[-2:] == ["Write it?", "Write it?"]
    assert "error: Write yes or no." in said


def test_no_and_stop_write_nothing(script) -> None:
    ask, asked = script(*[""] * len(QUESTIONS), "no", "")
    with pytest.raises(Abort):
        interview(ask, lambda _: None, show_plan=lambda _: "plan")
    assert asked[-1].startswith("Which answer")


@pytest.mark.parametrize("name", ["node_subnet", "5"])
def test_no_leads_back_to_one_answer_and_those_that_follow_from_it(script, name: str) -> None:
    first = answers_up_to("control_planes", "cp=192.168.10.9")
    rest = [""] * (len(QUESTIONS) - len(first))
    ask, asked = script(*first, *rest, "no", "nonsense", name, "10.0.0.0/24", "cp=10.0.0.9", "yes")
    said: list[str] = []
    answers = interview(ask, said.append, show_plan=lambda _: "plan")
    assert answers["router_address"] == "10.0.0.1"  # a default follows
    assert answers["control_planes"] == "cp=10.0.0.9"  # an answer that has become wrong is asked again
    assert answers["api_vip"] == "10.0.10.1"
    assert asked[len(QUESTIONS) :] == [
        "Write it?",
        "Which answer shall change? Number or name, or stop",
        "Which answer shall change? Number or name, or stop",
        "Node subnet",
        "Control-plane nodes",
        "Write it?",
    ]


def test_errors_of_the_whole_lead_back_to_their_questions(script) -> None:
    shown: list[dict[str, str]] = []

    def show_plan(answers: dict[str, str]) -> str:
        shown.append(answers)
        if len(shown) == 1:
            raise Refused([finding("nodes[4].address"), finding("routers[0].asn"), finding("name", Severity.WARNING)])
        return "plan"

    typed = ["65099", "w=192.168.10.99", "yes"]
    ask, asked = script(*answers_up_to("domain", "lab.test"), *[""] * (len(QUESTIONS) - 2), *typed)
    said: list[str] = []
    answers = interview(ask, said.append, show_plan=show_plan)
    assert asked[len(QUESTIONS) :] == ["AS number of the router", "Worker nodes", "Write it?"]
    assert "error: nodes[4].address: It will not work. Do better." in said
    assert answers["domain"] == "lab.test"
    assert answers["workers"] == "w=192.168.10.99"
    assert answers["control_plane_asn"] == "65109"  # a default follows


def test_errors_that_no_answer_can_cure_are_raised(script) -> None:
    def show_plan(_answers: dict[str, str]) -> str:
        raise Refused([finding("versions.calico")])

    ask, _ = script()
    with pytest.raises(Refused, match=r"versions\.calico"):
        interview(ask, lambda _: None, show_plan=show_plan)
