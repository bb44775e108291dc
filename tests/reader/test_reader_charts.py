"""Charts: values as Helm merges them, places of what they render, and what is told of charts that are elsewhere."""

import os
from pathlib import Path
from typing import Any

import handmade
import pytest
from handmade import added, application, read_changed

from anycastle import helm, yamlio
from anycastle.finding import Place
from anycastle.reader import merging, read
from anycastle.reader.notes import Notes
from anycastle.reader.origins import Answers
from anycastle.reader.traefik import ignored
from anycastle.reader.traefik_services import services

TEMPLATE = """\
{{- if lt (int .Values.size) 2 }}{{ fail "pool.size is too small" }}{{ end }}
apiVersion: projectcalico.org/v3
kind: IPPool
metadata:
  name: {{ .Release.Name }}
  annotations: {owner: {{ .Values.owner | default "nobody" }}}
spec:
  allowedUses: [LoadBalancer]
  cidr: {{ .Values.pool.cidr }}
  blockSize: {{ .Values.pool.blockSize }}
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  type: LoadBalancer
"""
CHART = {
    "charts/pool/Chart.yaml": "apiVersion: v2\nname: pool\nversion: 0.1.0\n",
    "charts/pool/values.yaml": "size: 2\nowner: us\npool: {cidr: 10.0.0.0/8, blockSize: 26}\n",
    "charts/pool/values.schema.json": '{"properties": {"pool": {"properties": {"blockSize": {"type": "integer"}}}}}',
    "charts/pool/templates/pool.yaml": TEMPLATE,
    "apps/pool/values.yaml": "# the first file\npool:\n  cidr: 10.1.0.0/16\n  blockSize: 28\n",
    "apps/pool/overrides.yaml": "pool:\n  blockSize: 30\nowner: null\n",
}
APP = application(
    "lb",
    5,
    f"""\
  source:
    repoURL: {handmade.REPOSITORY}
    path: charts/pool
    helm:
      releaseName: lb-pool
      valueFiles: [../../apps/pool/values.yaml, /apps/pool/overrides.yaml, no.yaml]
      ignoreMissingValueFiles: true
""",
    namespace="edge",
)


def with_chart(tmp_path: Path, **more: str) -> Any:
    files = CHART | {"argocd/lb.yaml": APP} | more
    return read_changed(tmp_path, *(added(path, text) for path, text in files.items()))


def test_a_chart_is_rendered_with_its_files_in_order(tmp_path: Path) -> None:
    found = with_chart(tmp_path)
    assert handmade.judged(found) == []
    pool, service = (item for item in found.objects if item.source == "charts/pool/templates/pool.yaml")
    assert pool.name == "lb-pool"
    assert pool.spec == {"allowedUses": ["LoadBalancer"], "cidr": "10.1.0.0/16", "blockSize": 30}
    assert pool.annotations == {"owner": "nobody"}, "null takes the chart's default away"
    assert (service.namespace, service.release_namespace) == ("edge", "edge")
    assert [(s.namespace, s.name) for s in found.network.services if s.name == "web"] == [("edge", "web")]
    (app,) = [app for app in found.network.apps if app.name == "lb"]
    assert app.provides == ("calico-loadbalancer",)


def test_places_in_what_a_chart_rendered(tmp_path: Path) -> None:
    found = with_chart(tmp_path)
    pool, service = (item for item in found.objects if item.source == "charts/pool/templates/pool.yaml")
    assert str(pool.place(("spec", "cidr"))) == "apps/pool/values.yaml:3 spec.cidr"
    assert str(pool.place(("spec", "blockSize"))) == "apps/pool/overrides.yaml:2 spec.blockSize"
    assert str(pool.place(("spec", "allowedUses"))) == "charts/pool/templates/pool.yaml:8 spec.allowedUses"
    assert str(pool.place(("spec", "missing"))) == "charts/pool/templates/pool.yaml:1 spec.missing"
    assert str(service.place(("spec", "type"))) == "charts/pool/templates/pool.yaml:17 spec.type"
    (owner,) = [pool.network for pool in [found] if pool]
    assert [str(p.where) for p in owner.pools if p.name == "lb-pool"] == ["apps/pool/values.yaml:3 spec.cidr"]


def test_a_value_that_the_schema_refuses_is_placed_in_its_file(tmp_path: Path) -> None:
    text = CHART["apps/pool/values.yaml"].replace("28", "'28'")
    found = with_chart(tmp_path, **{"apps/pool/values.yaml": text, "apps/pool/overrides.yaml": "owner: null\n"})
    assert [(f.code, str(f.where)) for f in handmade.judged(found)] == [
        ("HELM001", "apps/pool/values.yaml:4 pool.blockSize")
    ]


