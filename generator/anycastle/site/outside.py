"""What a site says of the way out: proxies, registries, their mirrors, and certificates of an authority of its own.

Like the functions of `fields`, each raises `FieldError`.
"""

from __future__ import annotations

import binascii
import re
from ipaddress import IPv6Address, ip_address, ip_network

from anycastle.fields import FieldError, shown

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9a-fA-F:.]+\])"
_PORT = r"(?::[0-9]{1,5})?"
_WORD = r"[a-z0-9]+(?:[._-]+[a-z0-9]+)*"
_PROXY = re.compile(rf"https?://{_HOST}{_PORT}/?\Z")
_MIRROR = re.compile(rf"https?://{_HOST}{_PORT}((?:/{_WORD})*)/?\Z")
_CHARTS = re.compile(rf"https?://{_HOST}{_PORT}(?:/[A-Za-z0-9._~-]+)*/?\Z")
_REGISTRY = re.compile(rf"(?:{_LABEL}(?:\.{_LABEL})+{_PORT}|{_LABEL}:[0-9]{{1,5}}|\[[0-9a-fA-F:.]+\]{_PORT})\Z")
_NAME = re.compile(rf"\.?{_LABEL}(?:\.{_LABEL})*\.?{_PORT}\Z")
_PEM = re.compile(r"-----BEGIN ([A-Z0-9 ]{1,40})-----\s([A-Za-z0-9+/=\s]*)-----END \1-----")
_MARK = re.compile(r"-----(?:BEGIN|END) ")
_SECRET = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY")
_DOCKER = frozenset(("index.docker.io", "registry-1.docker.io", "registry.docker.io", "hub.docker.com"))
_MOST = 64 * 1024
"""Characters of all certificates; a ConfigMap takes a megabyte, a person a handful of certificates."""


def parse_proxy(value: object) -> str:
    """The URL of a proxy, `http://proxy.example.com:3128`, without credentials."""
    text = _url(value, "a proxy", "http://proxy.example.com:3128")
    _without_credentials(text, "Leave it out, and let the proxy admit the machines by their addresses.")
    if _PROXY.match(text) and _fits(text):
        return text.rstrip("/")
    raise FieldError(
        f"{shown(text)} is not the URL of a proxy.",
        "Write scheme, host and port, such as http://proxy.example.com:3128.",
    )


def parse_mirror(value: object) -> str:
    """The URL of a mirror with the path that its image names begin with, `https://registry.example.com/docker.io`."""
    text = _url(value, "a mirror", "https://registry.example.com/docker.io")
    _without_credentials(text, "Leave it out; a mirror that asks for a login is not carried yet.")
    match = _MIRROR.match(text)
    if match and match[1].startswith("/v2"):
        bare = text.replace("/v2", "", 1).rstrip("/")
        raise FieldError(
            f"{shown(text)} has the path of the registry's API, where the names of images are wanted.",
            f"Write {bare}.",
        )
    if match and _fits(text):
        return text.rstrip("/")
    raise FieldError(
        f"{shown(text)} is not the URL of a mirror.",
        "Write scheme, host and the path of its images, such as https://registry.example.com/docker.io.",
    )


def parse_charts(value: object) -> str:
    """The URL of a Helm repository, below which its `index.yaml` lies; empty for none."""
    if value == "":
        return ""
    text = _url(value, "a repository of charts", "https://charts.example.com/upstream")
    _without_credentials(text, "Leave it out; the engine's repository Secret has it, in the cluster.")
    if _CHARTS.match(text) and _fits(text) and not {".", ".."} & {*text.split("/")}:
        return text.rstrip("/")
    raise FieldError(
        f"{shown(text)} is not the URL of a Helm repository.",
        "Write the address below which its index.yaml lies, such as https://charts.example.com/upstream.",
    )


def parse_registry(value: object) -> str:
    """A registry as the names of images begin with it: `docker.io`, `registry.example.com:5000`."""
    text = value if isinstance(value, str) else ""
    if text in _DOCKER:
        raise FieldError(
            f"{text} is never part of an image's name: its images are called docker.io.", "Write docker.io."
        )
    if "://" in text or "/" in text:
        bare = text.partition("://")[2] or text
        raise FieldError(f"{shown(text)} is more than the name of a registry.", f"Write {bare.partition('/')[0]}.")
    if _REGISTRY.match(text) and _fits(text):
        return text
    raise FieldError(
        f"{shown(value)} is not a registry.", "Write the host of its images, such as docker.io or quay.io."
    )


