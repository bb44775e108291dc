"""Codes about the way out: files that containerd passes over, credentials of a proxy."""

from __future__ import annotations

from anycastle.finding import Explanation, Severity

EGRESS = (
    Explanation(
        "EGR010",
        "containerd cannot read the file of a mirror",
        "It says so in its log only, and asks the registry itself: behind an air gap every image waits for a timeout, "
        "elsewhere nobody notices until the registry limits the rate.",
        source="containerd core/remotes/docker/config/hosts.go (loadHostDir).",
    ),
    Explanation(
        "EGR011",
        "The path of a mirror is not that of its API",
        "With override_path containerd takes the path as it is and puts the name of the image behind it. A registry "
        "answers below /v2/ only, so each request ends in 404, and containerd goes on to the registry itself.",
        Severity.WARNING,
        source="containerd docs/hosts.md, override_path; OCI distribution specification, endpoints.",
    ),
    Explanation(
        "EGR012",
        "A proxy's or mirror's password stands in clear text",
        "Whoever can read the repository can use it, and it stays in the history.",
        source="Practice.",
    ),
)
