"""One mistake each: which good object, what is changed in it, and what must be said about it, and where.

A path is written with dots; numbers are places in lists. `...` takes the key away.
"""

import copy
from dataclasses import dataclass
from typing import Any

Change = dict[str | tuple[str | int, ...], Any]
POD = "spec.template.spec"
FIRST = f"{POD}.containers.0"


@dataclass(frozen=True)
class Case:
    code: str
    key: str
    base: str
    change: Change

    def __str__(self) -> str:
        return f"{self.code}-{self.base}-{self.key or 'root'}".replace("[", ".").replace("]", "")


def changed(value: dict[str, Any], change: Change) -> dict[str, Any]:
    """A copy with the change made."""
    result = copy.deepcopy(value)
    for path, new in change.items():
        keys: list[Any] = list(path) if isinstance(path, tuple) else [_key(part) for part in path.split(".")]
        target: Any = result
        for key in keys[:-1]:
            target = target.setdefault(key, {}) if isinstance(target, dict) else target[key]
        if new is not ...:
            target[keys[-1]] = copy.deepcopy(new)
        elif isinstance(target, dict):
            target.pop(keys[-1], None)
        else:
            del target[keys[-1]]
    return result


def _key(part: str) -> str | int:
    return int(part) if part.isdigit() else part


def _case(code: str, base: str, key: str, change: Change | Any) -> Case:
    """`change` alone is the new value at `key`."""
    if (
        not isinstance(change, dict)
        or not change
        or not all("." in str(path) or isinstance(path, tuple) for path in change)
    ):
        change = {key.replace("[", ".").replace("]", ""): change}
    return Case(code, key, base, change)


