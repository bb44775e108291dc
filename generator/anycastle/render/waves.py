"""`docs/waves.svg`: in which order the engine brings the apps, and what each wave waits for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anycastle.network.cluster import App
from anycastle.network.model import Network
from anycastle.network.order import Part
from anycastle.render import svg
from anycastle.render.svg import Box, Style

WIDTH = 960.0
MARGIN = 24.0

_TOP = 74.0
_ROW = 62.0
_BOX = 46.0
_NAME_X = 104.0
_NAME_WIDTH = 280.0
_LEGEND_X = 480.0

CONTENTS: Mapping[str, str] = {
    Part.NAMESPACES: "namespaces with their pod-security levels, priority classes",
    Part.SEALED_SECRETS: "the controller that unseals what git holds, and its definition",
    Part.EXTERNAL_SECRETS: "the operator that fetches Secrets, and its definitions",
    Part.SECRETS: "the Secrets of secrets/",
    Part.CALICO_CRDS: "definitions of Calico's kinds, of the operator's release",
    Part.OPERATOR: "the operator; its pre-delete hook must never run",
    Part.BGP: "filters, BGP settings, peers: before BGP is switched on",
    Part.INSTALLATION: "Calico on every node, and its API server",
    Part.POOLS: "addresses for Services, and who may take one",
    Part.ENGINE: "Argo CD itself, once the network stands",
    Part.INGRESS: "Traefik's definitions, then Traefik behind its address",
    Part.EDGE: "TLS defaults, headers, the route to Argo CD",
    Part.SMOKE_TEST: "a server behind the address, and a probe in the cluster",
}
"""What an app holds, in words."""

_WITHOUT_INTERFACE: Mapping[str, str] = {Part.EDGE: "TLS defaults and headers"}
"""With Flux there is no route to an interface."""

GATES: Mapping[str, str] = {
    Part.NAMESPACES: "the namespaces exist",
    Part.SEALED_SECRETS: "the controller is available",
    Part.EXTERNAL_SECRETS: "the operator is available",
    Part.SECRETS: "the Secrets are there",
    Part.CALICO_CRDS: "the definitions are established",
    Part.OPERATOR: "the operator is available",
    Part.BGP: "the objects are stored; sessions come with the next wave",
    Part.INSTALLATION: "the operator calls Installation and APIServer ready",
    Part.POOLS: "the pools are stored",
    Part.ENGINE: "its Deployments are available",
    Part.INGRESS: "the Service has its address",
    Part.EDGE: "the objects are stored",
    Part.SMOKE_TEST: "the probe got an answer; the router is proven from outside",
}
"""What is true when the app is synced and healthy."""


def waves(network: Network) -> str:
    """The picture."""
    body = [*_heading()]
    shown = any(Part.ENGINE in app.provides for app in network.apps)
    contents = CONTENTS if shown else {**CONTENTS, **_WITHOUT_INTERFACE}
    for index, app in enumerate(network.apps):
        box = Box(_NAME_X, _TOP + index * _ROW, _NAME_WIDTH, _BOX)
        if index:
            body.append(svg.line([(box.middle, box.y - (_ROW - _BOX)), (box.middle, box.y)], arrow=True))
        body += _row(app, box, contents)
    height = _TOP + len(network.apps) * _ROW + 36
    body += _legend(height - 22)
    return svg.document(WIDTH, height, "Order of the apps", body)


def _heading() -> Iterator[str]:
    head = Style(13, svg.MUTED, bold=True)
    yield svg.text((MARGIN, 34), "Order of the apps", Style(16, bold=True), WIDTH - 2 * MARGIN)
    yield svg.text((MARGIN, 60), "wave", head, 60)
    yield svg.text((_NAME_X, 60), "app", head, 100)
    yield svg.text((_NAME_X + _NAME_WIDTH + 24, 60), "what it brings, and what the next wave waits for", head, 500)


def _row(app: App, box: Box, contents: Mapping[str, str]) -> Iterator[str]:
    stroke, tint = (svg.AMBER, svg.AMBER_TINT) if app.protected else (svg.GREEN, svg.GREEN_TINT)
    yield svg.text((MARGIN, box.y + 28), str(app.wave), Style(15, svg.MUTED, bold=True), 70)
    yield svg.rect(box, fill=tint, stroke=stroke)
    yield svg.text((box.middle, box.y + 28), app.name, Style(15, anchor="middle", bold=True), box.width - 16)
    x = box.x + box.width + 24
    room = WIDTH - MARGIN - x
    parts = app.provides or (app.name,)
    yield svg.text((x, box.y + 19), "; ".join(contents[part] for part in parts if part in contents), Style(14), room)
    gate = " and ".join(GATES[part] for part in parts if part in GATES)
    yield svg.text((x, box.y + 38), f"until {gate}", Style(13, svg.MUTED), room)


def _legend(y: float) -> Iterator[str]:
    yield svg.rect(Box(MARGIN, y - 11, 14, 14), fill=svg.AMBER_TINT, stroke=svg.AMBER, radius=3)
    yield svg.text((MARGIN + 22, y), "foundation: brought by hand once, never pruned", Style(13), 430)
    yield svg.rect(Box(_LEGEND_X, y - 11, 14, 14), fill=svg.GREEN_TINT, stroke=svg.GREEN, radius=3)
    yield svg.text((_LEGEND_X + 22, y), "goes when it is removed from the repository", Style(13), 430)
