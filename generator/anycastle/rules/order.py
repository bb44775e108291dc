"""The order in which the engine applies things, and what it must never remove."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from anycastle.finding import Severity
from anycastle.network.bgp import Software
from anycastle.network.cluster import App
from anycastle.network.model import Network
from anycastle.network.order import AFTER, FOUNDATION, Part
from anycastle.rules.pairs import several
from anycastle.rules.registry import Fault, rule
from anycastle.rules.releases import older, release_of

APPLICATION = "argoproj.io_Application"
GATES = {Part.INSTALLATION: ("operator.tigera.io_Installation", "operator.tigera.io_APIServer")}
"""Kinds for which Argo CD has no health check of its own, by the part that brings them."""

_CUSTOMARY = frozenset(
    (
        *((Part.ENGINE, Part.INSTALLATION), (Part.ENGINE, Part.POOLS), (Part.INGRESS, Part.ENGINE)),
        *((Part.SECRETS, Part.NAMESPACES), (Part.BGP, Part.SECRETS), (Part.EDGE, Part.SECRETS)),
        *((Part.SEALED_SECRETS, Part.NAMESPACES), (Part.EXTERNAL_SECRETS, Part.NAMESPACES)),
    )
)
"""(dependent, needed) where nothing fails the other way round: only this program's own repositories keep that order."""

_Edge = tuple[App, App]


def _violated(network: Network) -> list[_Edge]:
    """(dependent, needed) where the wave of the needed app is not lower."""
    by_part: dict[str, list[App]] = defaultdict(list)
    for app in network.apps:
        for part in app.provides:
            by_part[part].append(app)
    return list(
        dict.fromkeys(
            (app, needed)
            for part, requirement in _edges(network)
            for app in by_part.get(part, ())
            for needed in by_part.get(requirement, ())
            if needed is not app and needed.wave >= app.wave
        )
    )


def _edges(network: Network) -> Iterator[tuple[Part, Part]]:
    """What must be before what, here.

    Where the operator's own chart brings the Installation, nothing of Calico's can come before that.
    """
    names = {app.name for app in network.apps}
    own = all(part in names for part in FOUNDATION if part is not Part.ENGINE)
    left_out = set() if own else set(_CUSTOMARY)
    if any({Part.OPERATOR, Part.INSTALLATION} <= set(app.provides) for app in network.apps):
        left_out.add((Part.INSTALLATION, Part.BGP))
    if not any(end.password for end in network.ends if end.software is Software.CALICO):
        left_out.add((Part.BGP, Part.SECRETS))
    for part, requirements in AFTER.items():
        yield from ((part, needed) for needed in requirements if (part, needed) not in left_out)


@rule("ORD001", "What is needed has a lower wave")
def waves(network: Network) -> Iterator[Fault]:
    """The engine waits between waves and not inside one.

    An object whose definition comes later fails the whole sync. BGP switched on before its configuration makes
    a full mesh of AS 64512 for a while; the mesh switched off before the peers exist takes every route away. Where
    no app has a wave, the order is left to retries, and so is the judgement.

    Source: Argo CD, sync waves; projectcalico/calico#1939.
    """
    edges = _violated(network) if len({app.wave for app in network.apps}) > 1 else []
    while edges:
        degree: dict[App, int] = defaultdict(int)
        for app, needed in edges:
            degree[app] += 1
            degree[needed] += 1
        worst = max(degree.values())
        blamed = next(app for edge in edges for app in edge if degree[app] == worst)
        early = [needed for app, needed in edges if app is blamed]
        late = [app for app, needed in edges if needed is blamed]
        yield _misplaced(blamed, early, late)
        edges = [edge for edge in edges if blamed not in edge]


def _misplaced(app: App, early: list[App], late: list[App]) -> Fault:
    lowest = max((needed.wave for needed in early), default=None)
    highest = min((dependent.wave for dependent in late), default=None)
    needs = f"needs {_waves(early)} before it" if early else ""
    needed = f"must come before {_waves(late)}" if late else ""
    bounds = [f"higher than {lowest}"] if lowest is not None else []
    bounds += [f"lower than {highest}"] if highest is not None else []
    return Fault(
        app.where,
        f"App {app.name} has wave {app.wave} and {' and '.join(part for part in (needs, needed) if part)}: the engine "
        "does not wait for what is in the same or a later wave.",
        f"Give it a wave {' and '.join(bounds)}.",
    )


def _waves(apps: list[App]) -> str:
    return several(f"{app.name} (wave {app.wave})" for app in apps)


@rule("ORD002", "Definitions come with the operator")
def definitions(network: Network) -> Iterator[Fault]:
    """Since 3.32 the operator's chart brings no definitions.

    On a fresh cluster every object of Calico fails with "no matches for kind Installation".

    Source: projectcalico/calico#12864; release notes of Calico 3.32.
    """
    parts = {part: app for app in network.apps for part in app.provides}
    operator = parts.get(Part.OPERATOR)
    calico = release_of(network, "calico")
    if operator is not None and Part.CALICO_CRDS not in parts and calico and not older(calico, (3, 32, 0)):
        yield Fault(
            operator.where,
            f"App {operator.name} installs Calico {'.'.join(map(str, calico))}, whose chart has no definitions, and no "
            "app "
            'brings them: "no matches for kind Installation".',
            "Add an app with the chart crd.projectcalico.org.v1 of the same version, in an earlier wave.",
        )


@rule("ORD003", "The foundation is never removed")
def protected(network: Network) -> Iterator[Fault]:
    """An engine that prunes the network removes what it needs to put it back.

    A renamed or deleted app takes the Installation with it, every pod loses its network, and the engine's own
    pods are among them.

    Source: projectcalico/calico#6629, projectcalico/calico#9066.
    """
    for app in network.apps:
        parts = sorted(str(part) for part in app.provides if part in FOUNDATION)
        if parts and not app.protected:
            yield Fault(
                app.where,
                f"App {app.name} holds {several(parts)} and may be pruned or deleted in a cascade: the cluster's "
                "network would go with it.",
                "Set prune: false (for Argo CD also the sync options Prune=false and Delete=false, and no finalizer).",
            )


@rule("ORD004", "Waves wait for something")
def gated(network: Network) -> Iterator[Fault]:
    """A wave ends when everything in it is healthy, and what nobody can judge counts as healthy.

    Argo CD has had no health check for its own Applications since 1.8, and none for Calico's operator. Without
    them every wave ends at once, and the order is decoration.

    Source: argoproj/argo-cd#27917, argoproj/argo-cd#5146; Argo CD resource_customizations.
    """
    provided = {part for app in network.apps for part in app.provides}
    engine = next((app for app in network.apps if Part.ENGINE in app.provides), None)
    if engine is None or len({app.wave for app in network.apps}) < 2:
        return
    wanted = [APPLICATION] + [kind for part, kinds in GATES.items() if part in provided for kind in kinds]
    missing = [kind for kind in wanted if kind not in network.health_checks]
    if missing:
        yield Fault(
            engine.where,
            f"Argo CD has no health check for {several(missing)}: the waves end before those objects are ready.",
            "Add " + " and ".join(f"resource.customizations.health.{kind}" for kind in missing) + " to configs.cm.",
            Severity.ERROR,
        )