_OBJECTS = (
    _case("OBJ001", "deployment", "apiVersion", {("apiVersion",): ...}),
    _case("OBJ001", "deployment", "kind", {("kind",): ...}),
    _case("OBJ001", "deployment", "kind", {("kind",): 7}),
    _case("OBJ002", "deployment", "metadata.name", ...),
    _case("OBJ002", "pool", "metadata.name", ""),
    _case("OBJ003", "deployment", "spec.replica", 2),
    _case(
        "OBJ003", "deployment", "spec.template.spec.containers[0].image_pull_policy", {f"{FIRST}.image_pull_policy": 1}
    ),
    _case("OBJ003", "service", "metadata.label", {("metadata", "label"): {"a": "b"}}),
    _case("OBJ003", "controllers", "spec.controllers.loadBalancer.AssignIPs", "AllServices"),
    _case("OBJ003", "filter", "spec.exportV4[0].prefixLength.length", 3),
    _case("OBJ003", "join", "discovery.bootstrapToken.apiServerEndpoints", "a:1"),
    _case("OBJ003", "application", "spec.sources[0].helm.valuesFiles", []),
    _case("OBJ004", "deployment", "spec.replicas", "2"),
    _case("OBJ004", "deployment", "metadata.labels.tier", {("metadata", "labels", "tier"): 1}),
    _case("OBJ004", "configmap", "data.port", {("data", "port"): 8080}),
    _case(
        "OBJ004",
        "deployment",
        "spec.template.spec.containers[0].resources.limits.cpu",
        {f"{FIRST}.resources.limits.cpu": True},
    ),
    _case("OBJ004", "pool", "metadata.annotations.wave", {("metadata", "annotations"): {"wave": 3}}),
    _case("OBJ004", "bgp", "spec.asNumber", "65000.10"),
    _case("OBJ004", "peer", "spec.filters", "only-services"),
    _case("OBJ004", "cluster", "proxy.disabled", "true"),
    _case("OBJ004", "application", "spec.syncPolicy.automated.prune", 1),
    _case("OBJ005", "deployment", "spec.selector", ...),
    _case("OBJ005", "deployment", "spec.template.spec.containers[0].env[0].name", {f"{FIRST}.env.0.name": ...}),
    _case("OBJ005", "pool", "spec.cidr", ...),
    _case("OBJ005", "filter", "spec.exportV4[1].action", ...),
    _case("OBJ005", "kustomization", "spec.prune", ...),
    _case("OBJ005", "controllers", "spec.controllers", ...),
    _case("OBJ005", "peer", "spec.password.secretKeyRef.name", ...),
    _case("OBJ005", "join", "discovery", {("discovery",): ...}),
    _case(
        "OBJ006",
        "deployment",
        "spec.template.spec.containers[0].imagePullPolicy",
        {f"{FIRST}.imagePullPolicy": "IfNotPresen"},
    ),
    _case("OBJ006", "pod", "spec.restartPolicy", "Sometimes"),
    _case(
        "OBJ006",
        "service",
        "spec.type",
        {
            "spec.type": "Loadbalancer",
            "spec.loadBalancerClass": ...,
            "spec.externalTrafficPolicy": ...,
            "spec.loadBalancerSourceRanges": ...,
            "spec.ports.0.nodePort": ...,
        },
    ),
    _case("OBJ006", "service", "spec.ports[0].protocol", "HTTP"),
    _case("OBJ006", "bgp", "spec.serviceLoadBalancerAggregation", "disabled"),
    _case("OBJ006", "bgp", "spec.logSeverityScreen", "chatty"),
    _case("OBJ006", "felix", "spec.bpfLogLevel", "verbose"),
    _case("OBJ006", "controllers", "spec.controllers.loadBalancer.assignIPs", "RequestedServices"),
    _case("OBJ006", "installation", "spec.calicoNetwork.bgp", "On"),
    _case("OBJ006", "node", "spec.taints[0].effect", "NoSched"),
    _case("OBJ006", "kustomization", "spec.sourceRef.kind", "HelmRepository"),
    _case("OBJ007", "deployment", "spec.replicas", -1),
    _case("OBJ007", "deployment", "spec.replicas", 2**31),
    _case(
        "OBJ007",
        "deployment",
        "spec.template.spec.containers[0].ports[0].containerPort",
        {f"{FIRST}.ports.0.containerPort": 0},
    ),
    _case(
        "OBJ007",
        "deployment",
        "spec.template.spec.containers[0].ports[0].containerPort",
        {f"{FIRST}.ports.0.containerPort": 70000},
    ),
    _case("OBJ007", "bgp", "spec.listenPort", 0),
    _case("OBJ007", "helmrelease", "spec.releaseName", "x" * 54),
    _case("OBJ007", "filter", "spec.exportV4[0].operations", []),
    _case("OBJ007", "init", "localAPIEndpoint.bindPort", 65536),
    _case("OBJ008", "peer", "spec.maxRestartTime", "120"),
    _case("OBJ008", "kustomization", "spec.interval", "10 minutes"),
    _case("OBJ008", "helmrepository", "spec.url", "ghcr.io/traefik/helm"),
    _case("OBJ008", "gitrepository", "spec.timeout", "1h"),
    _case("OBJ008", "kubelet", "clusterDNS[0]", {("clusterDNS",): ["kube-dns"]}),
    _case("OBJ003", "kubelet", "cgroupdriver", {("cgroupdriver",): "systemd"}),
    _case("OBJ003", "proxy", "ipvs.strictArp", {"ipvs.strictArp": True}),
    _case("OBJ006", "proxy", "mode", {("mode",): "ebpf"}),
    _case("OBJ008", "proxy", "conntrack.tcpCloseWaitTimeout", {"conntrack.tcpCloseWaitTimeout": "one hour"}),
    _case("OBJ009", "ingress", "apiVersion", {("apiVersion",): "extensions/v1beta1"}),
    _case("OBJ009", "deployment", "kind", {("kind",): "Deploymnt"}),
    _case("OBJ009", "pool", "kind", {("kind",): "IPPol"}),
    _case("OBJ014", "pool", "spec.allowedUses[2]", {"spec.allowedUses": ["Workload", "Tunnel", "Tunnel"]}),
)

