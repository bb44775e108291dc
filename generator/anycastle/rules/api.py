"""The API endpoint: names, certificates, and the way to it before there is a service network."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from anycastle.finding import Place, Severity
from anycastle.network.addresses import IPAddress
from anycastle.network.cluster import Api, Role
from anycastle.network.model import Network
from anycastle.rules.owners import settled_vips, vip_owner
from anycastle.rules.registry import Fault, rule


def _address(text: str) -> IPAddress | None:
    try:
        return ip_address(text.strip("[]"))
    except ValueError:
        return None


@rule("API001", "Calico's operator knows a way to the API server")
def agent_host(network: Network) -> Iterator[Fault]:
    """Without kube-proxy, Calico has to reach the API server before it makes the service network.

    The ConfigMap kubernetes-services-endpoint names the host. The address of an API server works at once. A
    name works where /etc/hosts of every node has it, since cluster DNS needs the network that does not exist
    yet; for any other name the operator waits for ever.

    Source: Calico documentation, eBPF; tigera/operator#1746, projectcalico/calico#10683.
    """
    api = network.api
    if api is None or network.calico is None:
        return
    masters = [node for node in network.nodes if node.role is Role.CONTROL_PLANE]
    reachable = {*api.vips, *(address for node in masters for address in node.addresses)}
    example = next(iter(api.vips), next((address for node in masters for address in node.addresses), None))
    fix = f"Write KUBERNETES_SERVICE_HOST: {example}." if example else "Write the address of an API server."
    if not api.agent_host:
        if network.calico.dataplane == "BPF":
            yield Fault(
                api.where,
                "Calico's operator is told no address of the API server: without kube-proxy the service address is "
                "dead, and no pod gets a network.",
                fix,
            )
    elif (address := _address(api.agent_host)) is not None:
        if address not in reachable:
            yield Fault(
                _told(api),
                f"Calico's operator is told to reach the API server at {address}, which is no API address and no "
                "control plane: no pod gets a network.",
                fix,
            )
    else:
        yield _name(api, api.agent_host in {api.name, *(node.name for node in masters)}, fix)


def _told(api: Api) -> Place:
    return api.agent_where if api.agent_where.path else api.where


def _name(api: Api, known: bool, fix: str) -> Fault:
    consequence = "it works only where /etc/hosts of every node has it" if known else "nothing here resolves it"
    return Fault(
        _told(api),
        f"Calico's operator is told to reach the API server by the name {api.agent_host}: there is no cluster DNS "
        f"yet, so {consequence}.",
        fix,
        Severity.INFO if known else None,
    )


@rule("API002", "The certificate names the API address")
def certificate(network: Network) -> Iterator[Fault]:
    """Whoever dials the address verifies the certificate against the address.

    kubeadm adds the name of the endpoint by itself and not what it resolves to. Calico's operator dials the
    address, and so does everybody without DNS: "certificate is valid for ..., not 192.168.20.1".

    Source: kubeadm, apiServer.certSANs; GetAPIServerAltNames.
    """
    if network.api is None:
        return
    named = {_address(name) for name in (*network.api.certificate_names, network.api.name)}
    for vip in settled_vips(network):
        if vip not in named:
            yield Fault(
                vip_owner(network, vip).where,
                f"The API server's certificate does not name {vip}: clients that dial the address, Calico's operator "
                "among them, refuse it.",
                f"Add {vip} to apiServer.certSANs.",
            )


@rule("API003", "Control planes are odd in number", Severity.INFO)
def odd_quorum(network: Network) -> Iterator[Fault]:
    """The store of the API server, etcd, needs more than half of its members.

    A fourth one adds a machine that can fail and no failure that is survived. Two are worse than one: when
    either fails, the cluster stops; so that is a warning.

    Source: etcd documentation, failure tolerance.
    """
    masters = [node for node in network.nodes if node.role is Role.CONTROL_PLANE]
    if masters and len(masters) % 2 == 0:
        survived = (len(masters) - 1) // 2
        yield Fault(
            masters[-1].where,
            f"There are {len(masters)} control planes, which survive the loss of {survived}, as many as "
            f"{len(masters) - 1} do.",
            f"Use {len(masters) + 1} or {len(masters) - 1}.",
            Severity.WARNING if len(masters) == 2 else None,
        )
