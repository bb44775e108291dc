"""Values of the apps, and what our charts make of them; the expected values are the sites', not the code's."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from examples import Answers, example

from anycastle import helm, yamlio
from anycastle.network.model import Network
from anycastle.render import apps, argocd, charts
from anycastle.render.calico_bgp import go_duration
from anycastle.render.release import Release, releases
from anycastle.site.model import Site

CHARTS = Path(__file__).resolve().parents[2] / "charts"

Object = dict[str, Any]


def values(site: Site, network: Network, app: str) -> Object:
    loaded = yamlio.load(apps.files(site, network)[f"apps/{app}/values.yaml"])
    assert loaded.findings == ()
    return dict(loaded.documents[0].value) if loaded.documents else {}


def rendered(site: Site, network: Network, app: str) -> list[Object]:
    """The objects that one of our charts makes of an app's values."""
    release = releases(site, network)[app]
    result = helm.render(
        CHARTS / release.chart,
        values(site, network, app),
        helm.Release(release.name, release.namespace, "v1.36.4"),
        app,
    )
    assert result.findings == ()
    return [doc.value for _name, text in result.texts for doc in yamlio.load(text).documents]


def local(site: Site, network: Network) -> list[Release]:
    return [release for release in releases(site, network).values() if release.local]


def everything(site: Site, network: Network) -> list[Object]:
    return [obj for release in local(site, network) for obj in rendered(site, network, release.app)]


@cache
def objects(case: str) -> dict[tuple[str, str], Object]:
    """Every object of our charts for an example site, by kind and name."""
    return {(obj["kind"], obj["metadata"]["name"]): obj for obj in everything(*example(case))}


def without_ingress(answers: Answers) -> None:
    answers["ingress"] = []


@pytest.mark.parametrize("case", ["seed", "lab-ja"])
def test_every_local_chart_takes_its_values_and_lint_is_content(case: str) -> None:
    site, network = example(case)
    for release in local(site, network):
        assert rendered(site, network, release.app)
        found = helm.lint(CHARTS / release.chart, values(site, network, release.app), "v1.36.4", release.app)
        assert found == (), release.app


@pytest.mark.parametrize("case", ["seed", "lab-ja"])
def test_overrides_are_a_comment_and_nothing_else(case: str) -> None:
    for path, data in apps.files(*example(case)).items():
        if path.endswith("overrides.yaml"):
            assert yamlio.load(data).documents == ()
            assert all(line.startswith(b"#") for line in data.splitlines())


@pytest.mark.parametrize("case", ["seed", "lab-ja"])
def test_every_value_file_says_where_it_comes_from(case: str) -> None:
    for path, data in apps.files(*example(case)).items():
        if path.endswith("values.yaml"):
            first, second = data.decode().splitlines()[:2]
            assert first.startswith("# Follows from site.yaml: ")
            assert second.startswith("# Generated.")


def test_no_value_is_null_or_empty() -> None:
    def walk(value: Any, at: str) -> None:
        assert value not in (None, [], {}), at
        if isinstance(value, dict):
            for key, item in value.items():
                walk(item, f"{at}.{key}")

    site, network = example("seed")
    for app in releases(site, network):
        for key, value in values(site, network, app).items():
            walk(value, f"{app}.{key}")


