"""A sample of all changes: at least 95 of 100 are noticed, and each of the others has a reason."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mutation import run, scalars, trees
from mutation.accepted import accepted
from mutation.kinds import changes

EACH = 30  # of each site: some 270 in all


@pytest.mark.slow
def test_a_sample_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((trees.helm, "render"), (trees.helm, "judged"), (trees.yamlio, "load")):
        monkeypatch.setattr(module, name, getattr(module, name))  # put back what `remember` replaces
    trees.remember()
    found = [verdict for site in trees.SITES for verdict in run.verdicts(site, run.sample(run.of_site(site), EACH))]
    known = accepted()
    survivors = [verdict for verdict in found if not verdict.codes]
    unexplained = [str(verdict.mutation) for verdict in survivors if not known.reason(verdict.mutation)]
    open_ones = len(found) - (len(survivors) - len(unexplained))
    assert len(found) == EACH * len(trees.SITES)
    assert len(unexplained) <= (1 - run.LEAST) * open_ones, unexplained


def test_there_are_six_sites_of_different_shapes() -> None:
    assert len(trees.SITES) >= 6
    made = [frozenset(trees.files(site)) for site in trees.SITES]
    assert len(set(made)) == len(made)


def test_every_kind_of_value_and_every_file_of_a_site_is_changed() -> None:
    found = run.of_site("seed")
    kinds = {mutation.kind for mutation in found}
    wanted = {"address", "cidr", "AS number", "name", "negation", "version", "wave", "boolean", "port", "duration"}
    assert wanted <= kinds
    files = {run.kind_of_file(path) for path in trees.files("seed") if scalars.mutated(path)}
    without = files - {run.kind_of_file(mutation.path) for mutation in found}
    assert all(path.endswith(("overrides.yaml", "calico-crds/values.yaml", "vtysh.conf")) for path in without), without


def test_a_mutation_changes_one_scalar_and_nothing_else() -> None:
    before = {path: data.decode() for path, data in trees.files("seed").items()}
    for mutation in run.of_site("seed"):
        old, new = before[mutation.path].splitlines(), mutation.text.splitlines()
        differing = [at for at, (a, b) in enumerate(zip(old, new, strict=True), start=1) if a != b]
        assert len(differing) == 1, mutation


def test_changes_are_other_values() -> None:
    for text, key, expected in (
        ("192.168.10.17", "value", {"192.168.10.18", "10.199.7.9"}),
        ("65020", "bgp_as", {"65021", "64900"}),
        ("true", "prune", {"false"}),
        ("1.36.4", "version", {"1.36.3"}),
        ("1.35.0", "version", {"1.34.0"}),
        ("15s", "maxRestartTime", {"31s"}),
        ("Local", "externalTrafficPolicy", {"Cluster"}),
        ("127.0.0.1", "-A", {"10.199.7.9"}),
    ):
        assert {change.new for change in changes(text, key)} == expected


def test_waves_change_the_order() -> None:
    assert [change.new for change in changes("-30", "sync-wave", (-40, -30, -20))] == ["-41", "-19"]


def test_a_sample_is_the_same_each_time() -> None:
    found = run.of_site("lab-ja")
    assert run.sample(found, 20) == run.sample(run.of_site("lab-ja"), 20)
    assert len(run.sample(found, 20)) == 20


def test_every_reason_is_a_sentence_and_covers_something() -> None:
    known = accepted()
    everything = [mutation for site in trees.SITES for mutation in run.of_site(site)]
    for pattern in known.patterns:
        assert pattern.reason.endswith("."), pattern
        assert any(pattern.covers(mutation) for mutation in everything), pattern
    share = Counter(bool(known.reason(mutation)) for mutation in everything)
    assert share[True] < 0.1 * share.total(), "what nobody looks at stays small"


@pytest.mark.slow
def test_the_command_prints_what_survives() -> None:
    command = [sys.executable, str(Path(run.__file__)), "--site", "lab-ja", "--file", "site.yaml", "--all"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert "networks.nodes.lan.name: lan -> " in done.stdout
    assert "[Names of subnets" in done.stdout
    assert done.stdout.splitlines()[0] == "== lab-ja"
