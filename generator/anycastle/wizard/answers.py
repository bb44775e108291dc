"""Flat answers to the plain data of a site file, with every fault named at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anycastle import textfile, yamlio
from anycastle.fields import FieldError
from anycastle.finding import Finding, Refused, Severity, in_order
from anycastle.records import dataclass
from anycastle.wizard import codes
from anycastle.wizard.forms import POD_BLOCK
from anycastle.wizard.nodes import NONE, expand
from anycastle.wizard.questions import BY_KEY, QUESTIONS

CERTIFICATE = "certificate"
"""Name of the ingress's TLS Secret, the first that a tool for Secrets brings."""


@dataclass(frozen=True, slots=True)
class Completed:
    """An answer to every question in its canonical form, and what was wrong with the given ones.

    Where an answer was wrong, its question's default stands in, so that the others could be judged.
    """

    answers: dict[str, str]
    findings: tuple[Finding, ...]


def complete(given: Mapping[str, str]) -> Completed:
    """Fill in the defaults of what was not answered, and judge what was."""
    findings = unknown_names(given)
    answers: dict[str, str] = {}
    usable: dict[str, str] = {}
    for question in QUESTIONS:
        default = question.default(answers)
        text = given.get(question.key, default)
        try:
            answers[question.key] = usable[question.key] = question.answer(text, usable)
        except FieldError as error:
            answers[question.key] = default
            findings.append(codes.wrong_answer(question.key, error.problem, error.fix))
    return Completed(answers, in_question_order(findings))


def unknown_names(given: Mapping[str, str]) -> list[Finding]:
    """One finding for each name that no question has."""
    return [codes.unknown_answer(key, BY_KEY) for key in given if key not in BY_KEY]


def outweighed(given: Mapping[str, str]) -> list[Finding]:
    """One finding for each answer beside a whole site file, which it cannot change."""
    problem = "The file of answers is a whole site file, which single answers do not change."
    return [codes.wrong_answer(key, problem, "Write it in the file, or give answers by name.") for key in given]


def in_question_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """A person corrects the first wrong answer first; later ones may follow from it."""
    place = {question.key: number for number, question in enumerate(QUESTIONS)}
    return tuple(sorted(in_order(findings), key=lambda finding: place.get(finding.where.key, -1)))


def site_data(answers: Mapping[str, str]) -> dict[str, Any]:
    """The plain data that `site.load.parse` takes; questions without an answer get their default.

    Raises `Refused` with a finding for each unknown name and each wrong answer.
    """
    completed = complete(answers)
    if completed.findings:
        raise Refused(completed.findings)
    return _data(completed.answers)


def _data(answers: Mapping[str, str]) -> dict[str, Any]:
    return {
        "schema": 1,
        "name": answers["site_name"],
        "domain": answers["domain"],
        "kubernetes": _kubernetes(answers),
        "networks": _networks(answers),
        "routers": [
            {
                "name": "router",
                "address": answers["router_address"],
                "asn": int(answers["router_asn"]),
                "software": answers["router_software"],
                "interface": answers["router_interface"],
            }
        ],
        "bgp": _bgp(answers),
        "nodes": _nodes(answers),
        "load_balancer": {
            "assign": answers["assign"],
            "pools": [{"name": "loadbalancer-pool", "ranges": answers["load_balancer_pool"].split(", ")}],
        },
        "ingress": [_ingress(answers)],
        "gitops": _gitops(answers),
    }


