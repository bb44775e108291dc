# ruff: noqa: E501  (a table reads best with one case a line)
"""What stands in two places must agree: each code sees one change of a generated repository, at its place."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import handmade
import pytest

import secret_files
from anycastle.compose import validate_tree
from anycastle.finding import Finding, Severity
from anycastle.reader import read
from anycastle.reader.agreement.codes import CODES
from mutation import trees
from test_services_cases import generated as described

Edit = Callable[[Path], None]


@dataclass(frozen=True)
class Case:
    """A change, the code that names it, and the file that it is named in."""

    code: str
    path: str
    edit: Edit
    site: str = "seed"


def sub(path: str, old: str, new: str) -> Edit:
    def edit(root: Path) -> None:
        text = (root / path).read_text()
        assert old in text, f"{old!r} is not in {path}"
        (root / path).write_text(text.replace(old, new, 1))

    return edit


def new(path: str, text: str) -> Edit:
    """A file that nobody generated."""

    def edit(root: Path) -> None:
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)

    return edit


def both(one: Edit, other: Edit) -> Edit:
    def edit(root: Path) -> None:
        one(root)
        other(root)

    return edit


def case(code: str, path: str, old: str, new: str, site: str = "seed", at: str = "") -> Case:
    return Case(code, at or path, sub(path, old, new), site)


def without_mirror(registry: str) -> Edit:
    """No machine has the mirror of a registry any more, and the site file does not ask for it."""

    def edit(root: Path) -> None:
        for path in root.glob(f"nodes/*/containerd/certs.d/{registry}"):
            shutil.rmtree(path)

    return edit


BEHIND = "behind-a-proxy"
M1, M2, W1 = "nodes/k8s-master-1", "nodes/k8s-master-2", "nodes/k8s-node-1"
LINKED = "nodes/node-1/install.sh"
FRR, NFT, SYSCTL, DAEMONS = (
    f"routers/router/{name}" for name in ("frr.conf", "nftables.conf", "sysctl.conf", "daemons")
)
TRAEFIK, ARGOCD = "apps/traefik/values.yaml", "apps/argo-cd/values.yaml"
SYNC = "clusters/home/flux-system/gotk-sync.yaml"
SPACES, PROJECTS = "apps/namespaces/values.yaml", "argocd/projects"

PROXY = "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nclusterCIDR: 10.96.0.0/12\n"
FELIX = """\
apiVersion: projectcalico.org/v3
kind: FelixConfiguration
metadata: {name: default}
spec: {bpfDataIfacePattern: "^(eth"}
"""
PEER = """\
apiVersion: projectcalico.org/v3
kind: BGPPeer
metadata: {name: other}
spec:
  node: k8s-node-1
  peerIP: 192.168.10.9
  asNumber: 65011
  password: {secretKeyRef: {name: bgp, key: other}}
"""
DAEMON_SET = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: kube-vip, namespace: kube-system}
spec:
  selector: {matchLabels: {app: kube-vip}}
  template:
    metadata: {labels: {app: kube-vip}}
    spec:
      containers:
        - name: kube-vip
          image: ghcr.io/kube-vip/kube-vip:v1.2.4
          env:
            - {name: cp_enable, value: "true"}
            - {name: vip_arp, value: "true"}
            - {name: address, value: 192.168.10.9}
"""

EVERYTHING = """apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: everything, namespace: argocd}
spec:
  sourceRepos: ["*"]
  destinations: [{server: "*", namespace: "*"}]
  clusterResourceWhitelist: [{group: "*", kind: "*"}]
"""


