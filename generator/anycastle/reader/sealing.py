"""Secrets in the form of a tool: placeholders that nobody has filled in, and files that SOPS did not encrypt whole."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from anycastle.reader import documents, patterns
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, mappings, sequence, text
from anycastle.yamlio import Path as Keys

RULES = ".sops.yaml"
ENCRYPTED = "ENC["
_MARK = re.compile(r"<[^<>]+>\Z")
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s.]+\Z")
_SEALED = ("Ag", "AQ")
"""How everything begins that kubeseal makes: the length of an RSA block of 4096 or 2048 bits, in base64."""
_KEYS = ("age", "pgp", "kms", "gcp_kms", "azure_kv", "hc_vault", "hckms", "key_groups")
_STORES = ("SecretStore", "ClusterSecretStore")
_BLOCKS = ("data", "stringData")


def is_mark(value: object) -> bool:
    """Whether a value says what has to come in its place."""
    return isinstance(value, str) and _MARK.match(value.strip()) is not None


@dataclass(slots=True)
class Rules:
    """The rules of SOPS in a repository: those of the nearest `.sops.yaml` above a file hold for it."""

    tree: Tree
    known: dict[str, tuple[dict[str, Any], ...]] = field(default_factory=dict)

    def of(self, path: str, notes: Notes) -> dict[str, Any]:
        """The first rule that names the file; empty where none does."""
        folder = posixpath.dirname(path)
        while folder and not self.tree.has_file(posixpath.join(folder, RULES)):
            folder = posixpath.dirname(folder)
        inside = posixpath.relpath(path, folder or ".")
        return next((rule for rule in self._rules(folder, notes) if names(rule, inside)), {})

    def _rules(self, folder: str, notes: Notes) -> tuple[dict[str, Any], ...]:
        path = posixpath.join(folder, RULES)
        if path not in self.known:
            data = self.tree.data(path, notes) if self.tree.has_file(path) else None
            found = documents.load(data, path).documents if data is not None else ()
            value = found[0].value if found else None
            self.known[path] = tuple(rule for _keys, rule in mappings(value, "creation_rules"))
        return self.known[path]


def names(rule: dict[str, Any], path: str) -> bool:
    """Go's regular expressions; one that cannot be read here names nothing."""
    return patterns.found(text(rule, "path_regex"), path, whole=False) is True


def in_object(item: Object, rules: Rules, notes: Notes) -> None:
    """One object that a person keeps in git."""
    if "sops" in item.value:
        _encrypted(item, rules, notes)
    elif item.kind == "Secret" and not item.group:
        _plain(item, rules, notes)
    elif item.group in ("bitnami.com", "external-secrets.io"):
        _made_by_controller(item, notes)


def _placeholder(item: Object, keys: Keys, consequence: str, cure: str, notes: Notes) -> None:
    whose = f"{item.namespace}/{item.name}".lstrip("/")
    notes.add("SEC006", item.place(keys), f"{item.kind} {whose} is still a placeholder: {consequence}.", cure)


_SEAL = "Put the encrypted Secret in its place: `seal` in README.md, or the tool itself."


def _plain(item: Object, rules: Rules, notes: Notes) -> None:
    values = [((block, key), value) for block in _BLOCKS for key, value in mapping(item.value, block).items()]
    marked = next((keys for keys, value in values if is_mark(value)), None)
    torn = next((keys for keys, value in values if str(value).startswith(ENCRYPTED)), None)
    if torn is not None:
        _torn(item, torn, "has values of SOPS without its block `sops`: nothing can open them", notes)
    elif marked is not None:
        said = "applied as it is, the mark would be the secret, and what reads it fails"
        _placeholder(item, marked, said, _SEAL, notes)
    elif values and not any(value for _keys, value in values) and rules.of(item.source, notes):
        _torn(item, ("kind",), f"stands where {RULES} wants it encrypted, and is not", notes)


def _torn(item: Object, keys: Keys, what: str, notes: Notes) -> None:
    notes.add(
        "SEC007",
        item.place(keys),
        f"{item.kind} {item.name} {what}.",
        f"Encrypt the whole file again: sops encrypt --in-place {item.source}.",
    )


def _encrypted(item: Object, rules: Rules, notes: Notes) -> None:
    noted = mapping(item.value, "sops")
    if item.kind.startswith(ENCRYPTED) or text(item.value, "apiVersion").startswith(ENCRYPTED):
        rule = "encrypted_regex: ^(data|stringData)$"
        notes.add(
            "SEC007",
            item.place(("kind",)),
            "SOPS has encrypted kind, name and namespace, too: nobody can tell what the object is, nor apply it.",
            f"Add {rule} to {RULES}, and encrypt the file again.",
        )
    elif not text(noted, "mac").startswith(ENCRYPTED):
        _torn(
            item,
            ("sops",),
            "has no `mac` of SOPS, and decryption stops: it cannot tell who changed it",
            notes,
        )
    elif not any(noted.get(kind) for kind in _KEYS):
        _torn(item, ("sops",), "is encrypted for nobody: no key opens it", notes)
    elif (keys := next(_open(item), None)) is not None:
        _torn(item, keys, f"is encrypted in part: SOPS left {'.'.join(map(str, keys))} readable", notes)
    else:
        _recipients(item, noted, rules, notes)


