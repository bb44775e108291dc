"""The address of a Git repository, as git, Argo CD and Flux all read it."""

from __future__ import annotations

import re
from ipaddress import IPv4Address

from anycastle.fields import FieldError, shown

_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?"
_PATH = r"[A-Za-z0-9._~+][A-Za-z0-9._~/+-]*"
_USER = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,255}@"
_PORT = r"(?::([0-9]{1,20}))?"
_BY_HTTPS = re.compile(rf"https://({_HOST}){_PORT}/{_PATH}\Z")
_BY_SSH = re.compile(rf"ssh://(?:{_USER})?({_HOST}){_PORT}/{_PATH}\Z")
_LIKE_SCP = re.compile(rf"{_USER}({_HOST})():/?{_PATH}\Z")
_PORT_OF_SCP = re.compile(rf"({_USER}{_HOST}):([0-9]{{1,5}})/({_PATH})\Z")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z")
_CREDENTIAL = re.compile(r"(?i)\s*(?:https?://[^/]*@|(?:[a-z][a-z0-9+.-]*://)?[^/@:]*:[^@/]*@)|.*\?")
_EXAMPLE = "https://git.example.com/platform/home.git"


def parse_git_url(value: object) -> str:
    """A repository URL over https or ssh, without credentials in it. Raises `FieldError`."""
    if not isinstance(value, str):
        raise FieldError(f"{shown(value)} is not a repository URL.", f"Write it as text, for example {_EXAMPLE}.")
    _without_secrets(value)
    _without_port_of_scp(value)
    match = _BY_HTTPS.match(value) or _BY_SSH.match(value) or _LIKE_SCP.match(value)
    if not match or ".." in re.split("[/:]", value):
        raise FieldError(
            f"{'The value' if '@' in value else shown(value)} is not a repository URL.",
            "Write https://HOST/PATH.git, ssh://git@HOST/PATH.git or git@HOST:PATH.git.",
        )
    _judge_host(value, match[1])
    if match[2] and not _is_port(match[2]):
        usual = "443" if value.startswith("https:") else "22"
        raise FieldError(
            f"{shown(value)}: there is no port {match[2]}, so nobody could fetch the repository.",
            f"Write the server's port, a number from 1 to 65535, or leave it out for {usual}.",
        )
    return value


def _without_secrets(text: str) -> None:
    if _CREDENTIAL.match(text):
        raise FieldError(
            "The URL carries a user name, a token or a parameter, which would be committed in clear text.",
            "Leave it out; the credential goes into the engine's repository Secret.",
        )
    if text.startswith("http://"):
        raise FieldError(
            f"{shown(text)} is clear text: who is on the way reads the token and changes what the cluster applies.",
            f"Write https://{shown(text)[8:-1]}, with gitops.ca_certificates where the server has a CA of its own.",
        )


def _without_port_of_scp(text: str) -> None:
    """Git takes everything behind the colon of `git@HOST:` for a path (git-fetch(1), GIT URLS)."""
    found = _PORT_OF_SCP.match(text)
    if not found:
        return
    where, number, path = found.groups()
    _judge_host(text, where.partition("@")[2])
    raise FieldError(
        f"{shown(text)}: behind a host and a colon git takes {number} for a folder, and dials port 22.",
        f"Write ssh://{where}:{number if _is_port(number) else 'PORT'}/{path}, or ssh://{where}/{number}/{path} where "
        f"{number} is a folder.",
    )


def _is_port(number: str) -> bool:
    """Whether digits are a TCP port. A zero in front is refused: known_hosts files would spell it differently."""
    return not number.startswith("0") and int(number) <= 65535


def _judge_host(text: str, host: str) -> None:
    """Raise where a host can neither be looked up (RFC 1123, section 2.1) nor dialled."""
    wrong = next((label for label in host.split(".") if not _LABEL.match(label)), None)
    if wrong == "":
        why = "it has two dots in a row"
    elif wrong is not None:
        why = f"{shown(wrong)} " + (
            "is longer than 63 characters" if len(wrong) > 63 else "begins or ends with a hyphen"
        )
    elif host.replace(".", "").isdigit() and not _is_address(host):
        why = "all digits, it is read as an IPv4 address, which it is not"
    else:
        return
    raise FieldError(
        f"{shown(text)}: {shown(host)} is not a host: {why}, so nobody could fetch the repository.",
        "Write the server's name or IPv4 address, such as git.example.com.",
    )


def _is_address(text: str) -> bool:
    try:
        return bool(IPv4Address(text))
    except ValueError:
        return False
