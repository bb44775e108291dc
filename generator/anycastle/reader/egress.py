"""The way out as files say it: containerd's mirrors and drop-ins of machines, variables of the GitOps engine."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from anycastle.finding import Place
from anycastle.network.certificates import fingerprints
from anycastle.network.cluster import Mirror, Proxy, Trust
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, text

_VARIABLES = {"HTTP_PROXY": "http", "HTTPS_PROXY": "https", "NO_PROXY": "exempt"}
_PROGRAMS = ("kubelet", "containerd")
_HOSTS = "hosts.toml"
_WITH_PORT = re.compile(r"(.+)_(\d{1,5})_\Z")
_CREDENTIAL = re.compile(r"//[^/@:\s]*:[^/@\s]+@")


class Found(NamedTuple):
    """The way out of everything that a repository describes."""

    mirrors: tuple[Mirror, ...] = ()
    proxies: tuple[Proxy, ...] = ()
    trusts: tuple[Trust, ...] = ()


class Pods(NamedTuple):
    """What the pods of an engine are told: `env` and `volumes` of their template, and texts of ConfigMaps by name."""

    program: str
    env: Sequence[Any]
    volumes: Sequence[Any]
    texts: Mapping[str, str]
    where: Place


def of_machines(tree: Tree, folders: Mapping[str, str], notes: Notes) -> Found:
    """Files of machines. `folders` are those of nodes, with the name of the node."""
    mirrors: list[Mirror] = []
    proxies: list[Proxy] = []
    trusted: dict[str, tuple[set[str], Place]] = defaultdict(lambda: (set(), Place("")))
    for path in tree.paths:
        if path.endswith(f"/{_HOSTS}"):
            mirrors += _mirror(path, _node_of(path, folders), tree, notes)
        elif path.endswith(".conf"):
            proxies += _drop_in(path, _node_of(path, folders), tree, notes)
        elif path.endswith((".crt", ".pem")) and (node := _node_of(path, folders)):
            found = fingerprints(tree.text(path, notes) or "")
            known = trusted.get(node, (set(), Place(path, 1)))
            if found:
                trusted[node] = ({*known[0], *found}, known[1])
    trusts = (Trust(node=node, fingerprints=tuple(sorted(got)), where=at) for node, (got, at) in trusted.items())
    return Found(tuple(mirrors), tuple(proxies), tuple(trusts))


def of_engine(pods: Iterable[Pods], notes: Notes) -> Found:
    """The engine's own pods; the first that says something counts."""
    proxies: dict[str, Proxy] = {}
    trusts: dict[str, Trust] = {}
    for one in pods:
        values = {text(entry, "name"): text(entry, "value") for entry in one.env}
        proxy = _proxy(values, Proxy(program=one.program, where=one.where), notes)
        if proxy is not None:
            proxies.setdefault(one.program, proxy)
        names = {text(entry, "configMap", "name") for entry in one.volumes}
        found = fingerprints("".join(content for name, content in sorted(one.texts.items()) if name in names))
        if found:
            trusts.setdefault(one.program, Trust(program=one.program, fingerprints=found, where=one.where))
    return Found((), tuple(proxies.values()), tuple(trusts.values()))


def _node_of(path: str, folders: Mapping[str, str]) -> str:
    """The node whose folder holds a file; empty where none does."""
    folder = path.rpartition("/")[0]
    while folder:
        if folder in folders:
            return folders[folder]
        folder = folder.rpartition("/")[0]
    return ""


def _mirror(path: str, node: str, tree: Tree, notes: Notes) -> Iterator[Mirror]:
    """The first host of a `hosts.toml`, which containerd asks first."""
    import tomllib

    try:
        value = tomllib.loads(tree.text(path, notes) or "")
    except (ValueError, RecursionError) as error:
        _passed_over(Place(path), f"is no TOML ({str(error)[:80]})", notes)
        return
    registry = posixpath.basename(posixpath.dirname(path))
    match = _WITH_PORT.match(registry)
    hosts = mapping(value, "host")
    url, options = next(iter(hosts.items())) if hosts else (text(value, "server"), value)
    if not url:
        return
    where = _line(path, url, tree, notes)
    _credential(url, where, notes)
    if isinstance(options, dict):
        yield Mirror(
            node=node,
            registry=f"{match[1]}:{match[2]}" if match else registry,
            url=_named(url, overridden=options.get("override_path") is True, where=where, notes=notes),
            where=where,
        )