_NAMES = (
    _case("OBJ101", "deployment", "metadata.name", "Whoami_1"),
    _case("OBJ101", "service", "metadata.name", "1st"),
    _case("OBJ101", "pool", "metadata.name", "Pool"),
    _case("OBJ101", "binding", "metadata.name", "a/b"),
    _case("OBJ101", "cronjob", "metadata.name", "x" * 53),
    _case("OBJ101", "deployment", "spec.template.spec.containers[0].name", {f"{FIRST}.name": "Who.ami"}),
    _case("OBJ102", "deployment", "metadata.namespace", "web.prod"),
    _case("OBJ103", "deployment", "metadata.labels.tier", {("metadata", "labels", "tier"): "front end"}),
    _case("OBJ103", "deployment", "metadata.labels.tier", {("metadata", "labels", "tier"): "x" * 64}),
    _case("OBJ103", "deployment", "metadata.labels.a/b/c", {("metadata", "labels", "a/b/c"): "x"}),
    _case("OBJ103", "service", "spec.selector.app", {("spec", "selector", "app"): "who ami"}),
    _case("OBJ104", "pool", "metadata.annotations.not a key", {("metadata", "annotations"): {"not a key": "x"}}),
    _case("OBJ104", "pool", "metadata.annotations", {("metadata", "annotations"): {"big": "x" * 300000}}),
    _case("OBJ105", "configmap", "metadata.creationTimestamp", "yesterday"),
    _case("OBJ105", "node", "spec.taints[0].timeAdded", "2026-02-31T08:00:00Z"),
    _case("OBJ105", "node", "spec.taints[0].timeAdded", "2026-01-31"),
)

_PODS = (
    _case("OBJ110", "deployment", "spec.selector.matchLabels.app", {("spec", "selector", "matchLabels", "app"): "who"}),
    _case("OBJ110", "deployment", "spec.selector", {("spec", "selector"): {}}),
    _case(
        "OBJ110",
        "statefulset",
        "spec.selector.matchExpressions[0]",
        {"spec.selector.matchExpressions.0.values": ["shop"]},
    ),
    _case("OBJ111", "pod", "spec.containers[1].name", "kube-vip"),
    _case("OBJ112", "cronjob", "spec.jobTemplate.spec.template.spec.containers", []),
    _case("OBJ113", "pod", "spec.containers[0].image", ...),
    _case("OBJ113", "pod", "spec.containers[0].image", "Kube VIP:1"),
    _case("OBJ113", "pod", "spec.containers[0].image", "ghcr.io/Kube-Vip/kube-vip:v1"),
    _case(
        "OBJ114",
        "deployment",
        "spec.template.spec.containers[0].ports[0].name",
        {f"{FIRST}.ports.0.name": "http-for-everyone"},
    ),
    _case("OBJ114", "deployment", "spec.template.spec.containers[0].ports[0].name", {f"{FIRST}.ports.0.name": "80"}),
    _case("OBJ114", "service", "spec.ports[0].name", "HTTP"),
    _case(
        "OBJ115",
        "deployment",
        "spec.template.spec.containers[0].ports[1].name",
        {f"{FIRST}.ports": [{"name": "http", "containerPort": 80}, {"name": "http", "containerPort": 81}]},
    ),
    _case("OBJ115", "pod", "spec.containers[1].ports[0].hostPort", {"spec.containers.1.ports.0.containerPort": 2112}),
    _case(
        "OBJ116",
        "deployment",
        "spec.template.spec.containers[0].resources.limits.memory",
        {f"{FIRST}.resources.limits.memory": "1 GiB"},
    ),
    _case(
        "OBJ116",
        "deployment",
        "spec.template.spec.volumes[0].emptyDir.sizeLimit",
        {f"{POD}.volumes.0.emptyDir.sizeLimit": "1GB"},
    ),
    _case(
        "OBJ117",
        "deployment",
        "spec.template.spec.containers[0].resources.requests.cpu",
        {f"{FIRST}.resources.requests.cpu": "-100m"},
    ),
    _case(
        "OBJ118",
        "deployment",
        "spec.template.spec.containers[0].resources.requests.cpu",
        {f"{FIRST}.resources.requests.cpu": "1500m"},
    ),
    _case(
        "OBJ118",
        "deployment",
        "spec.template.spec.containers[0].resources.requests.memory",
        {f"{FIRST}.resources.requests.memory": "0.2Gi"},
    ),
    _case(
        "OBJ119",
        "deployment",
        "spec.template.spec.containers[0].volumeMounts[0].name",
        {f"{FIRST}.volumeMounts.0.name": "date"},
    ),
    _case(
        "OBJ119",
        "statefulset",
        "spec.template.spec.containers[0].volumeMounts[0].name",
        {f"{FIRST}.volumeMounts.0.name": "date"},
    ),
    _case("OBJ120", "deployment", "spec.template.spec.volumes[0]", {f"{POD}.volumes.0.hostPath": {"path": "/x"}}),
    _case(
        "OBJ120",
        "deployment",
        "spec.template.spec.volumes[2].name",
        {f"{POD}.volumes": [{"name": "data"}, {"name": "config"}, {"name": "data"}]},
    ),
    _case("OBJ121", "deployment", "spec.template.spec.restartPolicy", "Never"),
    _case("OBJ121", "cronjob", "spec.jobTemplate.spec.template.spec.restartPolicy", ...),
    _case(
        "OBJ122",
        "deployment",
        "spec.template.spec.containers[0].readinessProbe",
        {f"{FIRST}.readinessProbe.httpGet": ...},
    ),
    _case(
        "OBJ122",
        "deployment",
        "spec.template.spec.containers[0].readinessProbe",
        {f"{FIRST}.readinessProbe.tcpSocket": {"port": 80}},
    ),
    _case(
        "OBJ122", "deployment", "spec.template.spec.containers[0].lifecycle.preStop", {f"{FIRST}.lifecycle.preStop": {}}
    ),
    _case("OBJ123", "pod", "spec.containers[0].ports[0].hostPort", 2222),
    _case(
        "OBJ124",
        "deployment",
        "spec.template.spec.containers[0].volumeMounts[1].mountPath",
        {f"{FIRST}.volumeMounts.1.mountPath": "/data"},
    ),
    _case("OBJ125", "deployment", "spec.template.spec.containers[0].env[1].name", {f"{FIRST}.env.1.name": "PORT"}),
    _case(
        "OBJ126",
        "deployment",
        "spec.strategy.rollingUpdate.maxUnavailable",
        {"spec.strategy.rollingUpdate": {"maxSurge": "0%", "maxUnavailable": 0}},
    ),
    _case(
        "OBJ126", "deployment", "spec.strategy.rollingUpdate.maxSurge", {"spec.strategy.rollingUpdate.maxSurge": "abc"}
    ),
    _case(
        "OBJ127", "deployment", "spec.template.spec.tolerations[0].value", {f"{POD}.tolerations.0.operator": "Exists"}
    ),
    _case("OBJ127", "deployment", "spec.template.spec.tolerations[1].key", {f"{POD}.tolerations.1.operator": ...}),
    _case("OBJ128", "service", "spec.ports[0].targetPort", "8080"),
    _case("OBJ128", "service", "spec.ports[0].targetPort", 0),
    _case(
        "OBJ128",
        "deployment",
        "spec.template.spec.containers[0].readinessProbe.httpGet.port",
        {f"{FIRST}.readinessProbe.httpGet.port": 70000},
    ),
    _case("OBJ129", "deployment", "spec.template.spec.containers[0].env[1].valueFrom", {f"{FIRST}.env.1.value": "x"}),
)

