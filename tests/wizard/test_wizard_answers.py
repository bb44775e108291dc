"""Flat answers, from wherever, to a site."""

import json
from pathlib import Path

import pytest

from anycastle.finding import Refused
from anycastle.site.load import parse
from anycastle.wizard.answers import complete, from_file, site_data

HOST_KEYS = (
    ("ssh-ed25519", "C3NzaC1lZDI1NTE5AAAAIBk5zn+aqHqkZJ3fwFftx6dg/wJ59K7j0JuksF0EvjIg"),
    (
        "ecdsa-sha2-nistp256",
        "E2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBNQd2LLc0jtdLcTV0CqEKHgPFvYuz2pDzWzGEWpWlDKXGGQ8Pj4u8mGv2cPGTs4s"
        "4Ao7QqXHhw1W6Pb3mwYw4Ic=",
    ),
)


def keys(refused: Refused) -> list[tuple[str, str]]:
    return [(finding.code, finding.where.key) for finding in refused.findings]


def test_answers_end_up_in_the_site() -> None:
    data = site_data(
        {
            "site_name": "lab",
            "router_asn": "1.10",
            "control_planes": "cp=192.168.10.5",
            "workers": "w[1-2]=192.168.10.6+",
            "load_balancer_pool": "192.168.20.64/27,192.168.20.128-192.168.20.130",
            "assign": "ALL",
            "ingress_address": "none",
            "kubernetes_version": "v1.35.0",
        }
    )
    site = parse(data).site
    assert site is not None
    assert site.name == "lab"
    assert site.routers[0].asn == 65546
    assert [(node.name, node.role, str(node.address)) for node in site.nodes] == [
        ("cp", "control-plane", "192.168.10.5"),
        ("w1", "worker", "192.168.10.6"),
        ("w2", "worker", "192.168.10.7"),
    ]
    assert site.load_balancer.pools[0].ranges == ("192.168.20.64/27", "192.168.20.128-192.168.20.130")
    assert site.load_balancer.assign == "all"
    assert site.ingress[0].addresses == ()
    assert site.kubernetes.version == "1.35.0"


def test_host_keys_become_lines_of_the_site_file() -> None:
    keys = [f"git.corp.net {kind} AAAA{body}" for kind, body in HOST_KEYS]
    data = site_data({"repository": "git@git.corp.net:a/b.git", "host_keys": ",  ".join(keys)})
    site = parse(data).site
    assert site is not None
    assert list(site.gitops.known_hosts) == keys
    assert "known_hosts" not in site_data({"repository": "git@github.com:a/b.git"})["gitops"]


AGE = (
    "age1r6kxll6jc7a62g7c39c8j6m9z4xsc857yz4g7x9sw855g6jt02ks8usj3a",
    "age1d7s6hz3s374wnm4pn035ttvqz56j08yzcqvnx82xuxvu97d5rhrqapd77e",
)


@pytest.mark.parametrize("engine", ["argocd", "flux"])
@pytest.mark.parametrize(
    ("given", "recipients"),
    [
        ({"secrets": "sops", "age_recipients": f"{AGE[0]},{AGE[1]}"}, AGE),
        ({"secrets": "sealed-secrets"}, ()),
        ({"secrets": "External-Secrets"}, ()),
    ],
)
def test_a_tool_for_secrets_brings_the_certificate_of_the_ingress(
    given: dict[str, str], recipients: tuple[str, ...], engine: str
) -> None:
    parsed = parse(site_data({**given, "engine": engine}))
    assert parsed.findings == ()
    assert parsed.site is not None
    assert parsed.site.gitops.secrets == given["secrets"].lower()
    assert parsed.site.gitops.age_recipients == recipients
    assert parsed.site.ingress[0].certificate == "certificate"


def test_without_a_tool_nothing_is_said_of_secrets() -> None:
    data = site_data({"secrets": "none"})
    assert data == site_data({})
    assert "certificate" not in data["ingress"][0]
    assert not {"secrets", "age_recipients"} & set(data["gitops"])


