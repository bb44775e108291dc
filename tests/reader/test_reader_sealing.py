"""Secrets in the form of a tool: what is whole is quiet, and each way in which it is not has its code and place."""

from __future__ import annotations

from pathlib import Path

import handmade
import pytest
from handmade import Change, added, application, folder, read_changed

from anycastle.reader import sealing
from anycastle.reader.documents import objects

ONE = "age1r6kxll6jc7a62g7c39c8j6m9z4xsc857yz4g7x9sw855g6jt02ks8usj3a"
OTHER = "age1d7s6hz3s374wnm4pn035ttvqz56j08yzcqvnx82xuxvu97d5rhrqapd77e"
PATH = "secrets/n.s.sops.yaml"
RULES = f"creation_rules:\n- path_regex: ^secrets/.*\\.sops\\.yaml$\n  age: {ONE}\n"
HEAD = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: apps}\n"
NOTED = f"sops:\n  age:\n  - recipient: {ONE}\n    enc: x\n  mac: ENC[AES256_GCM,data:m,type:str]\n"
WHOLE = HEAD + "stringData: {a: 'ENC[AES256_GCM,data:x,type:str]', empty: ''}\n" + NOTED
SEALED = "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: s, namespace: apps}\n"
EXTERNAL = "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: s, namespace: apps}\n"
STORE = "apiVersion: external-secrets.io/v1\nkind: ClusterSecretStore\nmetadata: {name: s}\n"


def said(tmp_path: Path, text: str, path: str = PATH, rules: str = RULES) -> list[tuple[str, str]]:
    found = read_changed(tmp_path, added(path, text), added(".sops.yaml", rules))
    return [(one.code, one.where.key) for one in handmade.judged(found) if one.where.path == path]


QUIET = {
    "sops": WHOLE,
    "kubeseal": SEALED + "spec: {encryptedData: {a: AgBy3i4OJSWK+PiTySYZZA9rO43cGDEq}}\n",
    "external": EXTERNAL + "spec: {data: [{secretKey: a, remoteRef: {key: bgp/tor-a}}]}\n",
    "a whole entry": EXTERNAL + "spec: {dataFrom: [{extract: {key: bgp}}]}\n",
    "a store": STORE + "spec: {provider: {vault: {server: 'https://vault.example.com'}}}\n",
    "no secret of ours": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: <b/c>}\n",
}
LOUD = {
    "a mark": ("SEC006", "stringData.a", HEAD + "stringData: {a: <s/a>}\n"),
    "a mark that nobody sealed": ("SEC006", "spec.encryptedData.a", SEALED + "spec: {encryptedData: {a: <s/a>}}\n"),
    "a secret that nobody sealed": ("SEC006", "spec.encryptedData.a", SEALED + "spec: {encryptedData: {a: hunter2}}\n"),
    "an entry that nobody named": (
        "SEC006",
        "spec.data[0].remoteRef.key",
        EXTERNAL + "spec: {data: [{secretKey: a, remoteRef: {key: <s/a>}}]}\n",
    ),
    "a store without a provider": ("SEC006", "spec.provider", STORE + "spec: {provider: {}}\n"),
    "a store with a mark": ("SEC006", "spec.provider", STORE + "spec: {provider: {vault: {server: <server>}}}\n"),
    "nothing encrypted": ("SEC007", "kind", HEAD + "type: Opaque\nstringData: {a: ''}\n"),
    "no metadata": ("SEC007", "stringData.a", HEAD + "stringData: {a: 'ENC[AES256_GCM,data:x]'}\n"),
    "no mac": ("SEC007", "sops", WHOLE.replace("mac:", "lastmodified:")),
    "a mac in clear": ("SEC007", "sops", WHOLE.replace("ENC[AES256_GCM,data:m,type:str]", "none")),
    "for nobody": ("SEC007", "sops", WHOLE.replace("  age:\n", "  agee:\n")),
    "in part": ("SEC007", "stringData.b", WHOLE.replace("empty: ''", "b: hunter2")),
    "with its kind": ("SEC007", "kind", WHOLE.replace("kind: Secret", "kind: 'ENC[AES256_GCM,data:k]'")),
    "in clear": ("SEC001", "stringData.a", HEAD + "stringData: {a: hunter2}\n"),
}


