"""Files of secrets/ as people leave them behind: in place of each placeholder what its tool makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

SEALED = "AgB" + "x" * 700


def fill_in(root: Path) -> None:
    """Every placeholder below a repository."""
    recipients = _recipients(root)
    for path in sorted((root / "secrets").glob("*.yaml")):
        value = yaml.safe_load(path.read_text())
        path.write_text(yaml.safe_dump(filled(value, recipients), sort_keys=False))


def _recipients(root: Path) -> list[str]:
    rules = root / ".sops.yaml"
    return yaml.safe_load(rules.read_text())["creation_rules"][0]["age"].split(",") if rules.exists() else []


def filled(value: Mapping[str, Any], recipients: list[str]) -> dict[str, Any]:
    """One object, encrypted, sealed, or with what it lacks."""
    spec = dict(value.get("spec", {}))
    if value["kind"] == "Secret":
        hidden = dict.fromkeys(value["stringData"], "ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]")
        age = [{"recipient": one, "enc": "-----BEGIN AGE ENCRYPTED FILE-----"} for one in recipients]
        return {**value, "stringData": hidden, "sops": {"age": age, "mac": "ENC[AES256_GCM,data:m,type:str]"}}
    if value["kind"] == "SealedSecret":
        spec["encryptedData"] = dict.fromkeys(spec["encryptedData"], SEALED)
    elif value["kind"] == "ExternalSecret":
        spec["data"] = [{**one, "remoteRef": {"key": f"bgp/{one['secretKey']}"}} for one in spec["data"]]
    else:
        spec["provider"] = {"vault": {"server": "https://vault.example.com", "path": "kv"}}
    return {**value, "spec": spec}
