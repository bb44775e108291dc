"""What a check says about one object, before it is known in which file and line the object stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from anycastle.records import dataclass

Key = str | int
Path = tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A mistake at a path inside an object; the code decides the severity."""

    code: str
    keys: Path
    message: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A mistake inside one text, wherever it stands."""

    code: str
    what: str
    fix: str


@dataclass(frozen=True, slots=True)
class Subject:
    """An object under judgement. `group` is empty for the core group."""

    value: dict[str, Any]
    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        """As written in the object."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def metadata(self) -> dict[str, Any]:
        """Empty where there is none."""
        metadata = self.value.get("metadata")
        return metadata if isinstance(metadata, dict) else {}

    @property
    def name(self) -> str:
        """Empty where there is none."""
        name = self.metadata.get("name")
        return name if isinstance(name, str) else ""

    @property
    def namespace(self) -> str:
        """Empty where there is none."""
        namespace = self.metadata.get("namespace")
        return namespace if isinstance(namespace, str) else ""

    @property
    def title(self) -> str:
        """`Service web/whoami`."""
        name = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {name}".rstrip()

    @property
    def spec(self) -> dict[str, Any]:
        """Empty where there is none."""
        spec = self.value.get("spec")
        return spec if isinstance(spec, dict) else {}


Law = Callable[[Subject], Iterator[Fault]]
