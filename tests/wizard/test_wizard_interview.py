"""The interview, with a person made of lines."""

import pytest

from anycastle.finding import Finding, Place, Refused, Severity
from anycastle.wizard.answers import complete
from anycastle.wizard.asking import OPENING, title, wrapped
from anycastle.wizard.interview import Abort, Person, interview, once_more
from anycastle.wizard.questions import BY_KEY, QUESTIONS

WRITE = "Write it? (yes, or no to change an answer)"
ASKED = [question for question in QUESTIONS if question.key not in ("age_recipients", "host_keys")]
"""What is asked about the default site, whose repository is read by HTTPS, and whose Secrets come without SOPS."""
WHICH = "Which answer shall change? Number or name, or stop"


def finding(key: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding("NET001", severity, Place(key=key), "It will not work.", "Do better.")


def answers_up_to(key: str, *lines: str) -> list[str]:
    """Enter up to a question, then these lines."""
    return [""] * [question.key for question in ASKED].index(key) + [*lines]


def test_enter_all_the_way_gives_the_defaults_and_asks_each_question_once(script) -> None:
    ask, asked = script()
    said: list[str] = []
    assert interview(Person(ask, said.append)) == complete({}).answers
    assert [question for question in QUESTIONS if question.applies(complete({}).answers)] == ASKED
    assert asked == [question.label for question in ASKED]
    assert said[0] == wrapped(OPENING)
    told = [text for text in said if text.startswith("\n[")]
    for shown, question in zip(told, ASKED, strict=True):
        number = QUESTIONS.index(question) + 1
        assert " ".join(shown.split()) == f"[{number}/{len(QUESTIONS)}] {question.why}"
        assert max(map(len, shown.splitlines())) < 80


def test_a_wrong_answer_is_explained_in_one_line_and_asked_again(script) -> None:
    ask, asked = script(*answers_up_to("node_subnet", "10.0.0.1/24", "banana", "10.0.0.0/24"))
    said: list[str] = []
    answers = interview(Person(ask, said.append))
    assert answers["node_subnet"] == "10.0.0.0/24"
    assert answers["router_address"] == "10.0.0.1"
    assert asked.count("Node subnet") == 3
    errors = [line for line in said if line.startswith("error:")]
    assert len(errors) == 2
    assert "Did you mean 10.0.0.0/24?" in errors[0]


def test_the_host_key_of_a_private_server_is_asked_for_until_it_is_the_right_one(script) -> None:
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBk5zn+aqHqkZJ3fwFftx6dg/wJ59K7j0JuksF0EvjIg"
    told = ("", f"other.example.net {key}", f"[git.corp.net]:2222 {key}")
    ask, asked = script(*answers_up_to("repository", "ssh://git@git.corp.net:2222/a/b.git", *told))
    said: list[str] = []
    answers = interview(Person(ask, said.append))
    assert answers["host_keys"] == told[-1]
    assert asked.count(BY_KEY["host_keys"].label) == 3
    errors = [" ".join(text.split()) for text in said if text.startswith("error:")]
    assert ["ssh-keyscan -p 2222 git.corp.net" in line for line in errors] == [True, True]


AGE = "age1r6kxll6jc7a62g7c39c8j6m9z4xsc857yz4g7x9sw855g6jt02ks8usj3a"


def test_only_sops_asks_for_age_keys_and_until_there_is_one(script) -> None:
    ask, asked = script(*answers_up_to("secrets", "sops", "", "age1x", AGE))
    said: list[str] = []
    answers = interview(Person(ask, said.append))
    assert (answers["secrets"], answers["age_recipients"]) == ("sops", AGE)
    assert asked.count(BY_KEY["age_recipients"].label) == 3
    errors = [" ".join(text.split()) for text in said if text.startswith("error:")]
    assert len(errors) == 2
    assert "nobody to encrypt for" in errors[0]
    assert "has 5 characters and not 62" in errors[1]


def test_age_keys_are_dropped_with_sops(script) -> None:
    first = answers_up_to("secrets", "sops", AGE)
    ask, asked = script(*first, *[""] * (len(ASKED) + 1 - len(first)), "no", "secrets", "sealed-secrets", "yes")
    answers = interview(Person(ask, lambda _: None), show_plan=lambda _: "plan")
    assert (answers["secrets"], answers["age_recipients"]) == ("sealed-secrets", "none")
    assert asked[-2:] == [BY_KEY["secrets"].label, WRITE]


def test_node_lists_are_expanded_before_the_eyes(script) -> None:
    ask, _ = script(*answers_up_to("workers", "w[1-2]=192.168.10.40+"))
    said: list[str] = []
    interview(Person(ask, said.append))
    assert "    w1  192.168.10.40\n    w2  192.168.10.41" in said


def test_what_is_preset_is_not_asked_unless_it_is_wrong(script) -> None:
    ask, asked = script()
    said: list[str] = []
    answers = interview(Person(ask, said.append), {"domain": "lab.test", "router_address": "10.0.0.1"})
    assert "Domain" not in asked
    assert asked.count("Router address") == 1
    assert any(line.startswith("error: router_address: ") and "outside" in line for line in said)
    assert answers["domain"] == "lab.test"
    assert answers["router_address"] == "192.168.10.1"


def test_an_unknown_preset_is_refused_before_the_first_question(script) -> None:
    ask, asked = script()
    with pytest.raises(Refused, match="Did you mean router_asn"):
        interview(Person(ask, print), {"router_as": "1"})
    assert not asked


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), EOFError(), Abort()])
@pytest.mark.parametrize("after", [0, 7, len(ASKED)])
def test_stopping_anywhere(script, stop: BaseException, after: int) -> None:
    ask, _ = script(*[""] * after, stop)
    with pytest.raises(Abort):
        interview(Person(ask, lambda _: None), show_plan=lambda _: "plan")


