"""Prose with this site's values, commands that a shell accepts, pictures without overlaps; and the whole tree."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from examples import Answers, example, many_workers

from anycastle import yamlio
from anycastle.network.model import Network
from anycastle.overview import spans
from anycastle.render import EXECUTABLE, bootstrap, docs, pictures, render, svg, waves
from anycastle.render.release import releases
from anycastle.site.model import Site

CASES = pytest.mark.parametrize("case", ["seed", "lab-ja"])
SVG = "{http://www.w3.org/2000/svg}"


def without_ingress(answers: Answers) -> None:
    answers["ingress"] = []


def one_machine(answers: Answers) -> None:
    answers["nodes"] = answers["nodes"][:1]


def unencapsulated(answers: Answers) -> None:
    answers["networks"]["pods"][0]["encapsulation"] = "None"


def over_ssh(answers: Answers) -> None:
    answers["gitops"]["repository"] = "git@git.example.com:platform/home.git"


VARIANTS: list[tuple[str, Callable[[Answers], object] | None]] = [
    ("seed", None),
    ("lab-ja", None),
    ("seed", without_ingress),
    ("seed", one_machine),
    ("seed", unencapsulated),
    ("seed", over_ssh),
    ("seed", many_workers(300)),
]
EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS, ids=lambda v: getattr(v[1], "__name__", v[0]))

Variant = tuple[str, Callable[[Answers], object] | None]


def prose(variant: Variant) -> dict[str, str]:
    files = docs.files(*example(*variant))
    return {path: data.decode() for path, data in files.items() if path.endswith(".md")}


def shell_blocks(text: str) -> list[str]:
    return [block.replace("\n  ", "\n") for block in re.findall(r"```sh\n(.*?)\n *```", text, re.DOTALL)]


class TestProse:
    @EVERY_VARIANT
    def test_nothing_is_left_unsaid(self, variant: Variant) -> None:
        for path, text in prose(variant).items():
            assert not re.search(r"\bNone,|\[\]|\{\{|\{%|<object|Undefined|\(\)\s*$", text, re.MULTILINE), path
            assert "\n\n\n" not in text, path
            assert not re.search(r"[ \t]$", text, re.MULTILINE), path
            assert text.endswith("\n")

    @EVERY_VARIANT
    def test_a_shell_reads_every_command(self, variant: Variant) -> None:
        blocks = [block for text in prose(variant).values() for block in shell_blocks(text)]
        assert len(blocks) > 12
        for block in blocks:
            run = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True, check=False)
            assert run.returncode == 0, f"{block}\n{run.stderr}"

    @EVERY_VARIANT
    def test_tables_have_as_many_cells_in_every_row(self, variant: Variant) -> None:
        for path, text in prose(variant).items():
            for table in re.findall(r"(?:^ *\|.*\|\n)+", text, re.MULTILINE):
                widths = {row.count("|") for row in table.splitlines()}
                assert len(widths) == 1, f"{path}: {table}"

    def test_the_bring_up_has_the_site_s_values_in_its_order(self) -> None:
        text = prose(("seed", None))["README.md"]
        wanted = [
            "scp -r routers/router root@192.168.10.1:",
            "ssh root@192.168.10.17 sh k8s-master-1/install.sh",
            "for name in k8s-master-2 k8s-master-3; do",
            "make bootstrap-1-namespaces bootstrap-2-definitions bootstrap-3-calico",
            "for name in k8s-node-1 k8s-node-2 k8s-node-3 k8s-node-4 k8s-node-5; do",
            "make bootstrap-4-bgp",
            "make bootstrap-5-argo-cd",
            "make bootstrap-6-hand-over",
            "--resolve whoami.example.com:443:192.168.20.100",
        ]
        at = [text.index(piece) for piece in wanted]
        assert at == sorted(at)

    def test_the_bootstrap_has_the_site_s_values_in_its_order(self) -> None:
        text = render(*example("seed"))["bootstrap.sh"].decode()
        wanted = [
            "helm template namespaces charts/namespaces",
            "crd.projectcalico.org.v1 --repo https://docs.tigera.io/calico/charts --version v3.32.2",
            "--set installation.bgp=Disabled",
            "helm template tigera-operator tigera-operator --repo",
            "helm template calico-bgp charts/calico-bgp",
            "create secret generic argocd-redis",
            "helm template argocd argo-cd --repo https://argoproj.github.io/argo-helm --version 10.3.3",
            "-f argocd/projects -f argocd/root.yaml",
        ]
        at = [text.index(piece) for piece in wanted]
        assert at == sorted(at)

    @EVERY_VARIANT
    def test_every_step_is_in_the_runbook_and_in_readme(self, variant: Variant) -> None:
        site, network = example(*variant)
        text = prose(variant)
        for step in bootstrap.steps(site, network):
            assert step.target in text["README.md"]
            assert step.stops, f"nobody says how {step.label} stops"
            assert f"| {step.label} |" in text["docs/runbook.md"]

    @EVERY_VARIANT
    def test_the_operator_is_never_applied_with_its_hooks(self, variant: Variant) -> None:
        script = render(*example(*variant))["bootstrap.sh"].decode()
        assert "--no-hooks" in script
        for text in (script, *prose(variant).values()):
            for line in text.splitlines():
                assert "helm template" not in line or "--no-hooks" in line
                assert "helm install" not in line

    def test_bgp_starts_disabled_only_where_calico_allows_that(self) -> None:
        assert b"installation.bgp=Disabled" not in render(*example("seed", unencapsulated))["bootstrap.sh"]

    def test_a_site_without_a_vip_never_speaks_of_one(self) -> None:
        text = "".join(prose(("lab-ja", None)).values())
        assert "kube-vip" not in text
        assert "KUBEADM_CERTIFICATE_KEY" not in text

    @EVERY_VARIANT
    def test_paths_that_are_named_exist(self, variant: Variant) -> None:
        site, network = example(*variant)
        tree = set(render(site, network))
        folders = {path[: index + 1] for path in tree for index, letter in enumerate(path) if letter == "/"}
        for path, text in prose(variant).items():
            for target in re.findall(r"\]\(([^)]+)\)", text):
                base = path.rpartition("/")[0]
                assert f"{base}/{target}".lstrip("/") in tree, target
            for named in re.findall(r"(?:charts|apps|argocd|docs)/[\w./-]+", text):
                where = named.rstrip(".")
                assert where in tree or where.rstrip("/") + "/" in folders, named

    def test_only_commands_that_exist_are_named(self) -> None:
        tree = render(*example("seed"))
        texts = [data.decode() for path, data in tree.items() if path.endswith((".md", "Makefile", ".yaml"))]
        named = {
            word for text in texts for word in re.findall(r"(?:\banycastle|ANYCASTLE\)) (\w+) (?:\.|--help)", text)
        }
        assert named == {"validate", "build", "diff", "update"}
        targets = set(re.findall(r"^(\w+):", tree["Makefile"].decode(), re.MULTILINE))
        asked = {word for text in texts for word in re.findall(r"`make (\w+)`", text)}
        assert {"validate", "diff", "update"} <= asked <= targets

    @CASES
    def test_the_rest_of_the_network_is_told_its_routes(self, case: str) -> None:
        site, network = example(case)
        texts = prose((case, None))
        ranges = [*(f"{vip}/32" for vip in site.kubernetes.api.vips), *map(str, network.calico.advertised)]
        wanted = f"has routes to {' and '.join(ranges)} via {network.routers[0].address}"
        assert wanted in texts["README.md"]
        assert f"has no route to {network.calico.advertised[0]} via" in texts["docs/runbook.md"]

    def test_the_router_is_left_alone_where_the_interface_is_another(self, tmp_path: Path) -> None:
        """The block of step 2 as the router's shell reads it, with programs that record their calls."""
        block = next(block for block in shell_blocks(prose(("seed", None))["README.md"]) if "nftables.conf" in block)
        script = block.partition("<<'EOF'\n")[2].removesuffix("EOF")
        for program in ("apt-get", "install", "systemctl", "sysctl", "cat"):
            (tmp_path / program).write_text(f'#!/bin/sh\necho {program} "$@" >>"{tmp_path}/calls"\n')
            (tmp_path / program).chmod(0o755)
        (tmp_path / "dpkg").write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / "dpkg").chmod(0o755)
        (tmp_path / "router").mkdir()
        calls = []
        for held in ("192.168.10.11/24", "192.168.10.1/24"):
            (tmp_path / "ip").write_text(f"#!/bin/sh\necho '2: eth1    inet {held} brd 192.168.10.255'\n")
            (tmp_path / "ip").chmod(0o755)
            (tmp_path / "calls").write_text("")
            text = script.replace("/etc/systemd/system", str(tmp_path))
            run = subprocess.run(
                ["sh", "-eu"],
                input=text,
                cwd=tmp_path,
                env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
                capture_output=True,
                text=True,
                check=False,
            )
            calls.append((run.returncode, (tmp_path / "calls").read_text().split("\n")[0]))
        assert calls == [(1, ""), (0, "apt-get update")]
        assert "systemctl enable nftables" not in script

    @pytest.mark.parametrize(
        ("same", "speaks", "wanted"), [(True, 0, "reload"), (True, 1, "restart"), (False, 0, "restart")]
    )
    def test_a_router_that_runs_is_reloaded(self, tmp_path: Path, same: bool, speaks: int, wanted: str) -> None:
        """Step 2 once more: every session would end with a restart."""
        block = next(block for block in shell_blocks(prose(("seed", None))["README.md"]) if "nftables.conf" in block)
        script = block.partition("<<'EOF'\n")[2].removesuffix("EOF")
        for program in ("apt-get", "install", "systemctl", "sysctl", "cat", "frr-reload.py", "dpkg", "vtysh"):
            status = speaks if program == "vtysh" else 0
            (tmp_path / program).write_text(f'#!/bin/sh\necho {program} "$@" >>"{tmp_path}/calls"\nexit {status}\n')
            (tmp_path / program).chmod(0o755)
        (tmp_path / "ip").write_text("#!/bin/sh\necho '2: eth1    inet 192.168.10.1/24 brd 192.168.10.255'\n")
        (tmp_path / "ip").chmod(0o755)
        (tmp_path / "router").mkdir()
        (tmp_path / "router" / "daemons").write_text("bgpd=yes\n")
        (tmp_path / "daemons").write_text("bgpd=yes\n" if same else "bgpd=no\n")
        text = script.replace("/etc/systemd/system", str(tmp_path)).replace("/etc/frr/daemons", "../daemons")
        subprocess.run(
            ["sh", "-eu"],
            input=text.replace("/usr/lib/frr/", ""),
            cwd=tmp_path,
            env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        )
        calls = (tmp_path / "calls").read_text()
        assert ("frr-reload.py --reload /etc/frr/frr.conf" in calls) is (wanted == "reload")
        assert ("systemctl restart frr\n" in calls) is (wanted == "restart")
        assert "apt-get" not in calls

    def test_big_tables_are_grouped(self) -> None:
        text = prose(("seed", many_workers(5000)))["docs/addresses.md"]
        assert len(text.splitlines()) < 200
        assert "10.0.2.1-10.0.2.250" in text
        assert "5000 nodes" in text


