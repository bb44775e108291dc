"""What each template renders, object by object."""

KEPT = {
    "argocd.argoproj.io/compare-options": "IgnoreExtraneous",
    "argocd.argoproj.io/sync-options": "Prune=false,Delete=false",
    "helm.sh/resource-policy": "keep",
}


def _kept(wave: str) -> dict[str, str]:
    return KEPT | {"argocd.argoproj.io/sync-wave": wave}


def _installed(wave: str) -> dict[str, str]:
    return _kept(wave) | {"kustomize.toolkit.fluxcd.io/prune": "disabled"}


def test_namespaces(example, objects):
    confirmed = {
        "argocd.argoproj.io/compare-options": "IgnoreExtraneous",
        "argocd.argoproj.io/sync-options": "Prune=confirm,Delete=false",
        "helm.sh/resource-policy": "keep",
    }
    assert objects("namespaces", example("namespaces")) == {
        "Namespace/tigera-operator": {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {
                "name": "tigera-operator",
                "labels": {"pod-security.kubernetes.io/enforce": "privileged"},
                "annotations": confirmed,
            },
        },
        "Namespace/traefik": {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {
                "name": "traefik",
                "labels": {"pod-security.kubernetes.io/enforce": "restricted"},
                "annotations": confirmed | {"example.com/contact": "edge team"},
            },
        },
        "PriorityClass/edge-critical": {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": "edge-critical"},
            "value": 1000000,
            "description": "Ingress controllers and what they need.",
        },
        "PriorityClass/ordinary": {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": "ordinary"},
            "value": 1000,
            "description": "Pods that name no class.",
            "globalDefault": True,
        },
    }


def test_namespace_without_labels_and_with_a_name_like_a_number(objects):
    values = {"namespaces": {"1": {}}, "priorityClasses": {"low": {"value": -10, "description": "Batch."}}}
    found = objects("namespaces", values)
    assert found["Namespace/1"]["metadata"].keys() == {"name", "annotations"}
    assert found["PriorityClass/low"]["value"] == -10


