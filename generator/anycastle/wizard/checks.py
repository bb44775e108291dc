"""Whether an answer contradicts an earlier one. Each check raises `FieldError`.

A check looks only at the answers that are there, so that one wrong answer does not make others look wrong. The
network as a whole is judged by the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from ipaddress import IPv4Address, IPv4Network

from anycastle import fields
from anycastle.fields import FieldError
from anycastle.site.git_access import scan, unknown_server
from anycastle.site.git_fields import names
from anycastle.site.interfaces import examples_instead
from anycastle.wizard.nodes import NONE, NodeList, expand

Earlier = Mapping[str, str]
Check = Callable[[str, Earlier], None]


def router_on_link(text: str, earlier: Earlier) -> None:
    """The router has a host address of the node subnet."""
    for link in _networks(earlier, "node_subnet"):
        _host_of(link, IPv4Address(text), "The router", "no node could reach it for a BGP session")


def interface_of_software(text: str, earlier: Earlier) -> None:
    """The router's system has interfaces that are called so."""
    software = earlier.get("router_software", "")
    examples = examples_instead(software, text) if software else ""
    if examples:
        raise FieldError(f"{software} has no interface called {text}.", f"Write one such as {examples}.")


def nodes_on_link(text: str, earlier: Earlier) -> None:
    """Nodes have host addresses of the node subnet, their own, and a name of their own."""
    nodes = expand(text)
    for link in _networks(earlier, "node_subnet"):
        for name, value in nodes:
            _host_of(link, IPv4Address(int(value)), name, "the router would never see its session")
    router = earlier.get("router_address")
    for name, value in nodes:
        if str(value) == router:
            raise FieldError(
                f"{value} of {name} is also the router's; both would answer for it.", "Give the node another address."
            )


def workers_apart(text: str, earlier: Earlier) -> None:
    """No worker bears the name or the address of a control plane."""
    nodes_on_link(text, earlier)
    planes: NodeList = expand(earlier.get("control_planes", NONE))
    names = {name for name, _ in planes}
    owners = {value: name for name, value in planes}
    for name, value in expand(text):
        if name in names:
            raise FieldError(f"{name} is already a control plane; a node joins once.", "Choose another name.")
        if value in owners:
            raise FieldError(
                f"{value} of {name} is already {owners[value]}'s; both would answer for it.", "Choose another address."
            )


def vip_off_link(text: str, earlier: Earlier) -> None:
    """The API address lies outside the node subnet, and kube-vip alone speaks where it is announced."""
    if text == NONE:
        return
    if earlier.get("workers") == NONE:
        raise FieldError(
            "Without workers Calico speaks on the control planes, from the address that kube-vip would speak from: a "
            "router takes one of the two and refuses the other.",
            "Write none, or name workers; in a site file kube-vip can have an address of its own (nodes[].speakers).",
        )
    for link in _networks(earlier, "node_subnet"):
        if IPv4Address(text) in link:
            raise FieldError(
                f"{text} lies inside the node subnet {link}: neighbours would ask for it by ARP, and nobody answers, "
                "since it is announced by BGP.",
                "Choose an address outside of it.",
            )


def asn_not_the_routers(text: str, earlier: Earlier) -> None:
    """Sessions are eBGP: both ends have different AS numbers."""
    if text == earlier.get("router_asn"):
        raise FieldError(
            f"{text} is the router's own AS number: the session would be iBGP, and the router would not pass the "
            "routes on.",
            "Choose another number, such as the default.",
        )


def kube_vip_asn(text: str, earlier: Earlier) -> None:
    """An API address needs a speaker, and a speaker an AS number."""
    asn_not_the_routers(text, earlier)
    vip = earlier.get("api_vip")
    if text == NONE and vip not in (None, NONE):
        raise FieldError(
            f"The API address {vip} is announced by kube-vip, which needs an AS number.", "Write one, such as 65020."
        )
    if text != NONE and vip == NONE:
        raise FieldError("Without an API address there is no kube-vip, so the number would change nothing.", _NO_VIP)


_NO_VIP = "Write none, or give the API server an address (api_vip)."


def has_api_address(earlier: Earlier) -> bool:
    """Whether kube-vip has anything to announce."""
    return earlier.get("api_vip") != NONE


def clear_of(*keys: str) -> Check:
    """A range that has no address in common with the answers to these questions."""

    def check(text: str, earlier: Earlier) -> None:
        for mine in _ranges(text):
            for key in keys:
                for other in _networks(earlier, key):
                    if mine.overlaps(other):
                        raise _shared(mine, other, key)

    return check


