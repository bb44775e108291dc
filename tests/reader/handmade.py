"""A small repository written by hand: the default site, without any of the project's own charts."""

from collections.abc import Callable, Mapping
from pathlib import Path

from anycastle.finding import Finding, Severity
from anycastle.reader import Repository, read

Files = dict[str, str]
REPOSITORY = "https://git.example.com/platform/home.git"
MASTERS = {f"k8s-master-{number}": f"192.168.10.{16 + number}" for number in (1, 2, 3)}
WORKERS = {f"k8s-node-{number}": f"192.168.10.{19 + number}" for number in (1, 2, 3, 4, 5)}

SITE = """\
schema: 1
kubernetes:
  api: {name: control.k8s.example.com, vips: [192.168.20.1], allow_on_link: true}
networks:
  nodes:
    - {name: lan, cidr: 192.168.10.0/24, gateway: 192.168.10.1}
  reserved:
    - {name: dhcp, range: 192.168.10.128-192.168.10.130}
  owned: {asns: [3320, 680], prefixes: [193.0.0.0/21]}
"""

CLUSTER = """\
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.36.4
controlPlaneEndpoint: "control.k8s.example.com:6443"
networking: {serviceSubnet: 10.96.0.0/12, podSubnet: 172.20.0.0/16}
apiServer:
  certSANs: [192.168.20.1, api.example.com]
"""


def node(name: str, address: str, *, master: bool, first: bool = False) -> str:
    kind = "InitConfiguration" if first else "JoinConfiguration"
    control = "controlPlane:\n  localAPIEndpoint: {advertiseAddress: " + address + "}\n" if master and not first else ""
    return f"""\
apiVersion: kubeadm.k8s.io/v1beta4
kind: {kind}
nodeRegistration:
  name: {name}
  kubeletExtraArgs:
    - name: node-ip
      value: {address}
    - name: node-labels
      value: "rack=a,zone=z1"
{control}{CLUSTER if first else ""}"""


def kube_vip(address: str) -> str:
    return f"""\
apiVersion: v1
kind: Pod
metadata: {{name: kube-vip, namespace: kube-system}}
spec:
  hostNetwork: true
  containers:
    - name: kube-vip
      image: ghcr.io/kube-vip/kube-vip:v1.2.4
      args: [manager]
      env:
        - {{name: address, value: 192.168.20.1}}
        - {{name: vip_subnet, value: "32"}}
        - {{name: vip_interface, value: lo}}
        - {{name: cp_enable, value: "true"}}
        - {{name: bgp_enable, value: "true"}}
        - {{name: bgp_as, value: "65020"}}
        - {{name: bgp_routerid, value: {address}}}
        - {{name: bgp_peers, value: "192.168.10.1:65010::false"}}
        - {{name: control_plane_health_check_address, value: "https://{address}:6443/livez"}}
        - {{name: control_plane_health_check_ca_path, value: /etc/kubernetes/pki/ca.crt}}
      volumeMounts:
        - {{name: ca, mountPath: /etc/kubernetes/pki/ca.crt, readOnly: true}}
"""


FRR = """\
frr defaults traditional
hostname router
!
ip route 192.168.20.1/32 blackhole 254
ip route 192.168.20.64/26 blackhole 254
!
ip prefix-list VIP seq 5 permit 192.168.20.1/32
ip prefix-list POOL seq 5 permit 192.168.20.64/26 ge 32 le 32
!
route-map VIP-IN permit 10
 match ip address prefix-list VIP
exit
route-map POOL-IN permit 10
 match ip address prefix-list POOL
exit
route-map NOTHING deny 10
exit
!
router bgp 65010
 bgp router-id 192.168.10.1
 no bgp default ipv4-unicast
 bgp graceful-restart-disable
 neighbor MASTERS peer-group
 neighbor MASTERS remote-as 65020
 neighbor MASTERS update-source 192.168.10.1
 neighbor MASTERS timers 3 9
 neighbor WORKERS peer-group
 neighbor WORKERS remote-as 65030
 neighbor WORKERS update-source 192.168.10.1
 neighbor WORKERS timers 3 9
{neighbours} !
 address-family ipv4 unicast
  neighbor MASTERS activate
  neighbor MASTERS route-map VIP-IN in
  neighbor MASTERS route-map NOTHING out
  neighbor WORKERS activate
  neighbor WORKERS route-map POOL-IN in
  neighbor WORKERS route-map NOTHING out
  maximum-paths 8
 exit-address-family
exit
""".replace(
    "{neighbours}",
    "".join(f" neighbor {address} peer-group MASTERS\n" for address in MASTERS.values())
    + "".join(f" neighbor {address} peer-group WORKERS\n" for address in WORKERS.values()),
)

NFT = """\
table inet filter {
  chain forward {
    type filter hook forward priority 0; policy drop;
    iifname "eth1" oifname "eth1" ip daddr { 192.168.20.1, 192.168.20.64/26 } accept
    ct state established,related accept
    ct state invalid drop
    accept
  }
}
"""

SYSCTL = """\
net.ipv4.ip_forward = 1
net.ipv4.fib_multipath_hash_policy = 1
net.ipv4.conf.all.send_redirects = 0
net.ipv4.conf.eth1.send_redirects = 0
"""

