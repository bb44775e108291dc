"""The very commands of bootstrap.sh, carried out in the model. The script itself: test_bootstrap_run.py."""

from __future__ import annotations

import re
from collections.abc import Iterable

from contents import Files, of_chart, values
from simulated import API_SERVER, INSTALLATION, Cluster, Object, RefusedError

CALICO = ("namespaces", "definitions", "calico")
NETWORK = (*CALICO, "bgp")
ARGO_CD = (*NETWORK, "argo-cd")
_STEP = re.compile(r"^step_(?P<number>\d+)\(\) \{\n(?P<body>.*?)^\}", re.MULTILINE | re.DOTALL)
_LABELS = re.compile(r"^labels='(.*)'$", re.MULTILINE)
_TEMPLATE = re.compile(
    r"^apply helm template (?P<name>\S+) (?P<chart>\S+)(?: --repo \S+ --version (?P<version>\S+))? "
    r"--namespace (?P<space>\S+) "
    r"(?P<hooks>--no-hooks )?(?P<files>(?:-f \S+ ?)+)(?:--set (?P<key>[\w.]+)=(?P<value>\S+))?$"
)
_TOUCHING = ("apply helm template", "kubectl wait", "kubectl -n calico-system rollout")
_WITHOUT_BGP = " --set installation.bgp=Disabled"
_PATIENCE = 60
_CALICO = (INSTALLATION, API_SERVER)


class StuckError(Exception):
    """A command that failed or waited in vain."""


def commands(files: Files, steps: Iterable[str]) -> list[str]:
    """The commands of some steps that touch the network, in order."""
    text = files["bootstrap.sh"].decode().replace("\\\n", "")
    (labels,) = _LABELS.findall(text)
    numbers = {label.partition("-")[2]: label.partition("-")[0] for label in labels.split()}
    bodies = {match["number"]: match["body"] for match in _STEP.finditer(text)}
    lines = [" ".join(line.split()) for step in steps for line in bodies[numbers[step]].splitlines()]
    return [line for line in lines if line.startswith(_TOUCHING)]


def run(cluster: Cluster, files: Files, lines: Iterable[str]) -> None:
    """Carry out commands; raises `StuckError`. As in the script, BGP that is on stays on."""
    last: tuple[Object, ...] = ()
    for line in lines:
        if _WITHOUT_BGP in line and cluster.bgp:
            continue
        if line.startswith("apply"):
            last = _apply(cluster, files, line)
        elif not _waited(cluster, line, last):
            raise StuckError(line)
        cluster.step()


def _apply(cluster: Cluster, files: Files, line: str) -> tuple[Object, ...]:
    found = _TEMPLATE.match(line)
    assert found, line
    assert found["hooks"], f"hooks would run: {line}"
    given = values([files[path] for path in re.findall(r"-f (\S+)", found["files"])])
    if found["key"]:
        *parents, last = found["key"].split(".")
        at = given
        for key in parents:
            at = at[key]
        at[last] = found["value"]
    chart = found["chart"].removeprefix("charts/")
    made = of_chart(chart, found["name"], found["space"], found["version"] or "", given)
    for item in (*made.definitions, *made.objects):
        try:
            cluster.apply(item)
        except RefusedError as error:
            raise StuckError(f"{line}: {error}") from error
    return (*made.definitions, *made.objects)


def _waited(cluster: Cluster, line: str, last: Iterable[Object]) -> bool:
    for _step in range(_PATIENCE):
        if _holds(cluster, line, last):
            return True
        cluster.step()
    return False


def _holds(cluster: Cluster, line: str, last: Iterable[Object]) -> bool:
    if '-f "$objects"' in line:
        return all(map(cluster.ready, last))
    if "namespace/" in line:
        return all(("", "Namespace", "", name) in cluster.objects for name in re.findall(r"namespace/(\S+)", line))
    if "--for=create" in line:
        return all(cluster.objects[key].status for key in _CALICO)
    if "tigerastatus" in line:
        if not all(cluster.objects[key].status for key in _CALICO):
            raise StuckError(f"{line}: not found")  # kubectl does not wait for what is not there
        return all(cluster.ready(cluster.objects[key].applied) for key in _CALICO)
    calico = {"bgp}'=Enabled": cluster.bgp, "daemonset/calico-node": cluster.rolled_out, "node --all": cluster.network}
    return all(holds for words, holds in calico.items() if words in line)
