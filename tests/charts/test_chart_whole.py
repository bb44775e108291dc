"""What holds for every chart: it lints, it renders the same twice, and the cluster would take what it renders."""

import re
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import pytest

from anycastle import helm, yamlio

CHARTS = Path(__file__).resolve().parents[2] / "charts"
KUBE_VERSION = "v1.36.4"
CORE = {"v1", "apps/v1", "batch/v1", "rbac.authorization.k8s.io/v1", "scheduling.k8s.io/v1"}


def test_every_chart_is_known_here(chart):
    assert {path.parent.name for path in CHARTS.glob("*/Chart.yaml")} == {
        "calico-bgp",
        "calico-installation",
        "calico-loadbalancer",
        "edge",
        "namespaces",
        "whoami",
    }


def test_chart_file(chart):
    (document,) = yamlio.load((chart / "Chart.yaml").read_bytes(), "Chart.yaml").documents
    meta = document.value
    assert meta.pop("description")
    assert meta == {
        "apiVersion": "v2",
        "name": chart.name,
        "type": "application",
        "version": "0.1.0",
        "kubeVersion": ">=1.31.0-0",
    }


def test_lints_strictly_with_example_and_default_values(chart, example):
    label = f"charts/{chart.name}"
    assert helm.lint(chart, example(chart.name), KUBE_VERSION, label) == ()
    assert helm.lint(chart, {}, KUBE_VERSION, label) == ()


def test_same_values_same_bytes(chart, example, texts):
    values = example(chart.name)
    assert texts(chart.name, values) == texts(chart.name, values)


def test_order_of_values_does_not_matter(chart, example, texts):
    def reverse(value):
        return {k: reverse(value[k]) for k in reversed(value)} if isinstance(value, dict) else value

    values = example(chart.name)
    assert texts(chart.name, reverse(values)) == texts(chart.name, values)


def test_text_is_tidy(chart, example, texts):
    rendered = texts(chart.name, example(chart.name))
    assert rendered
    for name, text in rendered.items():
        assert "\n\n" not in text, f"{name}: a blank line"
        assert text[:1].strip(), f"{name}: begins with white space"
        assert text.endswith("\n"), f"{name}: no newline at the end"
        assert not re.search(r"[ \t]+$", text, re.MULTILINE), f"{name}: white space at the end of a line"


def test_one_kind_to_a_file_named_after_it(chart, example, texts):
    for name, text in texts(chart.name, example(chart.name)).items():
        kinds = {document.value["kind"].lower() for document in yamlio.load(text, name).documents}
        assert kinds == {name.removesuffix(".yaml")}


def test_nothing_is_null_or_an_empty_list(chart, example, objects):
    def hollow(value, at):
        if value is None or value == []:
            yield at
        for key, below in value.items() if isinstance(value, dict) else ():
            yield from hollow(below, f"{at}.{key}")
        for index, below in enumerate(value) if isinstance(value, list) else ():
            yield from hollow(below, f"{at}[{index}]")

    found = objects(chart.name, example(chart.name))
    assert [place for key, value in found.items() for place in hollow(value, key)] == []


def test_templates_are_reproducible_and_need_no_cluster(chart):
    functions = (
        r"\b(lookup|now|date|rand\w*|shuffle|uuidv4|genCA\w*|genSigned\w*|genSelf\w*|genPrivateKey|env|getHostByName)\b"
    )
    for path in (chart / "templates").iterdir():
        actions = re.findall(r"\{\{.*?\}\}", path.read_text(), re.DOTALL)
        assert [action for action in actions if re.search(functions, re.sub(r'"[^"]*"|/\*.*?\*/', "", action))] == []


def test_kubernetes_takes_the_core_kinds(chart, example, objects):
    for value in objects(chart.name, example(chart.name)).values():
        if value["apiVersion"] in CORE:
            kubernetes_validate.validate(value, "1.36", strict=True)


def _pods(found):
    for value in found.values():
        if value["kind"] in ("Deployment", "Job"):
            yield value["spec"]["template"]["spec"]