def _named(url: str, *, overridden: bool, where: Place, notes: Notes) -> str:
    """The URL with the path that images' names begin with, from that of the API (OCI distribution: `/v2/NAME/...`)."""
    scheme, _, rest = (url if url.startswith("http") else f"https://{url}").partition("://")
    host, slash, path = rest.rstrip("/").partition("/")
    if overridden and path != "v2" and not path.startswith("v2/") and not path.endswith("/v2"):
        notes.add(
            "EGR011",
            where,
            f"With override_path containerd asks for /{path}{slash}NAME/manifests/..., and a registry answers below "
            "/v2/ only: every image is fetched elsewhere, or not at all.",
            f"Write {scheme}://{host}/v2{slash}{path}.",
        )
    if path == "v2" or path.startswith("v2/"):
        path = path[3:]
    return f"{scheme}://{host}/{path}" if path else f"{scheme}://{host}"


def _drop_in(path: str, node: str, tree: Tree, notes: Notes) -> Iterator[Proxy]:
    """Variables of a systemd drop-in for containerd or kubelet (systemd.exec, Environment=)."""
    program = next((name for name in _PROGRAMS if name in path.lower()), "")
    content = (tree.text(path, notes) or "") if program else ""
    if "proxy=" not in content.lower():
        return
    values: dict[str, str] = {}
    where = Place(path, 1)
    for number, line in enumerate(content.splitlines(), start=1):
        if line.lstrip().startswith("Environment="):
            values |= dict(_assigned(line.partition("=")[2]))
            where = Place(path, number) if "PROXY=" in line.upper() else where
    proxy = _proxy(values, Proxy(program=program, node=node, where=where), notes)
    if proxy is not None:
        yield proxy


def _assigned(words: str) -> Iterator[tuple[str, str]]:
    import shlex

    try:
        parts = shlex.split(words)
    except ValueError:
        parts = words.split()
    for part in parts:
        name, equals, value = part.partition("=")
        if equals:
            yield name, value


def _proxy(values: Mapping[str, str], empty: Proxy, notes: Notes) -> Proxy | None:
    """None where no proxy is named; names count in both cases, as Go and curl read them."""
    found = {key: values.get(name) or values.get(name.lower()) or "" for name, key in _VARIABLES.items()}
    if not found["http"] and not found["https"]:
        return None
    for key in ("http", "https"):
        _credential(found[key], empty.where, notes)
    exempt = tuple(sorted({entry.strip() for entry in found["exempt"].split(",")} - {""}))
    return Proxy(
        program=empty.program,
        node=empty.node,
        http=found["http"],
        https=found["https"],
        exempt=exempt,
        where=empty.where,
    )


def _credential(url: str, where: Place, notes: Notes) -> None:
    if _CREDENTIAL.search(url):
        notes.add(
            "EGR012",
            where,
            "A URL carries a user name and a password in clear text; whoever reads the repository has them.",
            "Let the proxy or the mirror admit the machines by address, or put the file in place by other means.",
        )


def _passed_over(where: Place, problem: str, notes: Notes) -> None:
    notes.add(
        "EGR010",
        where,
        f"{posixpath.basename(where.path)} {problem}: containerd notes it in its log and asks the registry itself.",
        'Write one table [host."https://MIRROR"] for each mirror.',
    )


def _line(path: str, what: str, tree: Tree, notes: Notes) -> Place:
    for number, line in enumerate((tree.text(path, notes) or "").splitlines(), start=1):
        if what in line and not line.lstrip().startswith("#"):
            return Place(path, number)
    return Place(path, 1)
