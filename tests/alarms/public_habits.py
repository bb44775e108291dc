"""Habits of public repositories that a check is easily wrong about. Every entry is a repository: path -> text."""

from __future__ import annotations

from collections.abc import Mapping

Files = Mapping[str, str]

_SYNC = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 30m
  prune: true
  path: ./flock/apps
  sourceRef: {kind: GitRepository, name: flux-system}
"""
_CHILD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system, labels: {defaults: "yes"}}
spec:
  path: ./flock/apps/%s/app
"""
_RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: %s}
spec:
  chartRef: {kind: OCIRepository, name: podinfo}
"""
_LISTED = "resources: [%s]\n"

FLUX_PATCHES = {
    "flock/root.yaml": _SYNC
    + """\
  patches:
    - target: {kind: Kustomization, labelSelector: "defaults=yes,!plain"}
      patch: |
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata: {name: any}
        spec:
          interval: 1h
          prune: true
          targetNamespace: web
          sourceRef: {kind: GitRepository, name: flux-system}
          patches:
            - target: {group: helm.toolkit.fluxcd.io, kind: HelmRelease, name: pod.*}
              patch: |
                - {op: add, path: /spec/interval, value: 1h}
            - target: {kind: HelmRelease, name: pod.*}
              patch: |
                $patch: replace
                apiVersion: helm.toolkit.fluxcd.io/v2
                kind: HelmRelease
                metadata: {name: any}
""",
    "flock/apps/pods/ks.yaml": _CHILD % ("pods", "pods"),
    "flock/apps/pods/app/release.yaml": _RELEASE % "pods",
}
"""What children lack is written by the patches of their parent; a patch that cannot be imitated settles nothing."""

FLUX_SUBSTITUTES = {
    "flock/root.yaml": _SYNC,
    "flock/parts/claim/pvc.yaml": """\
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: "${APP}", labels: {app: "${APP}-data"}}
spec:
  accessModes: ["${MODE:=ReadWriteOnce}"]
  resources: {requests: {storage: "${SIZE:=5Gi}"}}
""",
    "flock/parts/other/pvc.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: "${APP}"}
data: {a: b}
""",
    "flock/apps/values.yaml": "endpoints: [web.${DOMAIN}:8080]\n",
    "flock/apps/web/secret.yaml": """\
apiVersion: v1
kind: Secret
metadata: {name: web, namespace: web}
stringData:
  token: op://vault/web/token
  user: ${WEB_USER}
""",
    "flock/apps/web/role.yaml": """\
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: web, namespace: web}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: web}
subjects: [{kind: ServiceAccount, name: web}]
""",
}
"""Variables with and without defaults, references to a vault, and a RoleBinding that means its own namespace."""

FLUX_LISTS = {
    "flock/root.yaml": _SYNC,
    "flock/apps/certs/kustomization.yaml": _LISTED % "ks.yaml",
    "flock/apps/certs/ks.yaml": _CHILD.replace(
        "spec:\n",
        "spec:\n  interval: 1h\n  prune: true\n  sourceRef: {kind: GitRepository, name: flux-system}\n  wait: true\n",
    )
    % ("certs", "certs"),
    "flock/apps/certs/app/kustomization.yaml": _LISTED % "release.yaml",
    "flock/apps/certs/app/release.yaml": _RELEASE.replace("spec:\n", "spec:\n  interval: 1h\n").replace(
        "podinfo", "cert-manager"
    )
    % "cert-manager",
    "flock/apps/issuers/kustomization.yaml": _LISTED % "ks.yaml" + "components: [../../parts]\n",
    "flock/apps/issuers/ks.yaml": _CHILD % ("issuers", "issuers"),
    "flock/apps/issuers/app/kustomization.yaml": _LISTED % "issuer.yaml",
    "flock/apps/issuers/app/issuer.yaml": """\
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: home}
spec: {selfSigned: {}}
""",
    "flock/apps/later/kustomization.yaml": "resources: []\n",
    "flock/apps/later/app/release.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
    "metadata: {name: later}\nspec: {}\n",
    "flock/apps/local/kustomization.yaml": _LISTED % "env.yaml",
    "flock/apps/local/.gitignore": "env.yaml\n",
    "flock/parts/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n",
}
"""A folder with a kustomization brings what that lists, and no more; git ignores what is made on a machine."""

FLUX_SOURCES = {
    "flock/root.yaml": _SYNC.replace("./flock/apps", "./flock/web"),
    "flock/web/sources.yaml": """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: upstream, namespace: flux-system}
spec: {interval: 1h, url: https://git.example.com/upstream/definitions, ref: {tag: v1.0.0}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: definitions, namespace: flux-system}
spec: {interval: 1h, prune: false, path: ./, sourceRef: {kind: GitRepository, name: upstream}}
""",
    "flock/web/token.sops.yaml": """\
apiVersion: v1
kind: Secret
metadata: {name: token, namespace: web}
stringData: {token: "ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]"}
sops: {mac: "ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]", age: [{recipient: age1, enc: x}]}
""",
}
FLUX_SOURCES["flock/root.yaml"] += "  decryption: {provider: sops}\n"
"""A Kustomization of another repository applies nothing of this one, even where its path is the root."""

TWO_CLUSTERS = {
    f"fleet/clusters/{name}/{file}": text
    for name in ("east", "west")
    for file, text in {
        "root.yaml": _SYNC.replace("./flock/apps", f"./fleet/clusters/{name}"),
        "settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\n"
        f"data: {{cluster: {name}}}\n",
    }.items()
}
"""Clusters a folder below the root."""

ASIDE = {
    "web/service.yaml": """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec: {selector: {app: web}, ports: [{port: 80}]}
""",
    "web/template.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: service_name}\nspec: {ports: [{port: X}]}\n",
    "web/pvc.example.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: Web}\nspec: {}\n",
    "web.bak/service.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: default}\nspec: {}\n",
    "talos/cluster.yaml": "apiVersion: v1alpha1\nkind: MachineThing\nname: x\n",
    ".schema.yaml": "apiVersion: schema.example.com/v1\nkind: Config\noutput: text\n",
    "anchors.yaml": "one: &a 1\ntwo: &a 2\n",
    "first/init.yaml": """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration: {name: one, kubeletExtraArgs: [{name: node-ip, value: 10.9.0.11}]}
skipPhases: [addon/kube-proxy]
localAPIEndpoint: {advertiseAddress: 10.9.0.11}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.34.1
""",
}
"""What lies beside the real thing; files of other programs; a control plane whose workers joined by a command."""

EXAMPLES: Mapping[str, Files] = {
    "flux-patches": FLUX_PATCHES,
    "flux-substitutes": FLUX_SUBSTITUTES,
    "flux-lists": FLUX_LISTS,
    "flux-sources": FLUX_SOURCES,
    "two-clusters": TWO_CLUSTERS,
    "aside": ASIDE,
}
