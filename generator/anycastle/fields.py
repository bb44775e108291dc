"""Value types of the site file: each turns text into a value, or says in words what is wrong with it.

Every `parse_*` raises `FieldError`, a ValueError whose text is one sentence for what is wrong and one for what to
write instead. pydantic turns it into a validation error of the field; the wizard prints it under the question.
"""

from __future__ import annotations

import re
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
    summarize_address_range,
)

IPAddress = IPv4Address | IPv6Address
IPNetwork = IPv4Network | IPv6Network

MAX_ASN = 4_294_967_295

_LABEL = r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"
_DNS_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\Z")
_DNS_LABEL = re.compile(rf"{_LABEL}\Z")
_INTERFACE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,14}\Z")
_NUMBER = r"(?:0|[1-9][0-9]{0,8})"
_PRERELEASE = rf"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_ROUTER_INTERFACE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@/:-]{0,39}\Z")
_NOT_A_CARD = frozenset(("all", "default", "lo"))
"""Linux keeps the first two for settings of every interface (net.ipv4.conf), the third for the loopback."""
_VERSION = re.compile(rf"v?{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-{_PRERELEASE}(?:\.{_PRERELEASE})*)?\Z")
_LABEL_KEY = re.compile(rf"(?:{_LABEL}(?:\.{_LABEL})*/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{{0,61}}[A-Za-z0-9])?\Z")
_LABEL_VALUE = re.compile(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?\Z")
_GIT_REVISION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,199}\Z")
_DURATION = re.compile(r"(?:([0-9]{1,7})h)?(?:([0-9]{1,7})m)?(?:([0-9]{1,7})s)?\Z")
_LONGEST = 10_000_000  # seconds; what a number without a unit may be
_SECRET_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\Z")


class FieldError(ValueError):
    """What is wrong with one value (`problem`) and what to write instead (`fix`).

    `proposal` is the wrong text and the text that `fix` proposes in its place, where it proposes one: who knows
    more than this value can see whether that would do.
    """

    def __init__(self, problem: str, fix: str, proposal: tuple[str, str] | None = None) -> None:
        self.problem = problem
        self.fix = fix
        self.proposal = proposal
        super().__init__(f"{problem} {fix}")


def shown(value: object) -> str:
    """The value as it may stand in a message: short and on one line."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _text(value: object, what: str, example: str) -> str:
    if not isinstance(value, str):
        raise FieldError(f"{shown(value)} is not {what}.", f"Write it as text, for example {example}.")
    return value


def parse_address(value: object) -> IPAddress:
    """A host address without a mask, IPv4 or IPv6."""
    if isinstance(value, (IPv4Address, IPv6Address)):
        return value
    text = _text(value, "an address", "192.168.20.1")
    _without_zone(text)
    try:
        return ip_address(text)
    except ValueError:
        pass
    if "/" in text:
        bare = text.split("/")[0]
        problem = f"{shown(text)} has a mask, but a single address is wanted."
        raise FieldError(problem, f"Write {bare}.", (text, bare))
    raise FieldError(
        f"{shown(text)} is not an IP address.",
        "Write four numbers from 0 to 255, such as 192.168.20.1, or an IPv6 address.",
    )


def _without_zone(text: str) -> str:
    """The text itself. `ipaddress` takes anything behind a `%`, line ends included, for the zone of an address."""
    if "%" in text:
        raise FieldError(
            f"{shown(text)} has a zone, which is the name of a link on one machine only.",
            "Write the address without % and what follows.",
        )
    return text


def parse_cidr(value: object) -> IPNetwork:
    """A network with its prefix length; host bits must be zero."""
    if isinstance(value, (IPv4Network, IPv6Network)):
        return value
    text = _text(value, "a network", "192.168.10.0/24")
    if "/" not in _without_zone(text):
        raise FieldError(f"{shown(text)} has no prefix length.", "Write a network such as 192.168.10.0/24.")
    try:
        return ip_network(text)
    except ValueError:
        pass
    try:
        loose = ip_network(text, strict=False)
    except ValueError:
        raise FieldError(
            f"{shown(text)} is not a network.", "Write an address and a prefix length: 192.168.10.0/24."
        ) from None
    raise FieldError(
        f"{shown(text)} has host bits set: as a network it begins at {loose.network_address}, not where it "
        "was meant to.",
        f"Did you mean {loose}?",
        (text, str(loose)),
    )


def parse_range(value: object) -> tuple[IPNetwork, ...]:
    """`192.168.20.64/26`, or `192.168.20.64-192.168.20.90` as the smallest list of networks."""
    if isinstance(value, (tuple, list)):
        return tuple(network for item in value for network in parse_range(item))
    if not isinstance(value, str) or "-" not in value:
        return (parse_cidr(value),)
    first, last = (parse_address(part.strip()) for part in value.split("-", 1))
    if first.version != last.version or int(first) > int(last):
        raise FieldError(
            f"{shown(value)} is not a range from a lower to a higher address.",
            "Write the lower address first, both of one family.",
        )
    return tuple(summarize_address_range(first, last))


def parse_asn(value: object) -> int:
    """An AS number, 1 to 4294967295: a number, digits, or `high.low` (RFC 5396)."""
    number = _as_number(value)
    if number is None or isinstance(value, bool):
        raise FieldError(f"{shown(value)} is not an AS number.", "Write a number from 1 to 4294967295, such as 65010.")
    if not 1 <= number <= MAX_ASN:
        raise FieldError(f"{number} is outside the range of AS numbers.", "Write a number from 1 to 4294967295.")
    return number


def _as_number(value: object) -> int | None:
    if isinstance(value, int):
        return int(value)
    if not isinstance(value, str):
        return None
    parts = value.strip().split(".")
    if not all(part.isascii() and part.isdigit() and len(part) < 12 for part in parts):
        return None
    if len(parts) == 2 and int(parts[0]) < 65536 and int(parts[1]) < 65536:
        return int(parts[0]) * 65536 + int(parts[1])
    return int(parts[0]) if len(parts) == 1 else None


def parse_dns_name(value: object) -> str:
    """A DNS name in lower case, at most 253 characters (RFC 1123)."""
    text = _text(value, "a DNS name", "k8s.example.com")
    if len(text) <= 253 and _DNS_NAME.match(text) and not text.replace(".", "").isdigit():
        return text
    if _DNS_NAME.match(text.lower()) and text != text.lower():
        raise FieldError(f"{shown(text)} has capital letters, which Kubernetes refuses.", f"Write {text.lower()}.")
    raise FieldError(
        f"{shown(text)} is not a DNS name.",
        "Use lower-case letters, digits, hyphens and dots, such as control.k8s.example.com.",
    )


def parse_label(value: object) -> str:
    """A name of one DNS label: lower-case letters, digits, hyphens, at most 63 (RFC 1123)."""
    text = _text(value, "a name", "home")
    if _DNS_LABEL.match(text):
        return text
    raise FieldError(
        f"{shown(text)} is not a usable name.",
        "Use at most 63 lower-case letters, digits and hyphens, beginning and ending with a letter or digit.",
    )


def parse_interface(value: object) -> str:
    """A Linux interface name: at most 15 characters, no blank, no slash."""
    text = _text(value, "an interface name", "eth0")
    if text in _NOT_A_CARD:
        raise FieldError(
            f"{text} is no network card: Linux gives the name a meaning of its own.", "Write one like eth0."
        )
    if _INTERFACE.match(text):
        return text
    raise FieldError(
        f"{shown(text)} is not an interface name.", "Write at most 15 characters, such as eth0 or bond0.20."
    )


def parse_router_interface(value: object) -> str:
    """The name of a router's interface, as any system spells it: `eth1`, `GigabitEthernet0/0/1`, `irb.10`."""
    text = _text(value, "an interface name", "eth1")
    if text in _NOT_A_CARD:
        return parse_interface(text)
    if _ROUTER_INTERFACE.match(text):
        return text
    raise FieldError(
        f"{shown(text)} is not an interface name.", "Write at most 40 characters and no blank, such as eth0 or Vlan10."
    )


