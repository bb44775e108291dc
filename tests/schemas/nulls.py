"""What an API server does to nulls before it judges a custom resource, written once more."""

from typing import Any


def pruned(value: Any, structural: dict[str, Any]) -> Any:
    """Fields that are null and may not be are gone; entries of lists and values of free maps stay.

    Source: Kubernetes documentation, CustomResourceDefinitions, "Defaulting and Nullable".
    """
    if isinstance(value, list):
        return [pruned(entry, structural.get("items") or {}) for entry in value]
    if not isinstance(value, dict):
        return value
    fields = structural.get("properties") or {}
    free = structural.get("additionalProperties")
    result = {}
    for key, part in value.items():
        if part is None and key in fields and not fields[key].get("nullable"):
            continue
        result[key] = pruned(part, fields.get(key) or (free if isinstance(free, dict) else {}))
    return result
