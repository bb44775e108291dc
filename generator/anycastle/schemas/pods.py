"""Pods, wherever they are described: on their own, as static pods, or as the template of a workload."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from anycastle.schemas import names
from anycastle.schemas.containers import container_faults
from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.shape import mapping, mappings, number, repeated, sequence, text

_TEMPLATE = ("spec", "template")
TEMPLATES: dict[tuple[str, str], tuple[str, ...]] = {
    ("", "Pod"): (),
    ("", "PodTemplate"): ("template",),
    ("", "ReplicationController"): _TEMPLATE,
    ("apps", "DaemonSet"): _TEMPLATE,
    ("apps", "Deployment"): _TEMPLATE,
    ("apps", "ReplicaSet"): _TEMPLATE,
    ("apps", "StatefulSet"): _TEMPLATE,
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
    ("batch", "Job"): _TEMPLATE,
}
_CONTAINERS = ("initContainers", "containers", "ephemeralContainers")


def check(subject: Subject) -> Iterator[Fault]:
    """Faults of the pod that an object is or describes."""
    at = TEMPLATES[subject.group, subject.kind]
    template = mapping(subject.value, *at)
    spec, here = mapping(template, "spec"), (*at, "spec")
    if at:
        yield from names.metadata(mapping(template, "metadata"), (*at, "metadata"))
    yield from names.labels(mapping(spec, "nodeSelector"), (*here, "nodeSelector"))
    yield from _containers(spec, here)
    yield from _volumes(spec, here, _claimed(subject))
    yield from _host_ports(spec, here)
    yield from _tolerations(spec, here)


def _containers(spec: dict[str, Any], at: Path) -> Iterator[Fault]:
    if "containers" in spec and not sequence(spec, "containers"):
        yield Fault("OBJ112", (*at, "containers"), "the pod has no container, so it is refused", "Add a container.")
    every = [entry for part in _CONTAINERS for entry in mappings(spec, part, at)]
    for here, name in repeated(((*here, "name"), text(each, "name")) for here, each in every):
        yield Fault(
            "OBJ111",
            here,
            f"another container of this pod is called `{name}` too, so the pod is refused",
            "Give each container a name of its own.",
        )
    for here, container in every:
        yield from container_faults(container, here)


def _claimed(subject: Subject) -> set[str]:
    """Volumes that a StatefulSet claims for each of its pods."""
    return {text(claim, "metadata", "name") for _, claim in mappings(subject.spec, "volumeClaimTemplates")}


def _volumes(spec: dict[str, Any], at: Path, claimed: set[str]) -> Iterator[Fault]:
    volumes = list(mappings(spec, "volumes", at))
    for here, name in repeated(((*here, "name"), text(volume, "name")) for here, volume in volumes):
        yield Fault("OBJ120", here, f"another volume is called `{name}` too", "Give each volume its own name.")
    for here, volume in volumes:
        sources = sorted(key for key, value in volume.items() if key != "name" and value is not None)
        if len(sources) > 1:
            yield Fault(
                "OBJ120",
                here,
                f"the volume has {len(sources)} sources ({', '.join(sources)}), so the pod is refused",
                "Keep one of them.",
            )
    known = claimed | {text(volume, "name") for _, volume in volumes}
    for part in _CONTAINERS:
        for here, container in mappings(spec, part, at):
            yield from _mounts(container, here, known)


def _mounts(container: dict[str, Any], at: Path, known: set[str]) -> Iterator[Fault]:
    for part in ("volumeMounts", "volumeDevices"):
        for here, mount in mappings(container, part, at):
            name = text(mount, "name")
            if name and name not in known:
                yield Fault(
                    "OBJ119",
                    (*here, "name"),
                    f"the pod has no volume `{name}`, so it is refused",
                    _choices(known),
                )
    paths = (
        ((*here, "mountPath"), text(mount, "mountPath")) for here, mount in mappings(container, "volumeMounts", at)
    )
    for here, path in repeated(paths):
        yield Fault("OBJ124", here, f"another volume is mounted at {path} too", "Mount each at its own path.")


def _choices(known: set[str]) -> str:
    """What there is to choose from."""
    listed = ", ".join(sorted(name for name in known if name))
    return f"The volumes here are {listed}." if listed else "Add the volume under `volumes`."


def _host_ports(spec: dict[str, Any], at: Path) -> Iterator[Fault]:
    ports = [entry for here, each in mappings(spec, "containers", at) for entry in mappings(each, "ports", here)]
    bound = (((*here, "hostPort"), _binding(port, bool(spec.get("hostNetwork")))) for here, port in ports)
    for here, binding in repeated(bound):
        yield Fault(
            "OBJ115",
            here,
            f"host port {binding[0]}/{binding[1]} is bound by another container of this pod already",
            "Use another port.",
        )
    for here, port in ports if spec.get("hostNetwork") is True else ():
        host, inner = number(port, "hostPort"), number(port, "containerPort")
        if host and inner and host != inner:
            yield Fault(
                "OBJ123",
                (*here, "hostPort"),
                f"on the host's network the container listens on {inner}, not on host port {host}; the pod is refused",
                f"Remove hostPort or write {inner}.",
            )


def _binding(port: dict[str, Any], on_host: bool) -> tuple[int, str, str] | None:
    found = number(port, "hostPort") or (number(port, "containerPort") if on_host else None)
    return (found, text(port, "protocol") or "TCP", text(port, "hostIP")) if found else None


def _tolerations(spec: dict[str, Any], at: Path) -> Iterator[Fault]:
    for here, toleration in mappings(spec, "tolerations", at):
        exists = text(toleration, "operator") == "Exists"
        if exists and text(toleration, "value"):
            yield Fault(
                "OBJ127",
                (*here, "value"),
                "operator Exists asks for no value, so the pod is refused",
                "Remove the value, or write operator Equal.",
            )
        if not exists and not text(toleration, "key"):
            yield Fault(
                "OBJ127",
                (*here, "key"),
                "a toleration without key needs operator Exists, so the pod is refused",
                "Add the key, or write operator Exists to tolerate everything.",
            )