class TestCalico:
    def test_bgp_of_the_first_seed(self) -> None:
        assert objects("seed")["BGPConfiguration", "default"]["spec"] == {
            "asNumber": 65030,
            "nodeToNodeMeshEnabled": False,
            "logSeverityScreen": "Info",
            "serviceLoadBalancerAggregation": "Disabled",
            "serviceLoadBalancerIPs": [{"cidr": "192.168.20.64/26"}],
        }
        assert objects("seed")["BGPPeer", "router"]["spec"] == {
            "peerIP": "192.168.10.1",
            "asNumber": 65010,
            "nodeSelector": "!has(node-role.kubernetes.io/control-plane)",
            "filters": ["services-only"],
            "maxRestartTime": "15s",
        }
        assert objects("seed")["BGPFilter", "services-only"]["spec"] == {
            "exportV4": [
                {"action": "Accept", "cidr": "192.168.20.64/26", "matchOperator": "In"},
                {"action": "Reject"},
            ],
            "importV4": [{"action": "Reject"}],
        }

    def test_bgp_of_the_second_seed(self) -> None:
        spec = objects("lab-ja")["BGPConfiguration", "default"]["spec"]
        assert spec["asNumber"] == 64512
        assert spec["nodeToNodeMeshEnabled"] is True
        assert spec["serviceLoadBalancerAggregation"] == "Enabled"
        assert objects("lab-ja")["BGPPeer", "router"]["spec"]["nodeSelector"] == "all()"
        first = objects("lab-ja")["BGPFilter", "services-only"]["spec"]["exportV4"][0]
        assert first == {"action": "Reject", "source": "RemotePeers"}

    def test_the_installation_states_every_field_of_a_pool(self) -> None:
        network = objects("seed")["Installation", "default"]["spec"]["calicoNetwork"]
        assert network == {
            "bgp": "Enabled",
            "linuxDataplane": "BPF",
            "nodeAddressAutodetectionV4": {"cidrs": ["192.168.10.0/24"]},
            "ipPools": [
                {
                    "name": "default-ipv4-ippool",
                    "cidr": "172.20.0.0/16",
                    "blockSize": 26,
                    "encapsulation": "VXLANCrossSubnet",
                    "natOutgoing": "Enabled",
                    "nodeSelector": "all()",
                    "disableBGPExport": True,
                    "disableNewAllocations": False,
                    "allowedUses": ["Workload", "Tunnel"],
                    "assignmentMode": "Automatic",
                }
            ],
        }

    def test_agents_dial_an_address_and_no_name(self) -> None:
        data = objects("seed")["ConfigMap", "kubernetes-services-endpoint"]["data"]
        assert data == {"KUBERNETES_SERVICE_HOST": "192.168.20.1", "KUBERNETES_SERVICE_PORT": "6443"}
        data = objects("lab-ja")["ConfigMap", "kubernetes-services-endpoint"]["data"]
        assert data["KUBERNETES_SERVICE_HOST"] == "172.24.34.11"

    def test_pools_and_who_takes_from_them(self) -> None:
        assert objects("seed")["IPPool", "loadbalancer-pool"]["spec"] == {
            "cidr": "192.168.20.64/26",
            "allowedUses": ["LoadBalancer"],
            "assignmentMode": "Automatic",
            "nodeSelector": "all()",
        }
        assert objects("lab-ja")["IPPool", "loadbalancer-ip-pool"]["spec"]["blockSize"] == 24
        controllers = objects("seed")["KubeControllersConfiguration", "default"]["spec"]["controllers"]
        assert controllers["loadBalancer"] == {"assignIPs": "RequestedServicesOnly"}
        controllers = objects("lab-ja")["KubeControllersConfiguration", "default"]["spec"]["controllers"]
        assert controllers["loadBalancer"] == {"assignIPs": "AllServices"}

    def test_the_operator_chart_brings_none_of_what_others_own(self) -> None:
        assert values(*example("seed"), "tigera-operator") == {
            "installation": {"enabled": False},
            "apiServer": {"enabled": False},
            "goldmane": {"enabled": False},
            "whisker": {"enabled": False},
            "manageCRDs": False,
        }

    def test_one_node_gets_one_replica(self) -> None:
        def alone(answers: Answers) -> None:
            answers["nodes"] = answers["nodes"][:1]

        site, network = example("seed", alone)
        assert values(site, network, "calico-installation")["installation"]["controlPlaneReplicas"] == 1

    def test_an_exported_pod_pool_passes_the_filter(self) -> None:
        def export(answers: Answers) -> None:
            answers["networks"]["pods"][0]["export"] = True

        site, network = example("seed", export)
        rules = values(site, network, "calico-bgp")["filters"]["services-only"]["exportV4"]
        assert {"action": "Accept", "cidr": "172.20.0.0/16", "matchOperator": "In"} in rules
        assert rules[-1] == {"action": "Reject"}
        installation = values(site, network, "calico-installation")["installation"]
        assert installation["ipPools"]["default-ipv4-ippool"]["disableBGPExport"] is False

    def test_a_range_of_addresses_becomes_pools_and_advertised_networks(self) -> None:
        def odd(answers: Answers) -> None:
            answers["load_balancer"]["pools"][0]["ranges"] = ["192.168.20.96-192.168.20.107"]

        site, network = example("seed", odd)
        pools = values(site, network, "calico-loadbalancer")["pools"]
        assert {name: (pool["cidr"], pool["blockSize"]) for name, pool in pools.items()} == {
            "loadbalancer-pool": ("192.168.20.96/29", 29),
            "loadbalancer-pool-2": ("192.168.20.104/30", 30),
        }
        advertised = values(site, network, "calico-bgp")["bgpConfiguration"]["serviceLoadBalancerIPs"]
        assert advertised == [pool["cidr"] for pool in pools.values()]

    @pytest.mark.parametrize(
        ("seconds", "text"), [(0, "0s"), (15, "15s"), (60, "1m0s"), (120, "2m0s"), (3600, "1h0m0s"), (3725, "1h2m5s")]
    )
    def test_durations_are_written_as_go_prints_them(self, seconds: int, text: str) -> None:
        assert go_duration(seconds) == text


