"""Objects without a mistake, one document for each name; the cases change one thing in one of them."""

from typing import Any

from anycastle import yamlio

TEXT = """
deployment:
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: whoami
    namespace: web
    labels: {app.kubernetes.io/name: whoami}
    annotations: {example.com/owner: platform}
  spec:
    replicas: 2
    selector: {matchLabels: {app: whoami}}
    strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 25%}}
    template:
      metadata: {labels: {app: whoami}}
      spec:
        tolerations: [{key: dedicated, operator: Equal, value: edge, effect: NoSchedule}, {operator: Exists}]
        containers:
          - name: whoami
            image: registry.example.com:5000/traefik/whoami:v1.11.0
            imagePullPolicy: IfNotPresent
            env:
              - {name: PORT, value: "80"}
              - {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
            ports: [{name: http, containerPort: 80, protocol: TCP}]
            resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: "1", memory: 128Mi}}
            readinessProbe: {httpGet: {path: /, port: http}, periodSeconds: 5}
            lifecycle: {preStop: {sleep: {seconds: 5}}}
            volumeMounts: [{name: data, mountPath: /data}, {name: config, mountPath: /config}]
        volumes:
          - {name: data, emptyDir: {sizeLimit: 1Gi}}
          - {name: config, configMap: {name: whoami}}
pod:
  apiVersion: v1
  kind: Pod
  metadata: {name: kube-vip, namespace: kube-system}
  spec:
    hostNetwork: true
    restartPolicy: Always
    containers:
      - {name: kube-vip, image: "ghcr.io/kube-vip/kube-vip:v1.2.3", ports: [{containerPort: 2112, hostPort: 2112}]}
      - {name: reader, image: "example.com/reader:1", ports: [{containerPort: 2113}]}
statefulset:
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: store, namespace: web}
  spec:
    serviceName: store
    selector: {matchExpressions: [{key: app, operator: In, values: [store]}]}
    template:
      metadata: {labels: {app: store}}
      spec:
        containers: [{name: store, image: example.com/store, volumeMounts: [{name: data, mountPath: /data}]}]
    volumeClaimTemplates:
      - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
cronjob:
  apiVersion: batch/v1
  kind: CronJob
  metadata: {name: backup, namespace: web}
  spec:
    schedule: "0 3 * * *"
    jobTemplate:
      spec:
        template:
          spec: {restartPolicy: OnFailure, containers: [{name: backup, image: example.com/backup:1}]}
service:
  apiVersion: v1
  kind: Service
  metadata:
    name: whoami
    namespace: web
    annotations: {projectcalico.org/loadBalancerIPs: '["192.0.2.10", "2001:db8::10"]'}
  spec:
    type: LoadBalancer
    loadBalancerClass: calico
    externalTrafficPolicy: Local
    ipFamilyPolicy: PreferDualStack
    ipFamilies: [IPv4, IPv6]
    selector: {app: whoami}
    loadBalancerSourceRanges: [192.0.2.0/24]
    ports:
      - {name: http, port: 80, targetPort: http, nodePort: 30080}
      - {name: dns, port: 53, protocol: TCP}
      - {name: dns-udp, port: 53, protocol: UDP}
internal:
  apiVersion: v1
  kind: Service
  metadata: {name: internal, namespace: web}
  spec: {clusterIP: 10.96.0.20, externalIPs: [192.0.2.9], ports: [{port: 80}]}
configmap:
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings, namespace: web, creationTimestamp: null}
  data: {settings.yaml: "a: 1"}
  binaryData: {logo.png: aGVsbG8=}
secret:
  apiVersion: v1
  kind: Secret
  metadata: {name: token, namespace: web}
  data: {token: aGVsbG8=}
  stringData: {user: admin}
budget:
  apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {name: whoami, namespace: web}
  spec: {minAvailable: 50%, selector: {matchLabels: {app: whoami}}}
policy:
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: whoami, namespace: web}
  spec:
    podSelector: {}
    policyTypes: [Ingress]
    ingress: [{from: [{ipBlock: {cidr: 192.0.2.0/24, except: [192.0.2.128/25]}}]}]
ingress:
  apiVersion: networking.k8s.io/v1
  kind: Ingress
  metadata: {name: whoami, namespace: web}
  spec:
    rules:
      - host: whoami.example.com
        http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: whoami, port: {number: 80}}}}]}
binding:
  apiVersion: rbac.authorization.k8s.io/v1
  kind: RoleBinding
  metadata: {name: "system:reader", namespace: web}
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
  subjects:
    - {kind: ServiceAccount, name: reader, namespace: web}
    - {kind: User, name: jane}
    - {kind: ServiceAccount, name: writer}
definition:
  apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: {name: things.example.com}
  spec:
    group: example.com
    names: {kind: Thing, plural: things}
    scope: Namespaced
    versions:
      - name: v1
        served: true
        storage: true
        schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
priority:
  apiVersion: scheduling.k8s.io/v1
  kind: PriorityClass
  metadata: {name: foundation}
  value: 1000000
node:
  apiVersion: v1
  kind: Node
  metadata: {name: k8s-node-1}
  spec: {taints: [{key: dedicated, effect: NoSchedule, timeAdded: "2026-01-31T08:00:00Z"}]}
pool:
  apiVersion: projectcalico.org/v3
  kind: IPPool
  metadata: {name: pods}
  spec:
    cidr: 172.20.0.0/16
    blockSize: 26
    ipipMode: Never
    vxlanMode: CrossSubnet
    natOutgoing: true
    nodeSelector: "!has(edge) && zone in {'a', \\"b\\"}"
    allowedUses: [Workload, Tunnel]
pool6:
  apiVersion: projectcalico.org/v3
  kind: IPPool
  metadata: {name: pods-v6}
  spec: {cidr: "2001:db8:1::/64", vxlanMode: Always}
lbpool:
  apiVersion: projectcalico.org/v3
  kind: IPPool
  metadata: {name: loadbalancer}
  spec: {cidr: 192.0.2.64/26, allowedUses: [LoadBalancer], nodeSelector: all(), assignmentMode: Automatic}
reservation:
  apiVersion: projectcalico.org/v3
  kind: IPReservation
  metadata: {name: kept}
  spec: {reservedCIDRs: [192.0.2.64/30]}
bgp:
  apiVersion: projectcalico.org/v3
  kind: BGPConfiguration
  metadata: {name: default}
  spec:
    asNumber: 65030
    logSeverityScreen: info
    nodeToNodeMeshEnabled: false
    serviceLoadBalancerAggregation: Disabled
    serviceLoadBalancerIPs: [{cidr: 192.0.2.64/26}]
    ignoredInterfaces: ["docker*"]
    communities: [{name: edge, value: "65030:100"}]
    prefixAdvertisements: [{cidr: 192.0.2.64/26, communities: [edge, "65030:200:300"]}]
nodebgp:
  apiVersion: projectcalico.org/v3
  kind: BGPConfiguration
  metadata: {name: node.k8s-node-1}
  spec: {listenPort: 1790, logSeverityScreen: Debug}
peer:
  apiVersion: projectcalico.org/v3
  kind: BGPPeer
  metadata: {name: router}
  spec:
    peerIP: "192.0.2.1:179"
    asNumber: 65010
    nodeSelector: "!has(node-role.kubernetes.io/control-plane)"
    filters: [only-services]
    nextHopMode: Self
    reachableBy: 192.0.2.254
    maxRestartTime: 2m0s
    password: {secretKeyRef: {name: bgp, key: router}}
meshpeer:
  apiVersion: projectcalico.org/v3
  kind: BGPPeer
  metadata: {name: reflectors}
  spec: {nodeSelector: all(), peerSelector: route-reflector == 'true'}
filter:
  apiVersion: projectcalico.org/v3
  kind: BGPFilter
  metadata: {name: only-services}
  spec:
    exportV4:
      - action: Accept
        cidr: 192.0.2.64/26
        matchOperator: In
        prefixLength: {min: 32, max: 32}
        operations: [{addCommunity: {value: "65030:1"}}, {prependASPath: {prefix: [65030]}}]
      - {action: Reject}
    importV6: [{action: Reject, cidr: "2001:db8::/32", matchOperator: NotIn}]
controllers:
  apiVersion: projectcalico.org/v3
  kind: KubeControllersConfiguration
  metadata: {name: default}
  spec:
    prometheusMetricsPort: 9094
    controllers:
      loadBalancer: {assignIPs: RequestedServicesOnly}
      node:
        leakGracePeriod: 15m0s
        hostEndpoint:
          autoCreate: Enabled
          templates:
            - {generateName: uplink, interfacePattern: "eth.*"}
            - {generateName: storage, interfaceCIDRs: [198.51.100.0/24]}
felix:
  apiVersion: projectcalico.org/v3
  kind: FelixConfiguration
  metadata: {name: default}
  spec: {bpfLogLevel: "off", bpfExternalServiceMode: dsr, routeTableRanges: [{min: 1, max: 250}]}
ipam:
  apiVersion: projectcalico.org/v3
  kind: IPAMConfiguration
  metadata: {name: default}
  spec: {strictAffinity: true, autoAllocateBlocks: true, maxBlocksPerHost: 4}
installation:
  apiVersion: operator.tigera.io/v1
  kind: Installation
  metadata: {name: default}
  spec:
    calicoNetwork:
      linuxDataplane: BPF
      bgp: Enabled
      nodeAddressAutodetectionV4: {kubernetes: NodeInternalIP}
      ipPools:
        - name: default-ipv4-ippool
          cidr: 172.20.0.0/16
          blockSize: 26
          encapsulation: VXLANCrossSubnet
          natOutgoing: Enabled
          nodeSelector: all()
          disableBGPExport: true
          disableNewAllocations: false
          allowedUses: [Workload, Tunnel]
          assignmentMode: Automatic
        - {name: second, cidr: 172.21.0.0/16, encapsulation: None}
    kubeletVolumePluginPath: None
apiserver:
  apiVersion: operator.tigera.io/v1
  kind: APIServer
  metadata: {name: default}
  spec: {}
goldmane:
  apiVersion: operator.tigera.io/v1
  kind: Goldmane
  metadata: {name: default}
whisker:
  apiVersion: operator.tigera.io/v1
  kind: Whisker
  metadata: {name: default}
  spec: {notifications: Disabled}
application:
  apiVersion: argoproj.io/v1alpha1
  kind: Application
  metadata:
    name: traefik
    namespace: argocd
    annotations: {argocd.argoproj.io/sync-wave: "8"}
    finalizers: [resources-finalizer.argocd.argoproj.io]
  spec:
    project: default
    destination: {server: "https://kubernetes.default.svc", namespace: traefik}
    sources:
      - repoURL: ghcr.io/traefik/helm
        chart: traefik
        targetRevision: 41.3.0
        helm: {releaseName: traefik, valueFiles: [$values/apps/traefik/values.yaml], skipCrds: true}
      - {repoURL: "https://git.example.com/platform/home.git", targetRevision: main, ref: values}
    syncPolicy:
      automated: {prune: false, selfHeal: true}
      retry: {limit: 5, backoff: {duration: 10s, factor: 2, maxDuration: 3m}}
      syncOptions: [ServerSideApply=true]
    ignoreDifferences: [{group: apps, kind: Deployment, jsonPointers: [/spec/replicas]}]
project:
  apiVersion: argoproj.io/v1alpha1
  kind: AppProject
  metadata: {name: foundation, namespace: argocd}
  spec:
    sourceRepos: ["https://git.example.com/platform/home.git"]
    destinations: [{server: "https://kubernetes.default.svc", namespace: "*"}]
    clusterResourceWhitelist: [{group: "*", kind: "*"}]
appset:
  apiVersion: argoproj.io/v1alpha1
  kind: ApplicationSet
  metadata: {name: apps, namespace: argocd}
  spec:
    goTemplate: true
    generators: [{}]
    template:
      metadata: {name: "{{.path.basename}}"}
      spec:
        project: default
        source: {repoURL: "https://git.example.com/platform/home.git", path: "{{.path.path}}", targetRevision: main}
        destination: {server: "https://kubernetes.default.svc"}
gitrepository:
  apiVersion: source.toolkit.fluxcd.io/v1
  kind: GitRepository
  metadata: {name: home, namespace: flux-system}
  spec: {interval: 1m0s, url: "https://git.example.com/platform/home.git", ref: {branch: main}, timeout: 60s}
helmrepository:
  apiVersion: source.toolkit.fluxcd.io/v1
  kind: HelmRepository
  metadata: {name: traefik, namespace: flux-system}
  spec: {type: oci, url: "oci://ghcr.io/traefik/helm"}
ocirepository:
  apiVersion: source.toolkit.fluxcd.io/v1
  kind: OCIRepository
  metadata: {name: traefik, namespace: flux-system}
  spec: {interval: 10m, url: "oci://ghcr.io/traefik/helm/traefik", ref: {tag: 41.3.0}, verify: {provider: cosign}}
kustomization:
  apiVersion: kustomize.toolkit.fluxcd.io/v1
  kind: Kustomization
  metadata: {name: apps, namespace: flux-system}
  spec:
    interval: 10m
    prune: true
    wait: true
    path: ./apps
    sourceRef: {kind: GitRepository, name: home}
    dependsOn: [{name: foundation}]
    healthCheckExprs: [{apiVersion: operator.tigera.io/v1, kind: Installation, current: "true"}]
    kubeConfig: {secretRef: {name: other}}
helmrelease:
  apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: {name: traefik, namespace: flux-system}
  spec:
    interval: 10m
    chartRef: {kind: OCIRepository, name: traefik}
    releaseName: traefik
    targetNamespace: traefik
    install: {crds: CreateReplace, strategy: {name: RetryOnFailure, retryInterval: 1m}}
    upgrade: {crds: CreateReplace, strategy: {name: RetryOnFailure, retryInterval: 1m}}
    values: {deployment: {replicas: 2}}
    valuesFrom: [{kind: ConfigMap, name: traefik, valuesKey: values.yaml, targetPath: "ports[0].port"}]
ingressroute:
  apiVersion: traefik.io/v1alpha1
  kind: IngressRoute
  metadata: {name: whoami, namespace: web}
  spec:
    entryPoints: [websecure]
    routes:
      - kind: Rule
        match: Host(`whoami.example.com`)
        middlewares: [{name: only-lan}]
        services: [{name: whoami, port: 80, sticky: {cookie: {sameSite: lax}}}]
    tls: {secretName: whoami, options: {name: modern}}
middleware:
  apiVersion: traefik.io/v1alpha1
  kind: Middleware
  metadata: {name: only-lan, namespace: web}
  spec: {ipAllowList: {sourceRange: [192.0.2.0/24]}, retry: {attempts: 3, initialInterval: 100ms}}
tlsoption:
  apiVersion: traefik.io/v1alpha1
  kind: TLSOption
  metadata: {name: modern, namespace: web}
  spec: {minVersion: VersionTLS12, sniStrict: true, clientAuth: {clientAuthType: NoClientCert}}
tlsstore:
  apiVersion: traefik.io/v1alpha1
  kind: TLSStore
  metadata: {name: default, namespace: web}
  spec: {defaultCertificate: {secretName: wildcard}}
init:
  apiVersion: kubeadm.k8s.io/v1beta4
  kind: InitConfiguration
  bootstrapTokens: [{token: "@TOKEN@", ttl: 24h0m0s, usages: [signing, authentication], groups: ["system:nodes"]}]
  certificateKey: "@CERTIFICATE_KEY@"
  localAPIEndpoint: {advertiseAddress: 192.0.2.17, bindPort: 6443}
  nodeRegistration:
    name: k8s-master-1
    criSocket: unix:///run/containerd/containerd.sock
    kubeletExtraArgs: [{name: node-ip, value: 192.0.2.17}]
    ignorePreflightErrors: [NumCPU, Mem]
    taints: []
  skipPhases: [addon/kube-proxy]
  timeouts: {controlPlaneComponentHealthCheck: 4m0s}
cluster:
  apiVersion: kubeadm.k8s.io/v1beta4
  kind: ClusterConfiguration
  kubernetesVersion: v1.36.4
  controlPlaneEndpoint: control.k8s.example.com:6443
  networking: {serviceSubnet: "10.96.0.0/12,2001:db8:2::/112", podSubnet: 172.20.0.0/16, dnsDomain: cluster.local}
  apiServer:
    certSANs: [192.0.2.1, "*.k8s.example.com"]
    extraArgs: [{name: v, value: "2"}]
    extraVolumes: [{name: audit, hostPath: /var/log/audit, mountPath: /var/log/audit}]
  etcd: {local: {dataDir: /var/lib/etcd}}
  featureGates: {NodeLocalCRISocket: true}
  proxy: {disabled: true}
join:
  apiVersion: kubeadm.k8s.io/v1beta4
  kind: JoinConfiguration
  caCertPath: /etc/kubernetes/pki/ca.crt
  discovery:
    bootstrapToken:
      apiServerEndpoint: control.k8s.example.com:6443
      token: "@TOKEN@"
      caCertHashes: ["@CA_CERT_HASH@"]
  nodeRegistration: {name: k8s-node-1}
  controlPlane: {localAPIEndpoint: {advertiseAddress: "2001:db8::17"}}
kubelet:
  apiVersion: kubelet.config.k8s.io/v1beta1
  kind: KubeletConfiguration
  cgroupDriver: systemd
  clusterDNS: [10.96.0.10]
  healthzPort: null
  logging: {verbosity: 2, flushFrequency: 5s, options: {json: {infoBufferSize: "0"}}}
  registerWithTaints: [{key: dedicated, effect: NoSchedule}]
  shutdownGracePeriod: 30s
proxy:
  apiVersion: kubeproxy.config.k8s.io/v1alpha1
  kind: KubeProxyConfiguration
  bindAddress: 0.0.0.0
  clientConnection: {kubeconfig: /var/lib/kube-proxy/kubeconfig.conf, qps: 5, burst: 10}
  clusterCIDR: 10.244.0.0/16
  conntrack: {maxPerCore: null, tcpEstablishedTimeout: 24h0m0s}
  mode: nftables
  nftables: {masqueradeBit: null, syncPeriod: 0s}
  nodePortAddresses: null
"""


def good() -> dict[str, dict[str, Any]]:
    """A fresh copy of every object by its name."""
    loaded = yamlio.load(TEXT)
    assert not loaded.findings
    objects: dict[str, dict[str, Any]] = loaded.documents[0].value
    return objects