_SERVICES = (
    _case("OBJ130", "service", "spec.ports[2].port", {"spec.ports.2.protocol": "TCP"}),
    _case("OBJ131", "service", "spec.ports[1].name", ...),
    _case("OBJ131", "service", "spec.ports[2].name", "dns"),
    _case("OBJ007", "service", "spec.ports[0].port", 0),
    _case("OBJ132", "service", "spec.ports[0].nodePort", 80),
    _case("OBJ133", "internal", "spec.clusterIP", "ten"),
    _case("OBJ133", "service", "spec.clusterIP", "None"),
    _case("OBJ134", "internal", "spec.externalIPs[0]", "192.0.2.300"),
    _case("OBJ134", "internal", "spec.externalIPs[0]", "127.0.0.1"),
    _case("OBJ134", "service", "spec.loadBalancerIP", "192.0.2.0/24"),
    _case("OBJ135", "service", "spec.loadBalancerSourceRanges[0]", "192.0.2.0/33"),
    _case("OBJ135", "policy", "spec.ingress[0].from[0].ipBlock.cidr", "192.0.2.0/99"),
    _case("OBJ135", "policy", "spec.ingress[0].from[0].ipBlock.except[0]", "192.0.2.128"),
    _case("OBJ136", "internal", "spec.loadBalancerClass", "calico"),
    _case(
        "OBJ136",
        "internal",
        "spec.externalTrafficPolicy",
        {"spec.externalTrafficPolicy": "Local", "spec.externalIPs": ...},
    ),
    _case("OBJ136", "internal", "spec.ports[0].nodePort", 30080),
    _case("OBJ136", "internal", "spec.externalName", {"spec.type": "ExternalName"}),
    _case("OBJ137", "internal", "spec.ports", ...),
    _case("OBJ138", "ingress", "spec", {("spec",): {"ingressClassName": "traefik"}}),
    _case("OBJ138", "ingress", "spec.rules[0].http.paths[0].backend", {}),
    _case(
        "OBJ138",
        "ingress",
        "spec.rules[0].http.paths[0].backend.service.port",
        {"spec.rules.0.http.paths.0.backend.service.port": {}},
    ),
    _case("OBJ139", "service", "spec.ipFamilies", {"spec.ipFamilyPolicy": "SingleStack"}),
    _case("OBJ139", "service", "spec.ipFamilies", {"spec.ipFamilies": ["IPv4", "IPv4"]}),
    _case("OBJ140", "configmap", "data.a b", {("data", "a b"): "x"}),
    _case("OBJ140", "secret", "stringData.a/b", {("stringData", "a/b"): "x"}),
    _case("OBJ141", "configmap", "binaryData.settings.yaml", {("binaryData", "settings.yaml"): "aGVsbG8="}),
    _case("OBJ142", "secret", "data.token", "clear text!"),
    _case("OBJ142", "configmap", "binaryData.logo.png", {("binaryData", "logo.png"): "<png>"}),
    _case("OBJ150", "budget", "spec.maxUnavailable", 1),
    _case("OBJ150", "budget", "spec.minAvailable", "abc"),
    _case(
        "OBJ151",
        "binding",
        "subjects[2].namespace",
        {("kind",): "ClusterRoleBinding", "metadata.namespace": ..., "roleRef.kind": "ClusterRole"},
    ),
    _case("OBJ151", "binding", "roleRef.kind", "Rule"),
    _case("OBJ152", "definition", "metadata.name", "thing.example.com"),
    _case("OBJ153", "priority", "value", {("value",): 2000000000}),
    _case("OBJ153", "priority", "metadata.name", "system-mine"),
    _case(
        "CAL070",
        "service",
        "metadata.annotations.projectcalico.org/loadBalancerIPs",
        {("metadata", "annotations"): {"projectcalico.org/loadBalancerIPs": "192.0.2.10"}},
    ),
    _case(
        "CAL070",
        "service",
        "metadata.annotations.projectcalico.org/loadBalancerIPs",
        {("metadata", "annotations"): {"projectcalico.org/loadBalancerIPs": '["192.0.2.10", "192.0.2.11"]'}},
    ),
    _case(
        "CAL070",
        "service",
        "metadata.annotations.projectcalico.org/ipv4pools",
        {("metadata", "annotations"): {"projectcalico.org/ipv4pools": '"pool"'}},
    ),
)