def test_the_plan_is_shown_and_confirmed(script) -> None:
    ask, asked = script(*[""] * len(ASKED), "maybe", "y")
    said: list[str] = []
    interview(Person(ask, said.append), show_plan=lambda answers: f"plan of {answers['site_name']}")
    assert said.index("plan of home") > len(ASKED)
    assert asked[-2:] == [WRITE, WRITE]
    assert "error: Write yes or no." in said


def test_no_and_stop_write_nothing(script) -> None:
    ask, asked = script(*[""] * len(ASKED), "no", "")
    with pytest.raises(Abort):
        interview(Person(ask, lambda _: None), show_plan=lambda _: "plan")
    assert asked[-1].startswith("Which answer")


@pytest.mark.parametrize("name", ["node_subnet", "5"])
def test_no_leads_back_to_one_answer_and_those_that_follow_from_it(script, name: str) -> None:
    first = answers_up_to("control_planes", "cp=192.168.10.9")
    rest = [""] * (len(ASKED) - len(first))
    ask, asked = script(*first, *rest, "no", "nonsense", name, "10.0.0.0/24", "cp=10.0.0.9", "yes")
    said: list[str] = []
    answers = interview(Person(ask, said.append), show_plan=lambda _: "plan")
    assert answers["router_address"] == "10.0.0.1"  # a default follows
    assert answers["control_planes"] == "cp=10.0.0.9"  # an answer that has become wrong is asked again
    assert answers["api_vip"] == "10.0.10.1"
    assert asked[len(ASKED) :] == [
        WRITE,
        WHICH,
        WHICH,
        "Node subnet",
        "Control-plane nodes",
        WRITE,
    ]


def test_errors_of_the_whole_lead_back_to_their_questions(script) -> None:
    shown: list[dict[str, str]] = []

    def show_plan(answers: dict[str, str]) -> str:
        shown.append(answers)
        if len(shown) == 1:
            raise Refused([finding("nodes[4].address"), finding("routers[0].asn"), finding("name", Severity.WARNING)])
        return "plan"

    typed = ["65099", "w=192.168.10.99", "yes"]
    ask, asked = script(*answers_up_to("domain", "lab.test"), *[""] * (len(ASKED) - 2), *typed)
    said: list[str] = []
    answers = interview(Person(ask, said.append), show_plan=show_plan)
    assert asked[len(ASKED) :] == ["AS number of the router", "Worker nodes", WRITE]
    assert "error: nodes[4].address: It will not work. Do better." in said
    assert answers["domain"] == "lab.test"
    assert answers["workers"] == "w=192.168.10.99"
    assert answers["control_plane_asn"] == "65109"  # a default follows


def test_errors_that_no_answer_can_cure_are_raised(script) -> None:
    def show_plan(_answers: dict[str, str]) -> str:
        raise Refused([finding("versions.calico")])

    ask, _ = script()
    with pytest.raises(Refused, match=r"versions\.calico"):
        interview(Person(ask, lambda _: None), show_plan=show_plan)


