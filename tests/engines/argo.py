"""Argo CD's order, after its sources (v3.5: gitops-engine/pkg/sync, controller/health.go, appcontroller.go, state.go).

An Application is compared, and synced where it differs: first every task of every wave is tried without effect, then
one wave after another is applied, each of which ends when everything in it is healthy; what has no health counts as
done, the last wave waits for nothing. Degraded fails the sync. The health of an Application passes over what is missing
(since 3.4) and belongs to the last comparison, which may be older than its spec.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from contents import Contents, Files, documents, of_chart, of_folder, values
from lupa import lua51 as lupa
from simulated import CLUSTER_WIDE, OF_SECRETS, Cluster, Key, Object, RefusedError, group_of, key_of, kinds
from watch import Watch

WAVE, OPTIONS, HOOK = (f"argocd.argoproj.io/{name}" for name in ("sync-wave", "sync-options", "hook"))
COMPARE = "argocd.argoproj.io/compare-options"
GROUP = "argoproj.io"
FINALIZER = "resources-finalizer.argocd.argoproj.io"
_JUDGED = frozenset(
    (
        *("Deployment", "StatefulSet", "DaemonSet", "Service", "Job", "CustomResourceDefinition"),
        *OF_SECRETS,  # resource_customizations/bitnami.com, external-secrets.io
    )
)
"""Kinds for which Argo CD has a health check of its own."""
BACKOFF, DEFAULT_RETRIES = 2, 5
SLOW = 12
"""Steps that the controller takes to look at an Application which it looks at late."""


def annotation(item: Object, name: str) -> str:
    return str(item["metadata"].get("annotations", {}).get(name, ""))


def options(item: Object) -> set[str]:
    return {part.strip() for part in annotation(item, OPTIONS).split(",")} - {""}


@dataclass
class Operation:
    """A sync that runs."""

    waves: list[list[Object]]
    hooks: list[Object]
    prune: list[Key]
    at: int = 0
    applied: bool = False


@dataclass
class Controller:
    """What is remembered of an Application."""

    operation: Operation | None = None
    tries: int = 0
    again: int = 0
    owned: set[Key] = field(default_factory=set)
    seen: int = 0


class ArgoCd:
    """`late` is an Application that the controller is slow to look at."""

    def __init__(self, cluster: Cluster, files: Files, late: str = "") -> None:
        self.cluster, self.files, self.late = cluster, dict(files), late
        self.watch = Watch(cluster)
        self.known: dict[str, Controller] = {}
        (self.root,) = documents(files, "argocd/root.yaml")
        self.push(files)

    def push(self, files: Files) -> None:
        """A commit."""
        self.files = dict(files)
        self.made: dict[str, Contents] = {}
        self.watch.targets = {
            app["metadata"]["name"]: self._contents(app).objects
            for path in sorted(files)
            if path.startswith("argocd/apps/")
            for app in documents(files, path)
        }

    def begin(self) -> None:
        """`kubectl apply` of the root, when Argo CD is there."""
        while (GROUP, "Application") not in set(self.cluster.served()):
            self.cluster.step()
        for path in sorted(self.files):
            if path.startswith("argocd/projects/"):
                for project in documents(self.files, path):
                    self.cluster.apply(project)
        self.cluster.apply(self.root)

    def step(self) -> None:
        self.cluster.step()
        for key in [key for key in self.cluster.objects if key[:2] == (GROUP, "Application")]:
            if key in self.cluster.objects:
                self._look_at(self.cluster.objects[key].applied)

    # --- one Application

    def _contents(self, app: Object) -> Contents:
        key = json.dumps(app, sort_keys=True)
        if key not in self.made:
            self.made[key] = self._made(app)
        return self.made[key]

    def _made(self, app: Object) -> Contents:
        spec = app["spec"]
        if app["metadata"]["name"] == "root":
            folder = spec["source"]["path"] + "/"
            paths = [path for path in sorted(self.files) if path.startswith(folder)]
            return Contents(tuple(one for path in paths for one in documents(self.files, path)))
        if "source" in spec:
            return of_folder(self.files, spec["source"]["path"])
        chart = spec["sources"][0]
        given = values([self.files[path.removeprefix("$values/")] for path in chart["helm"]["valueFiles"]])
        name = chart.get("chart") or chart["path"].removeprefix("charts/")
        space = spec["destination"]["namespace"]
        return of_chart(name, chart["helm"]["releaseName"], space, chart.get("targetRevision", ""), given)

    def _look_at(self, app: Object) -> None:
        name = app["metadata"]["name"]
        mine = self.known.setdefault(name, Controller())
        there = self.cluster.objects[key_of(app)]
        if self.cluster.now - max(there.changed, mine.seen) < (SLOW if name == self.late else 1):
            return  # its status is of the spec before
        contents = self._contents(app)
        wanted = [*contents.definitions, *contents.objects]
        plain = [item for item in wanted if not annotation(item, HOOK)]
        mine.owned |= {key_of(item) for item in plain if self._same(item)}
        gone = [key for key in mine.owned if key not in set(map(key_of, plain)) and key in self.cluster.objects]
        differs = [item for item in plain if not self._same(item)]
        prunable = [key for key in gone if "Prune=false" not in options(self.cluster.objects[key].applied)]
        automated = app["spec"]["syncPolicy"].get("automated", {})
        pruned = prunable if automated.get("prune") else []
        if mine.operation is None and (differs or pruned) and self.cluster.now >= mine.again:
            self._begin(app, mine, wanted, pruned)
        elif mine.operation is not None:
            self._go_on(app, mine)
        extraneous = [key for key in gone if not self._ignored(key)]
        self._report(app, plain, bool([item for item in plain if not self._same(item)] or extraneous))

    def _same(self, item: Object) -> bool:
        there = self.cluster.live(item)
        return there is not None and there.applied == item

    def _ignored(self, key: Key) -> bool:
        """An object that nobody wants any more makes its Application OutOfSync, pruned or not, unless it says this."""
        there = self.cluster.objects.get(key)
        return there is None or "IgnoreExtraneous" in annotation(there.applied, COMPARE)

    def _begin(self, app: Object, mine: Controller, wanted: list[Object], pruned: list[Key]) -> None:
        retries = app["spec"]["syncPolicy"].get("retry", {}).get("limit", DEFAULT_RETRIES)
        if 0 <= retries < mine.tries:
            return  # will not retry before there is another commit
        hooks = [item for item in wanted if annotation(item, HOOK) == "PostSync"]
        plain = [item for item in wanted if not annotation(item, HOOK)]
        ordered = sorted(plain, key=lambda one: (_wave(one), one["kind"] != "CustomResourceDefinition", _custom(one)))
        waves = [list(many) for _wave_of, many in groupby(ordered, key=_wave)]
        skip = "SkipDryRunOnMissingResource=true" in app["spec"]["syncPolicy"].get("syncOptions", ())
        for item in (*plain, *hooks):
            if (why := self._forbidden(app, item)) is not None:
                self._failed(app, mine, why)
                return
        for item in plain:
            try:
                self.cluster.check(item)
            except RefusedError as error:
                if not (error.missing and (skip or (group_of(item), item["kind"]) in kinds(plain))):
                    self._failed(app, mine, str(error))
                    return
        mine.operation = Operation(waves, hooks, pruned)

    def _forbidden(self, app: Object, item: Object) -> str | None:
        """What the project of an Application says against an object (controller/sync.go, validateSyncPermissions)."""
        name = app["spec"]["project"]
        there = self.cluster.objects.get((GROUP, "AppProject", "argocd", name))
        if there is None:
            return f"there is no project {name}"
        spec, (group, kind, space, called) = there.applied["spec"], key_of(item)
        space = "" if kind in CLUSTER_WIDE else space or app["spec"]["destination"]["namespace"]
        lists = ("namespaceResource{}" if space else "clusterResource{}").format
        white = spec.get(lists("Whitelist"), [{"group": "*", "kind": "*"}] if space else [])
        if not _listed(white, group, kind, called) or _listed(spec.get(lists("Blacklist"), ()), group, kind, called):
            return f"{kind} {called} is not permitted in project {name}"
        if space and space not in {entry["namespace"] for entry in spec["destinations"]}:
            return f"namespace {space} is not permitted in project {name}"
        return None

    def _go_on(self, app: Object, mine: Controller) -> None:
        operation = mine.operation
        assert operation is not None
        groups = [*operation.waves, *([operation.hooks] if operation.hooks else [])]
        if operation.at >= len(groups):
            self._prune(app, mine, operation.prune)
            mine.operation, mine.tries = None, 0
            return
        group = groups[operation.at]
        if not operation.applied:
            try:
                self._apply(app, mine, group)
            except RefusedError as error:
                self._failed(app, mine, str(error))
                return
            operation.applied = True
        last = operation.at == len(groups) - 1 and not operation.hooks
        found = set() if last else {self._health(item) for item in group}
        if "Degraded" in found:
            self._failed(app, mine, "a resource is Degraded")
        elif found <= {"Healthy", None}:
            operation.at, operation.applied = operation.at + 1, False

    def _apply(self, app: Object, mine: Controller, group: list[Object]) -> None:
        self.watch.app = app["metadata"]["name"]
        for item in group:
            if annotation(item, HOOK):
                self.cluster.delete(key_of(item))
            else:
                mine.owned.add(key_of(item))
            self.cluster.apply(item)

    def _failed(self, app: Object, mine: Controller, why: str) -> None:
        mine.operation, mine.tries, mine.again = None, mine.tries + 1, self.cluster.now + BACKOFF
        self.cluster.trouble(f"sync of {app['metadata']['name']} failed: {why}")

    def _prune(self, app: Object, mine: Controller, keys: list[Key]) -> None:
        if "Prune=confirm" in app["spec"]["syncPolicy"].get("syncOptions", ()):
            return  # somebody has to approve
        for key in keys:
            mine.owned.discard(key)
            if key[:2] == (GROUP, "Application"):
                self._delete_application(key)
            self.cluster.delete(key)

    def _delete_application(self, key: Key) -> None:
        """A pre-delete hook runs even where no finalizer was asked for (since 3.3)."""
        app = self.cluster.objects[key].applied
        owned = self.known[key[3]].owned
        if FINALIZER in app["metadata"].get("finalizers", ()):
            for other in sorted(owned):
                self.cluster.delete(other)
        if any("pre-delete" in annotation(item, "helm.sh/hook") for item in self._contents(app).before_deletion):
            for other in [other for other in self.cluster.objects if other[0] == "operator.tigera.io"]:
                self.cluster.delete(other)

    # --- verdicts

    def _report(self, app: Object, plain: list[Object], differs: bool) -> None:
        mine = self.known[app["metadata"]["name"]]
        found = [self._health(item) for item in plain if self.cluster.live(item) is not None]
        worst = next((word for word in ("Degraded", "Progressing") if word in found), "Healthy")
        spec = {name: app["spec"][name] for name in ("source", "sources") if name in app["spec"]}
        running = {"operationState": {"phase": "Running"}} if mine.operation else {}
        failed = {"operationState": {"phase": "Failed"}} if mine.tries and not mine.operation else {}
        self.cluster.objects[key_of(app)].status = {
            "health": {"status": worst if found or not plain else "Missing"},
            "sync": {"status": "OutOfSync" if differs else "Synced", "comparedTo": spec},
            **({"operationState": {"phase": "Succeeded"}} | running | failed),
        }

    def _health(self, item: Object) -> str | None:
        there = self.cluster.live(item)
        if there is None:
            return "Missing"
        settings = self.cluster.objects.get(("", "ConfigMap", "argocd", "argocd-cm"))
        scripts = settings.applied["data"] if settings else {}
        script = scripts.get(f"resource.customizations.health.{group_of(item)}_{item['kind']}")
        if script is not None:
            return str(_lua(script, there.value)["status"])
        if item["kind"] in _JUDGED:
            return "Healthy" if self.cluster.ready(there.applied) else "Progressing"
        return None


def _listed(entries: Iterable[Mapping[str, str]], group: str, kind: str, name: str) -> bool:
    return any(
        entry["group"] in ("*", group) and entry["kind"] in ("*", kind) and entry.get("name", name) == name
        for entry in entries
    )


def _wave(item: Object) -> int:
    return int(annotation(item, WAVE) or 0)


def _custom(item: Object) -> bool:
    return "." in group_of(item) and not group_of(item).endswith("k8s.io")


def _lua(script: str, value: Object) -> Mapping[str, Any]:
    _RUNTIME.globals()["obj"] = _table(_RUNTIME, value)
    result: Mapping[str, Any] = _RUNTIME.execute(script)
    return result


_RUNTIME = lupa.LuaRuntime(register_eval=False, register_builtins=False)


def _table(lua: Any, value: Any) -> Any:
    if isinstance(value, Mapping):
        return lua.table_from({key: _table(lua, item) for key, item in value.items() if item is not None})
    if isinstance(value, list):
        return lua.table_from([_table(lua, item) for item in value])
    return value