def test_installation(example, objects):
    assert objects("calico-installation", example("calico-installation")) == {
        "Installation/default": {
            "apiVersion": "operator.tigera.io/v1",
            "kind": "Installation",
            "metadata": {"name": "default", "annotations": _installed("0")},
            "spec": {
                "controlPlaneReplicas": 2,
                "calicoNetwork": {
                    "bgp": "Enabled",
                    "linuxDataplane": "BPF",
                    "nodeAddressAutodetectionV4": {"cidrs": ["192.0.2.0/24"]},
                    "ipPools": [
                        {
                            "name": "default-ipv4-ippool",
                            "cidr": "10.244.0.0/16",
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
                },
            },
        },
        "APIServer/default": {
            "apiVersion": "operator.tigera.io/v1",
            "kind": "APIServer",
            "metadata": {"name": "default", "annotations": _installed("1")},
            "spec": {},
        },
        "ConfigMap/tigera-operator/kubernetes-services-endpoint": {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {
                "name": "kubernetes-services-endpoint",
                "namespace": "tigera-operator",
                "annotations": _installed("-1"),
            },
            "data": {"KUBERNETES_SERVICE_HOST": "198.51.100.1", "KUBERNETES_SERVICE_PORT": "6443"},
        },
    }


def test_installation_with_everything(example, objects):
    v6 = {
        "cidr": "2001:db8:1::/48",
        "blockSize": 122,
        "encapsulation": "None",
        "natOutgoing": "Disabled",
        "nodeSelector": "rack == 'a'",
        "disableBGPExport": False,
    }
    values = example(
        "calico-installation",
        {
            "installation": {
                "nodeAddressAutodetectionV4": {"cidrs": ..., "kubernetes": "NodeInternalIP"},
                "nodeAddressAutodetectionV6": {"interface": "bond.*"},
                "ipPools": {"a-first": v6},
                "mtu": 1450,
                "controlPlaneReplicas": 1,
                "registry": "registry.example.com/",
                "imagePullSecrets": ["pull"],
            }
        },
    )
    spec = objects("calico-installation", values)["Installation/default"]["spec"]
    network = spec.pop("calicoNetwork")
    pools = network.pop("ipPools")
    assert spec == {
        "controlPlaneReplicas": 1,
        "registry": "registry.example.com/",
        "imagePullSecrets": [{"name": "pull"}],
    }
    assert network == {
        "bgp": "Enabled",
        "linuxDataplane": "BPF",
        "mtu": 1450,
        "nodeAddressAutodetectionV4": {"kubernetes": "NodeInternalIP"},
        "nodeAddressAutodetectionV6": {"interface": "bond.*"},
    }
    assert [pool["name"] for pool in pools] == ["a-first", "default-ipv4-ippool"]
    assert pools[0] == v6 | {
        "name": "a-first",
        "disableNewAllocations": False,
        "allowedUses": ["Workload", "Tunnel"],
        "assignmentMode": "Automatic",
    }


def test_installation_of_vxlan_alone_with_kube_proxy(example, objects):
    values = example(
        "calico-installation",
        {
            "installation": {"bgp": "Disabled", "linuxDataplane": "Nftables"},
            "apiEndpoint": ...,
            "apiServer": {"enabled": False},
        },
    )
    found = objects("calico-installation", values)
    assert list(found) == ["Installation/default"]
    assert found["Installation/default"]["spec"]["calicoNetwork"]["bgp"] == "Disabled"


def test_bgp(example, objects):
    assert objects("calico-bgp", example("calico-bgp")) == {
        "BGPFilter/services-only": {
            "apiVersion": "projectcalico.org/v3",
            "kind": "BGPFilter",
            "metadata": {"name": "services-only", "annotations": _kept("-1")},
            "spec": {
                "exportV4": [{"action": "Reject", "cidr": "203.0.113.0/24", "matchOperator": "NotIn"}],
                "importV4": [{"action": "Reject"}],
            },
        },
        "BGPPeer/tor-a": {
            "apiVersion": "projectcalico.org/v3",
            "kind": "BGPPeer",
            "metadata": {"name": "tor-a", "annotations": _kept("0")},
            "spec": {
                "nodeSelector": "!has(node-role.kubernetes.io/control-plane)",
                "peerIP": "192.0.2.1",
                "asNumber": 65000,
                "filters": ["services-only"],
                "maxRestartTime": "15s",
                "password": {"secretKeyRef": {"name": "bgp", "key": "tor-a"}},
            },
        },
        "BGPConfiguration/default": {
            "apiVersion": "projectcalico.org/v3",
            "kind": "BGPConfiguration",
            "metadata": {"name": "default", "annotations": _kept("1")},
            "spec": {
                "asNumber": 64512,
                "nodeToNodeMeshEnabled": False,
                "logSeverityScreen": "Info",
                "serviceLoadBalancerAggregation": "Disabled",
                "serviceLoadBalancerIPs": [{"cidr": "203.0.113.0/24"}],
            },
        },
        "FelixConfiguration/default": {
            "apiVersion": "projectcalico.org/v3",
            "kind": "FelixConfiguration",
            "metadata": {"name": "default", "annotations": _kept("0")},
            "spec": {"bpfExternalServiceMode": "DSR"},
        },
        "Role/calico-system/calico-bgp-passwords": {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "Role",
            "metadata": {
                "name": "calico-bgp-passwords",
                "namespace": "calico-system",
                "annotations": _kept("-1"),
            },
            "rules": [
                {
                    "apiGroups": [""],
                    "resources": ["secrets"],
                    "resourceNames": ["bgp"],
                    "verbs": ["get", "list", "watch"],
                }
            ],
        },
        "RoleBinding/calico-system/calico-bgp-passwords": {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "RoleBinding",
            "metadata": {
                "name": "calico-bgp-passwords",
                "namespace": "calico-system",
                "annotations": _kept("-1"),
            },
            "roleRef": {
                "apiGroup": "rbac.authorization.k8s.io",
                "kind": "Role",
                "name": "calico-bgp-passwords",
            },
            "subjects": [{"kind": "ServiceAccount", "name": "calico-node", "namespace": "calico-system"}],
        },
    }


def test_peer_with_everything(example, objects):
    fields = {
        "peerIP": "[2001:db8::1]:1179",
        "asNumber": 1000000,
        "nodeSelector": "rack in {'a', 'b'} && !has(edge)",
        "filters": ["services-only"],
        "maxRestartTime": "2m0s",
        "keepaliveTime": "20s",
        "sourceAddress": "None",
        "reachableBy": "2001:db8::ffff",
        "numAllowedLocalASNumbers": 1,
        "nextHopMode": "Self",
        "localASNumber": 64513,
        "ttlSecurity": 2,
    }
    found = objects("calico-bgp", example("calico-bgp", {"peers": {"all": fields}}))
    assert found["BGPPeer/all"]["spec"] == fields


def test_a_peer_between_nodes_has_neither_address_nor_number(example, objects):
    fields = {"nodeSelector": "all()", "peerSelector": "route-reflector == 'true'", "maxRestartTime": "15s"}
    found = objects("calico-bgp", example("calico-bgp", {"peers": {"inside": fields}}))
    assert found["BGPPeer/inside"]["spec"] == fields


def test_the_next_hop_is_kept_by_its_old_name(example, objects):
    for said, expected in ((True, True), (False, None)):
        override = {"peers": {"tor-a": {"keepOriginalNextHop": said}}}
        peer = objects("calico-bgp", example("calico-bgp", override))["BGPPeer/tor-a"]
        assert peer["spec"].get("keepOriginalNextHop") is expected


def test_role_names_each_password_once_in_order(example, objects):
    peer = {"asNumber": 65000, "nodeSelector": "all()"}
    values = example(
        "calico-bgp",
        {
            "peers": {
                "z": peer | {"peerIP": "192.0.2.2", "passwordSecret": {"name": "bgp", "key": "z"}},
                "y": peer | {"peerIP": "192.0.2.3", "passwordSecret": {"name": "alpha", "key": "y"}},
            }
        },
    )
    role = objects("calico-bgp", values)["Role/calico-system/calico-bgp-passwords"]
    assert role["rules"][0]["resourceNames"] == ["alpha", "bgp"]


def test_bgp_without_what_is_optional(example, objects):
    values = example(
        "calico-bgp",
        {
            "bgpConfiguration": {"serviceLoadBalancerIPs": [], "nodeToNodeMeshEnabled": True},
            "peers": ...,
            "filters": ...,
            "felixConfiguration": ...,
        },
    )
    found = objects("calico-bgp", values)
    assert list(found) == ["BGPConfiguration/default"]
    assert "serviceLoadBalancerIPs" not in found["BGPConfiguration/default"]["spec"]


def test_rules_of_a_filter_keep_their_order(example, objects):
    rules = [
        {"action": "Accept", "cidr": "203.0.113.0/24", "matchOperator": "In", "prefixLength": {"min": 32, "max": 32}},
        {"action": "Reject", "source": "RemotePeers", "peerType": "eBGP"},
        {"action": "Reject", "interface": "*.calico"},
    ]
    values = example("calico-bgp", {"filters": {"ordered": {"exportV4": rules, "importV6": []}}})
    assert objects("calico-bgp", values)["BGPFilter/ordered"]["spec"] == {"exportV4": rules}


def test_felix_keeps_false(example, objects):
    values = example("calico-bgp", {"felixConfiguration": {"bpfKubeProxyIptablesCleanupEnabled": False}})
    spec = objects("calico-bgp", values)["FelixConfiguration/default"]["spec"]
    assert spec == {"bpfExternalServiceMode": "DSR", "bpfKubeProxyIptablesCleanupEnabled": False}


def test_null_takes_an_entry_away(example, objects):
    values = example(
        "calico-bgp",
        {
            "peers": {
                "tor-a": None,
                "tor-b": {"peerIP": "192.0.2.2", "asNumber": 65000, "nodeSelector": "all()"},
            },
            "filters": {"services-only": None},
        },
    )
    found = objects("calico-bgp", values)
    assert set(found) == {"BGPPeer/tor-b", "BGPConfiguration/default", "FelixConfiguration/default"}
    pools = objects("calico-loadbalancer", example("calico-loadbalancer", {"pools": {"reserved": None}}))
    assert set(pools) == {"IPPool/loadbalancer-pool", "KubeControllersConfiguration/default"}


def test_null_takes_a_method_and_a_pool_away(example, objects):
    values = example(
        "calico-installation",
        {
            "installation": {
                "nodeAddressAutodetectionV4": {"cidrs": None, "kubernetes": "NodeInternalIP"},
                "ipPools": {"second": None},
            }
        },
    )
    network = objects("calico-installation", values)["Installation/default"]["spec"]["calicoNetwork"]
    assert network["nodeAddressAutodetectionV4"] == {"kubernetes": "NodeInternalIP"}
    assert [pool["name"] for pool in network["ipPools"]] == ["default-ipv4-ippool"]


def test_loadbalancer(example, objects):
    values = example("calico-loadbalancer", {"pools": {"reserved": {"namespaceSelector": "edge == 'true'"}}})
    assert objects("calico-loadbalancer", values) == {
        "IPPool/loadbalancer-pool": {
            "apiVersion": "projectcalico.org/v3",
            "kind": "IPPool",
            "metadata": {"name": "loadbalancer-pool", "annotations": KEPT},
            "spec": {
                "cidr": "203.0.113.64/26",
                "allowedUses": ["LoadBalancer"],
                "assignmentMode": "Automatic",
                "nodeSelector": "all()",
            },
        },
        "IPPool/reserved": {
            "apiVersion": "projectcalico.org/v3",
            "kind": "IPPool",
            "metadata": {"name": "reserved", "annotations": KEPT},
            "spec": {
                "cidr": "203.0.113.128/28",
                "blockSize": 28,
                "allowedUses": ["LoadBalancer"],
                "assignmentMode": "Manual",
                "nodeSelector": "all()",
                "namespaceSelector": "edge == 'true'",
            },
        },
        "KubeControllersConfiguration/default": {
            "apiVersion": "projectcalico.org/v3",
            "kind": "KubeControllersConfiguration",
            "metadata": {"name": "default", "annotations": KEPT},
            "spec": {
                "prometheusMetricsPort": 9094,
                "controllers": {
                    "node": {"leakGracePeriod": "15m0s"},
                    "loadBalancer": {"assignIPs": "RequestedServicesOnly"},
                },
            },
        },
    }


def test_ipv6_pool_of_one_usual_block(example, objects):
    values = example(
        "calico-loadbalancer", {"pools": {"v6": {"cidr": "2001:db8::/122", "assignmentMode": "Automatic"}}}
    )
    assert objects("calico-loadbalancer", values)["IPPool/v6"]["spec"]["cidr"] == "2001:db8::/122"


def _headers(namespace: str) -> dict[str, object]:
    return {
        "apiVersion": "traefik.io/v1alpha1",
        "kind": "Middleware",
        "metadata": {"name": "security-headers", "namespace": namespace},
        "spec": {
            "headers": {
                "contentTypeNosniff": True,
                "customFrameOptionsValue": "SAMEORIGIN",
                "referrerPolicy": "strict-origin-when-cross-origin",
                "stsSeconds": 31536000,
            }
        },
    }


def test_edge(example, objects):
    host = "Host(`argocd.example.com`)"
    service = {"name": "argocd-server", "port": 80}
    assert objects("edge", example("edge")) == {
        "TLSOption/traefik/default": {
            "apiVersion": "traefik.io/v1alpha1",
            "kind": "TLSOption",
            "metadata": {"name": "default", "namespace": "traefik"},
            "spec": {"minVersion": "VersionTLS13"},
        },
        "TLSStore/traefik/default": {
            "apiVersion": "traefik.io/v1alpha1",
            "kind": "TLSStore",
            "metadata": {"name": "default", "namespace": "traefik"},
            "spec": {"defaultCertificate": {"secretName": "wildcard-example-com"}},
        },
        "Middleware/traefik/security-headers": _headers("traefik"),
        "Middleware/argocd/security-headers": _headers("argocd"),
        "IngressRoute/argocd/argocd": {
            "apiVersion": "traefik.io/v1alpha1",
            "kind": "IngressRoute",
            "metadata": {
                "name": "argocd",
                "namespace": "argocd",
                "annotations": {"kubernetes.io/ingress.class": "traefik"},
            },
            "spec": {
                "entryPoints": ["websecure"],
                "routes": [
                    {
                        "kind": "Rule",
                        "match": host,
                        "priority": 10,
                        "middlewares": [{"name": "security-headers"}],
                        "services": [service],
                    },
                    {
                        "kind": "Rule",
                        "match": f"{host} && Header(`Content-Type`, `application/grpc`)",
                        "priority": 11,
                        "services": [service | {"scheme": "h2c"}],
                    },
                ],
                "tls": {},
            },
        },
    }


def test_edge_without_what_is_optional(objects):
    found = objects("edge", {"middlewares": {"securityHeaders": {"enabled": False}}})
    assert list(found) == ["TLSOption/traefik/default"]


def test_edge_route_without_headers_and_elsewhere(example, objects):
    values = example(
        "edge",
        {
            "namespace": "ingress",
            "middlewares": {"securityHeaders": {"enabled": False, "stsSeconds": 0}},
            "argocd": {"namespace": "gitops", "service": "server", "port": 8080},
        },
    )
    found = objects("edge", values)
    assert set(found) == {"TLSOption/ingress/default", "TLSStore/ingress/default", "IngressRoute/gitops/argocd"}
    routes = found["IngressRoute/gitops/argocd"]["spec"]["routes"]
    assert [route["services"][0]["port"] for route in routes] == [8080, 8080]
    assert "middlewares" not in routes[0]


def test_headers_without_strict_transport_and_in_one_namespace(example, objects):
    values = example(
        "edge", {"middlewares": {"securityHeaders": {"stsSeconds": 0}}, "argocd": {"namespace": "traefik"}}
    )
    found = objects("edge", values)
    assert [key for key in found if key.startswith("Middleware/")] == ["Middleware/traefik/security-headers"]
    assert "stsSeconds" not in found["Middleware/traefik/security-headers"]["spec"]["headers"]


IDENTITY = {"app.kubernetes.io/name": "whoami", "app.kubernetes.io/instance": "whoami"}
SERVER = IDENTITY | {"app.kubernetes.io/component": "server"}
LABELS = SERVER | {"app.kubernetes.io/managed-by": "Helm", "helm.sh/chart": "whoami-0.1.0"}
POD_SECURITY = {
    "runAsNonRoot": True,
    "runAsUser": 65532,
    "runAsGroup": 65532,
    "seccompProfile": {"type": "RuntimeDefault"},
}
CONTAINER_SECURITY = {
    "allowPrivilegeEscalation": False,
    "readOnlyRootFilesystem": True,
    "capabilities": {"drop": ["ALL"]},
}


def test_whoami_server(example, objects):
    health = {"httpGet": {"path": "/health", "port": "http"}}
    spread = {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": SERVER},
    }
    container = {
        "name": "whoami",
        "image": "docker.io/traefik/whoami:v1.11.0",
        "imagePullPolicy": "IfNotPresent",
        "args": ["--port", "8080"],
        "ports": [{"name": "http", "containerPort": 8080}],
        "readinessProbe": health | {"periodSeconds": 5},
        "livenessProbe": health,
        "resources": {"requests": {"cpu": "10m", "memory": "16Mi"}, "limits": {"memory": "32Mi"}},
        "securityContext": CONTAINER_SECURITY,
    }
    assert objects("whoami", example("whoami"))["Deployment/anywhere/whoami"] == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "whoami", "namespace": "anywhere", "labels": LABELS},
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": SERVER},
            "template": {
                "metadata": {"labels": LABELS},
                "spec": {
                    "automountServiceAccountToken": False,
                    "securityContext": POD_SECURITY,
                    "topologySpreadConstraints": [spread],
                    "containers": [container],
                },
            },
        },
    }