BGP = """\
apiVersion: projectcalico.org/v3
kind: BGPConfiguration
metadata: {name: default}
spec:
  asNumber: 65030
  nodeToNodeMeshEnabled: false
  serviceLoadBalancerAggregation: Disabled
  serviceLoadBalancerIPs:
    - cidr: 192.168.20.64/26
---
apiVersion: projectcalico.org/v3
kind: BGPFilter
metadata: {name: services-only}
spec:
  exportV4:
    - {action: Accept, cidr: 192.168.20.64/26, matchOperator: In}
    - {action: Reject}
  importV4:
    - {action: Reject}
---
apiVersion: projectcalico.org/v3
kind: BGPPeer
metadata: {name: router}
spec:
  nodeSelector: "!has(node-role.kubernetes.io/control-plane)"
  peerIP: 192.168.10.1
  asNumber: 65010
  maxRestartTime: 2m5s
  filters: [services-only]
"""

INSTALLATION = """\
apiVersion: operator.tigera.io/v1
kind: Installation
metadata: {name: default}
spec:
  calicoNetwork:
    bgp: Enabled
    linuxDataplane: BPF
    nodeAddressAutodetectionV4: {cidrs: [192.168.10.0/24]}
    ipPools:
      - name: pods
        cidr: 172.20.0.0/16
        blockSize: 26
        encapsulation: VXLANCrossSubnet
        natOutgoing: Enabled
        nodeSelector: all()
        disableBGPExport: true
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kubernetes-services-endpoint, namespace: tigera-operator}
data:
  KUBERNETES_SERVICE_HOST: 192.168.20.1
"""

POOL = """\
apiVersion: projectcalico.org/v3
kind: IPPool
metadata: {name: services}
spec:
  cidr: 192.168.20.64/26
  allowedUses: [LoadBalancer]
  assignmentMode: Automatic
---
apiVersion: projectcalico.org/v3
kind: KubeControllersConfiguration
metadata: {name: default}
spec:
  controllers: {loadBalancer: {assignIPs: RequestedServicesOnly}}
"""

TRAEFIK = """\
service:
  spec:
    externalTrafficPolicy: Local
  annotations:
    projectcalico.org/loadBalancerIPs: '["192.168.20.100"]'
"""


def application(name: str, wave: int, source: str, *, namespace: str = "default", protected: bool = False) -> str:
    options = "\n    argocd.argoproj.io/sync-options: Prune=false,Delete=false" if protected else ""
    return f"""\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: {name}
  namespace: argocd
  annotations:
    argocd.argoproj.io/sync-wave: "{wave}"{options}
spec:
  project: default
  destination: {{server: "https://kubernetes.default.svc", namespace: {namespace}}}
  syncPolicy: {{automated: {{selfHeal: true}}}}
{source}"""


def folder(path: str) -> str:
    return f'  source: {{repoURL: "{REPOSITORY}", path: {path}, targetRevision: main}}\n'


def upstream(chart: str, version: str, *files: str) -> str:
    listed = "".join(f"\n          - {name}" for name in files)
    return f"""\
  sources:
    - repoURL: https://charts.example.com
      chart: {chart}
      targetRevision: {version}
      helm:
        valueFiles:{listed}
    - {{repoURL: "{REPOSITORY}", ref: values, targetRevision: main}}
"""


def repository() -> Files:
    files: Files = {
        "site.yaml": SITE,
        "routers/router/frr.conf": FRR,
        "routers/router/nftables.conf": NFT,
        "routers/router/sysctl.conf": SYSCTL,
        "manifests/bgp/bgp.yaml": BGP,
        "manifests/installation/installation.yaml": INSTALLATION,
        "manifests/pools/pool.yaml": POOL,
        "apps/traefik/values.yaml": TRAEFIK,
        "apps/argo-cd/values.yaml": 'configs:\n  cm:\n    resource.customizations.health.b_B: "return {}"\n',
        "argocd/bgp.yaml": application("bgp", -30, folder("manifests/bgp"), protected=True),
        "argocd/installation.yaml": application("installation", -25, folder("manifests/installation")),
        "argocd/pools.yaml": application("pools", -20, folder("manifests/pools")),
        "argocd/argo-cd.yaml": application(
            "argo-cd", 0, upstream("argo-cd", "10.3.3", "$values/apps/argo-cd/values.yaml"), namespace="argocd"
        ),
        "argocd/traefik.yaml": application(
            "traefik", 10, upstream("traefik", "41.3.0", "$values/apps/traefik/values.yaml"), namespace="edge"
        ),
    }
    for index, (name, address) in enumerate(MASTERS.items()):
        files[f"nodes/{name}/kubeadm.yaml"] = node(name, address, master=True, first=index == 0)
        files[f"nodes/{name}/kube-vip.yaml"] = kube_vip(address)
    for name, address in WORKERS.items():
        files[f"nodes/{name}/kubeadm.yaml"] = node(name, address, master=False)
    return files


def write(root: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


Change = Callable[[Files], None]


def replaced(path: str, old: str, new: str) -> Change:
    """One edit of a file; the old text must be there."""

    def change(files: Files) -> None:
        assert old in files[path], f"{old!r} is not in {path}"
        files[path] = files[path].replace(old, new, 1)

    return change


def added(path: str, text: str) -> Change:
    def change(files: Files) -> None:
        files[path] = text

    return change


def read_changed(root: Path, *changes: Change) -> Repository:
    files = repository()
    for change in changes:
        change(files)
    return read(write(root, files))


def judged(found: Repository) -> list[Finding]:
    """Findings that somebody has to act on."""
    return [finding for finding in found.findings if finding.severity is not Severity.UNCHECKED]


def codes(found: Repository) -> list[str]:
    return [finding.code for finding in judged(found)]