@pytest.mark.parametrize("name", QUIET)
def test_what_is_whole_is_quiet(tmp_path: Path, name: str) -> None:
    assert said(tmp_path, QUIET[name]) == []


@pytest.mark.parametrize("name", LOUD)
def test_what_is_not_whole_is_named_once(tmp_path: Path, name: str) -> None:
    code, key, text = LOUD[name]
    assert said(tmp_path, text) == [(code, key)]


def test_no_secret_is_repeated(tmp_path: Path) -> None:
    found = read_changed(tmp_path, added(PATH, LOUD["in part"][2]), added("secrets/other.yaml", LOUD["in clear"][2]))
    assert "hunter2" not in "".join(one.message + one.fix for one in found.findings)


def test_a_secret_where_no_rule_names_it_may_be_empty(tmp_path: Path) -> None:
    assert said(tmp_path, HEAD + "type: Opaque\n", "manifests/s.yaml") == []
    assert said(tmp_path, HEAD + "type: Opaque\n", rules="creation_rules: [{path_regex: '(', age: x}]\n") == []


@pytest.mark.parametrize("written", [f"{ONE},{OTHER}", f"[{OTHER}, {ONE}]", f"' {OTHER} , {ONE}'"])
def test_a_recipient_that_was_added_later(tmp_path: Path, written: str) -> None:
    rules = f"creation_rules:\n- path_regex: \\.sops\\.yaml$\n  age: {written}\n"
    assert said(tmp_path, WHOLE, rules=rules) == [("SEC008", "sops.age")]


def test_a_recipient_that_is_gone_can_still_open_the_file(tmp_path: Path) -> None:
    text = WHOLE.replace("  mac:", f"  - recipient: {OTHER}\n    enc: x\n  mac:")
    (one,) = read_changed(tmp_path, added(PATH, text), added(".sops.yaml", RULES)).findings[-1:]
    assert said(tmp_path, text) == [("SEC008", "sops.age")]
    assert OTHER in one.message


def test_the_nearest_rules_hold(tmp_path: Path) -> None:
    near = added("secrets/.sops.yaml", f"creation_rules:\n- path_regex: ^n\\.s\n  age: {OTHER}\n")
    text = WHOLE.replace(ONE, OTHER)
    found = read_changed(tmp_path, added(PATH, text), added(".sops.yaml", RULES), near)
    assert [one.code for one in handmade.judged(found) if one.where.path == PATH] == []


def app(*, plugin: str = "") -> Change:
    text = application("secrets", 0, folder("secrets"), namespace="n")
    return added("argocd/secrets.yaml", text.replace("path: secrets", f"path: secrets{plugin}"))


def test_argo_cd_decrypts_nothing_by_itself(tmp_path: Path) -> None:
    changes = (added(PATH, WHOLE), added(".sops.yaml", RULES))
    assert "ARGO022" in handmade.codes(read_changed(tmp_path, *changes, app()))
    assert "ARGO022" not in handmade.codes(read_changed(tmp_path, *changes, app(plugin=", plugin: {name: sops}")))


@pytest.mark.parametrize(
    ("text", "provided"),
    [
        (WHOLE, ("apps", "s", {"a", "empty"})),
        (SEALED + "spec: {encryptedData: {a: x}, template: {metadata: {name: t}}}\n", ("apps", "t", {"a"})),
        (EXTERNAL + "spec: {target: {name: t}, data: [{secretKey: a, remoteRef: {key: k}}]}\n", ("apps", "t", {"a"})),
        (EXTERNAL + "spec: {dataFrom: [{extract: {key: k}}]}\n", ("apps", "s", None)),
        (STORE, None),
        ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\n", None),
    ],
)
def test_the_secret_that_an_object_brings(text: str, provided: tuple[str, str, set[str] | None] | None) -> None:
    (item,) = objects(text.encode(), PATH)
    found = sealing.provided(item)
    assert found == provided
