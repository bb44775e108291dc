"""Which container images a repository needs, and what they are called in a mirror."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

DOCKER = "docker.io"
OPERATOR = "tigera/operator"
_LISTS = ("containers", "initContainers", "ephemeralContainers")


def images(objects: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Every image that some pod template of these objects names, with its registry, sorted."""
    return tuple(sorted({full_name(image) for value in objects for image in _named(value)}))


def _named(value: object) -> Iterator[str]:
    """Images of containers at any depth: templates of controllers, jobs in jobs, lists."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key in _LISTS and isinstance(inner, list):
                yield from (str(one["image"]) for one in inner if isinstance(one, Mapping) and one.get("image"))
            yield from _named(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner)


def full_name(image: str) -> str:
    """With what a runtime adds: the registry docker.io, and `library/` for its official images."""
    first, slash, _rest = image.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return image
    return f"{DOCKER}/{image}" if slash else f"{DOCKER}/library/{image}"


def mirrored(image: str, registry: str, mirrors: Mapping[str, str] | None = None) -> str:
    """The same image in a mirror, under the path that it has upstream; a digest stays.

    `mirrors` are what the names of a registry's images begin with in its own mirror; `registry` is that of all others.
    """
    upstream, _, path = image.partition("/")
    return f"{(mirrors or {}).get(upstream, registry).rstrip('/')}/{path}"


def listing(found: Iterable[str], registry: str, kubernetes: str, mirrors: Mapping[str, str] | None = None) -> str:
    """`vendor/images.txt`: each image and its mirror, one pair a line."""
    names = tuple(found)
    operator = next((name for name in names if name.partition("/")[2].startswith(f"{OPERATOR}:")), "")
    head = [
        "Written by `anycastle vendor`: every image that a file of this repository names, and its name in the mirror.",
        "  grep -v '^#' vendor/images.txt | while read -r from to; do skopeo copy docker://$from docker://$to; done",
        f"Not named in any file are those of kubeadm: kubeadm config images list --kubernetes-version {kubernetes}",
    ]
    if operator:
        head.append(f"and those that Calico's operator starts: docker run --rm {operator} --print-images=list")
    lines = [f"# {line}" for line in head]
    return "\n".join([*lines, *(f"{name} {mirrored(name, registry, mirrors)}" for name in names)]) + "\n"
