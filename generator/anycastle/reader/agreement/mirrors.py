"""Images beside the mirrors that containerd is told of, where the charts lie here because there is no internet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from anycastle.finding import Place
from anycastle.reader import flux as flux_sources
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes
from anycastle.yamlio import Path as Keys

LOCK = "vendor/charts.lock.yaml"
_LISTS = ("containers", "initContainers", "ephemeralContainers")
_EVERY = "_default"
"""containerd's folder for every registry that has none of its own."""
_OF_KUBEADM = "registry.k8s.io"
_OF_FLUX = "ghcr.io"
"""Of the controllers that `flux bootstrap` installs."""
_SHOWN = 3


def check(subject: Subject, notes: Notes) -> None:
    """Registries that images come from, and that no machine has a mirror of."""
    mirrored = {mirror.registry for mirror in subject.network.mirrors}
    if not mirrored or _EVERY in mirrored or not subject.tree.has_file(LOCK):
        return
    found: dict[str, dict[str, Place]] = defaultdict(dict)
    for item in (*subject.pods, *subject.objects):
        for keys, image in images(item.value):
            registry = registry_of(image)
            found[registry].setdefault(image, item.place(keys))
    cluster = next((item for item in subject.machine if item.kind == "ClusterConfiguration"), None)
    if cluster is not None and "imageRepository" not in cluster.value:
        found[_OF_KUBEADM].setdefault("those of kubeadm", cluster.place(("kubernetesVersion",)))
    flux = next((item for item in subject.engine if item.group == flux_sources.SOURCE), None)
    if flux is not None and not any(item.name == "source-controller" for item in subject.objects):
        found[_OF_FLUX].setdefault("those of Flux", flux.place())
    for registry, named in sorted(found.items()):
        if registry not in mirrored:
            _tell(registry, sorted(named), next(iter(named.values())), notes)


def _tell(registry: str, named: Sequence[str], where: Place, notes: Notes) -> None:
    more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
    notes.add(
        "EGR014",
        where,
        f"{registry} has no mirror: {', '.join(named[:_SHOWN])}{more} cannot be fetched without the internet.",
        f"Add {{registry: {registry}, mirror: https://...}} to egress.mirrors in site.yaml, or a "
        f"certs.d/{registry}/hosts.toml.",
    )


def images(value: object, at: Keys = ()) -> Iterator[tuple[Keys, str]]:
    """Images of containers at any depth, each with its keys."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in _LISTS and isinstance(inner, list):
                for index, one in enumerate(inner):
                    image = one.get("image") if isinstance(one, dict) else None
                    if isinstance(image, str) and image:
                        yield (*at, key, index, "image"), image
            yield from images(inner, (*at, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from images(inner, (*at, index))


def registry_of(image: str) -> str:
    """The registry of an image; docker.io where it names none (distribution/reference, splitDockerDomain)."""
    first, slash, _rest = image.partition("/")
    return first if slash and ("." in first or ":" in first or first == "localhost") else "docker.io"
