"""Scripts beside the kubeadm documents: they speak of their own machine, and set its kernel up for the routing."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import ip_address

from anycastle.finding import Place
from anycastle.network.addresses import IPAddress
from anycastle.network.cluster import EXCLUDE_LABEL, Node, Role
from anycastle.network.questions import host, wired
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes

SCRIPT, DOCUMENT = "install.sh", "kubeadm.yaml"
_ADDRESS = re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?:/(\d+)|:(\d+))?(?![\w.]|-\d)")
_SIXTH = re.compile(r"(?<![\w.:-])((?:[0-9a-f]{1,4}:)+(?::?[0-9a-f]{1,4})*(?:::)?)(?:/(\d+)|\]:(\d+))?(?![\w:])")
_OF_INTEREST = re.compile(r"\d\.\d+\.\d|[0-9a-f]::|^(?:node|address)=|^[ \t]*net\.")
_ASSIGNED = re.compile(r"^(node|address)=(\S+)$")
_SETTING = re.compile(r"^\s*(net\.[\w./-]+)\s*=\s*(\S+)\s*$")
_PLACEHOLDER = re.compile(r"@([A-Z][A-Z_]{3,})@")
_FORWARDING = "net.ipv4.ip_forward"
_ARP = {"arp_ignore": ("1", "2"), "arp_announce": ("2",)}


def check(subject: Subject, notes: Notes) -> None:
    """Every script."""
    settings: dict[str, list[tuple[str, str, Place]]] = defaultdict(list)
    shared = {*subject.vips, *(address for router in subject.network.routers for address in router.addresses)}
    sources: dict[str, set[IPAddress]] = defaultdict(set)
    for speaker in subject.network.speakers:
        sources[speaker.host].add(speaker.address)
    for name, address in _on_links(subject):
        sources[name].add(address)
    for path, node, text in subject.beside(SCRIPT, notes):
        known = shared | set(node.addresses) | sources[node.name] | ({node.cluster_id} if node.cluster_id else set())
        for place, line in _code(path, text):
            _names(place, line, node, notes)
            _addresses(place, line, node, known, subject, notes)
            _kernel(place, line, node, subject, notes)
            if match := _SETTING.match(line):
                settings[match[1]].append((match[2], node.name, place))
        _placeholders(path, text, subject, notes)
        _excluded(path, node, text, notes)
    _alike(settings, notes)


def _excluded(path: str, node: Node, text: str, notes: Notes) -> None:
    """The exclude label, which kubeadm sets on every control plane, also on one that carries what Services lead to."""
    kept = dict(node.labels).get(EXCLUDE_LABEL) is not None
    if node.workloads and not kept and f"{EXCLUDE_LABEL}-\n" not in text:
        notes.add(
            "NODE015",
            Place(path, 1),
            f"{node.name} carries ordinary pods, and nothing here takes the label {EXCLUDE_LABEL} off: Kubernetes "
            "keeps the node out of Services.",
            f"Add `kubectl label node {node.name} {EXCLUDE_LABEL}-` after kubeadm.",
        )


def _alike(settings: dict[str, list[tuple[str, str, Place]]], notes: Notes) -> None:
    """A kernel setting has one value on all machines that set it."""
    for key, found in settings.items():
        counts = Counter(value for value, _name, _place in found).most_common()
        if len(counts) == 2 and counts[1][1] == 1 and counts[0][1] > 1:
            value, name, place = next(item for item in found if item[0] == counts[1][0])
            notes.add(
                "NODE001",
                place,
                f"{key} is {value} on {name} and {counts[0][0]} on all other machines.",
                f"Write {counts[0][0]}, or change it everywhere.",
            )


def _on_links(subject: Subject) -> Iterator[tuple[str, IPAddress]]:
    """Ends of nodes on links of two addresses: of their sessions, and of the ways that routers have to them."""
    yield from ((end.host, end.address) for end in wired(subject.network))
    owner = {host(address): node.name for node in subject.network.nodes for address in node.addresses}
    ways = [way for router in subject.network.routers for way in router.reaches]
    yield from ((owner[prefix], via) for prefix, via in ways if prefix in owner)


def _code(path: str, text: str) -> Iterator[tuple[Place, str]]:
    """Lines, outside of comments, that have an address, a setting or an assignment of a name."""
    for number, line in enumerate(text.split("\n"), start=1):
        if _of_interest(line):
            yield Place(path, number), line


@lru_cache(maxsize=4096)
def _of_interest(line: str) -> bool:
    """The scripts of thousands of machines have most of their lines in common."""
    return not line.lstrip().startswith("#") and _OF_INTEREST.search(line) is not None


def _names(place: Place, line: str, node: Node, notes: Notes) -> None:
    match = _ASSIGNED.match(line)
    if match is None:
        return
    value = match[2].strip("'\"")
    right = [node.name] if match[1] == "node" else [str(address) for address in node.addresses]
    if value not in right:
        notes.add(
            "NODE007",
            place,
            f"The script is that of {node.name} ({', '.join(map(str, node.addresses))}) and says {line.strip()}.",
            f"Write {match[1]}={right[0]}.",
        )


def _addresses(place: Place, line: str, node: Node, known: set[IPAddress], subject: Subject, notes: Notes) -> None:
    api = subject.network.api
    for text, length, port in (*_ADDRESS.findall(line), *_SIXTH.findall(line)):
        address = _parsed(text)
        if address is None or address.is_loopback or address.is_unspecified or _ASSIGNED.match(line):
            continue
        if address not in known:
            notes.add(
                "NODE007",
                place,
                f"{address} is neither an address of {node.name} nor an API address.",
                f"Write {node.addresses[0]}, or the API address.",
            )
        elif port and api is not None and int(port) != api.port:
            notes.add(
                "NODE007",
                place,
                f"The script dials port {port}; the API server listens on {api.port}.",
                f"Write {address}:{api.port}.",
            )
        elif length and int(length) != address.max_prefixlen and address in subject.vips:
            notes.add(
                "NODE007",
                place,
                f"The API address stands on lo as /{address.max_prefixlen}, not as /{length}.",
                f"Write {address}/{address.max_prefixlen}.",
            )


def _parsed(text: str) -> IPAddress | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def _kernel(place: Place, line: str, node: Node, subject: Subject, notes: Notes) -> None:
    match = _SETTING.match(line)
    if match is None:
        return
    key, value = match[1], match[2]
    last = key.rpartition(".")[2]
    carries = node.role is Role.CONTROL_PLANE and bool(subject.vips)
    wanted: tuple[str, ...] = ()
    if key == _FORWARDING:
        wanted = ("1",)
    elif last == "accept_redirects":
        wanted = ("0",)
    elif carries:
        wanted = _ARP.get(last, ())
    if wanted and value not in wanted:
        notes.add(
            "NODE008",
            place,
            f"{key} is {value} on {node.name}, which breaks the way of its packets.",
            f"Write {key} = {wanted[0]}.",
        )


def _placeholders(path: str, script: str, subject: Subject, notes: Notes) -> None:
    """Words between @ that the document has and the script does not fill."""
    document = f"{path.rpartition('/')[0]}/{DOCUMENT}"
    if subject.tree.has_file(document):
        text = subject.tree.text(document, notes) or ""
        for number, line in enumerate(text.splitlines(), start=1):
            for word in [] if line.lstrip().startswith("#") else _PLACEHOLDER.findall(line):
                if f"@{word}@" not in script:
                    notes.add(
                        "NODE009",
                        Place(document, number),
                        f"{path} does not fill in @{word}@, so kubeadm gets the word itself.",
                        "Write a word that the script knows.",
                    )
