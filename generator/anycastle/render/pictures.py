"""`docs/topology.svg`: the machines, their sessions, and what they announce, for any number of nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from anycastle.network.addresses import Service
from anycastle.network.bgp import Condition, Software, Speaker
from anycastle.network.cluster import Node, Role
from anycastle.network.model import Network
from anycastle.network.platforms import PLATFORMS
from anycastle.network.questions import on_router, wired
from anycastle.overview import spans
from anycastle.records import dataclass
from anycastle.render import svg
from anycastle.render.svg import Box, Style

WIDTH = 960.0
MARGIN = 24.0
CARDS = 12
"""Nodes of one role that get a card each; beyond that, the last card counts the rest."""

_CARD_HEIGHT = 42.0
_GAP = 10.0
_CHIP_Y = 84.0
_ROUTER = Box(350, 180, 260, 84)
_SUBNET_Y = 296.0
_PANEL_Y = 358.0
_PANEL_HEAD = 54.0

_NAMES = {Software.KUBE_VIP: "kube-vip", Software.CALICO: "Calico", Software.OTHER: "another speaker"}
_WHEN = {
    Condition.ALWAYS: "always",
    Condition.API_HEALTHY: "while its API server is healthy",
    Condition.ENDPOINT: "while a Service is served",
    Condition.UNTOLD: "as another speaker is told",
}
_BOLD = Style(bold=True)
_SMALL = Style(size=11, colour=svg.MUTED)


@dataclass(frozen=True, slots=True)
class Group:
    """The nodes of one role, and what they say to the routers. `inner` counts the sessions of theirs with nodes."""

    role: Role
    nodes: tuple[Node, ...]
    speakers: tuple[str, ...]
    sessions: int
    said: tuple[str, ...]
    inner: int = 0

    @property
    def colours(self) -> tuple[str, str]:
        """Line and tint."""
        control = self.role is Role.CONTROL_PLANE
        return (svg.BLUE, svg.BLUE_TINT) if control else (svg.GREEN, svg.GREEN_TINT)

    @property
    def title(self) -> str:
        """`3 control planes`."""
        return spans.count(len(self.nodes), "control plane" if self.role is Role.CONTROL_PLANE else "worker")


def topology(network: Network) -> str:
    """The picture."""
    groups = _groups(network)
    panels = _panels(len(groups))
    heights = [_height(group, panel) for group, panel in zip(groups, panels, strict=True)]
    tallest = max(heights, default=0)
    body = [*_demand(network), *_router(network), *_subnet(network)]
    for group, panel in zip(groups, panels, strict=True):
        body += _panel(group, Box(panel.x, panel.y, panel.width, tallest))
        body += _talk(group, panel, left=panel is panels[0])
    body += _between(groups, panels)
    return svg.document(WIDTH, _PANEL_Y + tallest + MARGIN, "Machines, BGP sessions and announcements", body)


def _groups(network: Network) -> list[Group]:
    sessions: Counter[str] = Counter(end.host for end in network.ends if not on_router(end))
    inner: Counter[str] = Counter(end.host for end in network.inside)
    speakers: dict[str, list[Speaker]] = {}
    for speaker in network.speakers:
        if speaker.software in _NAMES:
            speakers.setdefault(speaker.host, []).append(speaker)
    result = []
    for role in (Role.CONTROL_PLANE, Role.WORKER):
        nodes = spans.in_address_order(node for node in network.nodes if node.role is role)
        if nodes:
            names = {node.name for node in nodes}
            result.append(
                Group(
                    role=role,
                    nodes=nodes,
                    speakers=tuple(_spoken(speaker for name in names for speaker in speakers.get(name, ()))),
                    sessions=sum(sessions[name] for name in names),
                    said=tuple(_said(network, names)),
                    inner=sum(inner[name] for name in names),
                )
            )
    return result


def _spoken(speakers: Iterable[Speaker]) -> Iterator[str]:
    """Each software with its AS numbers; racks may have one each."""
    numbers: dict[str, set[int]] = {}
    for speaker in speakers:
        numbers.setdefault(_NAMES[speaker.software], set()).add(speaker.asn)
    for name, asns in sorted(numbers.items()):
        yield f"{name}, AS {', '.join(map(str, sorted(asns)))}"


def _said(network: Network, names: set[str]) -> Iterator[str]:
    speaking = {(end.host, end.software) for end in network.ends}
    for item in network.announcements:
        if any((name, item.software) in speaking for name in names.intersection(item.hosts)):
            yield spans.announced(item)
            yield _WHEN[item.when]


def _panels(number: int) -> list[Box]:
    """Side by side; one alone takes the whole width."""
    width = (WIDTH - 2 * MARGIN - _GAP * 2 * (number - 1)) / max(number, 1)
    return [Box(MARGIN + index * (width + 2 * _GAP), _PANEL_Y, width, 0) for index in range(number)]


def _columns(panel: Box) -> int:
    return 2 if panel.width < WIDTH / 2 else 4


def _cards(group: Group) -> list[tuple[str, str]]:
    """Two lines for each card."""
    if len(group.nodes) <= CARDS:
        return [(_short(node.name), _address(node)) for node in group.nodes]
    rest = group.nodes[CARDS - 1 :]
    ends = f"{rest[0].addresses[0]} to {rest[-1].addresses[0]}"
    return [
        *((_short(node.name), _address(node)) for node in group.nodes[: CARDS - 1]),
        (f"and {len(rest)} more", ends),
    ]


def _short(name: str) -> str:
    """The host's part of a name; the address below it tells equal ones apart."""
    return name.split(".", 1)[0]


