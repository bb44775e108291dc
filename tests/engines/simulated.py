"""A cluster as far as order matters to it. One step is a few seconds.

Kinds appear after their definition, Calico's v3 objects only with its API server (first unknown, then refused with 503,
then served), Services get addresses only from a pool whose range never changes, pods start only with a network, and the
operator says Degraded while it brings one up.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

Object = dict[str, Any]
Key = tuple[str, str, str, str]
"""Group, kind, namespace, name."""

ESTABLISHED, STARTED = 2, 2
"""Steps until a definition is served, and until a pod is ready."""
V3 = "projectcalico.org"
OPERATOR = ("apps", "Deployment", "tigera-operator", "tigera-operator")
INSTALLATION = ("operator.tigera.io", "Installation", "", "default")
API_SERVER = ("operator.tigera.io", "APIServer", "", "default")
CLUSTER_WIDE = frozenset(
    (
        *("Namespace", "PriorityClass", "CustomResourceDefinition", "ClusterRole", "ClusterRoleBinding"),
        *("IngressClass", "Installation", "APIServer", "BGPConfiguration", "BGPPeer", "BGPFilter", "IPPool"),
        *("FelixConfiguration", "KubeControllersConfiguration", "ClusterSecretStore"),
    )
)
VERSION = "app.kubernetes.io/version"
OF_SECRETS = {
    "SealedSecret": ("sealed-secrets", "Synced"),
    "ExternalSecret": ("external-secrets", "Ready"),
    "ClusterSecretStore": ("external-secrets", "Ready"),
}
"""Kinds of which a controller makes Secrets: its namespace, and the condition by which it says that it has."""


class RefusedError(Exception):
    """The API server says no. `missing` = it does not know the kind (404), and not that it is away (503)."""

    def __init__(self, message: str, *, missing: bool = False) -> None:
        super().__init__(message)
        self.missing = missing


def group_of(item: Object) -> str:
    group, slash, _version = item["apiVersion"].partition("/")
    return str(group) if slash else ""


def key_of(item: Object) -> Key:
    space = "" if item["kind"] in CLUSTER_WIDE else item["metadata"].get("namespace", "")
    return (group_of(item), item["kind"], space, item["metadata"]["name"])


@dataclass
class Stored:
    """An object in the cluster: what was applied, and what controllers say of it."""

    applied: Object
    generation: int
    changed: int
    created: int
    status: Object = field(default_factory=dict)

    @property
    def value(self) -> Object:
        value = deepcopy(self.applied)
        value["metadata"]["generation"] = self.generation
        return {**value, "status": deepcopy(self.status)} if self.status else value


@dataclass
class Cluster:
    """`troubles` is what a person would have to explain the next morning.

    `rollout` is how many steps calico-node takes to be everywhere, `serving` how many Calico's API server to answer,
    `unsealing` how many a controller to make a Secret.
    """

    now: int = 0
    objects: dict[Key, Stored] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    watching: Callable[[Object], None] = lambda _item: None
    network: bool = False
    bgp: bool = False
    rollout: int = 6
    serving: int = 3
    unsealing: int = STARTED
    _rolling: tuple[tuple[int, str], int] | None = None
    _serving: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        for name in ("default", "kube-system"):
            self.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})

    def trouble(self, text: str) -> None:
        if text not in self.troubles:
            self.troubles.append(text)

    # --- the API

    def check(self, item: Object) -> None:
        """Raises `RefusedError` where the kind is not served."""
        group, kind = group_of(item), item["kind"]
        if group == V3:
            if self._serving is None:
                raise RefusedError(f'no matches for kind "{kind}" in version "{V3}/v3"', missing=True)
            if not self.serves_v3:
                raise RefusedError("the server is currently unable to handle the request")
        elif "." in group and not group.endswith("k8s.io") and (group, kind) not in set(self.served()):
            raise RefusedError(f'no matches for kind "{kind}" in group "{group}"', missing=True)

    def apply(self, item: Object) -> None:
        """Server-side apply; raises `RefusedError`."""
        key = key_of(item)
        there = self.objects.get(key)
        if there is not None and there.applied == item:
            return
        self.watching(item)
        self.check(item)
        if key[2] and ("", "Namespace", "", key[2]) not in self.objects:
            raise RefusedError(f'namespaces "{key[2]}" not found')
        if there is not None and key[1] == "IPPool" and there.applied["spec"]["cidr"] != item["spec"]["cidr"]:
            raise RefusedError("IPPool CIDR cannot be modified")
        if there is None:
            self.objects[key] = Stored(deepcopy(item), 1, self.now, self.now)
        else:
            there.generation += _without_metadata(there.applied) != _without_metadata(item)
            there.applied, there.changed = deepcopy(item), self.now

    def delete(self, key: Key) -> None:
        """Delete an object, and what goes with it."""
        if self.objects.pop(key, None) is None:
            return
        _group, kind, _space, name = key
        if kind in CLUSTER_WIDE - {"ClusterRole", "ClusterRoleBinding", "IngressClass"} or key == OPERATOR:
            self.trouble(f"deleted {kind} {name}")
        if key == INSTALLATION:
            self.network = self.bgp = False
        for other in [other for other in self.objects if kind == "Namespace" and other[2] == name]:
            self.delete(other)
        if kind == "CustomResourceDefinition":
            plural = name.partition(".")[2]
            for other in [other for other in self.objects if other[0] == plural and not self._is_defined(other)]:
                self.delete(other)

    def live(self, item: Object) -> Stored | None:
        return self.objects.get(key_of(item))

    # --- what controllers make of it

    @property
    def serves_v3(self) -> bool:
        return self._serving is not None and self.now - self._serving[1] >= self.serving

    def step(self) -> None:
        self.now += 1
        self._operator()
        for key, there in list(self.objects.items()):
            if key[1] in ("Deployment", "StatefulSet", "DaemonSet"):
                self._pods(there)
            elif key[1] == "Service" and there.applied.get("spec", {}).get("type") == "LoadBalancer":
                self._address(key, there)
            elif key[1] == "Job":
                self._probe(there)
            elif key[1] in OF_SECRETS:
                self._unsealed(key, there)
            elif key[1] == "BGPPeer" and self.bgp:
                self._session(key, there)

    def served(self) -> Iterator[tuple[str, str]]:
        """Group and kind of definitions that are established."""
        for key, there in self.objects.items():
            if key[1] == "CustomResourceDefinition" and self.now - there.created >= ESTABLISHED:
                yield there.applied["spec"]["group"], there.applied["spec"]["names"]["kind"]

    def _is_defined(self, key: Key) -> bool:
        return (key[0], key[1]) in {
            (there.applied["spec"]["group"], there.applied["spec"]["names"]["kind"])
            for other, there in self.objects.items()
            if other[1] == "CustomResourceDefinition"
        }

    def _operator(self) -> None:
        operator = self.objects.get(OPERATOR)
        if operator is None or self.now - operator.created < 1:
            return
        version = operator.applied["metadata"]["labels"][VERSION]
        definitions = [
            there.applied["metadata"]["labels"][VERSION]
            for key, there in self.objects.items()
            if key[1] == "CustomResourceDefinition" and there.applied["spec"]["group"] == INSTALLATION[0]
        ]
        if not definitions or min(map(_release, definitions)) < _release(version):
            self.trouble(f"the operator {version} runs with definitions {sorted(set(definitions))}")
        self._installation(version)
        self._api_server()

    def _installation(self, version: str) -> None:
        there = self.objects.get(INSTALLATION)
        if there is None:
            return
        wanted = (there.generation, version)
        if self._rolling is None or self._rolling[0] != wanted:
            self._rolling = (wanted, self.now)
            if self._wants_bgp(there) and not self._configured():
                self.trouble("BGP without its configuration: a full mesh of AS 64512")
        done = self.now - self._rolling[1] >= self.rollout
        if done:
            self.network, self.bgp = True, self._wants_bgp(there)
        there.status = _conditions(there, done)

    def _api_server(self) -> None:
        there = self.objects.get(API_SERVER)
        if there is None or not self.network:
            return
        if self._serving is None or self._serving[0] != there.generation:
            self._serving = (there.generation, self.now)
        there.status = {**_conditions(there, self.serves_v3), "state": "Ready" if self.serves_v3 else "NotReady"}

    @staticmethod
    def _wants_bgp(there: Stored) -> bool:
        return there.applied["spec"]["calicoNetwork"].get("bgp") == "Enabled"

    def _configured(self) -> bool:
        kinds = {key[1] for key in self.objects if key[0] == V3}
        return {"BGPConfiguration", "BGPPeer"} <= kinds

    def _pods(self, there: Stored) -> None:
        on_host = there.applied["spec"].get("template", {}).get("spec", {}).get("hostNetwork") is True
        if not (on_host or self.network):
            there.changed = self.now
        there.status = {"available": self.now - there.changed >= STARTED}

    def _unsealed(self, key: Key, there: Stored) -> None:
        space, condition = OF_SECRETS[key[1]]
        pods = [one for other, one in self.objects.items() if other[1] == "Deployment" and other[2] == space]
        if any(one.status.get("available") for one in pods) and self.now - there.changed >= self.unsealing:
            there.status = {"conditions": [{"type": condition, "status": "True"}]}
            if key[2]:
                metadata = {"name": key[3], "namespace": key[2]}
                self.apply({"apiVersion": "v1", "kind": "Secret", "metadata": metadata})

    def _session(self, key: Key, there: Stored) -> None:
        """Calico says nothing and goes on without the password."""
        name = there.applied["spec"].get("password", {}).get("secretKeyRef", {}).get("name")
        if name and ("", "Secret", "calico-system", name) not in self.objects:
            self.trouble(f"the session of {key[3]} has no password")

    def pools(self) -> Iterator[ipaddress.IPv4Network | ipaddress.IPv6Network]:
        for key, there in self.objects.items():
            if key[1] == "IPPool" and "LoadBalancer" in there.applied["spec"].get("allowedUses", ()):
                yield ipaddress.ip_network(there.applied["spec"]["cidr"])

    def _address(self, key: Key, there: Stored) -> None:
        text = there.applied["metadata"].get("annotations", {}).get("projectcalico.org/loadBalancerIPs", "[]")
        asked = [ipaddress.ip_address(one) for one in json.loads(text)]
        given = [one for one in asked if any(one in pool for pool in self.pools())]
        if given != asked and self.network:
            self.trouble(f"Service {key[3]} asks for an address of no pool")
        elif given and there.status.get("address") != str(given[0]):
            if not self.bgp:
                self.trouble(f"Service {key[3]} has an address that nobody announces")
            there.status = {"address": str(given[0])}

    def _probe(self, there: Stored) -> None:
        routed = any(key[1] == "Service" and one.status.get("address") for key, one in self.objects.items())
        ready = all(one.status.get("available") for key, one in self.objects.items() if key[1] == "Deployment")
        route = any(key[1] == "IngressRoute" for key in self.objects)
        if routed and ready and route and self.now - there.created >= STARTED:
            there.status = {"complete": True}

    @property
    def rolled_out(self) -> bool:
        """Whether calico-node is everywhere in its newest form."""
        there = self.objects.get(INSTALLATION)
        return there is not None and _is_ready(there)

    def ready(self, item: Object) -> bool:
        """Whether an object is there in this form and does what it is for: the truth, and nobody's verdict."""
        there = self.live(item)
        return there is not None and there.applied == item and self._works(key_of(item), there)

    def _works(self, key: Key, there: Stored) -> bool:
        if key in (INSTALLATION, API_SERVER):
            return _is_ready(there) and (key == INSTALLATION or self.serves_v3)
        if key[1] == "CustomResourceDefinition":
            return self.now - there.created >= ESTABLISHED
        if key[1] == "Service" and there.applied.get("spec", {}).get("type") == "LoadBalancer":
            return "address" in there.status
        if key[1] in OF_SECRETS:
            return bool(there.status)
        wanted = _STATES.get(key[1])
        return wanted is None or there.status.get(wanted) is True