class TestSpans:
    def test_runs_of_addresses(self) -> None:
        _site, network = example("seed")
        assert spans.addresses(node.addresses[0] for node in network.nodes) == "192.168.10.17-192.168.10.24"

    def test_nodes_are_counted_as_people_count(self) -> None:
        def ten(answers: Answers) -> None:
            answers["nodes"] += [
                {"name": "k8s-node-10", "role": "worker", "address": "192.168.10.29"},
            ]

        _site, network = example("seed", ten)
        assert [node.name for node in spans.in_address_order(network.nodes)][-2:] == ["k8s-node-5", "k8s-node-10"]


def rectangles(picture: str) -> list[tuple[float, float, float, float]]:
    """(left, top, right, bottom) of every box but the page itself."""
    found = [
        tuple(float(element.attrib[key]) for key in ("x", "y", "width", "height"))
        for element in ElementTree.fromstring(picture).iter(f"{SVG}rect")
    ]
    return [(x, y, x + width, y + height) for x, y, width, height in found[1:]]


def texts(picture: str) -> list[tuple[float, float, float]]:
    """(left, right, base line) of every text, with a generous width of letters."""
    result = []
    for element in ElementTree.fromstring(picture).iter(f"{SVG}text"):
        words = "".join(t for t in element.itertext() if t not in [c.text for c in element]) or (element.text or "")
        width = len(words) * float(element.attrib["font-size"]) * 0.62
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        shift = {"start": 0.0, "middle": width / 2, "end": width}[element.attrib.get("text-anchor", "start")]
        result.append((x - shift, x - shift + width, y))
    return result