def parse_exemption(value: object) -> str:
    """What is asked without the proxy: a name, `.example.com` for all names below it, an address, a network."""
    text = value if isinstance(value, str) else ""
    if "%" in text:  # behind it ipaddress takes anything, line breaks too
        raise FieldError("A zone behind % means something on one machine only.", "Write the address without it.")
    try:
        return str(ip_network(text) if "/" in text else ip_address(text))
    except ValueError:
        pass
    if "/" not in text and _NAME.match(text) and not text.strip(".").replace(".", "").isdigit():
        return text
    raise FieldError(
        f"{shown(value)} is neither a name, an address nor a network.",
        "Write .example.com, registry.example.com, 10.0.0.5 or 10.0.0.0/8.",
    )


def parse_certificates(value: object) -> str:
    """Certificates as PEM, one after another and nothing between them; no private key. No clock: none expires here."""
    text = value if isinstance(value, str) else ""
    if _SECRET.search(text):
        raise FieldError(
            "A private key stands among the certificates, and would be committed in clear text.",
            "Take it out, and consider it known; only the certificate of the authority belongs here.",
        )
    blocks = _PEM.findall(text) if len(text) <= _MOST else []
    broken = not blocks or len(_MARK.findall(text)) != 2 * len(blocks)
    if broken or any(kind != "CERTIFICATE" or not _is_certificate(body) for kind, body in blocks):
        raise FieldError(
            "The text is no list of certificates in PEM, so nothing that reads it would trust anybody by it.",
            "Write the lines from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE----- as they are, in a block.",
        )
    return "".join(f"-----BEGIN CERTIFICATE-----\n{_lines(body)}-----END CERTIFICATE-----\n" for _kind, body in blocks)


def _lines(body: str) -> str:
    """Base64 in the one form of RFC 7468: lines of 64 characters."""
    packed = "".join(body.split())
    return "".join(f"{packed[at : at + 64]}\n" for at in range(0, len(packed), 64))


def _is_certificate(body: str) -> bool:
    """Whether it is the DER of a sequence of three, as far as its outer lengths say (RFC 5280 section 4.1)."""
    try:
        data = binascii.a2b_base64("".join(body.split()), strict_mode=True)
        tag, content = _element(data)
        parts = []
        while content:
            length = _length(content)
            parts.append(content[0])
            content = content[length:]
        return tag == _SEQUENCE and _length(data) == len(data) and parts == [_SEQUENCE, _SEQUENCE, _BITS]
    except (ValueError, IndexError):
        return False


_SEQUENCE, _BITS = 0x30, 0x03


def _header(data: bytes) -> tuple[int, int]:
    """Length of the header of a DER element, and of its content."""
    first = data[1]
    if first < 0x80:
        return 2, first
    count = first & 0x7F
    if not 1 <= count <= 3 or len(data) < 2 + count:
        msg = "no length"
        raise ValueError(msg)
    return 2 + count, int.from_bytes(data[2 : 2 + count], "big")


def _length(data: bytes) -> int:
    head, content = _header(data)
    if head + content > len(data):
        msg = "cut off"
        raise ValueError(msg)
    return head + content


def _element(data: bytes) -> tuple[int, bytes]:
    head, content = _header(data)
    return data[0], data[head : head + content]


def _url(value: object, what: str, example: str) -> str:
    text = value if isinstance(value, str) else ""
    if "://" in text:
        return text
    if "@" in text:
        raise FieldError(f"The value is not the URL of {what}.", f"Write it without credentials, such as {example}.")
    if text and re.match(rf"{_HOST}{_PORT}(?:/|\Z)", text):
        raise FieldError(
            f"{shown(text)} has no scheme, and who reads it would guess one.",
            f"Write https://{text} or http://{text}.",
        )
    raise FieldError(f"{shown(value)} is not the URL of {what}.", f"Write it as text, for example {example}.")


def _without_credentials(text: str, fix: str) -> None:
    if "@" in text:
        raise FieldError("The URL carries a user name or a password, which would be committed in clear text.", fix)


def _fits(text: str) -> bool:
    """A port that there is, and an address in the brackets."""
    port = re.search(r":([0-9]{1,5})(?:/|\Z)", re.sub(r"\[.*?\]", "", text))
    inside = re.search(r"\[(.*?)\]", text)
    try:
        return (port is None or 1 <= int(port[1]) <= 65535) and (inside is None or bool(IPv6Address(inside[1])))
    except ValueError:
        return False