def test_whoami_service_and_route(example, objects):
    found = objects("whoami", example("whoami"))
    assert found["Service/anywhere/whoami"] == {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "whoami", "namespace": "anywhere", "labels": LABELS},
        "spec": {
            "type": "ClusterIP",
            "selector": SERVER,
            "ports": [{"name": "http", "port": 80, "targetPort": "http"}],
        },
    }
    assert found["IngressRoute/anywhere/whoami"] == {
        "apiVersion": "traefik.io/v1alpha1",
        "kind": "IngressRoute",
        "metadata": {
            "name": "whoami",
            "namespace": "anywhere",
            "labels": LABELS,
            "annotations": {"kubernetes.io/ingress.class": "traefik"},
        },
        "spec": {
            "entryPoints": ["websecure"],
            "routes": [
                {
                    "kind": "Rule",
                    "match": "Host(`whoami.example.com`)",
                    "services": [{"name": "whoami", "port": 80}],
                }
            ],
            "tls": {},
        },
    }


def _job(found):
    (key,) = (key for key in found if key.startswith("Job/"))
    return found[key]


def test_whoami_probe(example, objects):
    job = _job(objects("whoami", example("whoami")))
    labels = LABELS | {"app.kubernetes.io/component": "probe"}
    containers = job["spec"]["template"]["spec"].pop("containers")
    name = job["metadata"].pop("name")
    assert name.startswith("whoami-probe-")
    assert job == {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "namespace": "anywhere",
            "labels": labels,
            "annotations": {
                "argocd.argoproj.io/hook": "PostSync",
                "argocd.argoproj.io/hook-delete-policy": "BeforeHookCreation",
            },
        },
        "spec": {
            "backoffLimit": 1,
            "activeDeadlineSeconds": 600,
            "ttlSecondsAfterFinished": 86400,
            "template": {
                "metadata": {"labels": labels},
                "spec": {
                    "restartPolicy": "Never",
                    "automountServiceAccountToken": False,
                    "securityContext": POD_SECURITY,
                },
            },
        },
    }
    options = [
        *("--silent", "--show-error", "--fail", "--insecure"),
        *("--location", "--max-redirs", "0"),
        *("--connect-timeout", "5", "--max-time", "10"),
        *("--retry", "20", "--retry-delay", "5", "--retry-all-errors"),
    ]
    host = "whoami.example.com:443"
    assert containers == [
        {
            "name": f"curl-{index}",
            "image": "docker.io/curlimages/curl:8.16.0",
            "imagePullPolicy": "IfNotPresent",
            "command": ["curl"],
            "args": [*options, "--resolve", f"{host}:{address}", f"https://{host}/"],
            "resources": {"requests": {"cpu": "10m", "memory": "16Mi"}, "limits": {"memory": "64Mi"}},
            "securityContext": CONTAINER_SECURITY,
        }
        for index, address in enumerate(("203.0.113.100", "[2001:db8::100]"))
    ]


