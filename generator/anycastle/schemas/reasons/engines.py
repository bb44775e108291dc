"""Objects of Argo CD, Flux and Traefik."""

from __future__ import annotations

from anycastle.finding import Severity
from anycastle.schemas.reasons.explanation import Explanation

REASONS = (
    Explanation(
        "GITOPS001",
        "An Application has no source, or two kinds of it",
        "With `sources` Argo CD ignores `source`; without either there is nothing to apply.",
    ),
    Explanation(
        "GITOPS002",
        "The destination of an Application is ambiguous",
        "A cluster is given by `server` or by `name`; Argo CD refuses both, and cannot deploy with neither.",
    ),
    Explanation(
        "GITOPS003",
        "A HelmRelease has no chart, or two",
        "Exactly one of chart and chartRef; the API server refuses the release.",
    ),
    Explanation(
        "GITOPS004",
        "Fields of a Flux object exclude each other",
        "The API server refuses the object.",
    ),
    Explanation(
        "GITOPS005",
        "A source of an Application is incomplete or contradicts itself",
        "A source has a path, a chart or a ref; a chart needs a version and cannot be referred to: Argo CD "
        "reports an error and syncs nothing.",
    ),
    Explanation(
        "TRAEFIK001",
        "A route of Traefik leads nowhere",
        "A route without services is dropped and clients get 404, unless other routers build on it.",
        Severity.WARNING,
    ),
    Explanation(
        "TRAEFIK002",
        "A prefix does not begin with a slash",
        "The API server refuses the middleware, and routes that use it answer with an error.",
    ),
)