class TestTraefik:
    def values(self, case: str = "seed") -> Object:
        return values(*example(case), "traefik")

    def test_the_service_asks_for_its_address_where_the_chart_reads_it(self) -> None:
        assert self.values()["service"] == {
            "spec": {"externalTrafficPolicy": "Local"},
            "annotations": {"projectcalico.org/loadBalancerIPs": '["192.168.20.100"]'},
        }
        assert self.values("lab-ja")["service"] == {"spec": {"externalTrafficPolicy": "Local"}}

    def test_a_pool_is_asked_for_by_name(self) -> None:
        def by_pool(answers: Answers) -> None:
            answers["ingress"][0].pop("addresses")
            answers["ingress"][0]["pool"] = "loadbalancer-pool"

        service = values(*example("seed", by_pool), "traefik")["service"]
        assert service["annotations"] == {"projectcalico.org/ipv4pools": '["loadbalancer-pool"]'}

    def test_the_names_follow_the_ingress(self) -> None:
        def renamed(answers: Answers) -> None:
            answers["ingress"][0] |= {"name": "front", "class": "public", "default": False}

        site, network = example("seed", renamed)
        found = values(site, network, "traefik")
        assert found["fullnameOverride"] == "front"
        assert found["ingressClass"] == {"enabled": True, "isDefaultClass": False, "name": "public"}
        assert found["providers"]["kubernetesCRD"]["ingressClass"] == "public"
        labels = found["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"]
        assert labels["app.kubernetes.io/instance"] == "front-front"
        release = releases(site, network)["traefik"]
        assert (release.name, release.namespace) == ("front", "front")
        assert "front" in values(site, network, "namespaces")["namespaces"]

    def test_a_replica_has_time_to_go(self) -> None:
        found = self.values()
        ports = found["ports"]
        for port in ("traefik", "web", "websecure"):
            accept = ports[port]["transport"]["lifeCycle"]["requestAcceptGraceTimeout"]
            assert accept == "15s"  # on the probe's port as well, or it closes at once
        deployment = found["deployment"]
        sleep = deployment["lifecycle"]["preStop"]["sleep"]["seconds"]
        running = int(ports["websecure"]["transport"]["lifeCycle"]["graceTimeOut"].removesuffix("s"))
        assert sleep + 15 + running < deployment["terminationGracePeriodSeconds"]

    def test_replicas_and_the_budget_for_them(self) -> None:
        assert self.values()["deployment"]["replicas"] == 2
        assert self.values()["podDisruptionBudget"] == {"enabled": True, "maxUnavailable": 1}
        assert self.values("lab-ja")["deployment"]["replicas"] == 1
        assert "podDisruptionBudget" not in self.values("lab-ja")

    def test_port_80_leads_to_https_at_the_path_of_chart_41(self) -> None:
        redirect = self.values()["ports"]["web"]["http"]["redirections"]["entryPoint"]
        assert redirect == {"to": "websecure", "scheme": "https", "permanent": True}

    @pytest.mark.shared
    @pytest.mark.parametrize("case", ["seed", "lab-ja"])
    def test_the_chart_s_own_schema_accepts_the_values(self, case: str, shared_dir: Path) -> None:
        import json

        import jsonschema_rs

        schema = json.loads((shared_dir / "chart-schemas" / "traefik-41.3.0.schema.json").read_text())
        faults = [error.message for error in jsonschema_rs.validator_for(schema).iter_errors(self.values(case))]
        assert faults == []


