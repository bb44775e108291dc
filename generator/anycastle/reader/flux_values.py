"""The values of a HelmRelease: `valuesFrom` in its order, `values` over them, `targetPath` entries over all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from anycastle import yamlio
from anycastle.reader.documents import Object, part
from anycastle.reader.merging import Values, parameter
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, mappings, text

DEFAULT_KEY = "values.yaml"


@dataclass(slots=True)
class Layers:
    """Documents with values, the later over the earlier, and single values over them all.

    `incomplete` = something that brings values cannot be read here.
    """

    documents: tuple[yamlio.Document, ...] = ()
    extra: tuple[Values, ...] = ()
    incomplete: bool = False


def layers(item: Object, manifests: Sequence[Object], notes: Notes) -> Layers:
    """Everything that brings values to a release."""
    result = Layers()
    for keys, entry in mappings(item.spec, "valuesFrom", ("spec",)):
        config = _config_map(text(entry, "name"), item.namespace, manifests)
        key = text(entry, "valuesKey") or DEFAULT_KEY
        content = text(config.value, "data", key) if config is not None else ""
        if text(entry, "kind") != "ConfigMap" or config is None or not content:
            if entry.get("optional") is not True:
                result.incomplete = True
                place = item.place((*keys, "name"))
                notes.add(
                    "READ007",
                    place,
                    f"Values of {item.name} come from {text(entry, 'kind')} {text(entry, 'name')} ({key}), which is "
                    "not here; what they make of the chart was not checked.",
                )
        elif text(entry, "targetPath"):
            layer = parameter(text(entry, "targetPath"), content.strip(), text=False)
            result.extra = (*result.extra, *((layer,) if layer else ()))
        else:
            place = config.place(("data", key))
            loaded = yamlio.load(content, place.path, place.line)
            notes.findings += loaded.findings
            result.incomplete = result.incomplete or bool(loaded.findings)
            result.documents = (*result.documents, *loaded.documents[:1])
    own = part(item, ("spec", "values"))
    values = mapping(item.spec, "values")  # as Flux filled them in
    if values:
        own = replace(own, value=values) if own is not None else yamlio.Document(values, item.source)
    result.documents = (*result.documents, *((own,) if own is not None else ()))
    return result


def _config_map(name: str, namespace: str, manifests: Iterable[Object]) -> Object | None:
    """The ConfigMap of that name; a generated one may have no namespace of its own."""
    found = [item for item in manifests if item.kind == "ConfigMap" and item.group == "" and item.name == name]
    return next((item for item in found if item.namespace == namespace), found[0] if found else None)