_STATES = {"Deployment": "available", "StatefulSet": "available", "DaemonSet": "available", "Job": "complete"}


def _release(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _without_metadata(item: Object) -> Object:
    return {key: value for key, value in item.items() if key != "metadata"}


def _conditions(there: Stored, done: bool) -> Object:
    """Degraded while it works, as the operator says in every bring-up; what it says of Ready is of what it works on."""
    words = {True: "True", False: "False"}
    return {
        "conditions": [
            {"type": "Ready", "status": words[done], "observedGeneration": there.generation, "message": ""},
            {"type": "Progressing", "status": words[not done], "observedGeneration": there.generation},
            {
                "type": "Degraded",
                "status": words[not done],
                "observedGeneration": there.generation,
                "message": "waiting for enabled IP pools to be created",
            },
        ]
    }


def _is_ready(there: Stored) -> bool:
    return any(
        one["type"] == "Ready" and one["status"] == "True" and one["observedGeneration"] == there.generation
        for one in there.status.get("conditions", ())
    )


def kinds(items: Iterable[Object]) -> set[tuple[str, str]]:
    """Group and kind of definitions."""
    return {
        (item["spec"]["group"], item["spec"]["names"]["kind"])
        for item in items
        if item["kind"] == "CustomResourceDefinition"
    }