# --- forth and back ------------------------------------------------------------------------------------


def test_back_leads_to_the_question_before_and_what_was_typed_is_offered_again(script) -> None:
    typed = [*answers_up_to("node_subnet", "10.0.0.0/24", "<", "<"), "control.lab.test", "", ""]
    ask, asked = script(*typed)
    offered: dict[str, list[str]] = {}

    def remembering(prompt: str, default: str) -> str:
        offered.setdefault(prompt, []).append(default)
        return ask(prompt, default)

    answers = interview(Person(remembering, lambda _: None))
    assert asked[3:9] == [
        "Name of the API server",
        "Node subnet",
        "Router address",
        "Node subnet",
        "Name of the API server",
        "Node subnet",
    ]
    assert offered["Node subnet"] == ["192.168.10.0/24", "10.0.0.0/24", "10.0.0.0/24"]
    assert answers["api_name"] == "control.lab.test"
    assert answers["router_address"] == "10.0.0.1"
    assert answers["control_planes"] == "k8s-master-[1-3]=10.0.0.17+"


def test_a_remembered_answer_that_would_be_refused_now_is_not_offered(script) -> None:
    """Enter must not repeat an error."""
    ask, asked = script(*answers_up_to("router_address", "192.168.10.9", "<", "<", "10.0.0.0/24", "", ""))
    said: list[str] = []
    answers = interview(Person(ask, said.append))
    assert answers["router_address"] == "10.0.0.1"
    assert not [line for line in said if line.startswith("error")]
    assert asked.count("Router address") == 3


def test_at_the_first_question_there_is_no_way_back(script) -> None:
    ask, asked = script("<", "lab")
    said: list[str] = []
    assert interview(Person(ask, said.append))["site_name"] == "lab"
    assert "This is the first question." in said
    assert asked[:3] == ["Site name", "Site name", "Domain"]


def test_a_question_is_explained_and_asked_again(script) -> None:
    ask, asked = script("", "?", "lab.test")
    said: list[str] = []
    assert interview(Person(ask, said.append))["domain"] == "lab.test"
    assert asked[1:3] == ["Domain", "Domain"]
    assert any("For example:\n      example.com\n" in text for text in said)


def test_back_at_the_plan_and_inside_a_correction(script) -> None:
    """A correction that a new subnet forces can be left by going back to the subnet."""
    first = [*answers_up_to("control_planes", "cp=192.168.10.9"), *[""] * (len(ASKED) - 10)]
    typed = ["<", "stable", "no", "<", "no", "5", "10.0.0.0/24", "<", "192.168.10.0/24", "yes"]
    ask, asked = script(*first, *typed)
    answers = interview(Person(ask, lambda _: None), show_plan=lambda _: "plan")
    assert asked[len(ASKED) :] == [
        WRITE,
        "Branch",
        WRITE,
        WHICH,
        WRITE,
        WHICH,
        "Node subnet",
        "Control-plane nodes",
        "Node subnet",
        WRITE,
    ]
    assert answers["revision"] == "stable"
    assert answers["control_planes"] == "cp=192.168.10.9", "valid again, so nobody was asked"
    assert answers["node_subnet"] == "192.168.10.0/24"


def test_back_past_an_answer_of_the_command_line_asks_for_it(script) -> None:
    ask, asked = script("<", "lab", "")
    answers = interview(Person(ask, lambda _: None), {"site_name": "home-2"})
    assert asked[:4] == ["Domain", "Site name", "Domain", "Kubernetes version"]
    assert answers["site_name"] == "lab"


def test_the_answers_are_listed_where_one_may_change(script) -> None:
    ask, _ = script(*[""] * len(ASKED), "no", "stop")
    said: list[str] = []
    with pytest.raises(Abort):
        interview(Person(ask, said.append), show_plan=lambda _: "plan")
    rows = said[-1].splitlines()
    assert [row.split()[:2] for row in rows] == [[str(n), q.key] for n, q in enumerate(QUESTIONS, start=1)]
    assert rows[4].split()[2] == "192.168.10.0/24"
    assert max(map(len, rows)) < 80


