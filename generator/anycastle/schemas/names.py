"""Names, namespaces, labels and annotations of any object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.shape import mapping

MAX_ANNOTATIONS = 256 * 1024

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_SERVICE = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")
_SUBDOMAIN = re.compile(r"(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_SEGMENT = re.compile(r"(?!\.\.?$)[^/%]+")
_KEY_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_VALUE = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?")
_FORMS = {
    ("", "Namespace"): (_LABEL, "lower-case letters, digits and `-`, at most 63"),
    ("", "Service"): (_SERVICE, "lower-case letters, digits and `-`, at most 63, a letter first"),
}
_SUBDOMAIN_FORM = (_SUBDOMAIN, "lower-case letters, digits, `-` and `.`, at most 253")
_SEGMENT_FORM = (_SEGMENT, "anything but `/` and `%`")
_LONGEST = {"CronJob": 52, "Job": 63}


def is_dns_label(text: str) -> bool:
    """Lower-case letters, digits and `-`, at most 63."""
    return _LABEL.fullmatch(text) is not None


def check(subject: Subject) -> Iterator[Fault]:
    """Faults of an object's own metadata."""
    yield from _name(subject)
    namespace = subject.namespace
    if namespace and not is_dns_label(namespace):
        yield Fault(
            "OBJ102",
            ("metadata", "namespace"),
            f"no namespace can be called `{namespace}`",
            "Use lower-case letters, digits and `-`, at most 63.",
        )
    yield from metadata(subject.metadata, ("metadata",))


def _name(subject: Subject) -> Iterator[Fault]:
    given = subject.metadata.get("name", subject.metadata.get("generateName"))
    if given is None or given == "":
        yield Fault(
            "OBJ002",
            ("metadata", "name"),
            "the object has no name, so the API server refuses it",
            "Add metadata.name.",
        )
        return
    name = subject.name
    form, words = _form(subject)
    longest = _LONGEST.get(subject.kind, 253)
    if name and (form.fullmatch(name) is None or len(name) > longest):
        limit = f" ({longest} for a {subject.kind})" if longest != 253 else ""
        yield Fault(
            "OBJ101",
            ("metadata", "name"),
            f"`{name}` is no valid name, so the object is refused",
            f"Use {words}{limit}.",
        )


def _form(subject: Subject) -> tuple[re.Pattern[str], str]:
    if subject.group == "rbac.authorization.k8s.io":
        return _SEGMENT_FORM
    return _FORMS.get((subject.group, subject.kind), _SUBDOMAIN_FORM)


def metadata(found: Any, at: Path) -> Iterator[Fault]:
    """Faults of the labels and annotations of any metadata, a pod template's included."""
    yield from labels(mapping(found, "labels"), (*at, "labels"))
    annotations = mapping(found, "annotations")
    for key in annotations:
        if not is_key(key.lower()):
            yield Fault("OBJ104", (*at, "annotations", key), f"`{key}` is no valid annotation key", _KEY_WORDS)
    size = sum(len(key) + len(value.encode()) for key, value in annotations.items() if isinstance(value, str))
    if size > MAX_ANNOTATIONS:
        yield Fault(
            "OBJ104",
            (*at, "annotations"),
            f"the annotations hold {size} bytes, at most {MAX_ANNOTATIONS} are allowed together",
            "Shorten them; apply large objects server-side, which adds no annotation of its own.",
        )


_KEY_WORDS = "Write an optional DNS name and `/`, then at most 63 letters, digits, `-`, `_` and `.`."


def labels(found: dict[str, Any], at: Path) -> Iterator[Fault]:
    """Faults of a mapping of labels, or of a selector that is one."""
    for key, value in found.items():
        if not is_key(key):
            yield Fault("OBJ103", (*at, key), f"`{key}` is no valid label key", _KEY_WORDS)
        if isinstance(value, str) and _VALUE.fullmatch(value) is None:
            yield Fault(
                "OBJ103",
                (*at, key),
                f"`{value}` is no valid label value, so the object is refused",
                "Use at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends.",
            )


def is_key(key: str) -> bool:
    """A label or annotation key: an optional DNS name and slash, then a name."""
    prefix, slash, name = key.rpartition("/")
    if slash and _SUBDOMAIN.fullmatch(prefix) is None:
        return False
    return _KEY_NAME.fullmatch(name) is not None
