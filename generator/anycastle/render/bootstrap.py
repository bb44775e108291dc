"""`bootstrap.sh`: the cluster from its first node to the moment when the GitOps engine takes over, as a table of steps.

Each step applies what the engine applies later: the same charts, releases, namespaces and value files
(`render.release`), in the engine's name (its field manager), so that it finds its own objects. The script, the
targets of the Makefile, README.md and the rows of docs/runbook.md follow from `steps`.

A step more is a row more: a function that returns a `Step`, put into `_rows` where it belongs; numbers are given by
position. The shell of a row may use the functions at the top of templates/bootstrap.sh.j2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from anycastle.network.addresses import PoolUse
from anycastle.network.model import Network
from anycastle.network.order import Part
from anycastle.render import bootstrap_engine, bootstrap_secrets, passwords
from anycastle.render.bootstrap_step import Step
from anycastle.render.release import releases
from anycastle.render.text import template
from anycastle.site.model import Site

PATH = "bootstrap.sh"

STATUSES = "tigerastatus/calico tigerastatus/apiserver"


def files(site: Site, network: Network) -> dict[str, bytes]:
    """The script."""
    found = steps(site, network)
    text = template("templates/bootstrap.sh.j2").render(
        site=site,
        api=f"{site.kubernetes.api.name}:{site.kubernetes.api.port}",
        steps=found,
        commands="\n".join(line for step in found for line in (*step.needs, *step.action, *step.proves)),
        engine=bootstrap_engine.of(site),
        passwords=passwords.secrets(site),
    )
    return {PATH: text.encode()}


def steps(site: Site, network: Network) -> tuple[Step, ...]:
    """All steps in their order, numbered from 1."""
    return tuple(replace(step, number=number) for number, step in enumerate(_rows(site, network), 1))


def starts_disabled(network: Network) -> bool:
    """Whether the network can do without BGP for a while: with VXLAN everywhere."""
    return all(pool.encapsulation.startswith("VXLAN") for pool in network.pools if pool.use is PoolUse.PODS)


def _rows(site: Site, network: Network) -> Iterator[Step]:
    yield _namespaces(site, network)
    yield _definitions(site, network)
    yield _calico(site, network)
    yield _bgp(site, network)
    yield from bootstrap_secrets.rows(site)
    yield from bootstrap_engine.rows(site, network)


def _namespaces(site: Site, network: Network) -> Step:
    names = sorted({release.namespace for release in releases(site, network).values()} - {"default"})
    return Step(
        name="namespaces",
        does="namespaces and priority classes",
        action=(_apply(site, network, Part.NAMESPACES),),
        proves=(
            "kubectl wait --for=jsonpath='{.status.phase}'=Active --timeout=1m "
            + " ".join(f"namespace/{name}" for name in names),
        ),
        stops=(
            (
                "timed out waiting for the condition on namespaces/...",
                "somebody deleted the namespace and it cannot end: `kubectl get namespace NAME -o yaml` names what "
                "holds it",
            ),
        ),
    )


def _definitions(site: Site, network: Network) -> Step:
    return Step(
        name="definitions",
        does="the definitions of Calico and of its operator",
        needs=(
            "there namespace/tigera-operator namespaces",
            "absent crd/ippools.projectcalico.org \"Calico's other set of definitions (projectcalico.org/v3 as CRDs) "
            'is installed, and both together break it"',
        ),
        action=(_apply(site, network, Part.CALICO_CRDS),),
        proves=('kubectl wait --for=condition=Established --timeout=2m -f "$objects" >/dev/null',),
        stops=(
            (
                "helm: failed to fetch, or no such host",
                "the workstation does not reach the chart repository; nothing was changed",
            ),
        ),
    )


def _first_installation(site: Site, network: Network) -> tuple[str, ...]:
    installation = _apply(site, network, Part.INSTALLATION)
    if not starts_disabled(network):
        return (installation,)
    return (
        "# Without its settings Calico would put every node into a full mesh of AS 64512. What is on stays on.",
        "bgp=$(kubectl get installation/default --ignore-not-found -o jsonpath='{.spec.calicoNetwork.bgp}')",
        'if [ "$bgp" = Enabled ]; then',
        '    say "BGP is on already, and stays on"',
        "else",
        f"    {installation} \\",
        "        --set installation.bgp=Disabled",
        "fi",
    )


def _calico(site: Site, network: Network) -> Step:
    return Step(
        name="calico",
        does=f"the network{', still without BGP' if starts_disabled(network) else ''}",
        needs=(
            "there crd/installations.operator.tigera.io definitions",
            "there crd/apiservers.operator.tigera.io definitions",
        ),
        action=(*_first_installation(site, network), _apply(site, network, Part.OPERATOR)),
        proves=(
            f"kubectl wait --for=create --timeout=5m {STATUSES}",
            f"kubectl wait --for=condition=Available --timeout=10m {STATUSES}",
            "kubectl wait --for=condition=Ready --timeout=5m node --all",
        ),
        stops=_CALICO_STOPS,
    )


def _bgp(site: Site, network: Network) -> Step:
    secrets = passwords.secrets(site)
    files = [f"{name}/{key}" for name, keys in secrets for key in keys]
    last = [_apply(site, network, Part.INSTALLATION)] if starts_disabled(network) else []
    switched = (
        "kubectl wait --for=jsonpath='{.status.computed.calicoNetwork.bgp}'=Enabled --timeout=5m installation/default"
    )
    return Step(
        name="bgp",
        does="BGP: first its settings and the pools of Services, then the switch" if last else "the settings of BGP",
        needs=(
            "available calico",
            *(f'filled "$passwords/{file}"' for file in files),
            "joined",
        ),
        action=(
            *(
                f"secret calico-system {name} {' '.join(_from_file(name, key) for key in keys)}"
                for name, keys in secrets
            ),
            _apply(site, network, Part.BGP),
            _apply(site, network, Part.POOLS),
            *last,
        ),
        proves=(
            *([switched] if last else []),
            "kubectl -n calico-system rollout status daemonset/calico-node --timeout=15m",
        ),
        stops=_BGP_STOPS[: 3 if last else 2],
    )


def _from_file(name: str, key: str) -> str:
    """How kubectl is told of a password: by its file."""
    return f'--from-file={key}="$passwords/{name}/{key}"'


def _apply(site: Site, network: Network, part: Part) -> str:
    return f"apply {releases(site, network)[part].template}"


_CALICO_STOPS = (
    (
        "timed out waiting for tigerastatus/calico",
        "`kubectl get tigerastatus calico -o yaml` says why; usually an image that a node cannot pull "
        "(`kubectl -n calico-system get pods -o wide`)",
    ),
    (
        "timed out waiting for tigerastatus/apiserver",
        "its pods start only on a node that is Ready: `kubectl get nodes`, then `kubectl -n calico-system "
        "describe pods -l k8s-app=calico-apiserver`",
    ),
    (
        "no TigeraStatus at all",
        "the operator does not reach the API: `kubectl -n tigera-operator logs deployment/tigera-operator`",
    ),
)

_BGP_STOPS = (
    (
        "the rollout of calico-node does not go on",
        "the node where it stands has no session: the chapter on sessions, above. The others keep theirs",
    ),
    (
        "the server is currently unable to handle the request",
        "Calico's API server is away for a moment; wait for `kubectl get tigerastatus apiserver`, then again",
    ),
    (
        "no session comes up, and now is the wrong time for it",
        "no step switches BGP off again: `kubectl patch installation default --type=merge "
        """-p '{"spec":{"calicoNetwork":{"bgp":"Disabled"}}}'`, and this step again later""",
    ),
)
