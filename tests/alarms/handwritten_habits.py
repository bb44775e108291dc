"""Further habits of public repositories, in the form of `public_habits`."""

from __future__ import annotations

from collections.abc import Mapping

from public_habits import Files

_LISTED = "resources: [%s]\n"
_SEALED = """\
apiVersion: v1
kind: Secret
metadata: {name: token, namespace: web}
stringData: {token: "ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]"}
sops: {mac: "ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]", age: [{recipient: age1, enc: x}]}
"""
_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s%s}\ndata: {a: b}\n"
_UNIT = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec: {interval: 1h, prune: true, path: %s, sourceRef: {kind: GitRepository, name: flux-system}}
"""
_RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: %s, namespace: web}
spec:
  interval: 1h
  chart: {spec: {chart: %s, version: 1.0.0, sourceRef: {kind: %s, name: %s, namespace: flux-system}}}
"""
_REPOSITORY = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: charts, namespace: flux-system}
spec: {interval: 1h, url: https://charts.example.com}
"""
_INSTALLATION = """\
apiVersion: operator.tigera.io/v1
kind: Installation
metadata: {name: default}
spec:
  calicoNetwork: {linuxDataplane: %s, hostPorts: null, bgp: Disabled}
---
apiVersion: operator.tigera.io/v1
kind: APIServer
metadata: {name: default}
spec: {}
"""

CHOICES = {
    "net/plain.yaml": _INSTALLATION % "Iptables",
    "net/ebpf.yaml": _INSTALLATION % "BPF",
    "net/one.yaml": _MAP % ("one", ", namespace: web"),
    "net/two.yaml": _MAP % ("two", ", namespace: web"),
}
"""Of two files a person applies one; a field that is null is as good as absent."""

KEYS = {
    ".sops.yaml": "creation_rules: [{path_regex: ^web/, age: age1}]\n",
    "web/account.yaml": """\
apiVersion: v1
kind: Secret
metadata: {name: robot, namespace: web, annotations: {kubernetes.io/service-account.name: robot}}
type: kubernetes.io/service-account-token
""",
    "web/ceph.yaml": _SEALED.replace("{token: ", "{userID: admin, userKey: ").replace(
        "sops: {", "sops: {encrypted_regex: '^(userKey|adminKey)$', "
    ),
    "web/README.md": "Paste it:\n\n-----BEGIN RSA PRIVATE KEY-----\n<your key>\n-----END RSA PRIVATE KEY-----\n",
    "web/values.yaml": "## starts with\n## -----BEGIN RSA PRIVATE KEY-----\n##\n## name should line up with it\na: 1\n",
    "web/module.py": '"""\n-----BEGIN PRIVATE KEY-----\\nDBVFT...\\n-----END PRIVATE KEY-----\n"""\n',
}
"""Secrets that somebody else fills in, of which one key is secret, and sentences about keys."""

PARTS_OF_SERVICES = {
    "families/services.yaml": """\
apiVersion: v1
kind: Service
metadata: {name: kubernetes, namespace: default}
spec: {ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv6, IPv4]}
""",
}
"""Server-side apply adds fields to a Service that stands elsewhere."""

ETHERNET = {
    "router/frr.conf": """\
frr version 10.3
hostname edge
router bgp 4200001000
 bgp router-id 10.255.0.1
 no bgp default ipv4-unicast
 neighbor MESH peer-group
 neighbor MESH remote-as 4200001000
 neighbor 10.255.0.2 peer-group MESH
 address-family l2vpn evpn
  neighbor MESH activate
  advertise-all-vni
 exit-address-family
!
""",
}
"""A session that carries EVPN alone."""

FIRST_NODE = {
    "site.yaml": "domain: example.com\ntenants: [{name: web}]\n",
    "root.yaml": _UNIT % ("apps", "./apps"),
    "apps/kustomization.yaml": _LISTED % "source.yaml, release.yaml",
    "apps/source.yaml": _REPOSITORY,
    "apps/release.yaml": _RELEASE % ("web", "web", "HelmRepository", "charts"),
    "init/cluster.yaml": """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration: {name: one, kubeletExtraArgs: [{name: node-ip, value: 10.9.0.11}]}
