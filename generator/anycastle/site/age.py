"""Recipients of age: the public half of a key pair, in Bech32 (age's specification, X25519 recipients; BIP 173)."""

from __future__ import annotations

from collections.abc import Iterable

from anycastle.fields import FieldError

_ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_PREFIX = "age"
_LENGTH = 62
"""Characters: prefix, separator, 32 bytes in groups of five bits, six of checksum."""
_CHECKSUM = 6

EXAMPLES = frozenset(
    (
        "age1helqcqsh9464r8chnwc2fzj8uv7vr5ntnsft0tn45v2xtz0hpfwq98cmsg",
        "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
        "age1yt3tfqlfrwdwx0z0ynwplcr6qxcxfaqycuprpmy89nr83ltx74tqdpszlw",
    )
)
"""Recipients that the documentation of Flux, age and SOPS shows; their secret halves are somebody else's."""


def parse_recipient(value: object) -> str:
    """An X25519 recipient, `age1` and 58 characters. Raises `FieldError`, which never repeats a secret key."""
    if not isinstance(value, str):
        raise FieldError("A recipient of age is a text.", "Write the line that begins with age1.")
    if value.strip().upper().startswith("AGE-SECRET-KEY-"):
        raise FieldError(
            "This is the secret half of an age key, and it would be committed: whoever reads it opens every secret.",
            "Make a new key with `age-keygen`, and write its public half, which begins with age1.",
        )
    fault = _fault(value)
    if fault:
        raise FieldError(
            f"{fault}, so nothing could be encrypted for it.",
            "Write what `age-keygen -y KEYFILE` prints: age1 and 58 more characters.",
        )
    if value in EXAMPLES or len(set(_data(value)[: -_CHECKSUM - 1])) == 1:
        raise FieldError(
            "This recipient is an example, and nobody here has its secret half: what is encrypted for it is lost.",
            "Make a key of your own with `age-keygen -o FILE`, outside of the repository.",
        )
    return value


def _fault(text: str) -> str:
    """What keeps a text from being a recipient, as the beginning of a sentence; empty where nothing does."""
    if not text.lower().startswith(f"{_PREFIX}1"):
        return "The value is no recipient of age, which begins with age1"
    if text != text.lower():
        return "The recipient has capital letters, which age does not write"
    if len(text) != _LENGTH:
        return f"The recipient has {len(text)} characters and not {_LENGTH}"
    if not set(text[len(_PREFIX) + 1 :]) <= set(_ALPHABET):
        return "The recipient has characters that Bech32 does not know"
    return "" if _polymod([*_expanded(_PREFIX), *_data(text)]) == 1 else "The checksum of the recipient is wrong"


def _data(text: str) -> list[int]:
    return [_ALPHABET.index(character) for character in text[len(_PREFIX) + 1 :]]


def _expanded(prefix: str) -> list[int]:
    return [*(ord(one) >> 5 for one in prefix), 0, *(ord(one) & 31 for one in prefix)]


def _polymod(values: Iterable[int]) -> int:
    """Bech32's checksum over groups of five bits; 1 where it is right."""
    check = 1
    for value in values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_GENERATOR):
            check ^= generator if top >> bit & 1 else 0
    return check
