"""The health checks, run by a Lua that has what Argo CD's sandbox has: base and table functions, nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from examples import example
from lupa import lua51 as lupa  # the version of the language that Argo CD's interpreter speaks

from anycastle.render import argocd_health

SANDBOX = {
    "_G", "_VERSION", "assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget",
    "rawlen", "rawset", "select", "setmetatable", "table", "tonumber", "tostring", "type", "unpack", "xpcall",
}  # fmt: skip

Object = dict[str, Any]

SOURCES = [
    {
        "repoURL": "https://traefik.github.io/charts",
        "chart": "traefik",
        "targetRevision": "41.3.0",
        "helm": {"releaseName": "traefik", "valueFiles": ["$values/a.yaml", "$values/b.yaml"]},
    },
    {"repoURL": "https://git.example.com/platform/home.git", "targetRevision": "main", "ref": "values"},
]

HEALTHY: Object = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "Application",
    "metadata": {"name": "traefik", "generation": 41},
    "spec": {"project": "platform", "sources": SOURCES},
    "status": {
        "health": {"status": "Healthy"},
        "sync": {
            "status": "Synced",
            "revisions": ["41.3.0", "0123456789abcdef0123456789abcdef01234567"],
            "comparedTo": {"source": {"repoURL": ""}, "sources": SOURCES, "destination": {"namespace": "traefik"}},
        },
        "operationState": {"phase": "Succeeded", "message": "successfully synced (all tasks run)"},
        "conditions": [{"type": "ExcludedResourceWarning", "message": "Resource Endpoints is excluded"}],
    },
}

INSTALLATION: Object = {
    "apiVersion": "operator.tigera.io/v1",
    "kind": "Installation",
    "metadata": {"name": "default", "generation": 3},
    "status": {
        "conditions": [
            {"type": "Ready", "status": "True", "observedGeneration": 3, "message": "All Objects Available"},
            {"type": "Progressing", "status": "False", "observedGeneration": 3},
            {"type": "Degraded", "status": "False", "observedGeneration": 3},
        ]
    },
}

API_SERVER: Object = {**INSTALLATION, "kind": "APIServer", "status": {**INSTALLATION["status"], "state": "Ready"}}


def sandbox() -> Any:
    """A Lua without libraries, strings included."""
    lua = lupa.LuaRuntime(register_eval=False, register_builtins=False)
    lua.execute("getmetatable('').__index = nil")
    names = lua.globals()
    for name in list(names):
        if name not in SANDBOX:
            names[name] = None
    return lua


def table(lua: Any, value: Any) -> Any:
    """Plain data as Argo CD hands it over: mappings and lists are tables, null is absent."""
    if isinstance(value, Mapping):
        return lua.table_from({key: table(lua, item) for key, item in value.items() if item is not None})
    if isinstance(value, list):
        return lua.table_from([table(lua, item) for item in value])
    return value


def health(kind: str, obj: Mapping[str, Any]) -> tuple[str, str]:
    """(status, message) of an object."""
    lua = sandbox()
    lua.globals()["obj"] = table(lua, obj)
    result = lua.execute(argocd_health.script(kind))
    return result["status"], result["message"]


def changed(base: Mapping[str, Any], path: str, value: Any) -> Object:
    """A copy with one value set, or taken away where it is None."""
    result: Object = json.loads(json.dumps(base))  # unlike deepcopy, nothing stays shared
    at = result
    *parents, last = path.split(".")
    for key in parents:
        at = at[int(key)] if isinstance(at, list) else at.setdefault(key, {})
    if value is None:
        at.pop(last, None)
    else:
        at[last] = value
    return result


def application(obj: Mapping[str, Any]) -> tuple[str, str]:
    return health("argoproj.io_Application", obj)


@pytest.mark.parametrize("call", ["string.find('a', 'a')", "('a'):find('a')", "math.max(1, 2)", "os.time()"])
def test_the_sandbox_has_no_libraries(call: str) -> None:
    with pytest.raises(lupa.LuaError):
        sandbox().execute(f"return {call}")


def test_a_child_that_is_synced_and_healthy_opens_the_next_wave() -> None:
    assert application(HEALTHY) == ("Healthy", "")


@pytest.mark.parametrize("obj", [{"spec": {}}, changed(HEALTHY, "status", {}), changed(HEALTHY, "status.health", None)])
def test_a_child_that_was_never_compared_is_progressing(obj: Object) -> None:
    assert application(obj) == ("Progressing", "not compared with its source yet")


@pytest.mark.parametrize("status", ["Progressing", "Missing", "Suspended", "Unknown", "Degraded"])
def test_a_child_that_is_not_healthy_waits_and_never_fails_its_parent(status: str) -> None:
    obj = changed(HEALTHY, "status.health", {"status": status, "message": "1 of 2 replicas"})
    assert application(obj) == ("Progressing", f"is {status}: 1 of 2 replicas")


@pytest.mark.parametrize("status", ["OutOfSync", "Unknown"])
def test_a_half_synced_child_is_progressing_though_argo_cd_calls_it_healthy(status: str) -> None:
    assert application(changed(HEALTHY, "status.sync.status", status)) == ("Progressing", f"is {status}")


def test_a_running_operation_is_waited_for() -> None:
    running = changed(HEALTHY, "status.operationState", {"phase": "Running", "message": "waiting for healthy state"})
    assert application(running) == ("Progressing", "syncing: waiting for healthy state")


def test_an_operation_that_was_only_asked_for_is_waited_for() -> None:
    asked = changed(HEALTHY, "operation", {"sync": {"revisions": ["41.3.0", "main"]}})
    assert application(asked)[0] == "Progressing"


@pytest.mark.parametrize("phase", ["Failed", "Error"])
def test_a_stale_failure_holds_the_wave_though_everything_looks_synced(phase: str) -> None:
    failed = changed(HEALTHY, "status.operationState", {"phase": phase, "message": "hook failed"})
    assert application(failed) == ("Progressing", "the last sync failed: hook failed")


@pytest.mark.parametrize("condition", ["ComparisonError", "InvalidSpecError", "SyncError", "UnknownError"])
def test_a_source_that_cannot_be_rendered_holds_the_wave(condition: str) -> None:
    broken = changed(HEALTHY, "status.conditions", [{"type": condition, "message": "app path does not exist"}])
    assert application(broken) == ("Progressing", f"{condition}: app path does not exist")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("spec.sources.0.targetRevision", "41.4.0"),
        ("spec.sources.0.helm.valueFiles", ["$values/a.yaml"]),
        ("spec.sources.0.helm.releaseName", "other"),
        ("spec.sources.1.targetRevision", "v2"),
        ("spec.sources", SOURCES[:1]),
        ("status.sync.comparedTo.sources", SOURCES[:1]),
        ("status.sync.comparedTo", None),
    ],
)
def test_a_verdict_on_an_older_spec_does_not_count(path: str, value: Any) -> None:
    assert application(changed(HEALTHY, path, value)) == ("Progressing", "not compared with its newest source yet")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("spec.sources.0.helm.skipCrds", False),
        ("spec.sources.0.helm.parameters", []),
        ("spec.sources.1.path", ""),
        ("status.sync.comparedTo.sources.0.kustomize", {}),
        ("spec.source", {"repoURL": ""}),
    ],
)
def test_what_argo_cd_leaves_out_when_it_writes_a_source_down_is_no_difference(path: str, value: Any) -> None:
    assert application(changed(HEALTHY, path, value))[0] == "Healthy"


def test_a_single_source_is_compared_as_well() -> None:
    single = changed(HEALTHY, "spec", {"source": SOURCES[1]})
    single["status"]["sync"]["comparedTo"] = {"source": SOURCES[1]}
    assert application(single)[0] == "Healthy"
    assert application(changed(single, "spec.source.targetRevision", "next"))[0] == "Progressing"


@pytest.mark.parametrize("obj", [INSTALLATION, API_SERVER], ids=["Installation", "APIServer"])
class TestOperatorKinds:
    def judge(self, obj: Mapping[str, Any]) -> tuple[str, str]:
        return health(f"operator.tigera.io_{obj['kind']}", obj)

    def test_ready_for_the_newest_generation_is_healthy(self, obj: Object) -> None:
        assert self.judge(obj) == ("Healthy", "")

    def test_absent_status_is_progressing(self, obj: Object) -> None:
        assert self.judge(changed(obj, "status", None)) == ("Progressing", "the operator has not reported yet")

    def test_an_older_generation_is_progressing(self, obj: Object) -> None:
        newer = changed(obj, "metadata.generation", 4)
        assert self.judge(newer) == ("Progressing", "the operator has not seen the newest spec yet")

    def test_degraded_is_never_passed_on(self, obj: Object) -> None:
        message = "waiting for enabled IP pools to be created"
        degraded = {"type": "Degraded", "status": "True", "observedGeneration": 3, "message": message}
        bad = changed(obj, "status.conditions", [*obj["status"]["conditions"][:2], degraded])
        assert self.judge(bad) == ("Progressing", f"degraded: {message}")

    def test_not_ready_is_progressing_with_its_reason(self, obj: Object) -> None:
        unready = {"type": "Ready", "status": "False", "observedGeneration": 3, "message": "Pod calico-node-x"}
        bad = changed(obj, "status.conditions", [unready])
        assert self.judge(bad) == ("Progressing", "not ready: Pod calico-node-x")


def test_the_api_server_must_say_itself_that_it_is_ready() -> None:
    assert health("operator.tigera.io_APIServer", changed(API_SERVER, "status.state", None)) == (
        "Progressing",
        "state is unknown",
    )


def test_there_is_a_check_for_every_kind_that_the_network_needs_one_for() -> None:
    _site, network = example("seed")
    assert set(argocd_health.SCRIPTS) == set(network.health_checks)