def test_pods_pass_the_level_restricted(example, objects):
    pods = list(_pods(objects("whoami", example("whoami"))))
    assert len(pods) == 2
    for pod in pods:
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not pod.keys() & {"hostNetwork", "hostPID", "hostIPC", "volumes", "initContainers"}
        for container in pod["containers"]:
            security = container["securityContext"]
            assert security["allowPrivilegeEscalation"] is False
            assert security["capabilities"] == {"drop": ["ALL"]}
            assert not security.keys() & {"privileged", "procMount", "runAsUser"}
            assert "hostPort" not in str(container.get("ports"))


V6 = {
    "cidr": "2001:db8:1::/48",
    "blockSize": 122,
    "encapsulation": "VXLAN",
    "natOutgoing": "Disabled",
    "nodeSelector": "rack == 'a'",
    "disableBGPExport": False,
}
PEER = {
    "peerIP": "[2001:db8::1]:1179",
    "asNumber": 2147483647,
    "nodeSelector": "rack in {'a', 'b'}",
    "filters": ["both-families"],
    "maxRestartTime": "2m0s",
    "keepaliveTime": "20s",
    "sourceAddress": "None",
    "reachableBy": "2001:db8::ffff",
    "numAllowedLocalASNumbers": 1,
    "nextHopMode": "Keep",
    "localASNumber": 64513,
    "ttlSecurity": 2,
    "passwordSecret": {"name": "bgp", "key": "spine"},
}
FILTER = {
    "exportV4": [
        {
            "action": "Accept",
            "cidr": "203.0.113.0/24",
            "matchOperator": "In",
            "prefixLength": {"min": 32, "max": 32},
            "peerType": "eBGP",
        }
    ],
    "importV6": [{"action": "Reject", "source": "RemotePeers", "interface": "*.calico"}],
}
FELIX = {
    "bpfDataIfacePattern": "^(bond0|vlan100)$",
    "bpfConnectTimeLoadBalancing": "Disabled",
    "bpfKubeProxyIptablesCleanupEnabled": False,
    "serviceLoopPrevention": "Reject",
    "logSeverityScreen": "Warning",
}
EVERYTHING = [
    (
        "calico-installation",
        {
            "installation": {
                "nodeAddressAutodetectionV6": {"canReach": "2001:db8::1"},
                "ipPools": {"v6": V6},
                "mtu": 1450,
                "registry": "registry.example.com/",
                "imagePullSecrets": ["pull"],
            }
        },
    ),
    (
        "calico-bgp",
        {"peers": {"spine": PEER}, "filters": {"both-families": FILTER}, "felixConfiguration": FELIX},
    ),
    (
        "calico-loadbalancer",
        {
            "pools": {
                "v6": {
                    "cidr": "2001:db8:2::/122",
                    "blockSize": 124,
                    "assignmentMode": "Manual",
                    "namespaceSelector": "edge == 'true'",
                }
            },
            "kubeControllers": {"assignIPs": "AllServices", "prometheusMetricsPort": 0},
        },
    ),
    *((name, {}) for name in ("calico-installation", "calico-bgp", "calico-loadbalancer", "edge", "whoami")),
]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "override"), EVERYTHING, ids=[f"{n}-{'all' if o else 'example'}" for n, o in EVERYTHING]
)
def test_custom_resources_conform(name, override, example, texts, shared_dir):
    tool = shared_dir / "tools/conform"
    if not tool.is_file():
        pytest.skip(f"no {tool}")
    stream = "---\n".join(texts(name, example(name, override)).values())
    reply = subprocess.run([sys.executable, str(tool)], input=stream, capture_output=True, text=True, check=False)
    custom = re.findall(r"^apiVersion: (?:projectcalico|operator\.tigera|traefik)\.", stream, re.MULTILINE)
    assert reply.returncode == 0, reply.stdout + reply.stderr
    assert custom
    assert reply.stdout.startswith(f"{len(custom)} checked of ")
