"""An Ansible inventory to facts: who the machines are, and what a few known variables say of the cluster.

The names of groups and variables are those of Kubespray (docs/ansible/vars.md and inventory/sample there), of
k3s-ansible, and of the many inventories written by hand. `ip` outweighs `ansible_host`, which is only the way in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from pathlib import PurePosixPath

from anycastle import fields, yamlio
from anycastle.finding import Place
from anycastle.importing import ansible_ini, ansible_yaml, codes
from anycastle.importing.ansible_cluster import cluster
from anycastle.importing.facts import Notes, Read, Source
from anycastle.importing.inventory import ALL, Inventory, Variable
from anycastle.importing.words import CONTROL_PLANE, ROUTER, WORKER, parse_interface_address, parse_name, role_of, word

KIND = "ansible"
_K3S = frozenset(("k3s_cluster", "k3s", "rke2", "rke2_cluster", "agent", "agents"))
_BUILT_IN = frozenset((ALL, "ungrouped"))


def read(source: Source) -> Read:
    """The facts of an inventory in either form."""
    notes = Notes()
    made = _inventory(source, notes)
    if made is None:
        return notes.done(source.label, KIND)
    _beside(made, source, notes)
    groups = made.groups_of()
    roles = _roles(made)
    if not made.hosts:
        notes.findings.append(
            codes.no_machines(
                Place(source.label), "The inventory names no host.", "Name the file that lists the hosts."
            )
        )
    for host in made.hosts:
        if not roles or host in roles:
            _machine(host, roles.get(host, ()), made.variables(host, groups[host]), made.place(host), notes)
    chosen = next((host for host in made.hosts if CONTROL_PLANE in roles.get(host, ())), next(iter(made.hosts), ""))
    cluster(made.variables(chosen, groups.get(chosen, ())), notes)
    return notes.done(source.label, KIND)


def _inventory(source: Source, notes: Notes) -> Inventory | None:
    loaded = yamlio.load(source.text, source.label)
    if loaded.documents and ansible_yaml.looks_like(loaded.documents[0].value):
        notes.findings += [finding for finding in loaded.findings if finding.code != "YAML003"]  # !vault is Ansible's
        return ansible_yaml.inventory(loaded.documents[0], notes)
    if "[" not in source.text and any(finding.code == "YAML001" for finding in loaded.findings):
        notes.findings += loaded.findings
        return None
    return ansible_ini.inventory(source.text, source.label, notes)


def _roles(made: Inventory) -> Mapping[str, tuple[str, ...]]:
    """The roles of each host by the names of the groups that hold it; of a host in none of them nothing is known."""
    server = CONTROL_PLANE if any(word(name) in _K3S for name in made.groups) else ""
    found: dict[str, list[str]] = {}
    for name in made.groups:
        role = role_of(name, server=server) if name not in _BUILT_IN else ""
        for host in made.members(name) if role else ():
            found.setdefault(host, []).append(role)
    return {host: tuple(sorted(set(roles))) for host, roles in found.items()}


def _machine(host: str, roles: tuple[str, ...], variables: Mapping[str, Variable], where: Place, notes: Notes) -> None:
    if roles == (ROUTER,):
        _router(host, variables, where, notes)
        return
    own = _as_address(host)
    name = notes.parse(("nodes", host, "name"), parse_name, None if own else host, where)
    if name is None and own is None:
        return
    at = ("nodes", host if own else str(name))
    notes.say((*at, "in_source"), True, where)
    role = CONTROL_PLANE if CONTROL_PLANE in roles else WORKER if WORKER in roles else ""
    if role:
        notes.say((*at, "role"), role, where)
    if {CONTROL_PLANE, WORKER} <= set(roles):
        notes.say((*at, "workloads"), True, where)
    _addresses(at, own, variables, where, notes)
    _own(at, variables, notes)


def _addresses(
    at: tuple[str, ...], own: str | None, variables: Mapping[str, Variable], where: Place, notes: Notes
) -> None:
    """`ip` is where the cluster speaks; the others only say how Ansible comes in."""
    for key, firm in (("ip", True), ("node_ip", True), ("access_ip", False), ("ansible_host", False)):
        found = variables.get(key)
        if found is not None and (firm or _as_address(found.value)):
            notes.parse((*at, "address"), parse_interface_address, found.value, found.where, firm=firm)
    if own:
        notes.say((*at, "address"), f"{own}/{ip_address(own).max_prefixlen}", where, firm=False)
    if found := variables.get("ip6"):
        notes.parse((*at, "second"), parse_interface_address, found.value, found.where)


def _own(at: tuple[str, ...], variables: Mapping[str, Variable], notes: Notes) -> None:
    """What a host says of itself besides its addresses."""
    for key, parser, names in (
        ("asn", fields.parse_asn, ("local_as", "bgp_asn")),
        ("rack", fields.parse_label, ("rack",)),
        ("gateway", fields.parse_address, ("gateway", "default_gateway")),
    ):
        for found in (variables[name] for name in names if name in variables):
            notes.parse((*at, key), parser, found.value, found.where)
    labels = variables.get("node_labels")
    if labels is not None and isinstance(labels.value, Mapping):
        notes.say((*at, "labels"), {str(key): str(item) for key, item in labels.value.items()}, labels.where)


def _router(host: str, variables: Mapping[str, Variable], where: Place, notes: Notes) -> None:
    name = notes.parse(("routers", host, "name"), fields.parse_label, host.split(".", maxsplit=1)[0].lower(), where)
    found = variables.get("ip") or variables.get("ansible_host")
    if name and found and _as_address(found.value):
        notes.parse(
            ("routers", name, "address"), fields.parse_address, found.value, found.where, firm="ip" in variables
        )
    for key in ("asn", "local_as", "bgp_asn"):
        if number := variables.get(key):
            notes.parse(("routers", str(name), "asn"), fields.parse_asn, number.value, number.where)


def _as_address(text: object) -> str | None:
    try:
        return str(ip_address(str(text)))
    except ValueError:
        return None


def _beside(made: Inventory, source: Source, notes: Notes) -> None:
    """Variables of groups and hosts in the files beside the inventory."""
    for path, text in source.beside:
        folder, _, rest = path.partition("/")
        name = PurePosixPath(rest.split("/")[0]).stem if "/" not in rest else rest.split("/")[0]
        label = str(PurePosixPath(source.label).parent / path)
        for found in _variables_of(label, text, notes):
            if folder == "group_vars":
                made.group(name).files.update(found)
            elif name in made.hosts:
                made.host_files.setdefault(name, {}).update(found)


def _variables_of(label: str, text: str, notes: Notes) -> Iterator[dict[str, Variable]]:
    if text.startswith("$ANSIBLE_VAULT"):
        return
    loaded = yamlio.load(text, label)
    notes.findings += [finding for finding in loaded.findings if finding.code != "YAML003"]
    for document in loaded.documents:
        if isinstance(document.value, Mapping):
            yield {name: Variable(item, document.place(name)) for name, item in document.value.items()}