def test_inline_values_go_over_files_and_parameters_over_all(tmp_path: Path) -> None:
    inline = APP.replace(
        "      ignoreMissing",
        "      valuesObject: {pool: {blockSize: 31, cidr: 10.2.0.0/16}}\n"
        "      parameters: [{name: pool.blockSize, value: '32'}]\n      ignoreMissing",
    )
    found = with_chart(tmp_path, **{"argocd/lb.yaml": inline})
    (pool,) = [item for item in found.objects if item.name == "lb-pool"]
    assert (pool.spec["cidr"], pool.spec["blockSize"]) == ("10.2.0.0/16", 32)


def test_a_chart_at_the_root(tmp_path: Path) -> None:
    files = {path.removeprefix("charts/pool/"): text for path, text in CHART.items() if "/pool/" in path}
    files["argocd/lb.yaml"] = application("lb", 1, f"  source: {{repoURL: {handmade.REPOSITORY}, path: .}}\n")
    found = read(handmade.write(tmp_path, files))
    assert [item.source for item in found.objects if item.name == "web"] == ["templates/pool.yaml"]


def test_a_link_in_a_chart_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text("apiVersion: v1\nkind: Secret\nmetadata: {name: stolen}\n")
    root = handmade.write(tmp_path / "repo", CHART | {"argocd/lb.yaml": APP})
    (root / "charts/pool/templates/stolen.yaml").symlink_to(tmp_path / "outside.yaml")
    found = read(root)
    assert handmade.codes(found) == ["READ002"]
    assert "stolen" not in [item.name for item in found.objects]


def test_custom_resource_definitions_of_a_chart_are_objects(tmp_path: Path) -> None:
    crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\n"
    found = with_chart(tmp_path, **{"charts/pool/crds/x.yaml": crd, "charts/pool/ci/y.yaml": crd})
    assert [item.source for item in found.objects if item.kind == "CustomResourceDefinition"] == [
        "charts/pool/crds/x.yaml"
    ]


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([{"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}], {"a": {"b": 3, "c": 2}}),
        ([{"a": [1, 2]}, {"a": [3]}], {"a": [3]}),
        ([{"a": {"b": 1}}, {"a": None}], {"a": None}),
        ([{"a": None}, {"a": {"b": 1}}], {"a": {"b": 1}}),
        ([{"a": {"b": 1}}, {"a": 2}], {"a": 2}),
        ([], {}),
    ],
)
def test_layers_of_values(layers: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    assert merging.merged(layers) == expected


def test_null_deletes_a_default() -> None:
    assert merging.on_defaults({"a": {"b": 1, "c": 2}, "d": 1}, {"a": {"b": None}, "d": None}) == {"a": {"c": 2}}


@pytest.mark.parametrize(
    ("name", "value", "text", "expected"),
    [
        ("a.b", "1", False, {"a": {"b": 1}}),
        ("a.b", "1", True, {"a": {"b": "1"}}),
        (r"a\.b.c", "true", False, {"a.b": {"c": True}}),
        ("a", "null", False, {"a": None}),
        ("a", "007", False, {"a": "007"}),
        ("a[0]", "1", False, None),
        ("", "1", False, None),
    ],
)
def test_parameters(name: str, value: str, text: bool, expected: dict[str, Any] | None) -> None:
    assert merging.parameter(name, value, text=text) == expected


def test_an_answer_is_looked_for_under_the_name_of_its_object() -> None:
    text = "peers:\n  a: {asn: 65010}\n  b:\n    asn: 65010\n"
    answers = Answers(yamlio.load(text, "v.yaml").documents)
    assert answers.place("b", ("spec", "asn"), 65010) == Place("v.yaml", 4)
    assert answers.place("c", ("spec", "asn"), 65010) == Place("v.yaml", 2)
    assert answers.place("c", ("spec", "asNumber"), 65010) == Place("v.yaml", 2)
    assert answers.place("c", ("spec", "asNumber"), 1) is None, "a common value says nothing"


# --- Traefik ---------------------------------------------------------------------------------------------

TRAEFIK_VALUES: list[dict[str, Any]] = [
    {},
    {"service": {"enabled": False}},
    {"service": {"nameOverride": "lb"}},
    {"service": {"single": False}, "ports": {"websecure": {"http3": {"enabled": True}}}},
    {"ports": {"websecure": {"http3": {"enabled": True, "advertisedPort": 4443}}}},
    {"service": {"type": "NodePort", "externalTrafficPolicy": "Local"}},
    {"service": {"spec": {"type": "ClusterIP"}}},
    {
        "service": {
            "spec": {"externalTrafficPolicy": "Local", "loadBalancerClass": "calico"},
            "annotations": {"a/b": '["1.2.3.4"]'},
            "annotationsTCP": {"a/b": "x", "t": "1"},
            "labels": {"l": "v"},
        }
    },
    {
        "service": {"single": False, "annotations": {"a": "1"}, "annotationsUDP": {"u": "2"}},
        "ports": {"dns": {"port": 5353, "exposedPort": 53, "protocol": "UDP", "expose": {"default": True}}},
    },
    {"ports": {"web": {"expose": {"default": False}}, "traefik": {"expose": {"default": True}}}},
    {"ports": {"web": None}},
    {"ports": {"web": {"nodePort": 30080, "targetPort": "http-x", "appProtocol": "http"}}},
    {"ports": {"web": {"exposedPort": 8080, "targetPort": 9999}}},
    {"ports": {"averylongportnamehere": {"port": 1234, "expose": {"default": True}}}},
    {"fullnameOverride": "edge"},
    {"nameOverride": "proxy"},
    {"namespaceOverride": "other"},
    {"instanceLabelOverride": "inst"},
    {
        "service": {"additionalServices": {"internal": {"spec": {"type": "ClusterIP"}, "single": True}}},
        "ports": {"web": {"expose": {"internal": True}}},
    },
]
_CHART_LABELS = {
    "app.kubernetes.io/name",
    "app.kubernetes.io/instance",
    "helm.sh/chart",
    "app.kubernetes.io/managed-by",
}


@pytest.fixture(scope="module")
def traefik_chart() -> Path:
    """Traefik's chart 41.3.0, unpacked; it is no part of the project."""
    found = Path(os.environ.get("ANYCASTLE_TRAEFIK_CHART", "/nowhere"))
    if not (found / "Chart.yaml").is_file():
        pytest.skip("ANYCASTLE_TRAEFIK_CHART names no unpacked chart")
    return found


def _plain(service: dict[str, Any]) -> dict[str, Any]:
    metadata = service["metadata"]
    metadata["labels"] = {key: value for key, value in metadata["labels"].items() if key not in _CHART_LABELS}
    service["metadata"] = {key: value for key, value in metadata.items() if value}
    return service


@pytest.mark.shared
@pytest.mark.parametrize("release", ["traefik", "lb"])
@pytest.mark.parametrize("values", TRAEFIK_VALUES, ids=str)
def test_the_projection_is_what_the_chart_renders(traefik_chart: Path, values: dict[str, Any], release: str) -> None:
    rendered = helm.render(traefik_chart, values, helm.Release(release, "ns", "v1.36.4"), "traefik")
    assert rendered.findings == ()
    documents = [d.value for name, text in rendered.texts for d in yamlio.load(text, name).documents]
    real = {d["metadata"]["name"]: _plain(d) for d in documents if d.get("kind") == "Service"}
    assert {s["metadata"]["name"]: s for s in services(values, release, "ns")} == real


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ({}, ["ns/traefik LoadBalancer"]),
        ({"service": {"enabled": False}}, []),
        (
            {"service": {"single": False}, "ports": {"websecure": {"http3": {"enabled": True}}}},
            ["ns/traefik LoadBalancer", "ns/traefik-udp LoadBalancer"],
        ),
        (
            {"fullnameOverride": "edge", "namespaceOverride": "x", "service": {"spec": {"type": "ClusterIP"}}},
            ["x/edge ClusterIP"],
        ),
    ],
)
def test_services_of_traefik(values: dict[str, Any], names: list[str]) -> None:
    made = list(services(values, "traefik", "ns"))
    assert [f"{s['metadata']['namespace']}/{s['metadata']['name']} {s['spec']['type']}" for s in made] == names