def _open(item: Object) -> Iterator[Keys]:
    """Values of a Secret that anybody can read; what is empty, SOPS leaves empty.

    A rule that picks keys of the Secret, and no whole block, leaves the others open because somebody wanted it so.
    """
    picks = text(item.value, "sops", "encrypted_regex")
    for block in _BLOCKS if item.kind == "Secret" else ():
        values = mapping(item.value, block)
        picked = {key for key in values if patterns.found(picks, key, whole=False) is True} if picks else set()
        by_key = picked and all(str(values[key]).startswith(ENCRYPTED) for key in picked)
        for key, value in values.items():
            chosen = by_key and key not in picked and patterns.found(picks, block, whole=False) is False
            if value not in (None, "") and not str(value).startswith(ENCRYPTED) and not chosen:
                yield block, key


def _recipients(item: Object, noted: dict[str, Any], rules: Rules, notes: Notes) -> None:
    wanted = set(listed(rules.of(item.source, notes).get("age")))
    has = {text(entry, "recipient") for _keys, entry in mappings(noted, "age")}
    for one in sorted(wanted - has) if has else ():
        _for(item, f"is not encrypted for {one}, which {RULES} names: that key cannot open it", notes)
    for one in sorted(has - wanted) if wanted else ():
        _for(item, f"is still encrypted for {one}, which {RULES} does not name: that key opens it", notes)


def _for(item: Object, what: str, notes: Notes) -> None:
    notes.add(
        "SEC008", item.place(("sops", "age")), f"{item.kind} {item.name} {what}.", f"Run sops updatekeys {item.source}."
    )


def listed(value: object) -> list[str]:
    """SOPS takes a list, or a text with commas."""
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return [str(part).strip() for part in parts if str(part).strip()]


def _made_by_controller(item: Object, notes: Notes) -> None:
    if item.kind == "SealedSecret":
        for key, value in mapping(item.spec, "encryptedData").items():
            if not _is_sealed(value):
                said = "the controller cannot open it, and there is no Secret"
                _placeholder(item, ("spec", "encryptedData", key), said, _SEAL, notes)
                return
    elif item.kind == "ExternalSecret":
        for keys, entry in (*mappings(item.spec, "data", ("spec",)), *mappings(item.spec, "dataFrom", ("spec",))):
            for part in ("remoteRef", "extract"):
                if is_mark(mapping(entry, part).get("key")):
                    said = "the store has no such entry, and there is no Secret"
                    cure = (
                        "Write where the store keeps it: remoteRef.key, and property where an entry has several values."
                    )
                    _placeholder(item, (*keys, part, "key"), said, cure, notes)
                    return
    elif item.kind in _STORES and (not mapping(item.spec, "provider") or _has_mark(item.spec)):
        said = "the operator has nowhere to fetch a Secret from"
        _placeholder(item, ("spec", "provider"), said, "Describe the store under spec.provider.", notes)


def _is_sealed(value: object) -> bool:
    words = str(value or "")
    return _BASE64.match(words) is not None and words.startswith(_SEALED)


def _has_mark(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_mark, value.values()))
    return any(map(_has_mark, value)) if isinstance(value, list) else is_mark(value)


def provided(item: Object) -> tuple[str, str, frozenset[str] | None] | None:
    """Namespace, name and keys of the Secret that an object brings; keys are None where they cannot be told."""
    if item.kind == "Secret" and not item.group:
        keys = {str(key) for block in _BLOCKS for key in mapping(item.value, block)}
        return item.namespace, item.name, frozenset(keys)
    template = mapping(item.spec, "template", "metadata")
    if (item.group, item.kind) == ("bitnami.com", "SealedSecret"):
        keys = {*mapping(item.spec, "encryptedData"), *mapping(item.spec, "template", "data")}
        return item.namespace, text(template, "name") or item.name, frozenset(map(str, keys))
    if (item.group, item.kind) == ("external-secrets.io", "ExternalSecret"):
        whole = sequence(item.spec, "dataFrom") or mapping(item.spec, "target", "template", "data")
        keys = {text(entry, "secretKey") for _keys, entry in mappings(item.spec, "data")}
        name = text(item.spec, "target", "name") or item.name
        return item.namespace, name, None if whole else frozenset(keys)
    return None