localAPIEndpoint: {advertiseAddress: 10.9.0.11}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.34.1
""",
}
"""Who keeps the file of `kubeadm init` and joins the workers by a command."""
JOINED = """\
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
controlPlane: {localAPIEndpoint: {advertiseAddress: 10.9.0.12}}
discovery: {bootstrapToken: {token: "${TOKEN}", apiServerEndpoint: "10.9.0.11:6443", unsafeSkipCAVerification: true}}
nodeRegistration: {name: two, kubeletExtraArgs: [{name: node-ip, value: 10.9.0.12}]}
---
"""

ELSEWHERE = {
    "root.yaml": _UNIT % ("apps", "./apps"),
    "apps/kustomization.yaml": _LISTED % "source.yaml, vendor.yaml",
    "apps/source.yaml": _REPOSITORY,
    "apps/vendor.yaml": _RELEASE % ("vendor", "charts/vendor", "GitRepository", "upstream"),
    "apps/old/release.yaml": _RELEASE % ("old", "old", "HelmRepository", "gone"),
}
"""A chart in a Git repository that is not here; a release that no list of resources has."""

DEFINED_BEFORE = {
    "root.yaml": _UNIT % ("apps", "./apps"),
    "apps/kustomization.yaml": _LISTED % "source.yaml, certs.yaml, issuer.yaml, secrets.yaml, secret.yaml",
    "apps/source.yaml": _REPOSITORY,
    "apps/certs.yaml": _RELEASE % ("certs", "cert-manager", "HelmRepository", "charts")
    + "  values: {crds: {enabled: false}}\n",
    "apps/issuer.yaml": "apiVersion: cert-manager.io/v1\nkind: ClusterIssuer\nmetadata: {name: home}\n"
    "spec: {selfSigned: {}}\n",
    "apps/secrets.yaml": _RELEASE % ("secrets", "external-secrets", "HelmRepository", "charts"),
    "apps/secret.yaml": "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\n"
    "metadata: {name: s, namespace: web}\nspec: {dataFrom: [{extract: {key: web}}]}\n",
    "bootstrap/helmfile.d/apps.yaml.gotmpl": "releases:\n"
    "  - name: secrets\n    chart: oci://charts.example.com/external-secrets\n",
}
"""Definitions come from elsewhere: the chart leaves them out, or a helmfile installs it before Flux."""

DEFAULTS = {
    "root.yaml": _UNIT % ("apps", "./apps, postBuild: {substitute: {APP: web, CLAIM: data}}"),
    "apps/claim.yaml": """\
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: "${CLAIM:-${APP}}", namespace: web, labels: {app: "${OTHER:-${APP}}"}}
spec: {accessModes: ["${MODE:-ReadWriteOnce}"], resources: {requests: {storage: 1Gi}}}
""",
}
"""A variable in the default of another one."""

NAMESPACES = {
    "root.yaml": _UNIT % ("apps", "./apps"),
    "apps/kustomization.yaml": _LISTED % "one, two",
    "apps/one/kustomization.yaml": "namespace: one\n" + _LISTED % "map.yaml",
    "apps/one/map.yaml": _MAP % ("settings", ""),
    "apps/two/kustomization.yaml": "namespace: two\n" + _LISTED % "map.yaml",
    "apps/two/map.yaml": _MAP % ("settings", ""),
}
"""Kustomize puts objects of one name into two namespaces."""

SIDE_BY_SIDE = {
    "kubernetes/main/flux/root.yaml": _UNIT % ("apps", "./kubernetes/main/apps")
    + """\
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: all, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./kubernetes/main/more
  sourceRef: {kind: GitRepository, name: flux-system}
  patches:
    - target: {kind: Kustomization, name: network}
      patch: '[{op: add, path: /spec/decryption, value: {provider: sops}}]'
""",
    "kubernetes/main/more/kustomization.yaml": _LISTED % "network/ks.yaml",
    "kubernetes/main/more/network/ks.yaml": _UNIT % ("network", "./kubernetes/main/more/network/app"),
    "kubernetes/main/more/network/app/token.sops.yaml": _SEALED,
    "kubernetes/main/apps/map.yaml": _MAP % ("settings", ", namespace: web"),
    "kubernetes/network/flux/root.yaml": _UNIT % ("apps", "./kubernetes/network/apps")
    + "---\n"
    + _UNIT % ("all", "./kubernetes/network/more"),
    "kubernetes/network/more/map.yaml": _MAP % ("more", ", namespace: web"),
    "kubernetes/network/apps/map.yaml": _MAP % ("settings", ", namespace: web"),
    "kubernetes/parts/map.yaml": _MAP % ("part", ", namespace: web"),
}
"""Clusters without a folder `clusters`: each has what Flux is told, and what it brings."""

DOUBTED = {
    "root.yaml": _UNIT.replace("spec: {", "spec: {patches: [{target: {kind: Kustomization}, patch: '%s'}], ")
    % ("apps", "[]", "./apps"),
    "apps/kustomization.yaml": _LISTED % "map.yaml",
    "apps/map.yaml": _MAP % ("settings", ", namespace: web"),
    "apps/old/ks.yaml": _UNIT % ("old", "./apps/old/app"),
    "apps/old/app/token.sops.yaml": _SEALED,
}
"""What becomes of a Kustomization that nothing lists is unknown where its siblings are patched."""

EXAMPLES: Mapping[str, Files] = {
    "choices": CHOICES,
    "keys": KEYS,
    "parts-of-services": PARTS_OF_SERVICES,
    "ethernet": ETHERNET,
    "first-node": FIRST_NODE,
    "elsewhere": ELSEWHERE,
    "defined-before": DEFINED_BEFORE,
    "defaults": DEFAULTS,
    "namespaces": NAMESPACES,
    "side-by-side": SIDE_BY_SIDE,
    "doubted": DOUBTED,
}
