"""Texts with a form of their own: what is wrong with one, in words.

Each format is a function from a text to a Complaint or None. The schema engine calls it as a yes-or-no
question, and asks again for the words when a text is refused. Placeholders such as `@NAME@` or `${NAME}` stand for
secrets that are filled in on the machine, so they pass where a secret is expected.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from anycastle.records import dataclass
from anycastle.schemas.addresses import (
    DNS_NAME,
    address,
    advertised,
    certificate_name,
    cluster_networks,
    community,
    endpoint,
    ignored_interface,
    join_endpoint,
    network,
    network_or_address,
    peer_address,
    plain_address,
)
from anycastle.schemas.fault import Complaint

Explain = Callable[[str], Complaint | None]

PLACEHOLDER = re.compile(r"(?:sha256:)?(?:@[A-Z][A-Z0-9_]*@|\$\{?[A-Za-z_]\w*\}?|\{\{[^{}]+\}\}|<[A-Za-z][^<>]*>)")
_GO_DURATION = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))*")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_QUANTITY = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Format:
    """How a text is judged; `types` are the JSON types beside which the format is declared."""

    explain: Explain
    types: Any = "string"


def selector(value: str) -> Complaint | None:
    """A Calico selector (CAL014)."""
    from anycastle.network.selector import SelectorError, parse

    try:
        parse(value)
    except SelectorError as error:
        return Complaint(
            "CAL014",
            f"the selector `{value}` cannot be read, so it applies to nothing: {error}",
            "Write it like has(label), !has(label), label == 'value', label in {'a', 'b'}, "
            "joined by && and ||; quote the whole in YAML.",
        )
    return None


def duration(value: str) -> Complaint | None:
    """A duration of Go: `15m0s` (OBJ008)."""
    if value == "0" or _GO_DURATION.fullmatch(value):
        return None
    return Complaint("OBJ008", f"`{value}` is no duration", "Write number and unit, such as 90s or 1h30m.")


def _pattern(pattern: str, what: str, fix: str, code: str = "OBJ008", *, secret: bool = False) -> Explain:
    """A format that is fully said by a pattern, compiled on first use; a secret is never repeated."""

    def explain(value: str) -> Complaint | None:
        if re.fullmatch(pattern, value) or (secret and PLACEHOLDER.fullmatch(value)):
            return None
        return Complaint(code, f"the value is {what}" if secret else f"`{value}` is {what}", fix)

    return explain


def quantity(value: str) -> Complaint | None:
    """An amount of CPU or memory (OBJ116)."""
    if _QUANTITY.fullmatch(value):
        return None
    return Complaint(
        "OBJ116",
        f"`{value}` is no quantity",
        "Write a number and at once its suffix: 250m, 128Mi, 1Gi; no blank and no B behind it.",
    )


def time_stamp(value: str) -> Complaint | None:
    """A point in time as RFC 3339 writes it (OBJ105)."""
    try:
        if _TIME.fullmatch(value) and datetime.fromisoformat(value.upper().replace("Z", "+00:00")[:19]):
            return None
    except ValueError:
        pass
    return Complaint("OBJ105", f"`{value}` is no time stamp", "Write e.g. 2026-01-31T08:00:00Z.")


def base64_text(value: str) -> Complaint | None:
    """Standard base64 with padding (OBJ142); the value may be a secret and is not repeated."""
    try:
        base64.b64decode("".join(value.split("\n")).replace("\r", ""), validate=True)
    except ValueError:
        return Complaint(
            "OBJ142",
            "the value is not base64, so the object is refused",
            "Encode it, or write clear text under `stringData` where it is a Secret.",
        )
    return None


_FLUX_SPAN = r"(\d+(\.\d+)?(ms|s|m|h))+"
_FLUX_SHORT = r"(\d+(\.\d+)?(ms|s|m))+"

FORMATS: dict[str, Format] = {
    "net": Format(network),
    "net-or-address": Format(network_or_address),
    "address": Format(address),
    "ip": Format(plain_address),
    "peer-address": Format(peer_address),
    "selector": Format(selector),
    "community": Format(community),
    "ignored-interface": Format(ignored_interface),
    "duration": Format(duration),
    "felix-span": Format(_pattern(r"(\d+(ms|s|m|h))*", "no duration that Felix reads", "Write e.g. 90s or 5m.")),
    "felix-timeout": Format(
        _pattern(r"((\d+(\.\d*)?)(ms|s|h|m|us))+|Auto", "neither a duration nor Auto", "Write e.g. 60s or Auto.")
    ),
    "rate": Format(_pattern(r"[1-9]\d{0,3}/(second|minute|hour|day)", "no rate", "Write e.g. 100/minute.")),
    "date-time": Format(time_stamp),
    "byte": Format(base64_text),
    "quantity": Format(quantity, ["string", "number"]),
    "quantity-text": Format(quantity, ["integer", "string"]),
    "flux-span": Format(
        _pattern(_FLUX_SPAN, "no duration that Flux reads", "Write number and unit (ms, s, m, h), such as 10m.")
    ),
    "flux-timeout": Format(
        _pattern(_FLUX_SHORT, "no time limit that Flux reads", "Write number and unit (ms, s, m), such as 60s.")
    ),
    "git-url": Format(
        _pattern(r"(https?|ssh)://.*", "no address of a Git repository", "Start it with https:// or ssh://.")
    ),
    "helm-url": Format(
        _pattern(r"(https?|oci)://.*", "no address of a chart repository", "Start it with https:// or oci://.")
    ),
    "oci-url": Format(_pattern(r"oci://.*", "no address of an OCI repository", "Start it with oci://.")),
    "hydrated-path": Format(
        _pattern(r".{2,}|[^./]", "no folder that can be written to", "Name a folder below the root.")
    ),
    "values-key": Format(_pattern(r"[-._a-zA-Z0-9]+", "no key of a ConfigMap or Secret", "Write e.g. values.yaml.")),
    "target-path": Format(
        _pattern(r"([a-zA-Z0-9_\-.\\/]|\[\d{1,5}\])+", "no path into values", "Write e.g. ingress.hosts[0].")
    ),
    "traefik-span": Format(
        _pattern(r"(\d+(ns|us|µs|ms|s|m|h)?)+", "no duration that Traefik reads", "Write e.g. 30s or 500ms."),
        ["integer", "string"],
    ),
    "status-range": Format(
        _pattern(r"([1-5]\d{2}[,-]?)+", "no HTTP status or range of them", "Write e.g. 500-599 or 404.")
    ),
    "mac-prefix": Format(_pattern(r"[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}", "no MAC prefix", "Write e.g. 0E-2A.")),
    "endpoint": Format(endpoint),
    "join-endpoint": Format(join_endpoint),
    "cluster-networks": Format(cluster_networks),
    "advertise-address": Format(advertised),
    "certificate-name": Format(certificate_name),
    "token": Format(
        _pattern(
            r"[a-z0-9]{6}\.[a-z0-9]{16}",
            "no bootstrap token, so no node can join with it",
            "Make one with `kubeadm token generate`, or leave a placeholder such as @TOKEN@.",
            "KUBEADM003",
            secret=True,
        )
    ),
    "certificate-key": Format(
        _pattern(
            r"[0-9a-fA-F]{64}",
            "no certificate key of 64 hexadecimal digits, so no control plane can fetch its certificates",
            "Make one with `kubeadm certs certificate-key`, or leave a placeholder such as @CERTIFICATE_KEY@.",
            "KUBEADM004",
            secret=True,
        )
    ),
    "ca-hash": Format(
        _pattern(
            r"sha256:[0-9a-fA-F]{64}",
            "no hash of a CA certificate, so the join cannot trust the API server",
            "Write sha256: and 64 hexadecimal digits, or leave a placeholder such as @CA_CERT_HASH@.",
            "KUBEADM006",
            secret=True,
        )
    ),
    "cri-socket": Format(
        _pattern(
            r"unix:///.+",
            "no CRI socket with its scheme, so kubeadm stops in preflight",
            "Write e.g. unix:///run/containerd/containerd.sock.",
            "KUBEADM005",
        )
    ),
    "argument-name": Format(
        _pattern(
            r"[^-].*",
            "written with its dashes, so the component would be started with four of them",
            "Write the name alone, such as node-ip.",
            "KUBEADM013",
        )
    ),
    "node-name": Format(
        _pattern(
            f"(?=.{{1,253}}$){DNS_NAME.pattern}",
            "no name that a node can register under",
            "Write a lower-case DNS name.",
            "KUBEADM015",
        )
    ),
    "absolute-path": Format(_pattern(r"/.*", "no absolute path", "Start it with /.", "KUBEADM017")),
    "ca-path": Format(
        _pattern(r"/.*\.crt", "no absolute path to a .crt file", "Name the CA's .crt file.", "KUBEADM017")
    ),
}


def acceptors() -> dict[str, Callable[[str], bool]]:
    """The formats as the schema engine wants them."""
    return {name: _accepts(form.explain) for name, form in FORMATS.items()}


def _accepts(explain: Explain) -> Callable[[str], bool]:
    return lambda value: explain(value) is None
