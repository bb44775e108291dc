"""What the tests of schemas share."""

from collections.abc import Callable
from typing import Any

import pytest

from anycastle import yamlio
from anycastle.finding import Finding, Place
from anycastle.schemas import Item, check
from anycastle.schemas.fetched import Pack

Check = Callable[..., tuple[Finding, ...]]


def item(value: dict[str, Any], path: str = "objects.yaml", scope: str = "") -> Item:
    return Item(value, lambda keys: Place(path, 1, yamlio.dotted(keys)), scope)


@pytest.fixture
def findings() -> Check:
    """Findings about plain values, in a Kubernetes version, perhaps with fetched definitions."""

    def run(*values: dict[str, Any], version: str = "v1.36.4", pack: Pack | None = None) -> tuple[Finding, ...]:
        return check([item(value) for value in values], version, pack)

    return run