def _address(node: Node) -> str:
    reflects = ", reflects" if node.cluster_id is not None else ""
    return f"{node.addresses[0]}{reflects}{', no Services' if node.excluded else ''}"


def _height(group: Group, panel: Box) -> float:
    rows = -(-len(_cards(group)) // _columns(panel))
    return _PANEL_HEAD + rows * (_CARD_HEIGHT + _GAP) + _GAP / 2


def _panel(group: Group, box: Box) -> Iterator[str]:
    colour, tint = group.colours
    columns = _columns(box)
    inner = (box.width - 2 * 14 - _GAP * (columns - 1)) / columns
    yield svg.rect(box, fill=tint, stroke=colour)
    yield svg.text((box.x + 14, box.y + 23), group.title, Style(size=14, bold=True, colour=colour), box.width - 28)
    among = [f"{spans.count(group.inner, 'session')} inside"] if group.inner else []
    words = "; ".join([*group.speakers, *among]) or "no BGP"
    yield svg.text((box.x + 14, box.y + 41), words, Style(size=12), box.width - 28)
    for index, (name, address) in enumerate(_cards(group)):
        row, column = divmod(index, columns)
        x = box.x + 14 + column * (inner + _GAP)
        card = Box(x, box.y + _PANEL_HEAD + row * (_CARD_HEIGHT + _GAP), inner, _CARD_HEIGHT)
        yield svg.rect(card, fill=svg.PAPER, stroke=svg.EDGE, radius=4)
        yield svg.text((card.x + 10, card.y + 18), name, _BOLD, card.width - 20)
        yield svg.text((card.x + 10, card.y + 34), address, _SMALL, card.width - 20)


def _talk(group: Group, panel: Box, *, left: bool) -> Iterator[str]:
    """The sessions of a group: a line up to the router, and what is said, in the free corner beside it."""
    if not group.sessions:
        return
    colour, _tint = group.colours
    turn = _ROUTER.y + _ROUTER.height / 2
    x = _ROUTER.x - 40 if left else _ROUTER.x + _ROUTER.width + 40
    side = _ROUTER.x if left else _ROUTER.x + _ROUTER.width
    yield svg.line([(x, panel.y), (x, turn), (side, turn)], colour=colour, arrow=True, dashed=True)
    anchor = "end" if left else "start"
    at = x - 10 if left else x + 10
    room = x - 10 - MARGIN if left else WIDTH - MARGIN - x - 10
    words = [spans.count(group.sessions, "BGP session"), *(_shortened(group.said, 4) or ["announce nothing"])]
    for index, line in enumerate(words):
        style = Style(size=12, anchor=anchor, colour=colour if index % 2 or not index else svg.MUTED, bold=not index)
        yield svg.text((at, _ROUTER.y + 6 + 17 * index), line, style, room)


def _between(groups: Sequence[Group], panels: Sequence[Box]) -> Iterator[str]:
    """Nodes of both roles that hold sessions with each other."""
    for (one, left), (other, right) in pairwise(zip(groups, panels, strict=True)):
        if one.inner and other.inner:
            y = left.y + _PANEL_HEAD / 2
            yield svg.line([(left.x + left.width, y), (right.x, y)], colour=svg.GREEN, dashed=True)


def _shortened(lines: Sequence[str], most: int) -> list[str]:
    """Lines come in pairs; what does not fit is counted."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], f"and {(len(lines) - most) // 2 + 1} more"]


def _demand(network: Network) -> Iterator[str]:
    """What the world asks for, and by which address."""
    clients = Box(WIDTH / 2 - 90, 16, 180, 30)
    yield svg.rect(clients, fill=svg.GREY_TINT, stroke=svg.EDGE, radius=15)
    yield svg.text((clients.middle, 36), "clients", Style(anchor="middle", bold=True), clients.width)
    chips = _chips(network)
    width = 290.0
    start = WIDTH / 2 - (len(chips) * width + (len(chips) - 1) * 2 * _GAP) / 2
    for index, (name, address) in enumerate(chips):
        chip = Box(start + index * (width + 2 * _GAP), _CHIP_Y, width, 44)
        yield svg.line([(clients.middle, clients.bottom), (chip.middle, chip.y)], arrow=True)
        yield svg.line([(chip.middle, chip.bottom), (_ROUTER.middle, _ROUTER.y)], arrow=True)
        yield svg.rect(chip, fill=svg.PAPER, stroke=svg.EDGE)
        yield svg.text((chip.middle, chip.y + 18), name, Style(anchor="middle", bold=True), width - 16)
        yield svg.text((chip.middle, chip.y + 35), address, Style(12, svg.MUTED, anchor="middle"), width - 16)
    anchor, x = ("middle", clients.middle) if len(chips) % 2 == 0 else ("start", clients.middle + 10)
    for y, words in ((_CHIP_Y - 12, "ask for"), (_ROUTER.y - 22, "and are routed to")):
        yield svg.text((x, y), words, Style(11, svg.MUTED, anchor=anchor), 130)


def _chips(network: Network) -> list[tuple[str, str]]:
    chips = [] if network.api is None else [(f"API {network.api.name}", _api_address(network))]
    shown = network.services[: 3 - len(chips)]
    return [*chips, *((f"Service {service.name}", _service_address(network, service)) for service in shown)]


def _api_address(network: Network) -> str:
    api = network.api
    if api is None:
        return ""
    if api.vips:
        return f"{', '.join(map(str, api.vips))}, port {api.port}"
    return f"{api.agent_host}, port {api.port}: one machine"


def _service_address(network: Network, service: Service) -> str:
    if service.addresses:
        return ", ".join(map(str, service.addresses))
    ranges = [str(cidr) for cidr in network.calico.advertised] if network.calico else []
    return f"an address of {', '.join(ranges)}" if ranges else "no address"


def _router(network: Network) -> Iterator[str]:
    yield svg.rect(_ROUTER, fill=svg.AMBER_TINT, stroke=svg.AMBER)
    lines: list[str] = []
    if len(network.routers) > 2:
        numbers = sorted({router.asn for router in network.routers})
        lines = [spans.count(len(network.routers), "router"), f"AS {', '.join(map(str, numbers))}"]
    for router in network.routers if not lines else ():
        lines += [router.name, f"{PLATFORMS[router.software].name}, AS {router.asn}, {router.address}"]
    shown = _shortened(lines, 4)
    top = _ROUTER.y + _ROUTER.height / 2 - 17 * len(shown) / 2 + 13
    for index, words in enumerate(shown):
        style = Style(13 if index % 2 == 0 else 12, svg.AMBER if index % 2 == 0 else svg.INK, index % 2 == 0, "middle")
        yield svg.text((_ROUTER.middle, top + 17 * index), words, style, _ROUTER.width - 16)


def _subnet(network: Network) -> Iterator[str]:
    bar = Box(MARGIN, _SUBNET_Y, WIDTH - 2 * MARGIN, 28)
    yield svg.line([(_ROUTER.middle, _ROUTER.bottom), (bar.middle, bar.y)])
    yield svg.rect(bar, fill=svg.GREY_TINT, stroke=svg.EDGE, radius=4)
    words = "   ".join(f"{subnet.name} {subnet.cidr}" for subnet in network.subnets)
    if len(network.subnets) > 2:
        words = spans.count(len(network.subnets), "node subnet")
    if number := len({(end.address, end.peer) for end in wired(network)}):
        alone = f", nodes in {network.subnets[0].cidr}" if len(network.subnets) == 1 else ""
        words = spans.count(number, "link") + alone
    yield svg.text((bar.middle, bar.y + 19), words, Style(anchor="middle", bold=True), 280)
    for panel in _panels(len({node.role for node in network.nodes})):
        yield svg.line([(panel.middle, bar.bottom), (panel.middle, _PANEL_Y)])