def _gitops(answers: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {key: answers[key] for key in ("engine", "repository", "revision")}
    if answers["secrets"] != NONE:
        found["secrets"] = answers["secrets"]
    if answers["age_recipients"] != NONE:
        found["age_recipients"] = answers["age_recipients"].split(", ")
    if answers["host_keys"] != NONE:
        found["known_hosts"] = answers["host_keys"].split(", ")
    return found


def _kubernetes(answers: Mapping[str, str]) -> dict[str, Any]:
    api: dict[str, Any] = {"name": answers["api_name"], "port": 6443}
    if answers["api_vip"] != NONE:
        api["vips"] = [answers["api_vip"]]
    return {"version": answers["kubernetes_version"], "service_cidrs": [answers["service_range"]], "api": api}


def _networks(answers: Mapping[str, str]) -> dict[str, Any]:
    pods = {
        "name": "default-ipv4-ippool",
        "cidr": answers["pod_range"],
        "block_size": POD_BLOCK,
        "encapsulation": "VXLANCrossSubnet",
    }
    link = {"name": "lan", "cidr": answers["node_subnet"], "gateway": answers["router_address"]}
    return {"nodes": [link], "pods": [pods]}


def _bgp(answers: Mapping[str, str]) -> dict[str, Any]:
    asns = {key: int(answers[key]) for key in ("control_plane_asn", "worker_asn") if answers[key] != NONE}
    peering = {"peering": "all"} if answers["workers"] == NONE else {}
    return {**asns, "advertise": answers["advertise"], "node_to_node_mesh": False, **peering}


def _nodes(answers: Mapping[str, str]) -> list[dict[str, Any]]:
    """Without workers the control planes carry the pods, or nothing would run."""
    carrying = {"workloads": True} if answers["workers"] == NONE else {}
    return [
        {"name": name, "role": role, "address": str(address), **carrying}
        for key, role in (("control_planes", "control-plane"), ("workers", "worker"))
        for name, address in expand(answers[key])
    ]


def _ingress(answers: Mapping[str, str]) -> dict[str, Any]:
    ingress: dict[str, Any] = {"name": "traefik", "class": "traefik", "default": True}
    if answers["ingress_address"] != NONE:
        ingress["addresses"] = [answers["ingress_address"]]
    if answers["secrets"] != NONE:  # else the tool would have nothing to bring
        ingress["certificate"] = CERTIFICATE
    return {**ingress, "traffic_policy": "Local", "replicas": int(answers["ingress_replicas"])}


@dataclass(frozen=True, slots=True)
class AnswersFile:
    """What a file held: flat answers, or the document of a complete site file."""

    answers: Mapping[str, str]
    site: yamlio.Document | None = None


def from_file(path: Path) -> AnswersFile:
    """Read answers from YAML or JSON: by name, as cookiecutter's replay file, or a complete site (key `schema`).

    Raises `Refused` where the file cannot be used; unknown names are found by `complete`, wrong answers, too.
    """
    label = str(path)
    try:
        data = textfile.read(path, yamlio.MAX_BYTES)
    except OSError as error:
        problem = f"The file cannot be read: {error.strerror}."
        raise Refused([codes.unusable_file(label, problem, "Check its path.")]) from error
    loaded = yamlio.load(data, label)
    if any(finding.severity is Severity.ERROR for finding in loaded.findings):
        raise Refused(loaded.findings)
    if len(loaded.documents) != 1 or not isinstance(loaded.documents[0].value, dict):
        raise Refused(
            [codes.unusable_file(label, "The file is not one mapping of keys.", "Write `name: answer` lines.")]
        )
    document = loaded.documents[0]
    if "schema" in document.value:
        return AnswersFile({}, document)
    return AnswersFile(_flat(_without_replay_frame(document.value), label))


def _without_replay_frame(value: dict[str, Any]) -> dict[str, Any]:
    """In a replay file of cookiecutter the answers are one level down, among names of its own with an underscore."""
    inner = value.get("cookiecutter")
    if not isinstance(inner, dict):
        return value
    return {key: text for key, text in inner.items() if not key.startswith("_")}


def _flat(value: dict[str, Any], path: str) -> dict[str, str]:
    findings: list[Finding] = []
    answers: dict[str, str] = {}
    for key, item in value.items():
        text = _text(item)
        if text is None:
            findings.append(
                codes.unusable_file(path, "The answer is not one line of text.", 'Quote it: "1.36.4".', key)
            )
        else:
            answers[key] = text
    if findings:
        raise Refused(findings)
    return answers


def _text(item: object) -> str | None:
    """Texts and whole numbers as they are; a list with commas. A float has lost digits: 65000.10 is 65000.1."""
    if isinstance(item, list):
        parts = [_text(part) for part in item]
        return None if None in parts else ", ".join(part for part in parts if part is not None)
    if isinstance(item, str) or (isinstance(item, int) and not isinstance(item, bool)):
        return str(item)
    return None