def parse_version(value: object) -> str:
    """A full release, `1.36.4` or `v1.36.4`; kept without the `v`."""
    text = _text(value, "a version", '"1.36.4"')
    if len(text) > 64 or not _VERSION.match(text):
        raise FieldError(f"{shown(text)} is not a full version.", "Write major, minor and patch, such as 1.36.4.")
    return text.removeprefix("v")


def parse_port(value: object) -> int:
    """A TCP port, 1 to 65535."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 65535:
        raise FieldError(f"{shown(value)} is not a port.", "Write a number from 1 to 65535, such as 6443.")
    return value


def parse_git_revision(value: object) -> str:
    """A branch, tag or commit."""
    text = _text(value, "a branch or tag", "main")
    parts = text.split("/")
    wrong = any(not part or part.startswith(".") or part.endswith((".lock", ".")) for part in parts)
    if _GIT_REVISION.match(text) and ".." not in text and not wrong:
        return text
    raise FieldError(f"{shown(text)} is not a branch or tag.", "Write a name such as main or v1.2.0.")


def parse_duration(value: object) -> int:
    """Seconds: a number, or `90s`, `2m`, `1h30m`."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LONGEST:
        return value
    match = _DURATION.match(value) if isinstance(value, str) and value else None
    if match is None:
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 8:
            return int(value)
        raise FieldError(f"{shown(value)} is not a duration.", "Write seconds, or 90s, 2m, 1h.")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def parse_label_key(value: object) -> str:
    """A Kubernetes label key, with or without a prefix."""
    text = _text(value, "a label key", "topology.kubernetes.io/zone")
    if _LABEL_KEY.match(text) and len(text.rpartition("/")[0]) <= 253:
        return text
    raise FieldError(f"{shown(text)} is not a label key.", "Write [prefix/]name, such as rack or example.com/rack.")


def parse_label_value(value: object) -> str:
    """A Kubernetes label value: at most 63 characters of letters, digits, `-`, `_`, `.`; may be empty."""
    text = _text(value, "a label value", '"true"')
    if _LABEL_VALUE.match(text):
        return text
    raise FieldError(
        f"{shown(text)} is not a label value.", "Use at most 63 letters, digits, hyphens, dots, underscores."
    )


def parse_secret_ref(value: object) -> str:
    """`name/key` of a Kubernetes Secret that holds a password; never the password."""
    text = _text(value, "a reference to a Secret", "bgp-router/password")
    name, _, key = text.partition("/")
    if len(text) <= 253 and _SECRET_NAME.match(name) and re.fullmatch(r"[-_a-zA-Z0-9][-._a-zA-Z0-9]*", key):
        return text
    raise FieldError(
        "The password must be a reference, never the secret itself.",
        "Write SECRET/KEY, such as bgp-router/password.",
    )