def test_once_more_asks_the_question_before_and_this_one(script) -> None:
    answers = complete({"api_vip": "none", "router_asn": "65099"}).answers
    before = {question.key: answers[question.key] for question in QUESTIONS[: [*BY_KEY].index("worker_asn")]}
    ask, asked = script("192.168.20.9", "", "65077")
    again = once_more(Person(ask, lambda _: None), before, BY_KEY["worker_asn"])
    assert asked == ["Address of the API server", "AS number of Calico"], "kube-vip's number has a default"
    assert again["api_vip"] == "192.168.20.9"
    assert again["router_asn"] == "65099"
    assert [*again] == [*BY_KEY][: len(again)]
    assert "pod_range" not in again


# --- what does not apply -------------------------------------------------------------------------------


def test_without_an_api_address_nobody_is_asked_for_its_as_number(script) -> None:
    ask, asked = script(*answers_up_to("api_vip", "none"), "<", "none", *[""] * 12, "no", "13", "14", "65044", "yes")
    said: list[str] = []
    answers = interview(Person(ask, said.append), show_plan=lambda _: "plan")
    assert BY_KEY["control_plane_asn"].label not in asked
    assert asked.count("Address of the API server") == 2, "back from 14 leads to 12"
    assert answers["control_plane_asn"] == "none"
    assert answers["worker_asn"] == "65044"
    assert any("control_plane_asn is not asked" in line for line in said)


def test_a_number_of_kube_vip_is_dropped_with_its_address(script) -> None:
    first = [*answers_up_to("control_plane_asn", "65066"), *[""] * (len(ASKED) - 13)]
    ask, _ = script(*first, "no", "api_vip", "none", "yes")
    answers = interview(Person(ask, lambda _: None), show_plan=lambda _: "plan")
    assert answers["control_plane_asn"] == "none"


# --- judged at the question ----------------------------------------------------------------------------


def test_an_error_of_the_whole_is_said_at_its_question_and_a_warning_lets_pass(script) -> None:
    def judge(answers: dict[str, str]) -> list[Finding]:
        assert [*answers] == [*BY_KEY]
        found = [finding("gitops.repository")]  # leads to another question: not said before that
        if answers["router_asn"] == "65001":
            found.append(finding("routers[0].asn"))
        if answers["router_asn"] == "65002":
            found.append(finding("routers[0].asn", Severity.WARNING))
        return found if answers["repository"].startswith("https") else found[1:]

    typed = [*answers_up_to("router_asn", "65001", "65002"), *[""] * 16, "", "git@github.com:p/x.git"]
    ask, asked = script(*typed)
    said: list[str] = []
    answers = interview(Person(ask, said.append, judge))
    assert answers["router_asn"] == "65002"
    assert asked.count("AS number of the router") == 2
    assert asked.count("Repository URL") == 2
    assert [line for line in said if "It will not work" in line] == [
        "error: It will not work. Do better.",
        "warning: It will not work. Do better.",
        "error: It will not work. Do better.",
    ]


def test_a_given_answer_that_could_not_work_is_asked_at_its_place(script) -> None:
    def judge(answers: dict[str, str]) -> list[Finding]:
        return [finding("name")] if answers["site_name"] == "taken" else []

    ask, asked = script("taken", "free")
    answers = interview(Person(ask, lambda _: None, judge), {"site_name": "taken"})
    assert asked[:3] == ["Site name", "Site name", "Domain"]
    assert answers["site_name"] == "free"


def test_another_directory_can_be_given_at_any_question_and_at_the_plan(script) -> None:
    ask, asked = script("-o a b", *[""] * len(ASKED), "-o c", "yes")
    moved: list[str] = []
    plans: list[str] = []
    person = Person(ask, lambda _: None, elsewhere=moved.append)
    interview(person, show_plan=lambda _: plans.append(moved[-1]) or "plan")
    assert moved == ["a b", "c"]
    assert plans == ["a b", "c"], "the plan is shown again with the new place"
    assert asked[:3] == ["Site name", "Site name", "Domain"]


def test_where_the_directory_is_fixed_it_is_an_answer_like_any(script) -> None:
    ask, _ = script("-o x")
    said: list[str] = []
    interview(Person(ask, said.append))
    assert any("not a usable name" in line for line in said)


def test_a_title_keeps_addresses_whole() -> None:
    assert all(len(line) < 80 for question in QUESTIONS for line in title(question).splitlines())
    assert wrapped("a" * 70 + " host-routes 192.168.20.64/26").splitlines()[1] == "host-routes 192.168.20.64/26"