class TestPictures:
    @pytest.mark.parametrize("workers", [0, 1, 2, 5, 11, 12, 13, 40, 197])
    def test_boxes_hold_or_avoid_each_other(self, workers: int) -> None:
        _site, network = example("seed", many_workers(workers))
        picture = pictures.topology(network)
        for a, b in itertools.combinations(rectangles(picture), 2):
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            inside = a[0] <= b[0] and a[1] <= b[1] and a[2] >= b[2] and a[3] >= b[3]
            assert apart or inside, (a, b)

    @pytest.mark.parametrize("workers", [0, 5, 197])
    def test_words_stay_on_the_page_and_beside_each_other(self, workers: int) -> None:
        _site, network = example("seed", many_workers(workers))
        picture = pictures.topology(network)
        root = ElementTree.fromstring(picture)
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        found = texts(picture)
        assert all(left >= 0 and right <= width and 0 < y < height for left, right, y in found)
        for (l1, r1, y1), (l2, r2, y2) in itertools.combinations(found, 2):
            assert abs(y1 - y2) >= 11 or r1 <= l2 or r2 <= l1

    @pytest.mark.parametrize("case", ["seed", "lab-ja"])
    def test_the_order_is_shown_in_full(self, case: str) -> None:
        picture = waves.waves(example(case)[1])
        assert "…" not in picture
        assert max(right for _left, right, _y in texts(picture)) > 0.85 * waves.WIDTH

    def test_it_shows_the_sessions_and_what_is_announced(self) -> None:
        picture = pictures.topology(example("seed")[1])
        words = [element.text for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]
        for wanted in (
            "3 BGP sessions",
            "5 BGP sessions",
            "192.168.20.1/32",
            "/32s of 192.168.20.64/26",
            "FRR, AS 65010, 192.168.10.1",
            "kube-vip, AS 65020",
            "Calico, AS 65030",
            "k8s-node-5",
            "192.168.10.24",
        ):
            assert wanted in words

    def test_many_nodes_are_counted(self) -> None:
        picture = pictures.topology(example("seed", many_workers(197))[1])
        assert "and 186 more" in picture
        assert len(picture) < 20_000

    def test_a_long_name_is_cut_where_it_differs_least(self) -> None:
        shown = svg.fit("worker-in-the-cellar-under-the-stairs-17", 150, 13)
        assert shown.startswith("worker-")
        assert shown.endswith("-17")
        assert "…" in shown

    def test_names_cannot_break_the_picture(self) -> None:
        drawn = svg.text((1, 1), "<a & b>", svg.Style(), 400)
        assert ElementTree.fromstring(drawn).text == "<a & b>"

    @CASES
    def test_the_waves_stand_in_their_order(self, case: str) -> None:
        _site, network = example(case)
        picture = waves.waves(network)
        words = [element.text for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]
        at = [words.index(app.name) for app in network.apps]
        assert at == sorted(at)
        assert [words[index - 1] for index in at] == [str(app.wave) for app in network.apps]