@pytest.mark.shared
def test_keys_that_the_schema_names_are_never_called_unread(shared_dir: Path) -> None:
    """A mapping that sets every key of the schema's open blocks must give no finding."""
    import json

    schema = json.loads((shared_dir / "chart-schemas" / "traefik-41.3.0.schema.json").read_text())["properties"]

    def every(part: dict[str, Any]) -> Any:
        return {key: every(value) for key, value in part.get("properties", {}).items()} if "properties" in part else {}

    port = every(schema["ports"]["additionalProperties"])
    blocks = ("service", "deployment", "log", "accessLog", "metrics", "ingressRoute")
    values = {key: every(schema[key]) for key in blocks} | {"ports": {"web": port}}
    values["deployment"]["kind"] = "DaemonSet"
    notes = Notes()
    ignored(values, Answers(()), Place("v"), notes)
    assert notes.findings == []


def test_the_operator_chart_is_projected(tmp_path: Path) -> None:
    values = "installation: {calicoNetwork: {bgp: Disabled}}\nkubernetesServiceEndpoint: {host: 192.168.20.9}\n"
    files = {
        "argocd/op.yaml": application("op", 1, handmade.upstream("tigera-operator", "v3.32.2", "$values/op.yaml")),
        "op.yaml": values,
    }
    found = read(handmade.write(tmp_path, files))
    assert [item.kind for item in found.objects] == ["Installation", "APIServer", "ConfigMap", "Application"]
    assert found.network.versions[0].version == "3.32.2"
    assert [str(part) for part in found.network.apps[0].provides] == ["tigera-operator", "calico-installation"]
    files["op.yaml"] = "installation: {enabled: false}\napiServer: {enabled: false}\n"
    assert [item.kind for item in read(handmade.write(tmp_path, files)).objects] == ["Application"]
