"""Images beside the mirrors that machines are told of."""

from __future__ import annotations

from anycastle.finding import Explanation, Severity

MIRRORS = (
    Explanation(
        "EGR014",
        "Images of a registry have no mirror, and the charts are vendored for an air gap",
        "The charts need no network, the images do: containerd asks a registry that cannot be reached, and the pod "
        "stays in ImagePullBackOff. It shows on the first machine that does not have the image yet.",
        Severity.WARNING,
        source="vendor/charts.lock.yaml; containerd docs/hosts.md.",
    ),
)
