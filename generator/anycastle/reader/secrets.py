"""Secrets in clear text, wherever in the repository they stand. A finding names the place, never the secret."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from anycastle.finding import Place
from anycastle.reader import sealing
from anycastle.reader.documents import Object
from anycastle.reader.environment import environment
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, sequence, text
from anycastle.yamlio import Path as Keys

_PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
_NO_KEY = re.compile(
    rb"(?:\\[nrt]|[\s#\"'])*+(?:-----END|<|[^\n\\-]{0,80}?\.\.\.|(?![\w-]+: )[^\n\\-]{0,80}?[A-Za-z]{2,} [A-Za-z]{2,})"
)
"""What follows the first line of a key where there is none: nothing, a mark, dots, or the rest of a sentence."""
_TOKEN = re.compile(r"[a-z0-9]{6}\.[a-z0-9]{16}\Z")
_CERTIFICATE_KEY = re.compile(r"[0-9a-fA-F]{64}\Z")
_FRR_PASSWORD = re.compile(rb"^[ \t]*neighbor[ \t]+\S+[ \t]+password[ \t]+(?=(?P<word>.*?)[ \t\r]*$)\S", re.MULTILINE)
_BIRD_PASSWORD = re.compile(rb"^[ \t]*password[ \t]+\"(?=(?P<word>[^\"\n]*))[^\"\n]", re.MULTILINE)
_NX_OS_PASSWORD = re.compile(rb"^[ \t]+password[ \t]+(?:\d[ \t]+)?(?=(?P<word>.*?)[ \t\r]*$)\S", re.MULTILINE)
_SET_PASSWORD = re.compile(
    rb"^set[ \t]+protocols[ \t]+bgp[ \t].*[ \t](?:password|authentication-key)[ \t]+['\"]?(?=(?P<word>[^'\"\s]+))\S",
    re.MULTILINE,
)
_ROUTEROS_PASSWORD = re.compile(rb"\btcp-md5-key=\"?(?=(?P<word>[^\"\s]+))[^\"\s]", re.MULTILINE)
_SOPS = "ENC["
_OF_ARGO = "argocd.argoproj.io/secret-type"
_PUBLIC = frozenset(
    (
        *("type", "url", "name", "project", "server", "namespaces", "clusterResources", "enableLfs", "enableOCI"),
        *("insecure", "insecureIgnoreHostKey", "insecureOCIForceHttp", "forceHttpBasicAuth", "noProxy", "depth"),
    )
)
"""Keys of the Secrets by which Argo CD knows repositories and clusters that hold nothing secret."""
_WITH_PASSWORD = re.compile(r"://[^/@]*:[^/@]*@")


def in_text(path: str, data: bytes, notes: Notes) -> None:
    """Private keys in any file, passwords in a router's configuration."""
    keys = _PRIVATE_KEY.finditer(data) if b"PRIVATE KEY" in data else iter(())
    if match := next((key for key in keys if not _NO_KEY.match(data, key.end())), None):
        notes.add(
            "SEC004",
            Place(path, data.count(b"\n", 0, match.start()) + 1),
            "A private key stands in clear text; whoever reads the repository can act in its owner's name.",
            "Make a new key, keep it out of git, and let the old one be revoked.",
        )
    if b"router bgp" in data or path.endswith("frr.conf"):
        _passwords(_FRR_PASSWORD, path, data, notes)
        if b"feature bgp" in data:
            _passwords(_NX_OS_PASSWORD, path, data, notes)
    elif b"protocol bgp" in data and path.endswith(".conf"):
        _passwords(_BIRD_PASSWORD, path, data, notes)
    elif b"protocols bgp" in data:
        _passwords(_SET_PASSWORD, path, data, notes)
    elif b"tcp-md5-key=" in data and b"/routing" in data:
        _passwords(_ROUTEROS_PASSWORD, path, data, notes)


def _passwords(pattern: re.Pattern[bytes], path: str, data: bytes, notes: Notes) -> None:
    for match in pattern.finditer(data):
        if not _given(match["word"].decode("utf-8", "replace")):
            continue
        notes.add(
            "SEC005",
            Place(path, data.count(b"\n", 0, match.end()) + 1),
            "The password of a BGP session stands in clear text.",
            "Set it on the router, and keep the file in git without it.",
        )