def calls_of_rendering(workers: int) -> int:
    """How many functions are called: a measure of work that is the same on every machine."""
    site, network = example("seed", many_workers(workers))
    render(site, network)  # templates are compiled once
    count = itertools.count()
    sys.setprofile(lambda _frame, event, _argument: next(count) if event.endswith("call") else None)
    try:
        files = render(site, network)
    finally:
        sys.setprofile(None)
    assert len(files) > 3 * workers
    return next(count)


class TestTree:
    def render(self, case: str) -> tuple[Site, Network, dict[str, bytes]]:
        site, network = example(case)
        return site, network, render(site, network)

    @CASES
    def test_same_input_same_bytes_in_the_order_of_paths(self, case: str) -> None:
        _site, _network, files = self.render(case)
        assert list(files) == sorted(files)
        assert files == self.render(case)[2]

    @CASES
    def test_the_manifest_knows_every_other_file(self, case: str) -> None:
        _site, _network, files = self.render(case)
        manifest = json.loads(files.pop(".anycastle/manifest.json"))
        assert manifest["schema"] == 1
        assert manifest["generator"] == "anycastle"
        assert manifest["files"] == {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
        assert list(manifest["files"]) == sorted(files)

    @CASES
    def test_every_app_has_its_three_files(self, case: str) -> None:
        site, network, files = self.render(case)
        for app in releases(site, network):
            assert {f"apps/{app}/values.yaml", f"apps/{app}/overrides.yaml", f"argocd/apps/{app}.yaml"} <= set(files)

    @CASES
    def test_every_yaml_file_outside_the_charts_is_read_without_a_word(self, case: str) -> None:
        for path, data in self.render(case)[2].items():
            if path.endswith(".yaml") and not path.startswith("charts/"):
                assert yamlio.load(data, path).findings == ()

    @CASES
    def test_programs_and_only_they_are_executable(self, case: str) -> None:
        files = self.render(case)[2]
        assert {path for path in files if EXECUTABLE(path)} == {
            path for path, data in files.items() if data.startswith(b"#!/bin/sh")
        }

    def test_make_says_what_it_can(self, tmp_path: Path) -> None:
        (tmp_path / "Makefile").write_bytes(self.render("seed")[2]["Makefile"])
        run = subprocess.run(["make", "-C", str(tmp_path)], capture_output=True, text=True, check=True)
        assert re.findall(r"^  make (\w+)", run.stdout, re.MULTILINE) == [
            "help",
            "validate",
            "diff",
            "update",
            "build",
            "lab",
            "bootstrap",
        ]
        for target in ("validate", "diff", "update", "build", "lab"):
            run = subprocess.run(
                ["make", "-C", str(tmp_path), "--no-print-directory", "-n", target],
                capture_output=True,
                text=True,
                check=True,
            )
            command = "lab test" if target == "lab" else target
            assert f"\nanycastle {command} ." in run.stdout

    @pytest.mark.parametrize(("status", "fails"), [(0, False), (1, False), (2, True)])
    def test_make_diff_fails_only_where_it_cannot_be_told(self, tmp_path: Path, status: int, fails: bool) -> None:
        (tmp_path / "Makefile").write_bytes(self.render("seed")[2]["Makefile"])
        program = tmp_path / "anycastle"
        program.write_text(f'#!/bin/sh\necho "$@"\nexit {status}\n')
        program.chmod(0o755)
        command = ["make", "-C", str(tmp_path), "--no-print-directory", "diff", f"ANYCASTLE={program}"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert run.stdout == "diff .\n"
        assert (run.returncode != 0) == fails

    def test_make_says_how_to_install_what_is_missing(self, tmp_path: Path) -> None:
        (tmp_path / "Makefile").write_bytes(self.render("seed")[2]["Makefile"])
        run = subprocess.run(
            ["make", "-C", str(tmp_path), "validate", "ANYCASTLE=not-a-program"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode != 0
        said = [line for line in run.stderr.splitlines() if not line.startswith("make")]
        assert said == ["anycastle is not installed: pip install anycastle, or from a checkout of it: pip install PATH"]
        assert "not-a-program validate" not in run.stdout

    def test_renovate_finds_the_releases_of_site_yaml(self) -> None:
        _site, _network, files = self.render("seed")
        found = {}
        for manager in json.loads(files["renovate.json"])["customManagers"]:
            pattern = manager["matchStrings"][0].replace("(?<", "(?P<")
            found[manager["depNameTemplate"]] = re.findall(pattern, files["site.yaml"].decode())
        assert found == {
            "kubernetes/kubernetes": ["1.36.4"],
            "kube-vip/kube-vip": ["1.2.4"],
            "projectcalico/calico": ["3.32.2"],
            "traefik": ["41.3.0"],
            "argo-cd": ["10.3.3"],
        }

    def test_no_secret_can_be_committed_by_accident(self, tmp_path: Path) -> None:
        (tmp_path / ".gitignore").write_bytes(self.render("seed")[2][".gitignore"])
        subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
        for name in ("kubeconfig", "admin.conf", "tls.key", ".env"):
            run = subprocess.run(["git", "-C", str(tmp_path), "check-ignore", "--quiet", name], check=False)
            assert run.returncode == 0, name
        for name in ("site.yaml", "nodes/k8s-master-1/kubeadm.yaml", ".anycastle/manifest.json"):
            run = subprocess.run(["git", "-C", str(tmp_path), "check-ignore", "--quiet", name], check=False)
            assert run.returncode == 1, name

    @pytest.mark.slow
    def test_twice_the_nodes_are_twice_the_work(self) -> None:
        few, many = calls_of_rendering(400), calls_of_rendering(800)
        assert few > 50_000
        assert many < 2.2 * few


@pytest.mark.parametrize(
    ("case", "whole"),
    [("links", "12 links, nodes in 10.40.0.0/24"), ("route-reflectors", "Calico, AS 64515; 20 sessions inside")],
)
def test_what_is_known_of_links_and_reflectors_fits_into_the_picture(case: str, whole: str) -> None:
    site, network = example(case)
    picture = docs.files(site, network)["docs/topology.svg"].decode()
    assert f">{whole}</text>" in picture
