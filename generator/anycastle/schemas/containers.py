"""One container: image, ports, environment, probes and resources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from anycastle.schemas.fault import Fault, Path
from anycastle.schemas.names import is_dns_label
from anycastle.schemas.quantities import resources
from anycastle.schemas.shape import mapping, mappings, repeated, text

_IMAGE = re.compile(
    r"(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?/|\[[0-9a-fA-F:]+\](?::\d+)?/)?"
    r"[a-z0-9]+(?:(?:\.|_{1,2}|-+|/)[a-z0-9]+)*"
    r"(?::\w[\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9]*:[0-9a-fA-F]{32,})?"
)
_PORT_NAME = re.compile(r"(?=.{1,15}$)(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_PROBE_HANDLERS = ("exec", "grpc", "httpGet", "tcpSocket")
_HOOK_HANDLERS = ("exec", "httpGet", "sleep", "tcpSocket")
_SOURCES = ("configMapKeyRef", "fieldRef", "fileKeyRef", "resourceFieldRef", "secretKeyRef")


def container_faults(container: dict[str, Any], at: Path) -> Iterator[Fault]:
    """Every fault that can be seen in a container alone; `at` is its path."""
    yield from _identity(container, at)
    yield from _ports(container, at)
    yield from _environment(container, at)
    yield from _handlers(container, at)
    yield from resources(container, at)


def _identity(container: dict[str, Any], at: Path) -> Iterator[Fault]:
    name = text(container, "name")
    if name and not is_dns_label(name):
        yield Fault(
            "OBJ101",
            (*at, "name"),
            f"`{name}` is no valid container name, so the pod is refused",
            "Use lower-case letters, digits and `-`, at most 63.",
        )
    image = container.get("image")
    if image is None or image == "":
        yield Fault("OBJ113", (*at, "image"), "the container has no image, so the pod is refused", "Add `image`.")
    elif isinstance(image, str) and _IMAGE.fullmatch(image) is None:
        yield Fault(
            "OBJ113",
            (*at, "image"),
            f"`{image}` is no image reference: the container stays in InvalidImageName",
            "Write repository and tag, such as registry.example.com/team/app:1.2.3, the repository in lower case.",
        )


def _ports(container: dict[str, Any], at: Path) -> Iterator[Fault]:
    named = [((*here, "name"), text(port, "name")) for here, port in mappings(container, "ports", at)]
    for here, name in named:
        if name and _PORT_NAME.fullmatch(name) is None:
            yield Fault(
                "OBJ114",
                here,
                f"`{name}` is no valid port name, so the pod is refused",
                "Use at most 15 lower-case letters, digits and single `-`, with at least one letter.",
            )
    for here, name in repeated(iter(named)):
        yield Fault("OBJ115", here, f"another port here is called `{name}` too", "Give each port its own name.")


def _environment(container: dict[str, Any], at: Path) -> Iterator[Fault]:
    variables = list(mappings(container, "env", at))
    for here, name in repeated(((*here, "name"), text(each, "name")) for here, each in variables):
        yield Fault(
            "OBJ125",
            here,
            f"`{name}` is set before already: one of the two is lost, and a server-side apply refuses the object",
            "Keep one of the two.",
        )
    for here, variable in variables:
        sources = [key for key in _SOURCES if mapping(variable, "valueFrom", key)]
        both = bool(sources) and bool(text(variable, "value"))
        if both or len(sources) > 1:
            yield Fault(
                "OBJ129",
                (*here, "valueFrom"),
                f"`{text(variable, 'name')}` has more than one value ({', '.join([*sources, *['value'] * both])})",
                "Keep one of them.",
            )


def _handlers(container: dict[str, Any], at: Path) -> Iterator[Fault]:
    for probe in _PROBES:
        if isinstance(container.get(probe), dict):
            yield from _handler(container[probe], (*at, probe), _PROBE_HANDLERS)
    for hook in ("postStart", "preStop"):
        if isinstance(mapping(container, "lifecycle").get(hook), dict):
            yield from _handler(container["lifecycle"][hook], (*at, "lifecycle", hook), _HOOK_HANDLERS)


def _handler(found: dict[str, Any], at: Path, choices: tuple[str, ...]) -> Iterator[Fault]:
    handlers = [choice for choice in choices if found.get(choice) is not None]
    if len(handlers) != 1:
        yield Fault(
            "OBJ122",
            at,
            f"{at[-1]} has {', '.join(handlers) or 'no handler'}, so the pod is refused",
            f"Keep exactly one of {', '.join(choices)}.",
        )
    for handler in ("httpGet", "tcpSocket"):
        target = found.get(handler)
        if isinstance(target, dict) and "port" in target:
            yield from port_reference(target["port"], (*at, handler, "port"))


def port_reference(value: Any, at: Path) -> Iterator[Fault]:
    """Faults of a port that is a number or the name of a container port."""
    number = isinstance(value, int) and not isinstance(value, bool)
    if (number and not 1 <= value <= 65535) or (isinstance(value, str) and _PORT_NAME.fullmatch(value) is None):
        yield Fault(
            "OBJ128",
            at,
            f"{value} is neither a port from 1 to 65535 nor the name of a port",
            "Write the number without quotes, or the name of a container port.",
        )
