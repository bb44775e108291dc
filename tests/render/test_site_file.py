"""site.yaml as it is written: it parses back, says what each key does, and shows the defaults that matter."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from examples import CASES, Answers, example, many_workers
from hypothesis import assume, given
from hypothesis import strategies as st

from anycastle import yamlio
from anycastle.render.site_comments import COMMENTS, INLINE, OF_ENTRIES, SHOWN
from anycastle.render.site_file import site_yaml, written
from anycastle.site.load import parse
from anycastle.site.model import Site


def reread(site: Site) -> Site:
    loaded = yamlio.load(site_yaml(site))
    assert loaded.findings == ()
    return Site.model_validate(loaded.documents[0].value)


def everything(given_answers: Answers) -> None:
    """Every key that the site file knows, away from its default; much of it is not supported yet."""
    given_answers["kubernetes"]["kube_proxy"] = "kept"
    given_answers["kubernetes"]["dns_domain"] = "k8s.internal"
    given_answers["kubernetes"]["api"] |= {"allow_on_link": True, "certificate_names": ["api.example.org"]}
    given_answers["networks"] |= {
        "reserved": [{"name": "dhcp", "range": "192.168.10.100-192.168.10.199"}],
        "owned": {"asns": [64496], "prefixes": ["192.0.2.0/24"]},
    }
    given_answers["networks"]["pods"][0] |= {"nat_outgoing": False, "export": True}
    given_answers["routers"][0] |= {
        "router_id": "192.0.2.1",
        "multihop": 2,
        "reachable_by": "192.168.10.254",
        "password": "bgp/router",
    }
    given_answers["bgp"] |= {
        "timers": {"hold": 30, "keepalive": 10},
        "graceful_restart": True,
        "restart_time": 120,
        "route_reflectors": {"nodes": ["k8s-node-1"], "cluster_id": "192.0.2.9"},
    }
    given_answers["nodes"][0] |= {
        "addresses": ["2001:db8::17"],
        "labels": {"b": "on", "example.com/a": "007"},
        "announce_services": False,
        "peer": False,
        "workloads": True,
        "rack": "a",
        "asn": 4200000001,
        "router_id": "192.0.2.17",
        "speakers": [{"name": "other", "asn": 65100, "source": "192.168.10.99"}],
        "links": [{"router": "router", "address": "198.51.100.0", "peer": "198.51.100.1", "interface": "eth2"}],
    }
    rack = {"name": "a", "subnet": "lan", "routers": ["router"], "worker_asn": 65031, "label": "rack"}
    given_answers["racks"] = [rack]
    given_answers["load_balancer"] |= {"reserved": [{"name": "old", "range": "192.168.20.70/32"}]}
    given_answers["ingress"][0] |= {"pool": "loadbalancer-pool", "default": False}
    given_answers["gitops"] |= {"engine": "flux", "path": "sites/home", "source": "vendored", "secrets": "sops"}
    given_answers["versions"] = {"calico": "3.33.0"}


@pytest.mark.parametrize("case", ["seed", "lab-ja"])
def test_it_parses_back_to_the_same_site(case: str) -> None:
    site, _network = example(case)
    again = parse(yamlio.load(site_yaml(site)).documents[0].value)
    assert again.findings == ()
    assert again.site == site
    assert site_yaml(site) == site_yaml(reread(site))


def test_every_key_of_the_model_survives() -> None:
    site, _network = example("seed", everything)
    assert reread(site) == site


@given(
    name=st.from_regex(r"[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True),
    label=st.sampled_from(["true", "no", "1e3", "0x10", "012", "2001-01-01", "1.0", "", "null", "y"]),
)
def test_names_and_labels_that_yaml_would_misread_survive(name: str, label: str) -> None:
    def change(answers: Answers) -> None:
        answers["name"] = name
        answers["nodes"][0] |= {"name": name, "labels": {name: label}}

    assume(not name.isdigit())  # a DNS name that looks like an address is refused
    site, _network = example("seed", change)
    assert reread(site) == site


@pytest.mark.parametrize("case", ["seed", "lab-ja"])
def test_every_key_has_a_comment_above_it(case: str) -> None:
    site, _network = example(case)
    lines = site_yaml(site).splitlines()
    keys = [index for index, line in enumerate(lines) if line.lstrip().split(" ")[0].endswith(":")]
    assert len(keys) > 30
    for index in keys:
        assert lines[index - 1].lstrip().startswith("#"), lines[index]


def test_comments_and_shown_defaults_name_keys_of_the_model() -> None:
    known = set(_paths(Site, ""))
    for path in (*COMMENTS, *OF_ENTRIES):
        assert ".".join(map(str, path)) in known
    assert known >= SHOWN
    assert known >= INLINE


def test_every_key_of_the_model_has_a_comment_above_it_or_above_the_list_of_its_entry() -> None:
    site, _network = example("seed")
    plain = set(_keys(written(site), ""))
    for path in _paths(Site, ""):
        key = path.rpartition(".")[2]
        inside = next((one for one in sorted(INLINE, key=len) if path.startswith(f"{one}.")), None)
        if inside is None:
            assert tuple(path.split(".")) in COMMENTS, path
        elif path not in plain and key != "name":  # what the default site says of a machine needs no words
            said = [COMMENTS[tuple(inside.split("."))]]
            said += [text for of, text in OF_ENTRIES.items() if f"{path}.".startswith(f"{'.'.join(map(str, of))}.")]
            assert any(re.search(rf"\b{key}:\s", text) for text in said), path


def test_a_key_of_an_entry_is_explained_where_an_entry_has_it_and_nowhere_else() -> None:
    plain, _network = example("seed")
    full, _network = example("seed", everything)
    has = {tuple(path.split(".")) for path in _keys(written(full), "")}
    assert OF_ENTRIES.keys() - has == {
        ("routers", "addresses"),
        ("racks", "control_plane_asn"),
        ("load_balancer", "pools", "block_size"),
        ("load_balancer", "pools", "allow_on_link"),
        ("ingress", "certificate"),
    }
    for path, text in OF_ENTRIES.items():
        list_key, indent = path[-2], "  " * (len(path) - 2)
        comment = "".join(f"{indent}# {line}\n" for line in text.splitlines())
        assert comment not in site_yaml(plain)
        before, _, behind = site_yaml(full).partition(comment)
        assert bool(behind) == (path in has)
        lines = behind.splitlines()
        first = next((line for line in lines if not line.lstrip().startswith("#")), f"{indent}{list_key}:")
        assert first == f"{indent}{list_key}:", before[-200:]


@pytest.mark.parametrize("case", [path.parent.name for path in sorted(CASES.glob("*/site.yaml"))])
def test_no_comment_is_too_wide(case: str) -> None:
    site, _network = example(case)
    lines = [line for line in site_yaml(site).splitlines() if line.lstrip().startswith("#")]
    assert max(map(len, lines)) <= 120


def test_defaults_that_people_change_are_written() -> None:
    site, _network = example("lab-ja")
    text = site_yaml(site)
    for line in ("  graceful_restart: false", "    hold: 9", "  restart_time: 15", "  calico: 3.32.2", "    vips: []"):
        assert f"{line}\n" in text
    assert "racks" not in text
    assert "kube_proxy" not in text


def test_a_machine_takes_one_line() -> None:
    site, _network = example("seed", many_workers(300))
    lines = site_yaml(site).splitlines()
    assert sum(line.startswith("- {name: ") and "role: worker" in line for line in lines) == 300


def _keys(value: object, at: str) -> Iterator[str]:
    """Dotted keys of what is written, lists passed through."""
    if isinstance(value, list):
        for item in value:
            yield from _keys(item, at)
    elif isinstance(value, dict):
        for key, item in value.items():
            path = f"{at}.{key}".lstrip(".")
            yield path
            yield from _keys(item, path)


def _paths(model: type, at: str) -> list[str]:
    """Dotted keys of a model, lists passed through."""
    found = []
    for name, field in model.model_fields.items():  # type: ignore[attr-defined]
        path = f"{at}.{field.alias or name}".lstrip(".")
        found.append(path)
        inner = _model_in(field.annotation)
        if inner is not None:
            found += _paths(inner, path)
    return found


def _model_in(annotation: object) -> type | None:
    if hasattr(annotation, "model_fields"):
        return annotation  # type: ignore[return-value]
    for argument in getattr(annotation, "__args__", ()):
        found = _model_in(argument)
        if found is not None:
            return found
    return None
