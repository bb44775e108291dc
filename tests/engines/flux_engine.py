"""Flux's order, after its sources (kustomize-controller v1.9, helm-controller v1.6, kstatus).

A Kustomization is looked at when those it depends on are ready: for their newest generation, and for this very commit
where they have the same source. It applies what its folder makes; with `wait` it is ready when all of that is, without
it at once. A HelmRelease applies its chart with the values of its ConfigMaps, waits for what it applied, and is ready
then.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from cel_expr_python import cel
from contents import Contents, Files, documents, merged, of_chart, of_folder, values
from simulated import Cluster, Key, Object, RefusedError, Stored, group_of, key_of
from watch import Watch

KUSTOMIZE, HELM, SOURCE = (f"{name}.toolkit.fluxcd.io" for name in ("kustomize", "helm", "source"))
SPACE = "flux-system"
KEPT = "helm.sh/resource-policy"
_KINDS = (
    (KUSTOMIZE, "Kustomization"),
    (HELM, "HelmRelease"),
    (SOURCE, "HelmRepository"),
    (SOURCE, "GitRepository"),
)
_GROUPS = (KUSTOMIZE, HELM, SOURCE, "")
SLOW = 12
"""Steps that a controller takes to look at an object which it looks at late."""
TIMEOUT, INTERVAL = 60, 10
RETRY = 2


def kustomization(name: str) -> Key:
    return (KUSTOMIZE, "Kustomization", SPACE, name)


def release(name: str) -> Key:
    return (HELM, "HelmRelease", SPACE, name)


@dataclass
class Step:
    """What is remembered of a Kustomization."""

    revision: int = -1
    generation: int = 0
    ready: bool = False
    owned: set[Key] = field(default_factory=set)


@dataclass
class Action:
    """What Helm does at the moment, and what it did."""

    wanted: str = ""
    began: int = -1
    applied: bool = False
    done: str = ""
    generation: int = 0
    again: int = 0
    owned: dict[Key, Object] = field(default_factory=dict)
    contents: Contents = field(default_factory=Contents)
    failed: int = 0


class Flux:
    """`late` is an app whose controllers are slow to look at it, `slow` one whose chart takes long to fetch."""

    def __init__(self, cluster: Cluster, files: Files, late: str = "") -> None:
        self.cluster, self.late, self.slow, self.timeout = cluster, late, "", TIMEOUT
        self.watch = Watch(cluster)
        self.steps: dict[str, Step] = {}
        self.actions: dict[str, Action] = {}
        self.revision = 0
        for group, kind in _KINDS:
            cluster.apply(_definition(group, kind))
        cluster.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SPACE}})
        cluster.step()
        cluster.step()
        self.push(files)

    def push(self, files: Files) -> None:
        """A commit."""
        self.files, self.revision = dict(files), self.revision + 1
        (root,) = (path for path in files if path.endswith("flux-system/gotk-sync.yaml"))
        self.source, self.root = documents(files, root)
        self.watch.targets = {
            path.split("/")[1]: self._contents(documents(files, path)[0], self._values_of(path)).objects
            for path in files
            if path.startswith("flux/") and path.endswith("/release.yaml")
        }
        if any(path.startswith("secrets/") for path in files):
            self.watch.targets |= {"secrets": of_folder(files, "secrets").objects}

    def begin(self) -> None:
        """What `flux bootstrap` does last."""
        self.cluster.apply(self.source)
        self.cluster.apply(self.root)

    def step(self) -> None:
        self.cluster.step()
        for key in [key for key in self.cluster.objects if key[0] == KUSTOMIZE]:
            if key in self.cluster.objects:
                self._kustomization(key)
        for key in [key for key in self.cluster.objects if key[0] == HELM]:
            if key in self.cluster.objects:
                self._release(key)

    # --- Kustomizations

    def _late(self, key: Key) -> bool:
        there = self.cluster.objects[key]
        return key[3] == self.late and self.cluster.now - there.changed < SLOW

    def _kustomization(self, key: Key) -> None:
        there, mine = self.cluster.objects[key], self.steps.setdefault(key[3], Step())
        spec = there.applied["spec"]
        current = (mine.revision, mine.generation) == (self.revision, there.generation)
        if self._late(key) or (current and mine.ready):
            return
        if not current:
            mine.ready = False
            if not all(self._is_ready(kustomization(one["name"])) for one in spec.get("dependsOn", ())):
                return
            try:
                made = list(self._built(spec["path"]))
                self._apply(key[3], made)
            except RefusedError as error:
                self.cluster.trouble(f"Kustomization {key[3]} failed: {error}")
                return
            gone = mine.owned - set(map(key_of, made))
            mine.owned |= set(map(key_of, made))
            if spec["prune"]:
                self._prune(mine, gone)
            mine.revision, mine.generation = self.revision, there.generation
        releases = [one for one in mine.owned if one[0] == HELM and one in self.cluster.objects]
        plain = [
            self.cluster.objects[one] for one in mine.owned if one in self.cluster.objects and one[0] not in _GROUPS
        ]
        done = all(map(self._is_released, releases)) and all(_judged(spec, one) for one in plain)
        mine.ready = spec.get("wait") is not True or done

    def _apply(self, app: str, items: list[Object]) -> None:
        self.watch.app = app if app == "secrets" else ""
        for item in items:
            self.cluster.apply(item)

    def _is_ready(self, key: Key) -> bool:
        there, mine = self.cluster.objects.get(key), self.steps.get(key[3], Step())
        current = there is not None and (mine.revision, mine.generation) == (self.revision, there.generation)
        return current and mine.ready

    def _prune(self, mine: Step, gone: set[Key]) -> None:
        for key in sorted(gone & set(self.cluster.objects)):
            there = self.cluster.objects[key].applied
            if there["metadata"].get("annotations", {}).get(f"{KUSTOMIZE}/prune") == "disabled":
                continue
            mine.owned.discard(key)
            self._delete(key)

    def _delete(self, key: Key) -> None:
        there = self.cluster.objects[key].applied
        if key[0] == KUSTOMIZE:
            policy = there["spec"].get("deletionPolicy", "MirrorPrune")
            if policy == "Delete" or (policy == "MirrorPrune" and there["spec"]["prune"]):
                mine = self.steps[key[3]]
                self._prune(mine, set(mine.owned))
        if key[0] == HELM:
            self._uninstall(key, there)
        self.cluster.delete(key)

    def _built(self, path: str) -> Iterator[Object]:
        """What Kustomize makes of a folder: with a kustomization.yaml, or of all that lies there."""
        folder = posixpath.normpath(path)
        listed = f"{folder}/kustomization.yaml"
        if not any(name.startswith(f"{folder}/") for name in self.files):
            raise RefusedError("path not found")
        if listed not in self.files:
            inside = [name for name in sorted(self.files) if name.startswith(f"{folder}/")]
            decrypted = folder == "secrets"
            yield from (
                of_folder(self.files, folder).objects
                if decrypted
                else (one for name in inside for one in documents(self.files, name))
            )
            return
        (value,) = documents(self.files, listed)
        renamed: dict[str, str] = {}
        for one in value["configMapGenerator"]:
            paths = {key: posixpath.normpath(f"{folder}/{file}") for key, file in _pairs(one["files"])}
            data = {key: self.files[path].decode() for key, path in paths.items()}
            suffix = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:10]
            plain = value.get("generatorOptions", {}).get("disableNameSuffixHash") is True
            renamed[one["name"]] = one["name"] if plain else f"{one['name']}-{suffix}"
            metadata = {"name": renamed[one["name"]], "namespace": value["namespace"]}
            yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
        for name in value["resources"]:
            for item in deepcopy(documents(self.files, f"{folder}/{name}")):
                for entry in item["spec"]["valuesFrom"]:
                    entry["name"] = renamed[entry["name"]]
                yield item

    # --- HelmReleases

    def _values_of(self, path: str) -> dict[str, Any]:
        app = path.split("/")[1]
        return values([self.files[f"apps/{app}/{name}.yaml"] for name in ("values", "overrides")])

    def _given(self, item: Object) -> dict[str, Any] | None:
        result: dict[str, Any] = {}
        for one in item["spec"]["valuesFrom"]:
            there = self.cluster.objects.get(("", "ConfigMap", SPACE, one["name"]))
            if there is None:
                return None
            result = merged(result, values([there.applied["data"][one["valuesKey"]].encode()]))
        return result

    def _contents(self, item: Object, given: dict[str, Any]) -> Contents:
        spec = item["spec"]
        chart = spec["chart"]["spec"]
        name = chart["chart"].removeprefix("./charts/")
        made = of_chart(name, spec["releaseName"], spec["targetNamespace"], chart.get("version", ""), given)
        extra = spec.get("commonMetadata", {}).get("annotations", {})
        return Contents(tuple(_marked(one, extra) for one in made.objects), made.definitions, made.before_deletion)

    def _is_released(self, key: Key) -> bool:
        there, mine = self.cluster.objects[key], self.actions.get(key[3], Action())
        return mine.done == mine.wanted != "" and mine.generation == there.generation

    def _release(self, key: Key) -> None:
        there, mine = self.cluster.objects[key], self.actions.setdefault(key[3], Action())
        if self._late(key) or self.cluster.now < mine.again:
            return
        given = self._given(there.applied)
        if given is None:
            return  # a ConfigMap that is not there: tried again later
        wanted = json.dumps([there.applied, given], sort_keys=True)
        if wanted != mine.wanted:
            mine.wanted, mine.began, mine.applied = wanted, self.cluster.now, False
        contents = self._contents(there.applied, given)
        if mine.done == wanted:
            mine.generation = there.generation
            self._drift(there.applied["spec"], contents)
            return
        if not mine.applied:
            if self.cluster.now - mine.began >= (SLOW if key[3] == self.slow else 1):  # the chart is fetched meanwhile
                self._install(key, mine, contents)
        elif all(self._healthy(there.applied, item) for item in contents.objects):
            self._finish(mine, contents, there.generation)
        elif self.cluster.now - mine.began > self.timeout:
            self._fail(key, mine, "timed out")

    def _drift(self, spec: Object, contents: Contents) -> None:
        """What differs from the release is put back, now and then."""
        if spec.get("driftDetection", {}).get("mode") == "enabled" and self.cluster.now % INTERVAL == 0:
            self.watch.app = ""
            for item in contents.objects:
                self.cluster.apply(item)

    def _install(self, key: Key, mine: Action, contents: Contents) -> None:
        spec = self.cluster.objects[key].applied["spec"]
        policy = spec["upgrade" if mine.done else "install"].get("crds", "Skip" if mine.done else "Create")
        self.watch.app = key[3]
        try:
            for item in contents.definitions:
                if policy == "CreateReplace" or (policy == "Create" and self.cluster.live(item) is None):
                    self.cluster.apply(item)
            for item in contents.objects:
                self.cluster.apply(item)
                mine.owned[key_of(item)] = item
        except RefusedError as error:
            self._fail(key, mine, str(error))
            return
        mine.applied, mine.contents = True, contents

    def _finish(self, mine: Action, contents: Contents, generation: int) -> None:
        for key in mine.owned.keys() - set(map(key_of, contents.objects)):
            if not _kept(mine.owned.pop(key)):
                self.cluster.delete(key)
        mine.done, mine.generation, mine.failed = mine.wanted, generation, 0

    def _fail(self, key: Key, mine: Action, why: str) -> None:
        there = self.cluster.objects[key].applied
        self.cluster.trouble(f"release {key[3]} failed: {why}")
        action = there["spec"]["upgrade" if mine.done else "install"]
        mine.failed, mine.applied, mine.began = mine.failed + 1, False, self.cluster.now
        if action.get("strategy", {}).get("name") == "RetryOnFailure":
            mine.again = self.cluster.now + RETRY
            return
        remediation = action.get("remediation", {})
        if mine.failed <= remediation.get("retries", 0):
            self._uninstall(key, there)
            mine.again = self.cluster.now + RETRY
        else:
            mine.again = 10**9  # stalled: retries are exhausted

    def _uninstall(self, key: Key, there: Object) -> None:
        mine = self.actions.get(key[3], Action())
        contents = mine.contents
        if contents.before_deletion and there["spec"].get("uninstall", {}).get("disableHooks") is not True:
            for other in [other for other in self.cluster.objects if other[0] == "operator.tigera.io"]:
                self.cluster.delete(other)
        for other, item in sorted(mine.owned.items()):
            if not _kept(item):
                self.cluster.delete(other)
        mine.owned, mine.done = {}, ""

    def _healthy(self, item: Object, made: Object) -> bool:
        """kstatus, and the expressions of the release."""
        there = self.cluster.live(made)
        if there is None:
            return False
        for one in item["spec"].get("healthCheckExprs", ()):
            if (one["apiVersion"].partition("/")[0], one["kind"]) == (group_of(made), made["kind"]):
                return _expression(one["current"], there.value)
        return made["kind"] in ("Installation", "APIServer") or self.cluster.ready(made)


def _judged(spec: Object, there: Stored) -> bool:
    """A custom resource of a Kustomization that waits: its expression, else kstatus, which wants no condition."""
    made = there.applied
    for one in spec.get("healthCheckExprs", ()):
        if (one["apiVersion"].partition("/")[0], one["kind"]) == (group_of(made), made["kind"]):
            return _expression(one["current"], there.value)
    return True


def _definition(group: str, kind: str) -> Object:
    plural = kind.lower().removesuffix("y") + ("ies" if kind.endswith("y") else "s")
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}", "labels": {}},
        "spec": {"group": group, "names": {"kind": kind}},
    }


def _pairs(entries: list[str]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        key, _, file = entry.partition("=")
        yield key, file


def _marked(item: Object, annotations: dict[str, str]) -> Object:
    if not annotations:
        return item
    metadata = {**item["metadata"], "annotations": {**item["metadata"].get("annotations", {}), **annotations}}
    return {**item, "metadata": metadata}


def _kept(item: Object) -> bool:
    return item["metadata"].get("annotations", {}).get(KEPT) == "keep"


def _expression(text: str, value: Object) -> bool:
    """A missing status is an error, which counts as not ready."""
    if "status" not in value:
        return False
    environment = cel.NewEnv(variables={"status": cel.Type.DYN, "metadata": cel.Type.DYN})
    given = {"status": value["status"], "metadata": value["metadata"]}
    return environment.compile(text).eval(data=given).value() is True
