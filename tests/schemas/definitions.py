"""Small definitions of custom resources for tests, and a cache to put them into."""

import copy
from pathlib import Path
from typing import Any

from anycastle.schemas import fetched
from anycastle.schemas.crd import Definition, Name, definition, names
from anycastle.schemas.fetched import Source

GROUP, VERSION, KIND = "example.com", "v1", "Thing"
NAME = (f"{GROUP}/{VERSION}", KIND)


def crd(spec: dict[str, Any], **root: Any) -> dict[str, Any]:
    """A CustomResourceDefinition of `Thing` whose spec has this schema; `root` goes beside its properties."""
    schema = {"type": "object", "properties": {"spec": spec}, **root}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": GROUP,
            "names": {"kind": KIND, "plural": "things"},
            "scope": "Namespaced",
            "versions": [{"name": VERSION, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def fields(**properties: Any) -> dict[str, Any]:
    """The schema of a mapping with these fields."""
    return {"type": "object", "properties": properties}


def rule(text: str, **more: Any) -> dict[str, Any]:
    """The part of a schema that states one rule."""
    return {"x-kubernetes-validations": [{"rule": text, **more}]}


def thing(spec: Any = ..., name: str = "one", **more: Any) -> dict[str, Any]:
    """An object of the kind; without a spec where none is given."""
    value = {"apiVersion": NAME[0], "kind": KIND, "metadata": {"name": name}, **more}
    return value if spec is ... else {**value, "spec": copy.deepcopy(spec)}


def defined(spec: dict[str, Any], **root: Any) -> Definition:
    """The definition that `crd` states."""
    return definition(crd(spec, **root), NAME)


def every_definition(*crds: dict[str, Any]) -> dict[Name, Definition]:
    return {name: definition(each, name) for each in crds for name in names(each)}


def pack_of(cache: Path, *crds: dict[str, Any], source: str = "upstream") -> fetched.Pack:
    """A pack with these definitions, written to the cache and read from it."""
    fetched.save(Source(source, "v1.0.0", "a test", {"crd.yaml": "0"}), every_definition(*crds), cache)
    pack = fetched.load(cache)
    assert pack is not None
    return pack
