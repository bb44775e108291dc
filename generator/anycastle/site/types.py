"""The value types of `fields.py` as pydantic sees them, and the base of every model."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, WithJsonSchema

from anycastle import fields
from anycastle.site import age, bounds, git_fields, git_url, outside


def _field(parse: Callable[[object], Any], description: str, *, kind: str = "string") -> tuple[Any, ...]:
    return (BeforeValidator(parse), WithJsonSchema({"type": kind, "description": description}))


Address = Annotated[
    IPv4Address | IPv6Address,
    *_field(fields.parse_address, "An address without a mask, such as 192.168.20.1."),
    PlainSerializer(str),
]
Cidr = Annotated[
    IPv4Network | IPv6Network,
    *_field(fields.parse_cidr, "A network with zero host bits, such as 192.168.10.0/24."),
    PlainSerializer(str),
]
Asn = Annotated[
    int,
    BeforeValidator(fields.parse_asn),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": fields.MAX_ASN},
                {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?$"},
            ],
            "description": "An AS number, 1 to 4294967295.",
        }
    ),
]
DnsName = Annotated[str, *_field(fields.parse_dns_name, "A DNS name in lower case.")]
Label = Annotated[str, *_field(fields.parse_label, "One DNS label: lower-case letters, digits, hyphens.")]
Interface = Annotated[str, *_field(fields.parse_interface, "A Linux interface name.")]
RouterInterface = Annotated[
    str, *_field(fields.parse_router_interface, "An interface, as the router's system names it.")
]
ReleaseVersion = Annotated[str, *_field(fields.parse_version, "A full release such as 1.36.4.")]
ApiPort = Annotated[
    int,
    BeforeValidator(bounds.parse_api_port),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 65535}),
]
RouterId = Annotated[
    IPv4Address, *_field(bounds.parse_router_id, "A BGP identifier, written as an IPv4 address."), PlainSerializer(str)
]
CertificateName = Annotated[str, *_field(bounds.parse_certificate_name, "An address, a DNS name, or `*.` before one.")]
Domain = Annotated[str, *_field(bounds.parse_domain, "A DNS name of at most 246 characters.")]
HostName = Annotated[str, *_field(bounds.parse_host_name, "A DNS name in lower case, not localhost.")]
NodeName = Annotated[str, *_field(bounds.parse_node_name, "A DNS name of at most 63 characters.")]
ServiceName = Annotated[str, *_field(bounds.parse_service_name, "A DNS label that begins with a letter.")]
GitUrl = Annotated[str, *_field(git_url.parse_git_url, "https, ssh or scp-like URL without credentials.")]
AgeRecipient = Annotated[str, *_field(age.parse_recipient, "The public half of an age key: age1 and 58 characters.")]
GitRevision = Annotated[str, *_field(fields.parse_git_revision, "A branch, tag or commit.")]
GitFolder = Annotated[str, *_field(git_fields.parse_folder, "A folder such as clusters/home.")]
KnownHost = Annotated[str, *_field(git_fields.parse_known_host, "A line of known_hosts: HOST TYPE KEY.")]


def _seconds(parse: Callable[[object], int], most: int) -> tuple[Any, ...]:
    number = {"type": "integer", "minimum": 1, "maximum": most}
    return (BeforeValidator(parse), WithJsonSchema({"anyOf": [number, {"type": "string"}]}))


HoldTime = Annotated[int, *_seconds(bounds.parse_hold_time, 65535)]
Keepalive = Annotated[int, *_seconds(bounds.parse_keepalive, 21845)]
RestartTime = Annotated[int, *_seconds(bounds.parse_restart_time, 4095)]
LabelKey = Annotated[str, *_field(fields.parse_label_key, "A Kubernetes label key.")]
LabelValue = Annotated[str, *_field(fields.parse_label_value, "A Kubernetes label value.")]
SecretName = Annotated[str, *_field(bounds.parse_secret_name, "The name of a Secret, a DNS name.")]
ProxyUrl = Annotated[str, *_field(outside.parse_proxy, "http://HOST:PORT or https://HOST:PORT, without credentials.")]
MirrorUrl = Annotated[str, *_field(outside.parse_mirror, "https://HOST/PATH, as the names of its images begin.")]
ChartsUrl = Annotated[str, *_field(outside.parse_charts, "https://HOST/PATH, below which index.yaml lies.")]
RegistryName = Annotated[str, *_field(outside.parse_registry, "A registry, as the names of images begin with it.")]
Exemption = Annotated[str, *_field(outside.parse_exemption, "A name, .example.com, an address or a network.")]
Certificates = Annotated[str, *_field(outside.parse_certificates, "Certificates in PEM, one after another.")]
SecretRef = Annotated[str, *_field(fields.parse_secret_ref, "SECRET/KEY, never the secret itself.")]


def _as_range(value: object) -> str:
    """In one spelling: what is written into files holds no blank, and an IPv6 address only one form."""
    text = value if isinstance(value, str) else str(fields.parse_cidr(value))
    fields.parse_range(text)
    if "-" not in text:
        return str(fields.parse_cidr(text))
    return "-".join(str(fields.parse_address(part.strip())) for part in text.split("-", 1))


Range = Annotated[
    str, BeforeValidator(_as_range), WithJsonSchema({"type": "string", "description": "CIDR or first-last."})
]
"""`fields.parse_range` gives its networks."""


class Model(BaseModel):
    """Frozen, and closed: an unknown key is an error, since a misspelt one would change nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
