"""`kubectl`, `helm template` and `flux` as far as the bootstrap needs them, on the model of a cluster."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contents import of_chart, values
from simulated import API_SERVER, INSTALLATION, Cluster, Key, Object, RefusedError

from anycastle import yamlio

PATIENCE = 400
_CALICO = (INSTALLATION, API_SERVER)
_KINDS = {
    "application": ("argoproj.io", "Application"),
    "crd": ("apiextensions.k8s.io", "CustomResourceDefinition"),
    "gitrepository": ("source.toolkit.fluxcd.io", "GitRepository"),
    "kustomization": ("kustomize.toolkit.fluxcd.io", "Kustomization"),
    "namespace": ("", "Namespace"),
    "installation": ("operator.tigera.io", "Installation"),
    "secret": ("", "Secret"),
}
_REMEMBERED = frozenset(("apply", "create"))


@dataclass
class Reply:
    """What a program leaves behind."""

    code: int = 0
    out: str = ""
    err: str = ""


def _none() -> object:
    raise AssertionError("there is no engine")


@dataclass
class Kubectl:
    """`engine` makes the GitOps engine, which works from the moment that the cluster is handed over."""

    cluster: Cluster
    endpoint: str = "control.k8s.example.com:6443"
    answers: bool = True
    clean: str = ""
    engine: Callable[[], Any] = _none
    running: Any = None
    changed: list[str] = field(default_factory=list)

    def call(self, args: list[str], stdin: str, folder: Path) -> Reply:
        """One call of kubectl."""
        space, rest = (args[1], args[2:]) if args[0] == "-n" else ("", args)
        verb, rest = rest[0], rest[1:]
        assert verb in ("get", "apply", "wait", "rollout", "create"), f"kubectl {' '.join(args)}"
        if not self.answers:
            return Reply(1, err="Unable to connect to the server\n")
        reply: Reply = getattr(self, f"_{verb}")(space, rest, stdin, folder)
        self._step()
        return reply

    def _step(self) -> None:
        (self.running or self.cluster).step()

    # --- asking

    def _get(self, space: str, rest: list[str], _stdin: str, _folder: Path) -> Reply:
        if rest == ["--raw", "/readyz"]:
            return Reply(out="ok")
        if rest[0] == "configmap/kubeadm-config":
            return Reply(out=f"clusterName: kubernetes\ncontrolPlaneEndpoint: {self.endpoint}\n")
        if rest == ["node", "-o", "name"]:
            return Reply(out="node/k8s-master-1\nnode/k8s-node-1\n")
        found = self.cluster.objects.get(self._key(rest[0], space))
        if found is None:
            return Reply(0 if "--ignore-not-found" in rest else 1)
        if "-o" in rest and rest[rest.index("-o") + 1].startswith("jsonpath"):
            assert "bgp" in rest[-1], rest
            return Reply(out=str(found.applied["spec"]["calicoNetwork"].get("bgp", "")))
        return Reply(out=f"{rest[0]}\n")

    @staticmethod
    def _key(written: str, space: str) -> Key:
        kind, _, name = written.partition("/")
        group, full = _KINDS[kind]
        return (group, full, space if kind not in ("crd", "namespace", "installation") else "", name)

    # --- changing

    def _apply(self, _space: str, rest: list[str], stdin: str, folder: Path) -> Reply:
        assert "--server-side" in rest, rest
        names = [rest[at + 1] for at, word in enumerate(rest) if word == "-f"]
        for text in [one for name in names for one in _texts(name, stdin, folder)]:
            for item in [one.value for one in yamlio.load(text).documents if one.value]:
                before = self.cluster.live(item)
                if before is None or before.applied != item:
                    self.changed.append(f"{item['kind']} {item['metadata']['name']}")
                try:
                    self.cluster.apply(item)
                except RefusedError as error:
                    return Reply(1, err=f"{error}\n")
        if "argocd/root.yaml" in names and self.running is None:
            self.running = self.engine()
        return Reply()

    def _create(self, space: str, rest: list[str], stdin: str, folder: Path) -> Reply:
        assert rest[:2] == ["secret", "generic"], rest
        sources = [word.partition("=")[2] for word in rest if word.startswith("--from-file=")]
        data = {one.partition("=")[0]: stdin or (folder / one.partition("=")[2]).read_text() for one in sources}
        secret: Object = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": rest[2], "namespace": space}}
        secret["stringData"] = data
        assert all(data.values()), data
        if "--dry-run=client" in rest:
            return Reply(out=yamlio.dump(secret))
        if self.cluster.live(secret) is not None:
            return Reply(1, err=f'secrets "{rest[2]}" already exists\n')
        self.changed.append(f"Secret {rest[2]}")
        self.cluster.apply(secret)
        return Reply()

    # --- waiting

    def _wait(self, space: str, rest: list[str], _stdin: str, folder: Path) -> Reply:
        (wanted,) = (word.removeprefix("--for=") for word in rest if word.startswith("--for="))
        things = [word for word in rest if not word.startswith("--")]
        for _time in range(PATIENCE):
            if self._holds(wanted, things, space, rest, folder):
                return Reply()
            self._step()
        return Reply(1, err="error: timed out waiting for the condition\n")

    def _holds(self, wanted: str, things: list[str], space: str, rest: list[str], folder: Path) -> bool:
        if "-f" in things:
            texts = _texts(things[-1], "", folder)
            return all(self.cluster.ready(one.value) for text in texts for one in yamlio.load(text).documents)
        if things[0] == "node":
            return self.cluster.network
        if things[0] == "deployment":
            return self._workloads(space)
        if things == ["kustomization"]:
            return bool(self.running.watch.all_there())
        return all(self._one(wanted, thing, space) for thing in things)

    def _one(self, wanted: str, thing: str, space: str) -> bool:
        if thing.startswith("tigerastatus/"):
            there = self.cluster.objects.get(INSTALLATION if thing.endswith("calico") else API_SERVER)
            if wanted == "create":
                return there is not None and bool(there.status)
            return there is not None and self.cluster.ready(there.applied)
        if thing == "installation/default":
            return self.cluster.bgp
        found = self.cluster.objects.get(self._key(thing, space))
        if found is None:
            return False
        return thing.startswith(("namespace/", "gitrepository/", "kustomization/")) or self._says(found.status, wanted)

    @staticmethod
    def _says(status: Object, wanted: str) -> bool:
        path, _, value = wanted.removeprefix("jsonpath=").partition("=")
        _root, *keys = path.strip("{}'").removeprefix(".").split(".")
        at: Any = status
        for key in keys:
            at = at.get(key, {})
        return bool(at == value)

    def _workloads(self, space: str) -> bool:
        found = [one for key, one in self.cluster.objects.items() if key[1] == "Deployment" and key[2] == space]
        return bool(found) and all(self.cluster.ready(one.applied) for one in found)

    def _rollout(self, space: str, rest: list[str], _stdin: str, _folder: Path) -> Reply:
        assert rest[0] == "status", rest
        for _time in range(PATIENCE):
            done = self.cluster.rolled_out if space == "calico-system" else self._workloads(space)
            if done:
                return Reply()
            self._step()
        return Reply(1, err="error: timed out\n")

    # --- the other programs

    def template(self, args: list[str], folder: Path) -> Reply:
        """`helm template`."""
        assert args[0] == "template", args
        name, chart = args[1:3]
        assert "/" not in chart or (folder / chart / "Chart.yaml").is_file(), chart
        given = values([(folder / args[at + 1]).read_bytes() for at, word in enumerate(args) if word == "-f"])
        option = {word: args[at + 1] for at, word in enumerate(args[:-1]) if word.startswith("--")}
        if "--set" in option:
            path, _, value = option["--set"].partition("=")
            *parents, last = path.split(".")
            at = given
            for key in parents:
                at = at[key]
            at[last] = value
        made = of_chart(Path(chart).name, name, option["--namespace"], option.get("--version", ""), given)
        hooks = () if "--no-hooks" in args else made.before_deletion
        return Reply(out="".join(f"---\n{yamlio.dump(item)}" for item in (*made.definitions, *made.objects, *hooks)))

    def flux(self, args: list[str]) -> Reply:
        """`flux check`, and `flux bootstrap`, after which Flux works."""
        if args[0] == "check":
            return Reply()
        assert args[:2] == ["bootstrap", "git"], args
        if self.running is None:
            self.running = self.engine()
        return Reply()


def _texts(name: str, stdin: str, folder: Path) -> Iterator[bytes]:
    path = folder / name
    if name == "-":
        yield stdin.encode()
    elif path.is_dir():
        yield from (one.read_bytes() for one in sorted(path.iterdir()))
    else:
        yield path.read_bytes()


DESTRUCTIVE = re.compile(r"\b(?:delete|replace|patch|uninstall|prune|reset|--force(?!-))\b")
