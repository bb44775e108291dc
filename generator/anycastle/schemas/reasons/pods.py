"""Pods, their containers and the workloads around them."""

from __future__ import annotations

from anycastle.finding import Severity
from anycastle.schemas.reasons.explanation import Explanation

REASONS = (
    Explanation(
        "OBJ110",
        "A selector does not match the labels of its own pods",
        "The API server refuses the workload: it would start pods for ever without finding one.",
    ),
    Explanation(
        "OBJ111",
        "Two containers of a pod share a name",
        "The API server refuses the pod; in a static pod the kubelet ignores the file.",
    ),
    Explanation(
        "OBJ112",
        "A pod has no container",
        "The API server refuses it.",
    ),
    Explanation(
        "OBJ113",
        "A container has no usable image",
        "The API server refuses an absent image; a malformed one ends as InvalidImageName and never starts.",
    ),
    Explanation(
        "OBJ114",
        "A port name is malformed",
        "Container ports are named by at most 15 lower-case letters, digits and `-`, ports of Services by a DNS "
        "label; the API server refuses the rest.",
    ),
    Explanation(
        "OBJ115",
        "A port of a pod is declared twice",
        "Names of container ports are unique within a pod's container, and one host port can be bound once: "
        "the pod is refused or never scheduled.",
    ),
    Explanation(
        "OBJ116",
        "A quantity is malformed",
        "CPU and memory are numbers with a suffix such as m, Mi or Gi and no blank; the API server cannot "
        "decode anything else.",
    ),
    Explanation(
        "OBJ117",
        "A resource amount is negative",
        "The API server refuses it.",
    ),
    Explanation(
        "OBJ118",
        "A request exceeds its limit",
        "The API server refuses a pod that asks for more than it may use.",
    ),
    Explanation(
        "OBJ119",
        "A volume mount names a volume that the pod does not have",
        "The API server refuses the pod; a static pod stays away without a word outside the kubelet's log.",
    ),
    Explanation(
        "OBJ120",
        "A volume is ambiguous",
        "Volume names are unique in a pod and each volume has exactly one source; otherwise the pod is refused.",
    ),
    Explanation(
        "OBJ121",
        "The restart policy does not fit the workload",
        "Deployments, StatefulSets and DaemonSets keep pods running and allow only Always; Jobs run to an "
        "end and allow only OnFailure or Never.",
    ),
    Explanation(
        "OBJ122",
        "A probe or hook does not have exactly one handler",
        "The API server refuses a probe with none or with several of exec, httpGet, tcpSocket and grpc.",
    ),
    Explanation(
        "OBJ123",
        "A host port differs from the container port on the host's network",
        "A pod on the host's network listens where the container listens; the API server refuses a "
        "different host port.",
    ),
    Explanation(
        "OBJ124",
        "Two volumes are mounted at one path",
        "The API server refuses the container: mount paths must be unique.",
    ),
    Explanation(
        "OBJ125",
        "An environment variable is set twice",
        "The last one wins in a client-side apply, and a server-side apply refuses the object: duplicate "
        "entries for one key.",
        Severity.WARNING,
    ),
    Explanation(
        "OBJ126",
        "A rolling update can never make progress",
        "With both maxSurge and maxUnavailable at zero no pod may be added or removed; the API server "
        "refuses it. Values are whole numbers or percentages.",
    ),
    Explanation(
        "OBJ127",
        "A toleration contradicts itself",
        "A toleration with operator Exists has no value, and one without a key needs operator Exists; the "
        "API server refuses the pod.",
    ),
    Explanation(
        "OBJ128",
        "A port reference is malformed",
        "A port is a number from 1 to 65535 or the name of a container port; the API server refuses anything else.",
    ),
    Explanation(
        "OBJ129",
        "An environment variable is ambiguous",
        "A variable has a value or a source, and a source is exactly one of a field, a resource, a "
        "ConfigMap key or a Secret key; the API server refuses the pod otherwise.",
    ),
)
