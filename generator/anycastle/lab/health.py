"""kube-vip's health check of the API server on its own node: it announces on success and withdraws after failures."""

from __future__ import annotations

import threading
from dataclasses import field
from ipaddress import ip_address
from urllib.parse import urlsplit

from anycastle.lab.daemons import GoBgp
from anycastle.lab.namespace import enter
from anycastle.lab.probes import Target, request
from anycastle.network.addresses import IPNetwork
from anycastle.network.cluster import KubeVip
from anycastle.network.questions import host
from anycastle.records import dataclass

PERIOD, TIMEOUT, THRESHOLD = 5, 3, 3
"""Seconds, seconds and failures, where the pod's environment says nothing."""


@dataclass(slots=True)
class HealthCheck:
    """One thread per control plane. Plain HTTP stands for HTTPS; what the answer holds does not count."""

    pod: KubeVip
    speaker: GoBgp
    _over: threading.Event = field(default_factory=threading.Event)

    @property
    def prefixes(self) -> tuple[IPNetwork, ...]:
        """What it lets out."""
        return tuple(host(vip) for vip in self.pod.vips)

    def start(self) -> None:
        """Ask from now on, at once for the first time."""
        threading.Thread(target=self._watch, name=f"health {self.pod.node}", daemon=True).start()

    def stop(self) -> None:
        """Ask no more."""
        self._over.set()

    def _watch(self) -> None:
        enter(self.pod.node)
        target = health_target(self.pod)
        failures, announcing = 0, False
        while not self._over.is_set():
            failures = failures + 1 if request(target).error else 0
            wanted = failures == 0 or (announcing and failures < (self.pod.threshold or THRESHOLD))
            if wanted != announcing and not self._over.is_set():
                announcing = wanted
                for prefix in self.prefixes:
                    self.speaker.announce(prefix, present=wanted)
            self._over.wait(self.pod.period or PERIOD)


def health_target(pod: KubeVip) -> Target:
    """Where the pod's health check asks; a name means the node itself."""
    parts = urlsplit(pod.health_url)
    name = parts.hostname or "127.0.0.1"
    try:
        address = ip_address(name)
    except ValueError:
        address = ip_address("127.0.0.1")
    return Target(f"health check of {pod.node}", address, parts.port or 6443)


def longest(pod: KubeVip) -> int:
    """Seconds from the death of the API server to the withdrawal, at most; 0 without a check."""
    if not pod.health_url:
        return 0
    period, timeout, threshold = pod.period or PERIOD, pod.timeout or TIMEOUT, pod.threshold or THRESHOLD
    return period + (threshold - 1) * max(period, timeout) + timeout
