"""The bootstrap as README.md has it: its very commands, read from the file and carried out in the model."""

from __future__ import annotations

import re
from collections.abc import Iterable

from contents import Files, of_chart, values
from simulated import API_SERVER, INSTALLATION, Cluster, RefusedError

_STEP = re.compile(r"^### (\d+)\. ", re.MULTILINE)
_TEMPLATE = re.compile(
    r"^helm template (?P<name>\S+) (?P<chart>\S+)(?: --repo \S+ --version (?P<version>\S+))? "
    r"--namespace (?P<space>\S+) "
    r"(?P<hooks>--no-hooks )?(?P<files>(?:-f \S+ ?)+)(?:--set (?P<key>[\w.]+)=(?P<value>\S+) )?\| apply"
)
_TOUCHING = ("helm template", "kubectl wait", "kubectl -n calico-system rollout")
_PATIENCE = 60
_CALICO = (INSTALLATION, API_SERVER)


class StuckError(Exception):
    """A command that failed or waited in vain."""


def commands(files: Files, steps: Iterable[int]) -> list[str]:
    """The commands of some steps that touch the cluster, in order."""
    parts = _STEP.split(files["README.md"].decode())
    text = dict(zip(map(int, parts[1::2]), parts[2::2], strict=True))
    blocks = [block for step in steps for block in re.findall(r"```sh\n(.*?)```", text[step], re.DOTALL)]
    return [line for block in blocks for line in block.splitlines() if line.startswith(_TOUCHING)]


def run(cluster: Cluster, files: Files, lines: Iterable[str]) -> None:
    """Carry out commands; raises `StuckError`."""
    for line in lines:
        if line.startswith("helm template"):
            _apply(cluster, files, line)
        elif not _waited(cluster, line):
            raise StuckError(line)
        cluster.step()


def _apply(cluster: Cluster, files: Files, line: str) -> None:
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


def _waited(cluster: Cluster, line: str) -> bool:
    for _step in range(_PATIENCE):
        if _holds(cluster, line):
            return True
        cluster.step()
    return False


def _holds(cluster: Cluster, line: str) -> bool:
    if "crd/" in line:
        names = {one.partition(".")[0] for one in re.findall(r"crd/(\S+)", line)}
        return names <= {f"{kind.lower()}s" for _group, kind in cluster.served()}
    if "--for=create" in line:
        return all(cluster.objects[key].status for key in _CALICO)
    if "tigerastatus" in line:
        if not all(cluster.objects[key].status for key in _CALICO):
            raise StuckError(f"{line}: not found")  # kubectl does not wait for what is not there
        return all(cluster.ready(cluster.objects[key].applied) for key in _CALICO)
    calico = {"bgp}'=Enabled": cluster.bgp, "daemonset/calico-node": cluster.rolled_out, "node --all": cluster.network}
    return all(holds for words, holds in calico.items() if words in line)