_CALICO = (
    _case("CAL001", "pool", "spec.cidr", "banana"),
    _case("CAL001", "pool", "spec.cidr", "172.20.0.0"),
    _case("CAL001", "pool", "spec.cidr", "172.20.0.0/255.255.0.0"),
    _case("CAL001", "bgp", "spec.serviceLoadBalancerIPs[0].cidr", "192.0.2.64/33"),
    _case("CAL002", "lbpool", "spec.cidr", "192.0.2.200/26"),
    _case("CAL002", "installation", "spec.calicoNetwork.ipPools[0].cidr", "172.20.0.1/16"),
    _case("CAL002", "filter", "spec.exportV4[0].cidr", "192.0.2.65/26"),
    _case("CAL003", "pool", "spec.blockSize", 19),
    _case("CAL003", "pool6", "spec.blockSize", 64),
    _case("CAL003", "installation", "spec.calicoNetwork.ipPools[0].blockSize", 33),
    _case("CAL004", "lbpool", "spec.cidr", "192.0.2.64/28"),
    _case("CAL004", "pool6", "spec.cidr", "2001:db8::/125"),
    _case("CAL004", "installation", "spec.calicoNetwork.ipPools[1].cidr", "172.21.0.0/27"),
    _case("CAL005", "pool", "spec.cidr", "169.254.0.0/20"),
    _case("CAL005", "pool6", "spec.cidr", "fe80::/64"),
    _case("CAL006", "pool", "spec.vxlanMode", {"spec.ipipMode": "Always"}),
    _case("CAL007", "pool6", "spec.ipipMode", {"spec.ipipMode": "CrossSubnet", "spec.vxlanMode": "Never"}),
    _case(
        "CAL007",
        "installation",
        "spec.calicoNetwork.ipPools[1].encapsulation",
        {"spec.calicoNetwork.ipPools.1": {"cidr": "2001:db8::/64", "encapsulation": "IPIP"}},
    ),
    _case("CAL008", "lbpool", "spec.allowedUses", ["LoadBalancer", "Workload"]),
    _case("CAL009", "lbpool", "spec", {"spec.vxlanMode": "Always"}),
    _case("CAL010", "lbpool", "spec.disableBGPExport", True),
    _case("CAL011", "lbpool", "spec.nodeSelector", "has(edge)"),
    _case("CAL012", "pool", "spec.namespaceSelector", "has(team)"),
    _case("CAL013", "pool", "spec.nodeSelector", "global()"),
    _case("CAL014", "peer", "spec.nodeSelector", "has(rack"),
    _case("CAL014", "peer", "spec.nodeSelector", "rack = 'a'"),
    _case("CAL014", "pool", "spec.nodeSelector", "rack == a"),
    _case("CAL015", "bgp", "spec.asNumber", 4200000001),
    _case("CAL015", "peer", "spec.asNumber", 2147483648),
    _case("CAL015", "filter", "spec.exportV4[0].operations[1].prependASPath.prefix[0]", 4200000001),
    _case("CAL016", "installation", "spec.calicoNetwork.ipPools[1].cidr", "172.20.0.0/16"),
    _case("CAL016", "installation", "spec.calicoNetwork.ipPools[1].name", "default-ipv4-ippool"),
    _case("CAL020", "peer", "spec.nodeSelector", {"spec.node": "k8s-node-1"}),
    _case("CAL020", "meshpeer", "spec.asNumber", 65000),
    _case(
        "CAL020",
        "peer",
        "spec.peerSelector",
        {"spec.peerSelector": "all()", "spec.asNumber": ..., "spec.peerIP": "192.0.2.1"},
    ),
    _case(
        "CAL020",
        "peer",
        "spec.asNumber",
        {"spec.localWorkloadSelector": "all()", "spec.asNumber": ..., "spec.peerIP": ..., "spec.reachableBy": ...},
    ),
    _case("CAL021", "peer", "spec.peerIP", {"spec.peerIP": "router.example.com", "spec.reachableBy": ...}),
    _case("CAL021", "peer", "spec.peerIP", {"spec.peerIP": "192.0.2.1:70000", "spec.reachableBy": ...}),
    _case("CAL021", "bgp", "spec.localWorkloadPeeringIPV4", "here"),
    _case("CAL022", "peer", "spec.reachableBy", "2001:db8::1"),
    _case("CAL022", "meshpeer", "spec.reachableBy", "192.0.2.1"),
    _case("CAL023", "peer", "spec.keepOriginalNextHop", True),
    _case("CAL024", "meshpeer", "spec.peerIP", {"spec.peerSelector": ...}),
    _case("CAL026", "peer", "spec.nodeSelector", ""),
    _case("CAL025", "peer", "spec.asNumber", ...),
    _case("CAL030", "filter", "spec.exportV4[0].matchOperator", ...),
    _case("CAL030", "filter", "spec.exportV4[1].cidr", {"spec.exportV4.1.matchOperator": "In"}),
    _case("CAL031", "filter", "spec.exportV4[1].prefixLength", {"spec.exportV4.1.prefixLength": {"max": 32}}),
    _case("CAL032", "filter", "spec.exportV4[0].operations", {"spec.exportV4.0.action": "Reject"}),
    _case(
        "CAL033", "filter", "spec.exportV4[0].operations[0]", {"spec.exportV4.0.operations.0.setPriority": {"value": 5}}
    ),
    _case("CAL033", "filter", "spec.exportV4[0].operations[0]", {"spec.exportV4.0.operations.0": {}}),
    _case("CAL034", "filter", "spec.importV6[0].cidr", "192.0.2.0/24"),
    _case("CAL035", "filter", "spec.exportV4[0].prefixLength.max", 64),
    _case("CAL035", "filter", "spec.exportV4[0].prefixLength.min", 24),
    _case("CAL035", "filter", "spec.exportV4[0].prefixLength.min", {"spec.exportV4.0.prefixLength.max": 30}),
    _case(
        "CAL040", "bgp", "spec.nodeMeshPassword", {"spec.nodeMeshPassword": {"secretKeyRef": {"name": "a", "key": "b"}}}
    ),
    _case("CAL040", "bgp", "spec.nodeMeshMaxRestartTime", "2m0s"),
    _case("CAL041", "bgp", "metadata.name", "cluster"),
    _case("CAL041", "nodebgp", "spec.asNumber", 65031),
    _case("CAL042", "bgp", "spec.communities[0].value", "65536:1"),
    _case("CAL042", "filter", "spec.exportV4[0].operations[0].addCommunity.value", "1:2:3:4"),
    _case("CAL043", "bgp", "spec.prefixAdvertisements[0].communities[1]", "inner"),
    _case("CAL043", "bgp", "spec.communities[0]", {"spec.prefixAdvertisements": ...}),
    _case("CAL044", "bgp", "spec.ignoredInterfaces[0]", "*"),
    _case("CAL050", "installation", "metadata.name", "calico"),
    _case("CAL050", "controllers", "metadata.name", "cluster"),
    _case("CAL050", "apiserver", "metadata.name", "calico"),
    _case(
        "CAL051",
        "controllers",
        "spec.controllers.node.hostEndpoint.templates[0]",
        {"spec.controllers.node.hostEndpoint.templates.0.interfacePattern": ...},
    ),
    _case("CAL051", "controllers", "spec.controllers.node.hostEndpoint.templates[1].generateName", "uplink"),
    _case("CAL052", "felix", "spec.nodeSelector", "has(edge)"),
    _case("CAL053", "felix", "spec.routeTableRange", {"spec.routeTableRange": {"min": 1, "max": 2}}),
    _case("CAL054", "ipam", "spec.maxBlocksPerHost", {"spec.strictAffinity": False}),
    _case(
        "CAL060", "installation", "spec.calicoNetwork.ipPools[1].encapsulation", {"spec.calicoNetwork.bgp": "Disabled"}
    ),
    _case(
        "CAL061",
        "installation",
        "spec.calicoNetwork.nodeAddressAutodetectionV4",
        {"spec.calicoNetwork.nodeAddressAutodetectionV4.firstFound": True},
    ),
    _case("CAL062", "installation", "spec.nonPrivileged", "Enabled"),
    _case("CAL062", "installation", "spec.controlPlaneReplicas", 0),
    _case("CAL062", "installation", "spec.nodeUpdateStrategy.type", {"spec.nodeUpdateStrategy.type": "OnDelete"}),
    _case("CAL062", "installation", "spec.kubeletVolumePluginPath", "var/lib"),
    _case("CAL062", "installation", "spec.calicoNetwork.linuxPolicySetupTimeoutSeconds", 5),
    _case("CAL062", "installation", "spec.calicoNetwork.ipPools[0].nodeSelector", ""),
)

