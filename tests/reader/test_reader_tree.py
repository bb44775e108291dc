"""Files, secrets and broken content: what is read, what is left out, and that nothing makes the reader fall over."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import handmade
import pytest
from handmade import added, read_changed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anycastle.reader import ignored, read
from anycastle.reader.files import tree
from anycastle.reader.notes import Notes


def paths(root: Path) -> list[str]:
    return list(tree(root, Notes()).paths)


def test_caches_and_ignored_files_are_left_out(tmp_path: Path) -> None:
    files = {
        ".git/config": "x",
        ".venv/a.yaml": "x",
        "node_modules/a.yaml": "x",
        ".github/workflows/a.yaml": "x",
        ".gitignore": "*.key\n/local/\n!keep.key\nbuild\n",
        "a.key": "x",
        "deep/b.key": "x",
        "deep/keep.key": "x",
        "local/a.yaml": "x",
        "deep/local/a.yaml": "x",
        "deep/build": "x",
        "deep/.gitignore": "only-here.yaml\n",
        "deep/only-here.yaml": "x",
        "only-here.yaml": "x",
    }
    assert paths(handmade.write(tmp_path, files)) == [
        ".github/workflows/a.yaml",
        ".gitignore",
        "deep/.gitignore",
        "deep/keep.key",
        "deep/local/a.yaml",
        "only-here.yaml",
    ]


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.yaml", "a/b.yaml", True),
        ("/a.yaml", "b/a.yaml", False),
        ("a/*.yaml", "a/b.yaml", True),
        ("a/*.yaml", "a/b/c.yaml", False),
        ("a/**/c.yaml", "a/b/d/c.yaml", True),
        ("**/c.yaml", "c.yaml", True),
        ("a?.yaml", "ab.yaml", True),
        ("[ab].yaml", "b.yaml", True),
        ("[!ab].yaml", "b.yaml", False),
        ("dir/", "dir", False),
        ("# x", "# x", False),
        ("\\#x", "#x", True),
        ("[", "[", True),
        ("*.yaml\n!b.yaml", "b.yaml", False),
        ("*.yaml\n!b.yaml", "c.yaml", True),
        ("!b.yaml\n*.yaml", "b.yaml", True),
        ("x\n*.yaml\na/b.yaml\n!a/*.yaml\n/a/b.yaml", "a/b.yaml", True),
    ],
)
def test_patterns_of_gitignore(pattern: str, path: str, expected: bool) -> None:
    assert ignored.ignored(path, ignored.parse(pattern, ""), directory=False) is expected


def test_a_folder_that_is_nested_too_deeply(tmp_path: Path) -> None:
    (tmp_path / "/".join("a" * 80)).mkdir(parents=True)
    notes = Notes()
    tree(tmp_path, notes)
    assert [finding.code for finding in notes.findings] == ["READ003"]


SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: n}\n"
QUIET = {
    "sops": SECRET + "data: {a: 'ENC[AES256_GCM,data:x,type:str]'}\nsops: {mac: 'ENC[m]', pgp: [{fp: A}]}\n",
    "empty": SECRET + "data: {}\n",
    "sealed": "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: s}\nspec: {data: {a: AgB}}\n",
    "external": "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: s}\nspec: {data: []}\n",
    "token": "apiVersion: kubeadm.k8s.io/v1beta4\nkind: X\ndiscovery: {bootstrapToken: {token: '${TOKEN}'}}\n",
    "example": "apiVersion: kubeadm.k8s.io/v1beta4\nkind: X\ncertificateKey: '<from kubeadm init>'\n",
    "public": "a: |\n  -----BEGIN PUBLIC KEY-----\n  MFkw\n  -----END PUBLIC KEY-----\n",
}
LOUD = {
    "half": ("SEC007", SECRET + "data: {a: 'ENC[x]', b: cGFzcw==}\nsops: {mac: 'ENC[m]', pgp: [{fp: A}]}\n"),
    "base64": ("SEC001", SECRET + "data: {a: cGFzcw==}\n"),
    "in a list": (
        "SEC001",
        "apiVersion: v1\nkind: List\nitems:\n  - " + SECRET.replace("\n", "\n    ") + "data: {a: cGFzcw==}\n",
    ),
    "bootstrap": (
        "SEC002",
        "apiVersion: kubeadm.k8s.io/v1beta4\nkind: X\nbootstrapTokens: [{token: abcdef.0123456789abcdef}]\n",
    ),
    "openssh": ("SEC004", "a: |\n  -----BEGIN OPENSSH PRIVATE KEY-----\n"),
    "pkcs8": ("SEC004", "-----BEGIN PRIVATE KEY-----: 1\n"),
}


@pytest.mark.parametrize("name", QUIET)
def test_what_is_no_secret(tmp_path: Path, name: str) -> None:
    assert handmade.codes(read_changed(tmp_path, added("manifests/s.yaml", QUIET[name]))) == []


@pytest.mark.parametrize("name", LOUD)
def test_what_is_a_secret(tmp_path: Path, name: str) -> None:
    code, text = LOUD[name]
    assert handmade.codes(read_changed(tmp_path, added("manifests/s.yaml", text))) == [code]


def test_secrets_of_the_pod_that_init_uses_are_seen(tmp_path: Path) -> None:
    text = handmade.kube_vip("192.168.10.17").replace("::false", ":hunter2:false")
    found = read_changed(tmp_path, added("nodes/k8s-master-1/kube-vip.init.yaml", text))
    assert handmade.codes(found) == ["SEC003"]


def test_two_readings_are_equal(tmp_path: Path) -> None:
    root = handmade.write(tmp_path, handmade.repository())
    assert read(root) == read(root)


def test_lists_are_taken_apart(tmp_path: Path) -> None:
    files = handmade.repository()
    documents = files["manifests/bgp/bgp.yaml"].split("---\n")
    items = "".join("- " + document.replace("\n", "\n  ").rstrip() + "\n" for document in documents)
    files["manifests/bgp/bgp.yaml"] = f"apiVersion: v1\nkind: List\nitems:\n{items}"
    found = read(handmade.write(tmp_path / "list", files))
    assert found.network == read(handmade.write(tmp_path / "plain", handmade.repository())).network
    (peer,) = [item for item in found.objects if item.kind == "BGPPeer"]
    assert str(peer.place(("spec", "peerIP"))) == "manifests/bgp/bgp.yaml:27 items[2].spec.peerIP"


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("192.168.10.1"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("name", "value", "cidr", "a")), inner, max_size=3)
    ),
    max_leaves=6,
)


def _paths_in(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(path for key, item in pairs for path in _paths_in(item, (*at, key)))]


@settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_value_of_a_wrong_shape_makes_it_fall(data: st.DataObject) -> None:
    """One value of one document is exchanged for another of any type."""
    import json

    import yaml

    files = handmade.repository()
    path = data.draw(st.sampled_from(sorted(path for path in files if path.endswith(".yaml"))))
    documents = list(yaml.safe_load_all(files[path]))
    index = data.draw(st.integers(0, len(documents) - 1))
    where = data.draw(st.sampled_from(_paths_in(documents[index])))
    new = data.draw(ANYTHING)
    if where:
        parent = documents[index]
        for key in where[:-1]:
            parent = parent[key]
        parent[where[-1]] = new
    else:
        documents[index] = new
    files[path] = "\n---\n".join(json.dumps(document) for document in documents)
    with TemporaryDirectory() as folder:
        found = read(handmade.write(Path(folder), files))
    assert found.files == len(files)


@settings(max_examples=100, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_broken_text_makes_it_fall(data: st.DataObject) -> None:
    """Any file is cut anywhere, or some of its characters are exchanged."""
    files = handmade.repository()
    path = data.draw(st.sampled_from(sorted(files)))
    text = files[path]
    cut = data.draw(st.integers(0, len(text)))
    junk = data.draw(st.text(st.sampled_from("{}[]:!-&*#|>'\"\t\n ,;/0a\x00é"), max_size=12))
    files[path] = text[:cut] + junk + (text[cut + len(junk) :] if data.draw(st.booleans()) else "")
    with TemporaryDirectory() as folder:
        found = read(handmade.write(Path(folder), files))
    assert found.files == len(files)
