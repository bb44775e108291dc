"""`site.yaml`: the answers, with a comment above each key that says what it changes in the network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from anycastle import yamlio
from anycastle.render.site_comments import COMMENTS, HEADER, INLINE, OF_ENTRIES, SHOWN
from anycastle.site.model import Site
from anycastle.site.types import Model


def site_yaml(site: Site, remarks: yamlio.Comments | None = None) -> str:
    """The site as a file that parses back to it.

    `remarks` are further lines above keys, below what is always said there.
    """
    answers = written(site)
    comments = dict(COMMENTS)
    for path, text in (*_of_entries(answers), *(remarks or {}).items()):
        comments[path] = f"{comments[path]}\n{text}" if path in comments else text
    return yamlio.header(HEADER) + "".join(f"\n{section}" for section in _sections(answers, comments))


def _of_entries(answers: Mapping[str, Any]) -> Iterator[tuple[yamlio.Path, str]]:
    """What is said above a list of one-line entries, for each key that one of them has and few sites need."""
    for (*above, key), text in OF_ENTRIES.items():
        entries: Any = answers
        for step in above:
            entries = entries.get(step, {})
        if any(key in entry for entry in entries):
            yield tuple(above), text


def written(site: Site) -> dict[str, Any]:
    """What the file says of a site.

    A key is written where it has no default, where it differs from it, or where a person should see the default
    because another value is often wanted.
    """
    return _mapping(site, "", SHOWN | _pinned(site))


def _pinned(site: Site) -> frozenset[str]:
    """Releases that this site alone brings: Renovate finds a line for each."""
    tool = site.gitops.secrets
    used = {
        "versions.sops": tool == "sops" and site.gitops.engine == "argocd",
        "versions.sealed_secrets_chart": tool == "sealed-secrets",
        "versions.external_secrets_chart": tool == "external-secrets",
    }
    return frozenset(key for key, shown in used.items() if shown)


def _sections(answers: Mapping[str, Any], comments: yamlio.Comments) -> Iterator[str]:
    """Top-level keys in paragraphs; the scalars at the beginning stand together."""
    scalars = {key: value for key, value in answers.items() if not isinstance(value, (dict, list))}
    yield yamlio.dump_commented(scalars, comments)
    for key, value in answers.items():
        if key not in scalars:
            yield yamlio.dump_commented({key: value}, _comments_of(key, value, comments))


def _comments_of(key: str, value: Any, comments: yamlio.Comments) -> yamlio.Comments:
    """The comments of one section whose keys are there; the writer splits a mapping only where one is."""
    return {path: text for path, text in comments.items() if path[0] == key and _present({key: value}, path)}


def _present(value: Any, path: yamlio.Path) -> bool:
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return False
        value = value[key]
    return True


def _mapping(model: Model, at: str, shown: frozenset[str]) -> dict[str, Any]:
    """The keys of a model that are written, in the order of the model."""
    result: dict[str, Any] = {}
    for name, field in type(model).model_fields.items():
        key = field.alias or name
        path = f"{at}.{key}" if at else key
        value = getattr(model, name)
        if path in shown or value != field.get_default(call_default_factory=True):
            result[key] = _plain(value, path, shown)
    return yamlio.Inline(result) if at in INLINE else result


def _plain(value: Any, at: str, shown: frozenset[str]) -> Any:
    if isinstance(value, Model):
        return _mapping(value, at, shown)
    if isinstance(value, (tuple, list)):
        return [_plain(item, at, shown) for item in value]
    if isinstance(value, (str, int)):
        return value
    if isinstance(value, Mapping):
        return dict(sorted(value.items()))
    return None if value is None else str(value)