_NODES = (
    _case(
        "KUBEADM001",
        "init",
        "nodeRegistration.kubeletExtraArgs",
        {"nodeRegistration.kubeletExtraArgs": {"node-ip": "192.0.2.17"}},
    ),
    _case("KUBEADM001", "cluster", "apiServer.extraArgs", {"apiServer.extraArgs": {"v": "2"}}),
    _case("KUBEADM002", "cluster", "controlPlaneEndpoint", "https://control.example.com"),
    _case("KUBEADM002", "cluster", "controlPlaneEndpoint", "Control.example.com:6443"),
    _case("KUBEADM002", "join", "discovery.bootstrapToken.apiServerEndpoint", "control.example.com"),
    _case("KUBEADM003", "join", "discovery.bootstrapToken.token", "abcdef.0123"),
    _case("KUBEADM004", "init", "certificateKey", "abc"),
    _case("KUBEADM005", "init", "nodeRegistration.criSocket", "/run/containerd/containerd.sock"),
    _case("KUBEADM006", "join", "discovery.bootstrapToken.caCertHashes[0]", "sha256:abc"),
    _case(
        "KUBEADM007", "init", "bootstrapTokens[0].expires", {("bootstrapTokens", 0, "expires"): "2027-01-01T00:00:00Z"}
    ),
    _case("KUBEADM007", "join", "discovery.file", {"discovery.file": {"kubeConfigPath": "/etc/x.conf"}}),
    _case(
        "KUBEADM007",
        "cluster",
        "etcd.external",
        {"etcd.external": {"endpoints": ["https://a:2379"], "caFile": "/a", "certFile": "/b", "keyFile": "/c"}},
    ),
    _case("KUBEADM008", "join", "discovery.bootstrapToken.caCertHashes", ...),
    _case("KUBEADM009", "cluster", "networking.podSubnet", "172.20.0.1/16"),
    _case("KUBEADM009", "cluster", "networking.serviceSubnet", "10.0.0.0/8"),
    _case("KUBEADM010", "cluster", "featureGates.ControlPlaneKubeletLocalMode", True),
    _case("KUBEADM011", "init", "localAPIEndpoint.advertiseAddress", "control.example.com"),
    _case("KUBEADM012", "cluster", "apiServer.certSANs[0]", "192.0.2.1:6443"),
    _case("KUBEADM013", "cluster", "apiServer.extraArgs[0].name", "--v"),
    _case("KUBEADM014", "init", "nodeRegistration.ignorePreflightErrors[1]", "all"),
    _case("KUBEADM015", "join", "nodeRegistration.name", "K8s_Node"),
    _case("KUBEADM016", "init", "apiVersion", {("apiVersion",): "kubeadm.k8s.io/v1beta3"}),
    _case("KUBEADM017", "join", "caCertPath", {("caCertPath",): "/etc/ca.pem"}),
    _case("KUBEADM017", "cluster", "etcd.local.dataDir", "var/lib/etcd"),
    _case("KUBEADM018", "init", "bootstrapTokens[0].groups", {("bootstrapTokens", 0, "usages"): ["signing"]}),
    _case("KUBEADM019", "join", "discovery", {("discovery",): {"tlsBootstrapToken": "@TOKEN@"}}),
)

