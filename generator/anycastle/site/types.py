"""The value types of `fields.py` as pydantic sees them, and the base of every model."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, WithJsonSchema

from anycastle import fields


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
                {"type": "string", "pattern": r"^\d+(\.\d+)?$"},
            ],
            "description": "An AS number, 1 to 4294967295.",
        }
    ),
]
DnsName = Annotated[str, *_field(fields.parse_dns_name, "A DNS name in lower case.")]
Label = Annotated[str, *_field(fields.parse_label, "One DNS label: lower-case letters, digits, hyphens.")]
Interface = Annotated[str, *_field(fields.parse_interface, "A Linux interface name.")]
ReleaseVersion = Annotated[str, *_field(fields.parse_version, "A full release such as 1.36.4.")]
Port = Annotated[
    int,
    BeforeValidator(fields.parse_port),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 65535}),
]
GitUrl = Annotated[str, *_field(fields.parse_git_url, "https, ssh or scp-like URL without credentials.")]
GitRevision = Annotated[str, *_field(fields.parse_git_revision, "A branch, tag or commit.")]
Seconds = Annotated[
    int,
    BeforeValidator(fields.parse_duration),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]}),
]
LabelKey = Annotated[str, *_field(fields.parse_label_key, "A Kubernetes label key.")]
LabelValue = Annotated[str, *_field(fields.parse_label_value, "A Kubernetes label value.")]
SecretRef = Annotated[str, *_field(fields.parse_secret_ref, "SECRET/KEY, never the secret itself.")]


def _as_range(value: object) -> str:
    fields.parse_range(value)
    return str(value)


Range = Annotated[
    str, BeforeValidator(_as_range), WithJsonSchema({"type": "string", "description": "CIDR or first-last."})
]
"""Kept as it was written; `fields.parse_range` gives its networks."""


class Model(BaseModel):
    """Frozen, and closed: an unknown key is an error, since a misspelt one would change nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
