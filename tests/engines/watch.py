"""Who changes something before what it needs is there: measured by the truth of the cluster, by no engine's verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simulated import Cluster, Object

from anycastle.network.order import AFTER, Part


class Watch:
    """Reports every change of an app that comes before an app it needs."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.app = ""
        self.targets: Mapping[str, Sequence[Object]] = {}
        cluster.watching = self._changed

    def _changed(self, _item: Object) -> None:
        if self.app in [*Part]:
            for needed in AFTER.get(Part(self.app), ()):
                if needed in self.targets and self._needs(needed) and not self.there(needed):
                    self.cluster.trouble(f"{self.app} before {needed}")

    def _needs(self, needed: str) -> bool:
        """Peers without a password read no Secret."""
        secret = (self.app, needed) == (Part.BGP, Part.SECRETS)
        return not secret or any("password" in item.get("spec", {}) for item in self.targets[self.app])

    def there(self, app: str) -> bool:
        """Whether an app is there as it should be, and works."""
        return all(self.cluster.ready(item) for item in self.targets[app] if item["kind"] != "Job")

    def all_there(self) -> bool:
        """Whether every app is."""
        return all(map(self.there, self.targets))