def test_sops_wants_somebody_to_encrypt_for() -> None:
    with pytest.raises(Refused) as caught:
        site_data({"secrets": "sops"})
    assert keys(caught.value) == [("WIZ002", "age_recipients")]


def test_without_an_api_address_there_is_no_kube_vip() -> None:
    data = site_data({"api_vip": "none"})
    assert "vips" not in data["kubernetes"]["api"]
    assert "control_plane_asn" not in data["bgp"]
    assert parse(data).site is not None


def test_every_wrong_answer_and_every_unknown_name_is_named_at_once() -> None:
    with pytest.raises(Refused) as caught:
        site_data({"revision": "..", "node_subnet": "10.0.0.1/24", "router_adress": "10.0.0.1", "xyzzy": "1"})
    assert [(code, key) for code, key in keys(caught.value)] == [
        ("WIZ002", "node_subnet"),
        ("WIZ002", "revision"),
        ("WIZ001", "router_adress"),
        ("WIZ001", "xyzzy"),
    ]
    fixes = {finding.where.key: finding.fix for finding in caught.value.findings}
    assert fixes["router_adress"] == "Did you mean router_address?"
    assert "node_subnet" in fixes["xyzzy"]


def test_a_wrong_answer_makes_no_other_look_wrong() -> None:
    completed = complete({"node_subnet": "10.0.0.0/33", "router_address": "10.0.0.1", "workers": "w=10.0.0.9"})
    assert [finding.where.key for finding in completed.findings] == ["node_subnet"]


@pytest.mark.parametrize(
    "text",
    [
        "site_name: lab\nrouter_asn: 65099\nworkers: [w1=192.168.10.8, w2=192.168.10.9]\n",
        '{"site_name": "lab", "router_asn": 65099, "workers": "w1=192.168.10.8, w2=192.168.10.9"}',
        '{"cookiecutter": {"site_name": "lab", "router_asn": "65099", "_template": "x", "__v_site_name": "lab", '
        '"workers": "w1=192.168.10.8, w2=192.168.10.9"}, "_cookiecutter": {}}',
    ],
)
def test_a_file_of_answers(tmp_path: Path, text: str) -> None:
    path = tmp_path / "answers.yaml"
    path.write_text(text)
    read = from_file(path)
    assert read.site is None
    assert read.answers == {"site_name": "lab", "router_asn": "65099", "workers": "w1=192.168.10.8, w2=192.168.10.9"}


def test_a_whole_site_file_is_known_by_its_schema(tmp_path: Path) -> None:
    path = tmp_path / "site.yaml"
    path.write_text("# hi\nschema: 1\nname: lab\n")
    read = from_file(path)
    assert read.answers == {}
    assert read.site is not None
    assert read.site.value == {"schema": 1, "name": "lab"}
    assert read.site.line(("name",)) == 3


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("- a\n", "WIZ003", "not one mapping"),
        ("", "WIZ003", "not one mapping"),
        ("a: 1\n---\nb: 2\n", "WIZ003", "not one mapping"),
        ("a: [", "YAML001", "not YAML"),
        ("domain: a.b\ndomain: c.d\n", "YAML002", "already set"),
        ("router_asn: 65000.10\n", "WIZ003", "not one line of text"),
        ("domain:\n", "WIZ003", "not one line of text"),
        ("domain: {a: b}\n", "WIZ003", "not one line of text"),
        ("domain: yes\n", "WIZ003", "not one line of text"),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path: Path, text: str, code: str, words: str) -> None:
    path = tmp_path / "answers.yaml"
    path.write_text(text)
    with pytest.raises(Refused) as caught:
        from_file(path)
    assert [finding.code for finding in caught.value.findings] == [code]
    assert words in caught.value.findings[0].message
    assert caught.value.findings[0].where.path == str(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="cannot be read: No such file"):
        from_file(tmp_path / "missing.yaml")


def test_site_data_is_plain() -> None:
    assert json.loads(json.dumps(site_data({}))) == site_data({})