def test_no_service_selects_the_probe(example, objects):
    found = objects("whoami", example("whoami"))
    selector = found["Service/anywhere/whoami"]["spec"]["selector"]
    labels = _job(found)["spec"]["template"]["metadata"]["labels"]
    assert not selector.items() <= labels.items()


def test_another_probe_has_another_name(example, objects):
    names = {
        _job(objects("whoami", example("whoami", override)))["metadata"]["name"]
        for override in ({}, {"host": "other.example.com"}, {"probe": {"address": ["203.0.113.101"]}})
    }
    same = _job(objects("whoami", example("whoami", {"replicas": 3})))["metadata"]["name"]
    assert len(names) == 3
    assert same in names


def test_whoami_over_http_without_a_probe(example, objects):
    values = example("whoami", {"entryPoint": "web", "probe": {"enabled": False}, "replicas": 1})
    found = objects("whoami", values)
    assert set(found) == {
        "Deployment/anywhere/whoami",
        "Service/anywhere/whoami",
        "IngressRoute/anywhere/whoami",
    }
    spec = found["IngressRoute/anywhere/whoami"]["spec"]
    assert spec["entryPoints"] == ["web"]
    assert "tls" not in spec


def test_whoami_probe_over_http(example, objects):
    values = example("whoami", {"entryPoint": "web", "probe": {"scheme": "http", "port": 8080}})
    args = _job(objects("whoami", values))["spec"]["template"]["spec"]["containers"][0]["args"]
    assert args[-2:] == [
        "whoami.example.com:8080:203.0.113.100",
        "http://whoami.example.com:8080/",
    ]


def test_a_kube_proxy_that_the_operator_takes_away(example, objects):
    values = example("calico-installation", {"installation": {"kubeProxyManagement": "Enabled"}})
    network = objects("calico-installation", values)["Installation/default"]["spec"]["calicoNetwork"]
    assert network["kubeProxyManagement"] == "Enabled"


def test_reservations(example, objects):
    reserved = {"printers": ["203.0.113.4/32", "203.0.113.8/30"], "six": ["2001:db8::10/124"], "gone": None}
    found = objects("calico-loadbalancer", example("calico-loadbalancer", {"reservations": reserved}))
    assert found["IPReservation/printers"] == {
        "apiVersion": "projectcalico.org/v3",
        "kind": "IPReservation",
        "metadata": {"name": "printers", "annotations": KEPT},
        "spec": {"reservedCIDRs": ["203.0.113.4/32", "203.0.113.8/30"]},
    }
    assert found["IPReservation/six"]["spec"] == {"reservedCIDRs": ["2001:db8::10/124"]}
    assert "IPReservation/gone" not in found