def _shared(mine: IPv4Network, other: IPv4Network, key: str) -> FieldError:
    what = _NAMES[key]
    if key == "api_vip":
        return FieldError(
            f"{mine} contains {what} {other.network_address}, so a Service could take it away from the API server.",
            "Choose a range without it.",
        )
    return FieldError(
        f"{mine} overlaps {what} {other}, so packets to the one would go to the other.",
        "Choose a range that touches no other.",
    )


_NAMES = {
    "node_subnet": "the node subnet",
    "api_vip": "the API address",
    "pod_range": "the pod range",
    "service_range": "the service range",
}


def ingress_in_pool(text: str, earlier: Earlier) -> None:
    """A fixed address comes from the pool; without one, Calico must be told to give one."""
    if text == NONE:
        if earlier.get("assign") == "requested":
            raise FieldError(
                "Only Services that ask get an address (assign: requested), and this one would ask for none.",
                "Write an address of the pool.",
            )
        return
    pool = earlier.get("load_balancer_pool")
    if pool is not None and not any(IPv4Address(text) in part for part in _ranges(pool)):
        raise FieldError(
            f"{text} is not in the load-balancer pool {pool}, so Calico would never assign it.",
            "Choose an address of the pool.",
        )
    for part in (pool or "").split(","):
        if "/" in part:
            _inner_of(IPv4Network(part.strip()), IPv4Address(text))


def has_sops(earlier: Earlier) -> bool:
    """Whether Secrets are encrypted with age."""
    return earlier.get("secrets") == "sops"


def recipients(text: str, earlier: Earlier) -> None:
    """SOPS encrypts for somebody, and nothing else encrypts with age."""
    tool = earlier.get("secrets", "sops")
    if text == NONE and has_sops(earlier):
        raise FieldError(
            "SOPS has nobody to encrypt for: no file could be encrypted, and the cluster could open none.",
            "Write the public half of a key that age-keygen makes (age1...), or another tool (secrets).",
        )
    if text != NONE and tool != "sops":
        raise FieldError(
            f"With secrets: {tool} nothing is encrypted with age, so the key would change nothing.",
            "Write none, or choose sops (secrets).",
        )


def has_unknown_server(earlier: Earlier) -> bool:
    """Whether the engine has to be told the host key of the Git server."""
    return bool(_unknown_server(earlier))


def host_keys(text: str, earlier: Earlier) -> None:
    """The keys are those of the Git server, and there is one where the engine needs it."""
    wanted = _unknown_server(earlier)
    if text == NONE and wanted:
        raise FieldError(
            f"Argo CD does not know {wanted}, and fetches from no server whose host key it does not know.",
            f"Write the line of {scan(wanted)}, once you have compared it with the server's own.",
        )
    for line in text.split(", ") if text != NONE and wanted else ():
        if wanted not in (name.lower() for name in names(line)):
            raise FieldError(
                f"This is the key of {names(line)[0]}; the repository is on {wanted}.",
                f"Write the line of {scan(wanted)}.",
            )


def _unknown_server(earlier: Earlier) -> str:
    return unknown_server(earlier.get("engine", ""), earlier.get("repository", "https://"))


def _inner_of(pool: IPv4Network, value: IPv4Address) -> None:
    ends = {pool.network_address: "network", pool.broadcast_address: "broadcast"}
    if pool.prefixlen < 31 and value in ends:
        raise FieldError(
            f"{value} is the {ends[value]} address of its pool {pool}; some clients and firewalls take such an address "
            "for no host and drop what is sent to it.",
            f"Choose an address from {pool[1]} to {pool[-2]}.",
        )


def _host_of(link: IPv4Network, value: IPv4Address, who: str, consequence: str) -> None:
    if value not in link:
        raise FieldError(f"{who} has {value}, outside the node subnet {link}; {consequence}.", _within(link))
    if value in (link.network_address, link.broadcast_address):
        raise FieldError(f"{who} has {value}, which is not a host address of {link}; {consequence}.", _within(link))


def _within(link: IPv4Network) -> str:
    return f"Choose an address from {link[1]} to {link[-2]}."


def _networks(earlier: Earlier, key: str) -> Iterator[IPv4Network]:
    """The answer as networks; nothing where it is missing or none."""
    text = earlier.get(key, NONE)
    return iter(()) if text == NONE else _ranges(text)


def _ranges(text: str) -> Iterator[IPv4Network]:
    for part in text.split(","):
        for value in fields.parse_range(part.strip() if "/" in part or "-" in part else f"{part.strip()}/32"):
            yield IPv4Network(value)