class TestArgoCd:
    def values(self) -> Object:
        return values(*example("seed"), "argo-cd")

    def test_health_of_every_gated_kind_is_taught(self) -> None:
        _site, network = example("seed")
        cm = self.values()["configs"]["cm"]
        for kind in network.health_checks:
            assert "return { status =" in cm[f"resource.customizations.health.{kind}"]

    def test_exclusions_are_yaml_and_never_hide_what_git_manages(self) -> None:
        text = self.values()["configs"]["cm"]["resource.exclusions"]
        excluded = {
            (group, kind)
            for entry in yamlio.load(text).documents[0].value
            for group in entry["apiGroups"]
            for kind in entry["kinds"]
        }
        assert {("", "Endpoints"), ("coordination.k8s.io", "Lease"), ("crd.projectcalico.org", "IPAMBlock")} <= excluded
        managed = {(obj["apiVersion"].rpartition("/")[0], obj["kind"]) for obj in objects("seed").values()}
        assert not managed & excluded

    def test_parameters_are_strings(self) -> None:
        params = self.values()["configs"]["params"]
        assert params == {
            "controller.diff.server.side": "true",
            "controller.sync.timeout.seconds": "1800",
            "server.insecure": "true",
        }

    def test_without_an_ingress_the_server_keeps_its_own_tls(self) -> None:
        site, network = example("seed", without_ingress)
        assert "server.insecure" not in values(site, network, "argo-cd")["configs"]["params"]

    def test_the_job_that_blocks_self_management_is_off(self) -> None:
        assert self.values()["redisSecretInit"] == {"enabled": False}


class TestEdge:
    def test_hosts_and_classes(self) -> None:
        route = objects("seed")["IngressRoute", "argocd"]
        assert route["metadata"]["annotations"] == {"kubernetes.io/ingress.class": "traefik"}
        assert route["spec"]["routes"][0]["match"] == "Host(`argocd.example.com`)"
        whoami = objects("seed")["IngressRoute", "whoami"]
        assert whoami["spec"]["routes"][0]["match"] == "Host(`whoami.example.com`)"

    def test_the_probe_asks_the_address_of_the_ingress(self) -> None:
        jobs = [obj for (kind, _name), obj in objects("seed").items() if kind == "Job"]
        arguments = jobs[0]["spec"]["template"]["spec"]["containers"][0]["args"]
        assert "whoami.example.com:443:192.168.20.100" in arguments

    def test_no_probe_where_nobody_knows_the_address(self) -> None:
        assert not [kind for kind, _name in objects("lab-ja") if kind == "Job"]

    def test_without_an_ingress_there_is_no_app_that_needs_one(self) -> None:
        found = {path.split("/")[1] for path in apps.files(*example("seed", without_ingress))}
        assert not found & {"traefik", "edge", "whoami"}
        assert "argo-cd" in found


def test_every_namespace_has_the_level_that_its_pods_need() -> None:
    levels = {
        name: obj["metadata"]["labels"]["pod-security.kubernetes.io/enforce"]
        for (kind, name), obj in objects("seed").items()
        if kind == "Namespace"
    }
    assert levels == {
        "argocd": "restricted",
        "calico-system": "privileged",
        "tigera-operator": "privileged",
        "traefik": "restricted",
        "whoami": "restricted",
    }
    assert ("PriorityClass", values(*example("seed"), "traefik")["priorityClassName"]) in objects("seed")


def test_charts_are_copied_byte_for_byte() -> None:
    found = charts.files()
    on_disk = {path.relative_to(CHARTS.parent).as_posix() for path in CHARTS.rglob("*") if path.is_file()}
    assert set(found) == {path for path in on_disk if not path.endswith(".DS_Store")}
    assert all(data == (CHARTS.parent / path).read_bytes() for path, data in found.items())


@pytest.mark.shared
@pytest.mark.parametrize("case", ["seed", "lab-ja"])
def test_objects_hold_against_upstream_schemas_and_their_rules(case: str, shared_dir: Path, tmp_path: Path) -> None:
    site, network = example(case)
    stream = [yamlio.dump(obj) for obj in everything(site, network)]
    stream += [data.decode() for data in argocd.files(site, network).values()]
    path = tmp_path / "objects.yaml"
    path.write_text("---\n".join(stream))
    run = subprocess.run(
        [sys.executable, str(shared_dir / "tools" / "conform"), str(path)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert ", 0 problems" in run.stdout