_ENGINES = (
    _case("GITOPS001", "application", "spec.source", {("spec", "sources"): ...}),
    _case("GITOPS001", "application", "spec.source", {("spec", "source"): {"repoURL": "https://a", "path": "."}}),
    _case("GITOPS001", "appset", "spec.template.spec.source", {"spec.template.spec.source": ...}),
    _case("GITOPS002", "application", "spec.destination", {("spec", "destination", "name"): "in-cluster"}),
    _case("GITOPS002", "application", "spec.destination", {("spec", "destination", "server"): ...}),
    _case("GITOPS003", "helmrelease", "spec.chart", {("spec", "chartRef"): ...}),
    _case(
        "GITOPS003",
        "helmrelease",
        "spec.chartRef",
        {("spec", "chart"): {"spec": {"chart": "traefik", "sourceRef": {"kind": "HelmRepository", "name": "traefik"}}}},
    ),
    _case(
        "GITOPS004",
        "helmrelease",
        "spec.upgrade.strategy.retryInterval",
        {"spec.upgrade.strategy.name": "RemediateOnFailure"},
    ),
    _case(
        "GITOPS004",
        "helmrelease",
        "spec.install.strategy.retryInterval",
        {"spec.install.strategy.name": "RemediateOnFailure"},
    ),
    _case("GITOPS004", "kustomization", "spec.kubeConfig", {}),
    _case("GITOPS004", "gitrepository", "spec.serviceAccountName", "flux"),
    _case("GITOPS005", "application", "spec.sources[0].ref", "values"),
    _case("GITOPS005", "application", "spec.sources[0].targetRevision", ...),
    _case("GITOPS005", "application", "spec.sources[1].path", {"spec.sources.1.ref": ...}),
    _case("TRAEFIK001", "ingressroute", "spec.routes[0].services", ...),
    _case("TRAEFIK002", "middleware", "spec.addPrefix.prefix", {"spec.addPrefix": {"prefix": "api"}}),
)

CASES = (*_OBJECTS, *_NAMES, *_PODS, *_SERVICES, *_CALICO, *_NODES, *_ENGINES)