CASES = [
    # --- the site file
    case("SITE020", "site.yaml", "name: home", "name: hove", at=f"{M1}/kubeadm.yaml"),
    case("SITE020", "site.yaml", "worker_asn: 65030", "worker_asn: 65031", at="apps/calico-bgp/values.yaml"),
    case("SITE020", "site.yaml", "hold: 9", "hold: 10", at=FRR),
    case("SITE020", "site.yaml", "address: 192.168.10.22}", "address: 192.168.10.29}", at="nodes/k8s-node-3/kubeadm.yaml"),
    case("SITE020", "site.yaml", "revision: main", "revision: next", at="argocd/root.yaml"),
    case("SITE020", "site.yaml", "engine: argocd", "engine: flux"),
    case("SITE020", "site.yaml", "engine: flux", "engine: argocd", "flux"),
    case("SITE020", "site.yaml", "revision: main", "revision: next", "flux", SYNC),
    case("SITE020", SYNC, "platform/home.git", "platform/other.git", "flux"),
    case("SITE020", "site.yaml", "domain: example.com", "domain: example.org", at=f"{W1}/hosts"),
    case("SITE020", "site.yaml", "replicas: 2", "replicas: 3", at=TRAEFIK),
    case("SITE020", f"{M1}/kubeadm.yaml", "podSubnet: 172.20.0.0/16", "podSubnet: 172.20.0.0/15"),
    case("SITE020", "routers/router/frr.conf", "hostname router", "hostname gate"),
    case("SITE020", "apps/calico-bgp/values.yaml", "  router:", "  other:"),
    # --- machines
    case("NODE001", f"{W1}/kubeadm.yaml", "containerd.sock", "other.sock"),
    case("NODE001", "nodes/k8s-worker-01/kubeadm.yaml", "containerd.sock", "contained.sock", site="lab-ja"),
    case("NODE002", f"{M1}/kubeadm.yaml", "advertiseAddress: 192.168.10.17", "advertiseAddress: 192.168.20.1"),
    case("NODE003", f"{W1}/kubeadm.yaml", "control.k8s.example.com:6443", "k8s-master-1.example.com:6443"),
    case("NODE003", f"{M2}/kubeadm.yaml", "bindPort: 6443", "bindPort: 6444"),
    case("NODE004", f"{M1}/kubeadm.yaml", "podSubnet: 172.20.0.0/16", "podSubnet: 172.20.0.0/17"),
    case("NODE005", f"{M1}/kubeadm.yaml", "disabled: true", "disabled: false"),
    case("NODE006", f"{W1}/hosts", "192.168.20.1", "192.168.20.2"),
    case("NODE006", f"{W1}/hosts", "control.k8s.example.com", "control.example.com"),
    case("NODE006", f"{W1}/hosts", "192.168.10.20", "192.168.10.21"),
    case("NODE006", f"{W1}/hosts", "192.168.20.1 control", "192.168.20 control"),
    case("NODE007", f"{W1}/install.sh", "node=k8s-node-1", "node=k8s-node-2"),
    case("NODE007", f"{M2}/install.sh", "take_off 192.168.20.1/32", "take_off 192.168.20.2/32"),
    case("NODE007", f"{M2}/install.sh", "https://192.168.10.18:6443/readyz\n}", "https://192.168.10.18:6444/readyz\n}"),
    case("NODE008", f"{W1}/install.sh", "net.ipv4.ip_forward = 1", "net.ipv4.ip_forward = 0"),
    case("NODE008", f"{M2}/install.sh", "arp_ignore = 1", "arp_ignore = 0"),
    case("NODE009", f"{W1}/kubeadm.yaml", "@KUBEADM_TOKEN@", "@KUBEADM_TICKET@"),
    case("NODE010", f"{M1}/kubeadm.yaml", "allocate-node-cidrs", "allocate-node-cidr"),
    case("NODE011", f"{M1}/kubeadm.yaml", 'value: "false"', 'value: "true"'),
    Case("NODE012", "more/proxy.yaml", new("more/proxy.yaml", PROXY)),
    Case("NODE013", f"{M1}/kubeadm.yaml", both(sub(f"{M1}/kubeadm.yaml", "proxy:\n  disabled: true\n", ""), sub(f"{M1}/kubeadm.yaml", "kind: InitConfiguration\n", "kind: InitConfiguration\nskipPhases: [addon/kube-proxy]\n"))),
    Case("NODE014", "more/felix.yaml", new("more/felix.yaml", FELIX)),
    # --- kube-vip
    case("KVIP006", f"{M2}/kube-vip.yaml", 'value: ":2112"', 'value: ":2113"'),
    case("KVIP006", f"{M2}/kube-vip.yaml", "priorityClassName: system-node-critical\n", ""),
    case("KVIP007", f"{M1}/kube-vip.init.yaml", 'value: ":2112"', 'value: ":2113"'),
    case("KVIP009", f"{M2}/kube-vip.yaml", "path: /etc/kubernetes/admin.conf", "path: /etc/kubernetes/super-admin.conf"),
    Case("KVIP010", "more/kube-vip.yaml", new("more/kube-vip.yaml", DAEMON_SET)),
    case("KVIP007", f"{M1}/kube-vip.init.yaml", "path: /etc/kubernetes/super-admin.conf", "path: /etc/kubernetes/kubelet.conf"),
    # --- FRR
    case("FRR007", FRR, "neighbor 192.168.10.21 peer-group K8S-CALICO", "neighbor 192.168.10.21 peer-group K8S-CALCO"),
    case("FRR007", FRR, "neighbor 192.168.10.21 peer-group K8S-CALICO\n ", ""),
    case("FRR008", DAEMONS, "bgpd=yes", "bgpd=no"),
    case("FRR009", DAEMONS, "-A 127.0.0.1", "-A 0.0.0.0"),
    case("FRR010", FRR, "description k8s-node-1", "description k8s-node-2"),
    case("FRR011", FRR, "192.168.20.64/26 blackhole 254", "192.168.20.64/26 blackhole 255"),
    case("FRR011", FRR, "ip route 192.168.20.64/26", "ip route 192.168.20.64/27"),
    # --- firewall
    case("NODE007", "nodes/cp-2/install.sh", "take_off fd00:31:255::1/128", "take_off fd00:31:255::2/128", "dual-stack"),
    case("NODE007", "nodes/cp-2/install.sh", "fd00:31::12", "fd00:31::13", "dual-stack"),
    case("SITE020", "site.yaml", "kube_proxy: operator", "kube_proxy: kept", "proxy-handed-over", at="apps/calico-installation/values.yaml"),
    case("SITE020", "site.yaml", "dataplane: nftables", "dataplane: iptables", "kube-proxy-kept", at="apps/calico-installation/values.yaml"),
    case("SITE020", "site.yaml", "range: 10.51.0.20/32", "range: 10.51.0.21/32", "several-ingresses", at="apps/calico-loadbalancer/values.yaml"),
    case("SITE020", "site.yaml", "name: printer", "name: scanner", "several-ingresses"),
    case("SITE020", "site.yaml", ", workloads: true", ", workloads: false", "one-node", at="nodes/hobby-1/kubeadm.yaml"),
    case("SITE020", "site.yaml", "source: 192.168.42.110", "source: 192.168.42.109", "converged", at="nodes/n-1/kube-vip.yaml"),
    case("NODE015", "nodes/hobby-1/install.sh", "external-load-balancers-\n", "external-load-balancers\n", "one-node"),
    case("FW001", "routers/gate/nftables.conf", "fd00:31::22,", "", "dual-stack"),
    case("FW001", "routers/gate/nftables.conf", "icmpv6 type echo-request accept", "counter", "dual-stack"),
    case("FW002", "routers/gate/nftables.conf", "ip6 daddr fd00:31:254::/120 ct state invalid drop", "", "dual-stack"),
    case("FW001", NFT, "192.168.10.22,", ""),
    case("FW001", NFT, "tcp dport 6443 accept", "tcp dport 6444 accept"),
    case("FW001", NFT, "ip daddr 192.168.20.64/26 accept", "ip daddr 192.168.20.64/26 drop"),
    case("FW002", NFT, "ip daddr 192.168.20.1/32 drop", "ip daddr 192.168.20.1/32 accept"),
    case("FW002", NFT, 'tcp dport 179 drop', 'tcp dport 180 drop'),
    case("FW003", NFT, "ip daddr 192.168.20.64/26 accept", "ip daddr 192.168.20.0/25 accept"),
    case("FW003", SYSCTL, "conf.eth1.send", "conf.eth2.send"),
    case("FW004", SYSCTL, "ip_forward = 1", "ip_forward = 0"),
    case("FW004", "routers/gate/sysctl.conf", "net.ipv6.conf.all.forwarding = 1", "net.ipv6.conf.all.forwarding = 0", "dual-stack"),
    case("FW001", "routers/gate/nftables.conf", "hook output priority filter; policy accept", "hook output priority filter; policy drop", "dual-stack"),
    case("FW001", "routers/tor-a/nftables.conf", "parameter-problem } accept", "parameter-problem } drop", "two-routers-two-as"),
    case("FW005", "routers/tor-a/sysctl.conf", "rp_filter = 2", "rp_filter = 1", "two-routers-two-as"),
    case("FRR014", "routers/tor-a/frr.conf", "no zebra nexthop kernel enable\n", "", "links"),
    case("NODE016", LINKED, "net.ipv4.conf.all.ignore_routes_with_linkdown = 1\n", "", "links"),
    case("NODE016", LINKED, "ignore_routes_with_linkdown = 1", "ignore_routes_with_linkdown = 0", "links"),
    # --- Argo CD
    case("ARGO009", "argocd/apps/edge.yaml", "limit: -1", "limit: 5"),
    case("ARGO009", "argocd/apps/edge.yaml", "FailOnSharedResource=true", "FailOnShared=true"),
    case("ARGO009", "argocd/apps/edge.yaml", "namespace: argocd", "namespace: argo"),
    case("ARGO009", "argocd/root.yaml", "maxDuration: 1m", "maxDuration: 9m"),
    case("ARGO010", "argocd/apps/edge.yaml", "project: edge", "project: edges"),
    case("ARGO010", f"{PROJECTS}/edge.yaml", "namespace: argocd\n  finalizers", "namespace: argo\n  finalizers"),
    case("ARGO011", f"{PROJECTS}/namespaces.yaml", "kind: PriorityClass", "kind: PriorityClas", at="argocd/apps/namespaces.yaml"),
    case("ARGO011", f"{PROJECTS}/traefik.yaml", "https://traefik.github.io/charts", "https://traefik.github.io/chart", at="argocd/apps/traefik.yaml"),
    case("ARGO011", f"{PROJECTS}/whoami.yaml", "namespace: whoami", "namespace: whoam", at="argocd/apps/whoami.yaml"),
    case("ARGO011", f"{PROJECTS}/namespaces.yaml", "name: traefik", "name: traefix", at="argocd/apps/namespaces.yaml"),
    case("ARGO011", f"{PROJECTS}/calico-bgp.yaml", "  - group: projectcalico.org\n    kind: BGPPeer\n", "", at="argocd/apps/calico-bgp.yaml"),
    case("ARGO011", f"{PROJECTS}/calico-loadbalancer.yaml", "clusterResourceWhitelist", "clusterResourceBlacklist", at="argocd/apps/calico-loadbalancer.yaml"),
    case("ARGO011", f"{PROJECTS}/calico-installation.yaml", "kind: ConfigMap", "kind: Secret", at="argocd/apps/calico-installation.yaml"),
    case("ARGO011", f"{PROJECTS}/edge.yaml", '  - server: "https://kubernetes.default.svc"\n    namespace: argocd\n', "", at="argocd/apps/edge.yaml"),
    case("ARGO011", f"{PROJECTS}/root.yaml", "kind: Application", "kind: ApplicationSet", at="argocd/root.yaml"),
    case("ARGO011", f"{PROJECTS}/traefik.yaml", "kind: Deployment", "kind: DaemonSet", at="argocd/apps/traefik.yaml"),
    case("ARGO011", f"{PROJECTS}/whoami.yaml", "kind: Pod\n", "kind: Pods\n"),
    case("ARGO011", f"{PROJECTS}/default.yaml", "- group: '*'\n    kind: '*'", "- group: apps\n    kind: Daemon"),
    case("ARGO011", f"{PROJECTS}/whoami.yaml", "- group: apps\n    kind: ReplicaSet", "- group: app\n    kind: ReplicaSet"),
    case("ARGO011", "argocd/apps/whoami.yaml", "project: whoami", "project: edge"),
    case("ARGO011", "argocd/apps/whoami.yaml", "project: whoami", "project: default"),
    Case("ARGO011", "argocd/apps/traefik.yaml", new("apps/traefik/overrides.yaml", "autoscaling: {enabled: true}\n")),
    case("ARGO021", f"{PROJECTS}/whoami.yaml", "    namespace: whoami\n", '    namespace: whoami\n  - server: "https://kubernetes.default.svc"\n    namespace: argocd\n'),
    case("ARGO021", f"{PROJECTS}/default.yaml", "name: default", "name: defaults", at=f"{PROJECTS}/argo-cd.yaml"),
    # --- the bootstrap
    case("BOOT001", "bootstrap.sh", "helm template calico-bgp charts", "helm template calico charts"),
    case("BOOT001", "bootstrap.sh", "--version v3.32.2 --namespace tigera-operator", "--version v3.32.1 --namespace tigera-operator"),
    case("BOOT001", "bootstrap.sh", "--namespace calico-system", "--namespace calico"),
    case("BOOT001", "bootstrap.sh", "charts/calico-bgp --namespace", "charts/calico-loadbalancer --namespace"),
    case("BOOT001", "bootstrap.sh", "-f apps/calico-bgp/values.yaml", "-f apps/calico-loadbalancer/values.yaml"),
    case("BOOT001", "bootstrap.sh", "--repo https://docs.tigera.io/calico/charts", "--repo https://charts.example.com"),
    case("BOOT001", "bootstrap.sh", "api=control.k8s.example.com:6443", "api=control.k8s.example.com:6444"),
    case("BOOT001", "bootstrap.sh", "manager=argocd-controller", "manager=kubectl"),
    case("BOOT001", "bootstrap.sh", "--branch=main", "--branch=master", site="flux"),
    case("BOOT001", "bootstrap.sh", "--path=clusters/home", "--path=clusters/house", site="flux"),
    case("BOOT001", "bootstrap.sh", "manager=helm-controller", "manager=kustomize-controller", site="flux"),
    case("BOOT002", "bootstrap.sh", "--namespace tigera-operator --no-hooks -f apps/tigera-operator", "--namespace tigera-operator -f apps/tigera-operator"),
    Case("ARGO021", f"{PROJECTS}/everything.yaml", new(f"{PROJECTS}/everything.yaml", EVERYTHING)),
    case("ARGO012", SPACES, "  whoami:", "  whoam:", at="argocd/apps/whoami.yaml"),
    case("ARGO013", "argocd/apps/traefik.yaml", "https://traefik.github.io/charts", "https://traefik.github.io/chart"),
    case("ARGO013", "argocd/apps/traefik.yaml", "chart: traefik", "chart: traefk"),
    case("ARGO014", "argocd/apps/edge.yaml", "argoproj.io/v1alpha1", "argoproj.io/v1alpha2"),
    case("ARGO014", "argocd/apps/whoami.yaml", "argoproj.io/v1alpha1", "argoprj.io/v1alpha1"),
    case("ARGO014", f"{PROJECTS}/edge.yaml", "resources-finalizer.argocd", "resource-finalizer.argocd"),
    case("ARGO015", "argocd/apps/edge.yaml", "releaseName: edge", "releaseName: ledge"),
    case("ARGO015", "argocd/apps/edge.yaml", "name: edge", "name: ledge"),
    case("ARGO016", "argocd/apps/calico-bgp.yaml", "prune: false", "prune: true"),
    case("ARGO016", "argocd/apps/calico-bgp.yaml", "Prune=false,Delete=false", "Prune=false"),
    case("ARGO017", "argocd/apps/calico-crds.yaml", "ServerSideApply=true", "ServerSideApply=false"),
    case("ARGO018", "argocd/apps/calico-bgp.yaml", "SkipDryRunOnMissingResource=true", "SkipDryRunOnMissingResource=false"),
    # --- names that one file makes and another uses
    case("REF001", TRAEFIK, "priorityClassName: platform", "priorityClassName: platforms"),
    case("REF002", "apps/edge/values.yaml", "ingressClass: traefik", "ingressClass: nginx"),
    case("REF002", TRAEFIK, "kubernetesIngress:\n    ingressClass: traefik", "kubernetesIngress:\n    ingressClass: other"),
    case("REF003", ARGOCD, "domain: argocd.example.com", "domain: cd.example.com"),
    case("REF003", "argocd/apps/argo-cd.yaml", "releaseName: argocd", "releaseName: argo-cd"),
    case("REF004", "apps/whoami/values.yaml", "192.168.20.100", "192.168.20.101"),
    case("REF005", SPACES, "enforce: privileged", "enforce: restricted"),
    case("REF006", SPACES, "  traefik:\n    labels:\n      pod-security.kubernetes.io/enforce: restricted", "  traefik:\n    labels:\n      pod-security.kubernetes.io/enforce: privileged"),
    case("REF006", SPACES, "    labels:\n      pod-security.kubernetes.io/enforce: restricted", "    labels:\n      team: platform"),
    case("REF007", "apps/calico-installation/values.yaml", 'port: "6443"', 'port: "6444"'),
    case("REF008", "apps/calico-installation/values.yaml", "apiServer:\n  enabled: true", "apiServer:\n  enabled: false", at="charts/calico-bgp/templates/bgpconfiguration.yaml"),
    case("REF009", "apps/tigera-operator/values.yaml", "manageCRDs: false", "manageCRDs: true"),
    case("REF010", ARGOCD, 'server.insecure: "true"', 'server.insecure: "false"'),
    Case("REF011", "apps/calico-installation/values.yaml", both(sub(f"{M2}/kube-vip.yaml", "value: lo\n", "value: eth1\n"), sub("apps/calico-installation/values.yaml", "cidrs:\n    - 192.168.10.0/24\n", "firstFound: true\n"))),
    Case("REF012", "more/peer.yaml", new("more/peer.yaml", PEER)),
    Case("REF013", TRAEFIK, sub(TRAEFIK, "deployment:\n", 'nodeSelector: {node-role.kubernetes.io/control-plane: ""}\ndeployment:\n')),
    case("FRR013", FRR, "seq 5 permit 192.168.20.64/26", "seq 5 deny 192.168.20.64/26"),
    case("FRR013", FRR, "route-map K8S-CALICO-IN permit", "route-map K8S-CALICO-IN deny"),
    case("FRR012", FRR, "log syslog informational", "log syslog information"),
    case("FRR012", FRR, "192.168.20.64/26 ge 32 le 32", "192.168.20.64/26 ge 32 le 33"),
    case("ARGO019", ARGOCD, "application.resourceTrackingMethod", "application.resourceTrackMethod"),
    case("ARGO019", ARGOCD, "ARGOCD_CLUSTER_CACHE_ATTEMPT_LIMIT", "ARGOCD_CLUSTER_CACHE_ATTEMPTS_LIMIT"),
    case("ARGO019", ARGOCD, "        kinds:\n        - Endpoints", "        kind:\n        - Endpoints"),
    Case("ARGO022", "argocd/apps/secrets.yaml", both(secret_files.fill_in, sub("argocd/apps/secrets.yaml", "    plugin:\n      name: sops\n", "")), "secrets-sops"),
    case("ARGO023", "argocd/apps/secrets.yaml", "name: sops", "name: ksops", site="secrets-sops"),
    case("ARGO023", ARGOCD, "subPath: sops.yaml", "subPath: sop.yaml", site="secrets-sops", at="argocd/apps/secrets.yaml"),
    Case("REF014", "apps/calico-bgp/values.yaml", lambda root: (root / "secrets/calico-system.bgp-routers.sops.yaml").unlink(), "secrets-sops"),
    case("REF014", "secrets/traefik.wildcard.sops.yaml", "name: wildcard", "name: wildcat", site="secrets-sops", at="apps/edge/values.yaml"),
    case("SITE020", ".sops.yaml", "age: age1r6kxll6jc7a62g7c39c8j6m9z4xsc857yz4g7x9sw855g6jt02ks8usj3a,", "age: ", site="secrets-sops"),
    case("SITE020", "site.yaml", "secrets: sops", "secrets: sealed-secrets", site="secrets-sops"),
    case("ARGO020", ARGOCD, "keep: true", "keep: false"),
    case("ARGO020", ARGOCD, "install: true", "install: false"),
    case("CI001", ".github/workflows/validate.yaml", "contents: read", "contents: reed"),
    case("CI001", ".github/workflows/validate.yaml", "anycastle validate .", "anycastle validat ."),
    case("CI001", ".github/workflows/validate.yaml", "actions/checkout@v", "actions/checkout@w"),
    case("CI001", ".github/workflows/validate.yaml", "ubuntu-latest", "ubuntu-lastest"),
    case("NODE003", "nodes/shed-1/kubeadm.yaml", "bindPort: 8443", "bindPort: 6443", site="other-names"),
    case("NODE006", "nodes/w-01/hosts", "172.31.255.2 cp.hall", "172.31.255.2 cp2.hall", site="many-nodes"),
    case("FW001", NFT, "ct state established,related accept", "ct state established,related drop"),
    case("ARGO009", "argocd/apps/edge.yaml", "prune: true", "prune: false"),
    case("ARGO012", "apps/edge/values.yaml", "namespace: traefik", "namespace: traefk"),
    case("TRF003", TRAEFIK, "memory: 128Mi", "memory: 128Mb"),
    case("TRF003", TRAEFIK, "maxSkew: 1", "maxSkew: 0"),
    case("TRF003", TRAEFIK, "- pod-template-hash", "- template-hash"),
    case("TRF004", TRAEFIK, "maxSurge: 1", "maxSurge: 0"),
    case("TRF005", TRAEFIK, "  minReadySeconds: 10\n", ""),
    case("TRF004", TRAEFIK, "  maxUnavailable: 1", "  maxUnavailable: 2"),
    case("REF002", TRAEFIK, "ingressClass:\n  enabled: true", "ingressClass:\n  enabled: false"),
    case("REF003", "apps/edge/values.yaml", "argocd:\n  enabled: true", "argocd:\n  enabled: false", at=ARGOCD),
    case("ARGO011", "apps/tigera-operator/values.yaml", "goldmane:\n  enabled: false", "goldmane:\n  enabled: true", at="argocd/apps/tigera-operator.yaml"),
    case("NODE001", f"{M2}/install.sh", "arp_ignore = 1", "arp_ignore = 2"),
    case("CI001", ".github/workflows/validate.yaml", "anycastle==", "anycastle==9.", at=".pre-commit-config.yaml"),
    case("CI001", ".pre-commit-config.yaml", "pass_filenames: false", "pass_filenames: true"),
    case("CI001", ".pre-commit-config.yaml", "entry: anycastle", "entry: anycaste"),
    case("TRF004", TRAEFIK, "podDisruptionBudget:\n  enabled: true", "podDisruptionBudget:\n  enabled: false"),
    # --- the way out
    Case("EGR014", "nodes/k8s-master-1/kubeadm.yaml", both(new("vendor/charts.lock.yaml", "charts: []\n"), without_mirror("registry.k8s.io")), BEHIND),
    Case("EGR014", "charts/whoami/values.yaml", both(new("vendor/charts.lock.yaml", "charts: []\n"), without_mirror("docker.io")), BEHIND),
    case("SITE020", f"{W1}/containerd/certs.d/docker.io/hosts.toml", "/v2/docker.io", "/v2/docker", site=BEHIND),
    case("SITE020", f"{W1}/containerd/http-proxy.conf", "HTTPS_PROXY=http://proxy", "HTTPS_PROXY=http://proxy2", site=BEHIND),
    case("SITE020", ARGOCD, ".corp.example.net,", "", site=BEHIND),
    case("SITE020", "site.yaml", "{registry: ghcr.io", "{registry: xpkg.io", site=BEHIND),
    Case("SITE020", f"{W1}/ca-1.crt", lambda root: (root / f"{W1}/ca-1.crt").write_text((root / f"{W1}/ca-2.crt").read_text()) and None, BEHIND),
    # --- Traefik and Renovate
    case("TRF002", TRAEFIK, "terminationGracePeriodSeconds: 100", "terminationGracePeriodSeconds: 60"),
    case("TRF002", TRAEFIK, "requestAcceptGraceTimeout: 15s", "requestAcceptGraceTimeout: 5s"),
    case("TRF003", TRAEFIK, "instance: traefik-traefik", "instance: traefik"),
    case("TRF003", TRAEFIK, "to: websecure", "to: secure"),
    case("TRF004", TRAEFIK, "type: RollingUpdate", "type: Recreate"),
    case("UPD001", "renovate.json", "+kube_vip:", "+kubevip:"),
    case("UPD001", "renovate.json", "site\\\\.yaml", "sites\\\\.yaml"),
    case("UPD001", "renovate.json", '"depNameTemplate": "traefik"', '"depNameTemplate": "trafik"'),
    case("UPD001", "renovate.json", "?<version>", "?<release>"),
]  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A generated repository of each site, which is not changed."""
    done: dict[str, Path] = {}

    def tree(site: str) -> Path:
        if site not in done:
            done[site] = tmp_path_factory.mktemp(site)
            trees.write(site, done[site])
        return done[site]

    return tree


def said(root: Path) -> list[Finding]:
    return [f for f in validate_tree(root).findings if f.severity is not Severity.UNCHECKED]


def judged(root: Path) -> list[Finding]:
    return [f for f in validate_tree(root).findings if f.severity in (Severity.ERROR, Severity.WARNING)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.path}")
def test_a_change_in_one_place_is_seen(case: Case, made: Callable[[str], Path], tmp_path: Path) -> None:
    root = Path(shutil.copytree(made(case.site), tmp_path / "copy"))
    case.edit(root)
    found = said(root)
    assert (case.code, case.path) in {(f.code, f.where.path) for f in found}, found
    assert all(f.message.endswith(".") and f.fix.endswith(".") for f in found if f.code == case.code)


@pytest.mark.parametrize("site", trees.SITES)
def test_a_generated_repository_agrees_with_itself(made: Callable[[str], Path], site: str) -> None:
    planned = {code.split()[0] for code in described(site)[1]}  # what the site file itself is warned of
    assert [finding for finding in judged(made(site)) if finding.code not in planned] == []


def test_every_code_has_a_case_and_a_reason() -> None:
    assert {case.code for case in CASES} == {entry.code for entry in CODES}
    assert len({entry.code for entry in CODES}) == len(CODES)
    assert all(entry.why.endswith(".") and entry.source.endswith(".") for entry in CODES)


ALIKE: dict[str, Edit] = {
    "an app that retries in a way of its own, beside others that do, too": lambda root: [
        sub(f"argocd/apps/{name}.yaml", "limit: -1", f"limit: {number}")(root)
        for number, name in enumerate(("edge", "whoami"), start=5)
    ][-1],
    "more names in a hosts file": sub(f"{W1}/hosts", "k8s-node-1\n", "k8s-node-1 storage\n192.168.10.250 nas\n"),
    "a number of replicas that a person wants": lambda root: (root / "apps/traefik/overrides.yaml").write_text(
        "deployment: {replicas: 4}\n"
    )
    and None,
    "a description in other words": sub(FRR, "description k8s-node-1", "description k8s-node-1 in rack 3"),
    "a route that drops all private addresses": sub(FRR, "ip route 192.168.20.1/32", "ip route 192.168.0.0/16 blackhole 254\nip route 192.168.20.1/32"),
    "a table of somebody else": lambda root: (root / NFT).write_text(
        (root / NFT).read_text() + '\ntable inet other {\n    chain forward {\n        type filter hook forward priority 10; policy accept;\n        ip daddr 10.77.0.0/16 drop\n        iifname "guest" meta mark 7 drop\n    }\n}\n'
    )
    and None,
    "one router that looks for the way back": sub(SYSCTL, "net.ipv4.ip_forward = 1", "net.ipv4.ip_forward = 1\nnet.ipv4.conf.all.rp_filter = 1"),
    "more in the project than is used": sub(f"{PROJECTS}/namespaces.yaml", "- group: scheduling", "- group: apps.example.com\n    kind: Anything\n  - group: scheduling"),
    "a kind that a project needs for its own reasons": sub(f"{PROJECTS}/whoami.yaml", "- group: apps\n    kind: Deployment", "- group: apps\n    kind: DaemonSet\n  - group: apps\n    kind: Deployment"),
    "another script with another release, of something else": new("tools/try.sh", "helm template try charts/try | kubectl apply --server-side -f -\nhelm template a $CHART --version $V\n"),
    "a project written with globs": sub(f"{PROJECTS}/calico-bgp.yaml", "kind: BGPPeer", "kind: BGP*"),
    "a switch of a chart whose kind the project has": both(
        new("apps/traefik/overrides.yaml", "autoscaling: {enabled: true}\n"),
        sub(f"{PROJECTS}/traefik.yaml", "- group: policy", "- group: autoscaling\n    kind: HorizontalPodAutoscaler\n  - group: policy"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ALIKE)
def test_what_looks_like_a_mistake_and_is_none(name: str, made: Callable[[str], Path], tmp_path: Path) -> None:
    root = Path(shutil.copytree(made("seed"), tmp_path / "copy"))
    ALIKE[name](root)
    assert judged(root) == []


@pytest.mark.parametrize("release", ["9.1", "10.4.1"])
def test_an_frr_that_knows_its_groups_needs_no_help(made: Callable[[str], Path], tmp_path: Path, release: str) -> None:
    root = Path(shutil.copytree(made("links"), tmp_path / "copy"))
    before = judged(root)
    sub("routers/tor-a/frr.conf", "no zebra nexthop kernel enable\n", f"frr version {release}\n")(root)
    assert judged(root) == before


def test_one_mistake_is_told_once(made: Callable[[str], Path], tmp_path: Path) -> None:
    """What a law of its own names is not repeated as a mere difference."""
    root = Path(shutil.copytree(made("seed"), tmp_path / "copy"))
    sub(f"{M1}/kube-vip.yaml", 'value: "true"\n    - name: bgp_as', 'value: "yes"\n    - name: bgp_as')(root)
    codes = [f.code for f in read(root).findings if f.where.path == f"{M1}/kube-vip.yaml"]
    assert codes == ["KVIP001"]


def test_a_repository_of_other_hands_is_silent(tmp_path: Path) -> None:
    assert handmade.judged(handmade.read_changed(tmp_path)) == []
