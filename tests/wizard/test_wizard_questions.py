"""Each question alone: its default, and what it says to a wrong answer."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anycastle import yamlio
from anycastle.fields import FieldError
from anycastle.site.load import parse
from anycastle.wizard.answers import complete, site_data
from anycastle.wizard.asking import explained
from anycastle.wizard.help import HELP
from anycastle.wizard.questions import BY_KEY, QUESTIONS, question_of

SEED = Path(__file__).resolve().parents[1] / "cases" / "seed" / "site.yaml"

KEY = "git.example.net ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBk5zn+aqHqkZJ3fwFftx6dg/wJ59K7j0JuksF0EvjIg"

# question, answer, earlier answers that differ from the default, words of the problem, words of the cure
AGE = "age1r6kxll6jc7a62g7c39c8j6m9z4xsc857yz4g7x9sw855g6jt02ks8usj3a"

WRONG = [
    ("site_name", "My Home", {}, "not a usable name", "lower-case letters"),
    ("site_name", "../escape", {}, "not a usable name", "lower-case letters"),
    ("site_name", "a" * 64, {}, "not a usable name", "at most 63"),
    ("domain", "Example.com", {}, "capital letters", "Write example.com"),
    ("domain", "exa mple.com", {}, "not a DNS name", "control.k8s.example.com"),
    ("kubernetes_version", "1.36", {}, "not a full version", "1.36.4"),
    ("api_name", "192.168.20.1", {}, "not a DNS name", "control.k8s.example.com"),
    ("node_subnet", "192.168.10.1/24", {}, "host bits", "Did you mean 192.168.10.0/24"),
    ("node_subnet", "192.168.10.0", {}, "no prefix length", "192.168.10.0/24"),
    ("node_subnet", "192.168.10.0/31", {}, "has 0 host addresses", "192.168.10.0/24"),
    ("node_subnet", "0.0.0.0/0", {}, "no subnet", "192.168.10.0/24"),
    ("node_subnet", "fd00::/64", {}, "IPv6", "IPv4"),
    ("router_address", "192.168.1.1", {}, "outside the node subnet", "from 192.168.10.1 to 192.168.10.254"),
    ("router_address", "192.168.10.255", {}, "not a host address", "from 192.168.10.1 to 192.168.10.254"),
    ("router_address", "192.168.10.1/24", {}, "has a mask", "Write 192.168.10.1"),
    (
        "router_address",
        "10.1.0.5/24",
        {},
        "has a mask, but a single address is wanted. The router has 10.1.0.5",
        "from",
    ),
    ("router_asn", "banana", {}, "not an AS number", "from 1 to 4294967295"),
    ("router_asn", "0", {}, "outside the range", "from 1 to 4294967295"),
    ("router_software", "cisco", {}, "not one of the choices", "frr or bird"),
    ("router_interface", "eth1; reboot", {}, "not an interface name", "eth0"),
    ("router_interface", "eth1", {"router_software": "junos"}, "no interface called eth1", "irb.10"),
    ("control_planes", "none", {}, "no API server", "three"),
    ("control_planes", "a=10.0.0.1", {}, "a has 10.0.0.1, outside the node subnet", "from 192.168.10.1"),
    ("control_planes", "a=192.168.10.1", {}, "also the router's", "another address"),
    ("control_planes", "a[1-2]=192.168.10.5", {}, "one address to several", "192.168.10.5+"),
    ("control_planes", "a=10.1.0.5/24", {}, "has a mask, but a single address is wanted. a has 10.1.0.5", "from 192"),
    ("api_vip", "192.168.20.1", {"workers": "none"}, "takes one of the two", "Write none"),
    ("workers", "w[1-9]=192.168.10.250+", {}, "w6 has 192.168.10.255, which is not a host", "from 192.168.10.1"),
    ("workers", "w=192.168.10.18", {}, "already k8s-master-2's", "another address"),
    ("workers", "k8s-master-1=192.168.10.99", {}, "already a control plane", "another name"),
    ("api_vip", "192.168.10.5", {}, "inside the node subnet", "outside of it"),
    ("api_vip", "192.168.20", {}, "not an IP address", "four numbers"),
    ("control_plane_asn", "65010", {}, "router's own AS number", "another number"),
    ("control_plane_asn", "none", {}, "needs an AS number", "65020"),
    ("control_plane_asn", "65020", {"api_vip": "none"}, "would change nothing", "Write none"),
    ("worker_asn", "65010", {}, "router's own AS number", "another number"),
    ("worker_asn", "4200000000", {}, "above 2147483647", "64512 to 65534"),
    ("pod_range", "192.168.0.0/16", {}, "overlaps the node subnet", "touches no other"),
    (
        "pod_range",
        "192.168.10.1/20",
        {},
        "begins at 192.168.0.0, not where it was meant to. 192.168.0.0/20 overlaps",
        "no other",
    ),
    ("pod_range", "172.20.0.0/27", {}, "smaller than the /26 block", "172.20.0.0/16"),
    ("service_range", "172.20.0.0/20", {}, "overlaps the pod range", "touches no other"),
    ("service_range", "10.96.0.0", {}, "no prefix length", "192.168.10.0/24"),
    ("load_balancer_pool", "192.168.20.0/24", {}, "contains the API address 192.168.20.1", "without it"),
    ("load_balancer_pool", "192.168.10.128/25", {}, "overlaps the node subnet", "touches no other"),
    ("load_balancer_pool", "192.168.20.9-192.168.20.2", {}, "not a range", "lower address first"),
    ("load_balancer_pool", "192.168.20.64/26,", {}, "no prefix length", "192.168.10.0/24"),
    ("assign", "some", {}, "not one of the choices", "requested or all"),
    ("advertise", "both", {}, "not one of the choices", "host-routes or aggregate"),
    ("ingress_address", "192.168.20.1", {}, "not in the load-balancer pool", "of the pool"),
    (
        "ingress_address",
        "192.168.20.64",
        {},
        "is the network address of its pool",
        "from 192.168.20.65 to 192.168.20.126",
    ),
    ("ingress_address", "192.168.20.127", {}, "is the broadcast address of its pool", "from 192.168.20.65"),
    ("ingress_address", "none", {}, "would ask for none", "address of the pool"),
    ("engine", "argo", {}, "not one of the choices", "argocd or flux"),
    ("secrets", "vault", {}, "not one of the choices", "none or sops or sealed-secrets or external-secrets"),
    ("age_recipients", "none", {"secrets": "sops"}, "nobody to encrypt for", "age-keygen"),
    ("age_recipients", AGE, {}, "With secrets: none nothing is encrypted", "choose sops"),
    ("age_recipients", AGE, {"secrets": "sealed-secrets"}, "With secrets: sealed-secrets nothing", "Write none"),
    ("age_recipients", AGE[:-1], {"secrets": "sops", "age_recipients": AGE}, "61 characters", "age-keygen -y"),
    ("age_recipients", f"{AGE},", {"secrets": "sops", "age_recipients": AGE}, "no recipient of age", "age-keygen -y"),
    ("age_recipients", "AGE-SECRET-KEY-1X", {}, "the secret half", "public half"),
    ("ingress_replicas", "two", {}, "not a number of replicas", "from 1 to 1000"),
    ("ingress_replicas", "0", {}, "not a number of replicas", "from 1 to 1000"),
    ("ingress_replicas", "٣", {}, "not a number of replicas", "from 1 to 1000"),
    ("repository", "https://me:token@git.example.com/x.git", {}, "token", "repository Secret"),
    ("repository", "ftp://example.com/x", {}, "not a repository URL", "https://HOST/PATH.git"),
    ("host_keys", "none", {"repository": "git@git.corp.net:a/b.git"}, "does not know git.corp.net", "ssh-keyscan"),
    (
        "host_keys",
        "none",
        {"repository": "ssh://git@git.corp.net:2222/a/b.git"},
        "does not know [git.corp.net]:2222",
        "ssh-keyscan -p 2222 git.corp.net",
    ),
    (
        "host_keys",
        KEY,
        {"repository": "git@git.corp.net:a/b.git"},
        "key of git.example.net",
        "ssh-keyscan git.corp.net",
    ),
    ("host_keys", "git.corp.net ssh-dss AAAA", {}, "no type of a host key", "ssh-ed25519"),
    ("revision", "--upload-pack=id", {}, "not a branch or tag", "main"),
    ("revision", "a..b", {}, "not a branch or tag", "main"),
    ("api_vip", "", {}, "empty", "Write a value"),
    ("router_address", "10.9.0.1", {"node_subnet": "10.0.0.0/16"}, "outside", "from 10.0.0.1 to 10.0.255.254"),
]

HOSTILE = [
    '"; import os; os.system("id"); "',
    "'''",
    "one\ntwo",
    "one\r\ntwo/24",
    "tab\tbed",
    "{{ 7*7 }}",
    "{% raw %}",
    "../../etc",
    "/etc/passwd",
    "$(touch /tmp/x)",
    "`id`",
    "a; reboot",
    "höme.example.com",
    "\u202egnp.exe",
    "\x1b[2J",
    "\x00",
    "\ud800",
    "-o=ProxyCommand",
    "!!python/object:os.system",
    "<script>",
    "x" * 100_000,
]


def earlier_than(key: str, given: dict[str, str]) -> dict[str, str]:
    answers = complete(given).answers
    return {question.key: answers[question.key] for question in QUESTIONS[: QUESTIONS.index(BY_KEY[key])]}


@pytest.mark.parametrize(("key", "text", "given", "problem", "cure"), WRONG)
def test_a_wrong_answer_is_refused_in_one_line_that_names_the_cure(
    key: str, text: str, given: dict[str, str], problem: str, cure: str
) -> None:
    with pytest.raises(FieldError) as caught:
        BY_KEY[key].answer(text, earlier_than(key, given))
    assert problem in caught.value.problem
    assert cure in caught.value.fix
    assert str(caught.value).isprintable()


def test_every_question_has_a_wrong_answer_here() -> None:
    assert {row[0] for row in WRONG} == set(BY_KEY)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("key", BY_KEY)
def test_hostile_text_is_refused_and_the_refusal_can_be_shown(key: str, text: str) -> None:
    with pytest.raises(FieldError) as caught:
        BY_KEY[key].answer(text, earlier_than(key, {}))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


def test_pressing_enter_gives_the_seed() -> None:
    seed = yamlio.load(SEED.read_bytes()).documents[0].value
    assert site_data({}) == seed


def test_pressing_enter_is_the_canonical_form() -> None:
    answers: dict[str, str] = {}
    for question in QUESTIONS:
        default = question.default(answers)
        answers[question.key] = question.answer(default, answers)
        assert answers[question.key] == default


def test_defaults_follow_from_other_answers() -> None:
    answers = complete({"site_name": "lab", "domain": "lab.test", "node_subnet": "172.24.34.0/24"}).answers
    assert answers["api_name"] == "control.k8s.lab.test"
    assert answers["repository"] == "https://git.lab.test/platform/lab.git"
    assert answers["router_address"] == "172.24.34.1"
    assert answers["control_planes"] == "k8s-master-[1-3]=172.24.34.17+"
    assert answers["workers"] == "k8s-node-[1-5]=172.24.34.20+"
    assert answers["api_vip"] == "172.24.44.1"
    assert answers["load_balancer_pool"] == "172.24.44.64/26"
    assert answers["ingress_address"] == "172.24.44.100"


@pytest.mark.parametrize(
    ("given", "key", "default"),
    [
        ({"load_balancer_pool": "192.168.20.100/30"}, "ingress_address", "192.168.20.102"),
        ({"load_balancer_pool": "192.168.20.100/31"}, "ingress_address", "192.168.20.100"),
        ({"router_asn": "65020"}, "control_plane_asn", "65030"),
        ({"router_asn": "65534"}, "control_plane_asn", "65020"),
        ({"router_asn": "65020"}, "worker_asn", "65040"),
        ({"api_vip": "none"}, "control_plane_asn", "none"),
        ({"api_vip": "none"}, "worker_asn", "65020"),
        ({"router_address": "192.168.10.18"}, "control_planes", "k8s-master-[1-3]=192.168.10.19+"),
        ({"control_planes": "k8s-node-1=192.168.10.20"}, "workers", "k8s-worker-[1-5]=192.168.10.21+"),
        ({"control_planes": "a=192.168.10.254"}, "workers", "k8s-node-[1-5]=192.168.10.2+"),
        ({"node_subnet": "192.168.10.0/29"}, "workers", "k8s-node-[1-2]=192.168.10.5+"),
        ({"workers": "a=192.168.10.30"}, "ingress_replicas", "1"),
        ({"load_balancer_pool": "192.168.20.240/28"}, "ingress_address", "192.168.20.248"),
        ({"api_vip": "192.168.20.65"}, "load_balancer_pool", "192.168.20.128/26"),
        ({"pod_range": "10.96.0.0/16"}, "service_range", "172.24.0.0/14"),
        ({"node_subnet": "172.20.5.0/24"}, "pod_range", "10.244.0.0/16"),
    ],
)
def test_a_default_steps_aside(given: dict[str, str], key: str, default: str) -> None:
    completed = complete(given)
    assert completed.answers[key] == default
    assert not completed.findings


_private = st.sampled_from([0x0A000000, 0xAC100000, 0xC0A80000])


@given(_private, st.integers(8, 29), st.integers(0, 2**24 - 1))
def test_any_private_subnet_leads_to_answers_that_fit_together(base: int, length: int, offset: int) -> None:
    room = {0x0A000000: 8, 0xAC100000: 12, 0xC0A80000: 16}[base]
    length = max(length, room)
    network = (base | offset & (2 ** (32 - room) - 1)) >> (32 - length) << (32 - length)
    subnet = f"{network >> 24}.{network >> 16 & 255}.{network >> 8 & 255}.{network & 255}/{length}"
    completed = complete({"node_subnet": subnet})
    assert not completed.findings
    assert not parse(site_data(completed.answers)).findings


def test_a_site_without_workers_has_control_planes_that_carry_pods_and_no_api_address() -> None:
    given = {"workers": "none", "node_subnet": "10.1.0.0/30"}
    assert not complete(given).findings
    data = site_data(given)
    assert "vips" not in data["kubernetes"]["api"], "Calico speaks from the address that kube-vip would speak from"
    assert [node["workloads"] for node in data["nodes"]] == [True]
    assert data["bgp"]["peering"] == "all"
    assert parse(data).site is not None


def test_a_range_of_two_addresses_uses_both() -> None:
    """Only a network of four and more has addresses for itself, and a first-last range has none at all."""
    for pool, address in (("192.168.20.100/31", "192.168.20.100"), ("192.168.20.64-192.168.20.95", "192.168.20.64")):
        assert not complete({"load_balancer_pool": pool, "ingress_address": address}).findings


def test_every_question_is_explained_with_examples_that_it_takes() -> None:
    assert [*HELP] == [*BY_KEY]
    for key, help_ in HELP.items():
        assert help_.examples
        for example in help_.examples:
            assert BY_KEY[key].answer(example, earlier_than(key, {})) == example


def test_an_explanation_fits_a_terminal_and_shows_reason_and_examples() -> None:
    for question in QUESTIONS:
        text = explained(question)
        assert max(map(len, text.splitlines())) < 80
        assert " ".join(question.why.split()) in " ".join(text.split())
        assert [line.strip() for line in text.splitlines() if line.startswith("      ")] == [
            *HELP[question.key].examples
        ]


@pytest.mark.parametrize(
    ("site_key", "question"),
    [
        ("name", "site_name"),
        ("kubernetes.version", "kubernetes_version"),
        ("kubernetes.api.name", "api_name"),
        ("kubernetes.api.vips[0]", "api_vip"),
        ("kubernetes.service_cidrs[0]", "service_range"),
        ("networks.nodes[0].cidr", "node_subnet"),
        ("networks.nodes[0].gateway", "router_address"),
        ("networks.pods[0].block_size", "pod_range"),
        ("routers[0].address", "router_address"),
        ("routers[0].asn", "router_asn"),
        ("nodes[2].address", "control_planes"),
        ("nodes[3].address", "workers"),
        ("nodes[0].workloads", "workers"),
        ("nodes", "control_planes"),
        ("bgp.peering", "workers"),
        ("load_balancer.pools[0].ranges", "load_balancer_pool"),
        ("load_balancer.assign", "assign"),
        ("ingress[0].addresses[0]", "ingress_address"),
        ("ingress[0].replicas", "ingress_replicas"),
        ("gitops.repository", "repository"),
        ("gitops.known_hosts[0]", "host_keys"),
        ("gitops.secrets", "secrets"),
        ("gitops.age_recipients[1]", "age_recipients"),
        ("ingress[0].certificate", "secrets"),
        ("gitops.revision", "revision"),
    ],
)
def test_a_finding_leads_back_to_its_question(site_key: str, question: str) -> None:
    found = question_of(site_key, control_planes=3)
    assert found is not None
    assert found.key == question


@pytest.mark.parametrize("site_key", ["", "versions.calico", "namespace"])
def test_a_finding_about_what_is_not_asked_leads_nowhere(site_key: str) -> None:
    assert question_of(site_key, control_planes=3) is None