def in_object(item: Object, notes: Notes) -> None:
    """Secrets, kubeadm tokens and keys, and passwords of kube-vip in a document that people write."""
    if item.kind == "Secret" and item.group == "":
        _secret(item, notes)
    elif item.group == "kubeadm.k8s.io":
        _kubeadm(item, notes)
    elif item.kind == "Pod":
        _pod(item, notes)


def opened(item: Object) -> Object:
    """An object that SOPS encrypted as the engine applies it: without what SOPS noted, the secrets empty."""
    if "sops" not in item.value:
        return item
    value = {key: inner for key, inner in item.value.items() if key != "sops"}
    for block in ("data", "stringData"):
        if isinstance(value.get(block), dict):
            value[block] = {key: "" if str(one).startswith(_SOPS) else one for key, one in value[block].items()}
    return replace(item, value=value)


def _secret(item: Object, notes: Notes) -> None:
    if "sops" in item.value:
        return  # what SOPS left open is said by `sealing`
    public = _PUBLIC if _OF_ARGO in mapping(item.value, "metadata", "labels") else frozenset()
    for block in ("data", "stringData"):
        for key, value in mapping(item.value, block).items():
            harmless = key in public and not _WITH_PASSWORD.search(str(value))
            if value in (None, "") or harmless or str(value).startswith(_SOPS) or _elsewhere(value):
                continue
            notes.add(
                "SEC001",
                item.place((block, key)),
                f"The Secret {item.namespace}/{item.name} stands in clear text.".replace(" /", " "),
                "Encrypt the file with SOPS, or commit a SealedSecret or ExternalSecret instead.",
            )
            return


_REFERENCE = re.compile(
    r"(op|vault|bao|secretref|awssm|gcpsm)://|ref\+|vault:|<path:|\$\{\w+\}\Z|\{\{.*\}\}\Z", re.DOTALL
)
"""How 1Password, vals, bank-vaults, the plugin of Argo CD, Flux and templates name a value that stands elsewhere."""


def _elsewhere(value: object) -> bool:
    return sealing.is_mark(value) or _REFERENCE.match(str(value).strip()) is not None


def _kubeadm(item: Object, notes: Notes) -> None:
    found: list[tuple[Keys, str]] = [
        ((*keys, "token"), text(entry, "token")) for keys, entry in mappings(item.value, "bootstrapTokens")
    ]
    discovery: Keys = ("discovery", "bootstrapToken", "token")
    found.append((discovery, text(mapping(item.value, "discovery", "bootstrapToken"), "token")))
    found.append((("discovery", "tlsBootstrapToken"), text(mapping(item.value, "discovery"), "tlsBootstrapToken")))
    for keys, value in found:
        if _TOKEN.match(value):
            _leak(item, keys, "A kubeadm token stands in clear text; it lets any machine join.", notes)
    for above in ((), ("controlPlane",)):
        if _CERTIFICATE_KEY.match(text(mapping(item.value, *above), "certificateKey")):
            keys = (*above, "certificateKey")
            _leak(item, keys, "The certificate key stands in clear text; it opens the cluster's CA keys.", notes)


def _leak(item: Object, keys: Keys, message: str, notes: Notes) -> None:
    notes.add(
        "SEC002",
        item.place(keys),
        message,
        "Write a placeholder such as ${TOKEN} and fill it in on the machine; make a new one now.",
    )


def _pod(item: Object, notes: Notes) -> None:
    for index, container in enumerate(sequence(item.spec, "containers")):
        env = environment(item, index, container if isinstance(container, dict) else {})
        fields = [element.split("]")[-1].split(":") for element in env.get("bgp_peers").split(",")]
        listed = any(_given(field[2]) for field in fields if len(field) > 2)
        for name, found in (("bgp_peerpass", _given(env.get("bgp_peerpass"))), ("bgp_peers", listed)):
            if found:
                notes.add(
                    "SEC003",
                    env.place(name),
                    f"{name} holds the password of a BGP session in clear text.",
                    "Keep it out of git: let the node's own installation put it into the manifest, mode 0600.",
                )


def _given(value: Any) -> bool:
    """Whether it is a password and not a placeholder that is filled in elsewhere."""
    shown = str(value or "")
    return bool(shown) and not re.fullmatch(
        r"\$\{?\w+\}?|@@?\w+@@?|<[^>]*>|\{\{.*\}\}|" + re.escape(_SOPS) + ".*", shown
    )
