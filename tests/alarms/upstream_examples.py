"""Examples as the projects' own documentation gives them, in other words, names and addresses.

Every entry is a repository: path -> text. They are right, so nobody may call anything in them a mistake.
"""

from __future__ import annotations

from collections.abc import Mapping

Files = Mapping[str, str]

CALICO_PEERS = {
    "global.yaml": """\
apiVersion: projectcalico.org/v3
kind: BGPPeer
metadata:
  name: upstream-tor
spec:
  peerIP: 172.18.4.1
  asNumber: 64567
""",
    "one-node.yaml": """\
apiVersion: projectcalico.org/v3
kind: BGPPeer
metadata:
  name: bay-3-tor
spec:
  node: bay-3-host-7
  peerIP: fd12:3456:789a::1
  asNumber: 64568
""",
    "by-rack.yaml": """\
# every node with this label dials its own switch
apiVersion: projectcalico.org/v3
kind: BGPPeer
metadata:
  name: bay-1
spec:
  peerIP: 172.18.5.1:1790
  asNumber: 64569
  nodeSelector: bay == 'one'
  filters:
    - only-pods
""",
    "reflectors.yaml": """\
kind: BGPPeer
apiVersion: projectcalico.org/v3
metadata:
  name: to-reflectors
spec:
  nodeSelector: all()
  peerSelector: is-reflector == 'yes'
""",
    "secret-peer.yaml": """\
apiVersion: projectcalico.org/v3
kind: BGPPeer
metadata:
  name: with-password
spec:
  peerIP: 172.18.6.1
  asNumber: 64570
  keepOriginalNextHop: true
  password:
    secretKeyRef:
      name: session-passwords
      key: spine
  sourceAddress: UseNodeIP
  numAllowedLocalASNumbers: 1
  ttlSecurity: 1
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: session-passwords, namespace: calico-system}
rules:
  - apiGroups: [""]
    resources: [secrets]
    resourceNames: [session-passwords]
    verbs: [get, list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: session-passwords, namespace: calico-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: session-passwords}
subjects:
  - kind: ServiceAccount
    name: calico-node
    namespace: calico-system
""",
    "config.yaml": """\
apiVersion: projectcalico.org/v3
kind: BGPConfiguration
metadata:
  name: default
spec:
  logSeverityScreen: Info
  nodeToNodeMeshEnabled: true
  nodeMeshMaxRestartTime: 2m0s
  asNumber: 64555
  serviceClusterIPs:
    - cidr: 10.99.0.0/16
  serviceExternalIPs:
    - cidr: 172.18.99.4/32
    - cidr: 172.18.100.0/24
  listenPort: 178
  bindMode: NodeIP
  communities:
    - name: blue-large
      value: 64555:300:100
  prefixAdvertisements:
    - cidr: 172.28.12.0/26
      communities:
        - blue-large
        - 64555:120
""",
    "filter.yaml": """\
apiVersion: projectcalico.org/v3
kind: BGPFilter
metadata:
  name: only-pods
spec:
  exportV4:
    - action: Accept
      matchOperator: In
      cidr: 10.77.0.0/16
      source: RemotePeers
    - action: Reject
      source: RemotePeers
  importV4:
    - action: Reject
      matchOperator: NotIn
      cidr: 10.44.0.0/16
      prefixLength:
        min: 16
        max: 24
  exportV6:
    - action: Reject
      interface: "*.calico"
  importV6:
    - action: Reject
      matchOperator: Equal
      cidr: 5000::0/64
""",
}

CALICO_POOLS = {
    "pools.yaml": """\
apiVersion: projectcalico.org/v3
kind: IPPool
metadata:
  name: my.first-pool
spec:
  cidr: 10.61.0.0/16
  ipipMode: CrossSubnet
  natOutgoing: true
  disabled: false
  nodeSelector: all()
  allowedUses:
    - Workload
    - Tunnel
---
apiVersion: projectcalico.org/v3
kind: IPPool
metadata:
  name: rack-0-pool
spec:
  cidr: 10.62.0.0/24
  blockSize: 28
  vxlanMode: Always
  ipipMode: Never
  nodeSelector: rack == "0"
---
apiVersion: projectcalico.org/v3
kind: IPPool
metadata:
  name: six
spec:
  cidr: fd80:24e2:f998:72d6::/64
  blockSize: 122
---
apiVersion: projectcalico.org/v3
kind: IPPool
metadata:
  name: load-balancers
spec:
  cidr: 172.22.40.0/24
  blockSize: 28
  assignmentMode: Automatic
  nodeSelector: all()
  allowedUses:
    - LoadBalancer
---
apiVersion: projectcalico.org/v3
kind: IPReservation
metadata: {name: first-ones}
spec:
  reservedCIDRs:
    - 10.61.0.0/29
    - 172.22.40.1
""",
    "controllers.yaml": """\
apiVersion: projectcalico.org/v3
kind: KubeControllersConfiguration
metadata:
  name: default
spec:
  logSeverityScreen: Info
  healthChecks: Enabled
  prometheusMetricsPort: 9094
  controllers:
    node:
      reconcilerPeriod: 5m
      leakGracePeriod: 15m
      syncLabels: Enabled
      hostEndpoint:
        autoCreate: Disabled
    policy:
      reconcilerPeriod: 5m
    workloadEndpoint:
      reconcilerPeriod: 5m
    serviceAccount:
      reconcilerPeriod: 5m
    namespace:
      reconcilerPeriod: 5m
    loadBalancer:
      assignIPs: AllServices
""",
    "felix.yaml": """\
apiVersion: projectcalico.org/v3
kind: FelixConfiguration
metadata:
  name: default
spec:
  ipv6Support: false
  ipipMTU: 1400
  chainInsertMode: Append
  bpfEnabled: true
  bpfExternalServiceMode: DSR
""",
    "service.yaml": """\
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  annotations:
    projectcalico.org/ipv4pools: '["load-balancers"]'
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  selector: {app: web}
  ports:
    - {name: http, port: 80, targetPort: 8080, protocol: TCP}
---
apiVersion: v1
kind: Service
metadata:
  name: fixed
  namespace: shop
  annotations:
    "projectcalico.org/loadBalancerIPs": '["172.22.40.10"]'
spec:
  selector: {app: web}
  ports:
    - port: 80
      targetPort: 9376
  type: LoadBalancer
""",
    "advertise.yaml": """\
apiVersion: projectcalico.org/v3
kind: BGPConfiguration
metadata: {name: default}
spec:
  serviceLoadBalancerIPs:
    - cidr: 172.22.40.0/24
""",
}

OPERATOR = {
    "custom-resources.yaml": """\
# what the quick start calls its custom resources
apiVersion: operator.tigera.io/v1
kind: Installation
metadata:
  name: default
spec:
  calicoNetwork:
    ipPools:
      - name: default-ipv4-ippool
        blockSize: 26
        cidr: 10.63.0.0/16
        encapsulation: VXLANCrossSubnet
        natOutgoing: Enabled
        nodeSelector: all()
---
apiVersion: operator.tigera.io/v1
kind: APIServer
metadata:
  name: default
spec: {}
---
apiVersion: operator.tigera.io/v1
kind: Goldmane
metadata:
  name: default
---
apiVersion: operator.tigera.io/v1
kind: Whisker
metadata:
  name: default
""",
    "policies/deny.yaml": """\
apiVersion: projectcalico.org/v3
kind: GlobalNetworkPolicy
metadata:
  name: deny-by-default
spec:
  namespaceSelector: has(projectcalico.org/name) && projectcalico.org/name not in {"kube-system", "calico-system", "calico-apiserver"}
  types:
    - Ingress
    - Egress
  egress:
    - action: Allow
      protocol: UDP
      destination:
        selector: 'k8s-app == "kube-dns"'
        ports: [53]
---
apiVersion: projectcalico.org/v3
kind: NetworkPolicy
metadata: {name: allow-tcp-6379, namespace: production}
spec:
  selector: role == 'database'
  types: [Ingress, Egress]
  ingress:
    - action: Allow
      metadata: {annotations: {from: frontend, to: database}}
      protocol: TCP
      source: {selector: role == 'frontend'}
      destination: {ports: [6379, "8000:8010"]}
  egress:
    - action: Allow
---
apiVersion: projectcalico.org/v3
kind: GlobalNetworkSet
metadata: {name: partners, labels: {role: partner}}
spec:
  nets: [198.51.100.0/28, 203.0.113.0/24]
---
apiVersion: projectcalico.org/v3
kind: HostEndpoint
metadata: {name: bay-1-eth0, labels: {type: production}}
spec:
  interfaceName: eth0
  node: bay-1
  expectedIPs: [192.0.2.17]
---
apiVersion: projectcalico.org/v3
kind: Tier
metadata: {name: internal-access}
spec: {order: 100}
""",
    "status.yaml": """\
apiVersion: projectcalico.org/v3
kind: CalicoNodeStatus
metadata: {name: watch-bay-1}
spec:
  classes: [Agent, BGP, Routes]
  node: bay-1
  updatePeriodSeconds: 10
""",
}

OPERATOR_MANY = {
    "one/installation.yaml": """\
apiVersion: operator.tigera.io/v1
kind: Installation
metadata: {name: default}
spec:
  variant: Calico
  cni: {type: Calico}
  registry: registry.example.org/
  imagePath: mirror/calico
  imagePullSecrets: [{name: pull}]
  kubernetesProvider: ""
  controlPlaneReplicas: 2
  controlPlaneNodeSelector: {kubernetes.io/os: linux}
  controlPlaneTolerations: [{key: CriticalAddonsOnly, operator: Exists}]
  nodeMetricsPort: 9091
  typhaMetricsPort: 9093
  flexVolumePath: /var/lib/kubelet/volumeplugins
  nodeUpdateStrategy:
    type: RollingUpdate
    rollingUpdate: {maxUnavailable: 1}
  componentResources:
    - componentName: Node
      resourceRequirements: {requests: {cpu: 250m, memory: 128Mi}}
  typhaDeployment:
    spec:
      template:
        spec:
          terminationGracePeriodSeconds: 300
  calicoNodeDaemonSet:
    spec:
      template:
        spec:
          containers:
            - name: calico-node
              resources: {requests: {cpu: 200m}, limits: {memory: 1Gi}}
  calicoNetwork:
    bgp: Enabled
    hostPorts: Enabled
    linuxDataplane: BPF
    multiInterfaceMode: None
    containerIPForwarding: Disabled
    linuxPolicySetupTimeoutSeconds: 0
    mtu: 8950
    nodeAddressAutodetectionV4:
      kubernetes: NodeInternalIP
    nodeAddressAutodetectionV6:
      interface: eth.*
    ipPools:
      - cidr: 10.64.0.0/16
        encapsulation: VXLANCrossSubnet
        natOutgoing: Enabled
        nodeSelector: all()
      - cidr: fd00:10:64::/48
        blockSize: 122
        encapsulation: None
        natOutgoing: Enabled
        nodeSelector: all()
""",
    "one/endpoint.yaml": """\
kind: ConfigMap
apiVersion: v1
metadata:
  name: kubernetes-services-endpoint
  namespace: tigera-operator
data:
  KUBERNETES_SERVICE_HOST: "api.plant.example.org"
  KUBERNETES_SERVICE_PORT: "6443"
""",
}

KUBE_VIP_RBAC = """\
apiVersion: v1
kind: ServiceAccount
metadata: {name: kube-vip, namespace: kube-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  annotations: {rbac.authorization.kubernetes.io/autoupdate: "true"}
  name: system:kube-vip-role
rules:
  - apiGroups: [""]
    resources: [services/status]
    verbs: [update]
  - apiGroups: [""]
    resources: [services, endpoints]
    verbs: [list, get, watch, update]
  - apiGroups: [""]
    resources: [nodes]
    verbs: [list, get, watch, update, patch]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [list, get, watch, update, create]
  - apiGroups: [discovery.k8s.io]
    resources: [endpointslices]
    verbs: [list, get, watch, update]
---
kind: ClusterRoleBinding
apiVersion: rbac.authorization.k8s.io/v1
metadata: {name: system:kube-vip-binding}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:kube-vip-role}
subjects:
  - {kind: ServiceAccount, name: kube-vip, namespace: kube-system}
"""

KUBE_VIP_DAEMONSET = {
    "rbac.yaml": KUBE_VIP_RBAC,
    "daemonset.yaml": """\
apiVersion: apps/v1
kind: DaemonSet
metadata:
  labels: {app.kubernetes.io/name: kube-vip-ds, app.kubernetes.io/version: v1.2.4}
  name: kube-vip-ds
  namespace: kube-system
spec:
  selector:
    matchLabels: {app.kubernetes.io/name: kube-vip-ds}
  template:
    metadata:
      labels: {app.kubernetes.io/name: kube-vip-ds, app.kubernetes.io/version: v1.2.4}
    spec:
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
              - matchExpressions: [{key: node-role.kubernetes.io/master, operator: Exists}]
              - matchExpressions: [{key: node-role.kubernetes.io/control-plane, operator: Exists}]
      containers:
        - args: [manager]
          env:
            - {name: vip_arp, value: "false"}
            - {name: port, value: "6443"}
            - name: vip_nodename
              valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
            - {name: vip_interface, value: lo}
            - {name: vip_subnet, value: "32"}
            - {name: dns_mode, value: first}
            - {name: cp_enable, value: "true"}
            - {name: cp_namespace, value: kube-system}
            - {name: bgp_enable, value: "true"}
            - name: bgp_routerid
              valueFrom: {fieldRef: {fieldPath: status.podIP}}
            - {name: bgp_as, value: "65001"}
            - {name: bgp_peers, value: "10.51.0.1:65002::false,10.51.0.2:65002::false"}
            - {name: address, value: 10.51.9.1}
            - {name: prometheus_server, value: ":2112"}
            - {name: control_plane_health_check_address, value: "https://127.0.0.1:6443/livez"}
          image: ghcr.io/kube-vip/kube-vip:v1.2.4
          imagePullPolicy: IfNotPresent
          name: kube-vip
          resources: {}
          securityContext:
            capabilities: {add: [NET_ADMIN, NET_RAW], drop: [ALL]}
      hostNetwork: true
      serviceAccountName: kube-vip
      tolerations:
        - {effect: NoSchedule, operator: Exists}
        - {effect: NoExecute, operator: Exists}
  updateStrategy: {}
status:
  currentNumberScheduled: 0
  desiredNumberScheduled: 0
  numberMisscheduled: 0
  numberReady: 0
""",
}

KUBE_VIP_ARP = {
    "manifests/kube-vip.yaml": """\
apiVersion: v1
kind: Pod
metadata:
  name: kube-vip
  namespace: kube-system
spec:
  containers:
    - args: [manager]
      env:
        - {name: vip_arp, value: "true"}
        - {name: port, value: "6443"}
        - name: vip_nodename
          valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
        - {name: vip_interface, value: ens160}
        - {name: vip_subnet, value: "32"}
        - {name: dns_mode, value: first}
        - {name: cp_enable, value: "true"}
        - {name: cp_namespace, value: kube-system}
        - {name: svc_enable, value: "true"}
        - {name: svc_leasename, value: plndr-svcs-lock}
        - {name: vip_leaderelection, value: "true"}
        - {name: vip_leasename, value: plndr-cp-lock}
        - {name: vip_leaseduration, value: "5"}
        - {name: vip_renewdeadline, value: "3"}
        - {name: vip_retryperiod, value: "1"}
        - {name: address, value: 10.52.0.40}
        - {name: prometheus_server, value: ":2112"}
      image: ghcr.io/kube-vip/kube-vip:v1.2.4
      imagePullPolicy: IfNotPresent
      name: kube-vip
      resources: {}
      securityContext:
        capabilities: {add: [NET_ADMIN, NET_RAW], drop: [ALL]}
      volumeMounts:
        - {mountPath: /etc/kubernetes/admin.conf, name: kubeconfig}
  hostAliases:
    - hostnames: [kubernetes]
      ip: 127.0.0.1
  hostNetwork: true
  volumes:
    - hostPath: {path: /etc/kubernetes/admin.conf}
      name: kubeconfig
status: {}
""",
    "cloud/configmap.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: kubevip, namespace: kube-system}
data:
  cidr-default: 10.52.4.0/24
  range-development: 10.52.5.10-10.52.5.20
  cidr-finance: 10.52.6.0/29,10.52.6.8/29
""",
}

KUBEADM = {
    "first.yaml": """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
bootstrapTokens:
  - token: "{{ .Token }}"
    description: kubeadm bootstrap token
    ttl: 24h
    usages: [authentication, signing]
    groups: [system:bootstrappers:kubeadm:default-node-token]
nodeRegistration:
  name: first
  criSocket: unix:///var/run/containerd/containerd.sock
  taints:
    - key: node-role.kubernetes.io/control-plane
      effect: NoSchedule
  kubeletExtraArgs:
    - name: v
      value: "4"
    - name: node-ip
      value: 10.53.0.11
  ignorePreflightErrors: [IsPrivilegedUser]
  imagePullPolicy: IfNotPresent
  imagePullSerial: true
localAPIEndpoint:
  advertiseAddress: 10.53.0.11
  bindPort: 6443
skipPhases: [preflight]
patches: {directory: /etc/kubernetes/patches}
timeouts:
  controlPlaneComponentHealthCheck: 60s
  kubernetesAPICall: 40s
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
clusterName: shop
kubernetesVersion: v1.36.0
controlPlaneEndpoint: "api.shop.example.org:6443"
imageRepository: registry.k8s.io
certificatesDir: /etc/kubernetes/pki
encryptionAlgorithm: RSA-2048
certificateValidityPeriod: 8760h
caCertificateValidityPeriod: 87600h
etcd:
  local:
    imageRepository: registry.k8s.io
    dataDir: /var/lib/etcd
    extraArgs:
      - name: listen-client-urls
        value: https://10.53.0.11:2379
    serverCertSANs: [etcd.example.org]
    peerCertSANs: [10.53.0.11]
networking:
  serviceSubnet: 10.98.0.0/16
  podSubnet: 10.65.0.0/24,fd00:10:65::/56
  dnsDomain: cluster.local
apiServer:
  extraArgs:
    - name: authorization-mode
      value: Node,RBAC
  extraVolumes:
    - name: audit
      hostPath: /etc/kubernetes/audit
      mountPath: /etc/kubernetes/audit
      readOnly: false
      pathType: DirectoryOrCreate
  certSANs: [10.53.0.11, ec2.example.org]
controllerManager:
  extraArgs:
    - {name: node-cidr-mask-size, value: "20"}
scheduler:
  extraArgs:
    - {name: bind-address, value: 10.53.0.11}
dns: {disabled: false}
proxy: {disabled: false}
---
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: systemd
clusterDNS: [10.98.0.10]
---
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: nftables
""",
    "masters/join.yaml": """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery:
  bootstrapToken: {apiServerEndpoint: "api.shop.example.org:6443", token: <token>, caCertHashes: ["sha256:<hash>"]}
nodeRegistration: {name: fourth, kubeletExtraArgs: [{name: node-ip, value: 10.53.0.14}]}
controlPlane:
  localAPIEndpoint: {advertiseAddress: 10.53.0.14, bindPort: 6443}
  certificateKey: <key>
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery:
  bootstrapToken: {apiServerEndpoint: "api.shop.example.org:6443", token: <token>, unsafeSkipCAVerification: true}
nodeRegistration: {name: fifth, kubeletExtraArgs: [{name: node-ip, value: 10.53.0.15}]}
controlPlane: {localAPIEndpoint: {advertiseAddress: 10.53.0.15, bindPort: 6443}, certificateKey: <key>}
""",
    "more.yaml": """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery:
  bootstrapToken:
    apiServerEndpoint: api.shop.example.org:6443
    token: <token>
    caCertHashes: ["sha256:<hash>"]
    unsafeSkipCAVerification: false
nodeRegistration:
  name: second
  criSocket: unix:///run/containerd/containerd.sock
  kubeletExtraArgs:
    - {name: node-ip, value: 10.53.0.12}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery:
  file: {kubeConfigPath: /etc/kubernetes/discovery.conf}
  tlsBootstrapToken: <token>
nodeRegistration:
  name: third
  kubeletExtraArgs:
    - {name: node-ip, value: "10.53.0.13,fd00:53::13"}
""",
    "upgrade.yaml": """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: UpgradeConfiguration
apply:
  kubernetesVersion: v1.36.0
  forceUpgrade: false
diff: {}
node: {}
plan: {printConfig: true}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ResetConfiguration
force: true
cleanupTmpDir: true
""",
}

KUBEADM_EXTERNAL = {
    "kubeadm-config.yaml": """\
---
apiVersion: "kubeadm.k8s.io/v1beta4"
kind: ClusterConfiguration
kubernetesVersion: stable
controlPlaneEndpoint: "10.54.0.100:6443"   # of the load balancer
etcd:
  external:
    endpoints:
      - https://10.54.0.21:2379
      - https://10.54.0.22:2379
      - https://10.54.0.23:2379
    caFile: /etc/kubernetes/pki/etcd/ca.crt
    certFile: /etc/kubernetes/pki/apiserver-etcd-client.crt
    keyFile: /etc/kubernetes/pki/apiserver-etcd-client.key
""",
    "haproxy.cfg": "frontend apiserver\n  bind *:6443\n  mode tcp\n  default_backend apiservers\n",
    "keepalived.conf": "vrrp_instance VI_1 {\n  state MASTER\n  interface eth0\n  virtual_router_id 51\n  virtual_ipaddress { 10.54.0.100 }\n}\n",
}

ARGO_APP_OF_APPS = {
    "apps/Chart.yaml": "apiVersion: v2\nname: apps\nversion: 0.1.0\n",
    "apps/values.yaml": "spec:\n  destination: {server: https://kubernetes.default.svc}\n  source: {repoURL: https://git.example.org/demo.git, targetRevision: HEAD}\n",
    "apps/templates/guestbook.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: guestbook
  namespace: argocd
  finalizers:
    - resources-finalizer.argocd.argoproj.io
spec:
  destination:
    namespace: guests
    server: {{ .Values.spec.destination.server }}
  project: default
  source:
    path: guestbook
    repoURL: {{ .Values.spec.source.repoURL }}
    targetRevision: {{ .Values.spec.source.targetRevision }}
  syncPolicy:
    syncOptions: [CreateNamespace=true]
""",
    "apps/templates/helm-guestbook.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: helm-guestbook
  namespace: argocd
spec:
  destination: {namespace: helm-guests, server: {{ .Values.spec.destination.server }}}
  project: default
  source:
    path: helm-guestbook
    repoURL: {{ .Values.spec.source.repoURL }}
    targetRevision: {{ .Values.spec.source.targetRevision }}
""",
    "guestbook/deployment.yaml": """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: guestbook-ui}
spec:
  replicas: 1
  revisionHistoryLimit: 3
  selector: {matchLabels: {app: guestbook-ui}}
  template:
    metadata: {labels: {app: guestbook-ui}}
    spec:
      containers:
        - image: registry.example.org/samples/guestbook:0.2
          name: guestbook-ui
          ports: [{containerPort: 80}]
""",
    "guestbook/service.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: guestbook-ui}\nspec:\n  ports: [{port: 80, targetPort: 80}]\n  selector: {app: guestbook-ui}\n",
    "helm-guestbook/Chart.yaml": "apiVersion: v2\nname: helm-guestbook\ntype: application\nversion: 0.1.0\nappVersion: '1.0'\n",
    "helm-guestbook/values.yaml": "replicaCount: 1\nservice: {type: ClusterIP, port: 80}\n",
    "helm-guestbook/templates/_helpers.tpl": '{{- define "g.name" -}}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{- end -}}\n',
    "helm-guestbook/templates/service.yaml": """\
apiVersion: v1
kind: Service
metadata:
  name: {{ template "g.name" . }}
  labels: {app: {{ template "g.name" . }}, release: {{ .Release.Name }}}
spec:
  type: {{ .Values.service.type }}
  ports:
    - port: {{ .Values.service.port }}
      targetPort: http
      name: http
  selector: {app: {{ template "g.name" . }}}
""",
    "helm-guestbook/templates/NOTES.txt": "Thank you.\n",
    "root.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: apps, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://git.example.org/demo.git, targetRevision: HEAD, path: apps}
  destination: {server: https://kubernetes.default.svc, namespace: argocd}
  syncPolicy: {automated: {prune: true, selfHeal: true, allowEmpty: false}}
""",
}

ARGO_SETS = {
    "list.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: guestbook, namespace: argocd}
spec:
  goTemplate: true
  goTemplateOptions: ["missingkey=error"]
  generators:
    - list:
        elements:
          - {cluster: engineering-dev, url: https://10.55.1.1}
          - {cluster: engineering-prod, url: https://10.55.2.1}
  template:
    metadata: {name: '{{.cluster}}-guestbook'}
    spec:
      project: my-project
      source:
        repoURL: https://git.example.org/sets.git
        targetRevision: HEAD
        path: 'list/{{.cluster}}'
      destination: {server: '{{.url}}', namespace: guestbook}
""",
    "list/engineering-dev/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: which}\ndata: {env: dev}\n",
    "list/engineering-prod/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: which}\ndata: {env: prod}\n",
    "addons.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: cluster-addons, namespace: argocd}
spec:
  goTemplate: true
  generators:
    - git:
        repoURL: https://git.example.org/sets.git
        revision: HEAD
        directories:
          - path: addons/*
          - path: addons/not-this-one
            exclude: true
  template:
    metadata: {name: '{{.path.basename}}'}
    spec:
      project: my-project
      source: {repoURL: https://git.example.org/sets.git, targetRevision: HEAD, path: '{{.path.path}}'}
      destination: {server: https://kubernetes.default.svc, namespace: '{{.path.basename}}'}
      syncPolicy: {syncOptions: [CreateNamespace=true]}
""",
    "addons/metrics/rules.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: rules}\ndata: {a: b}\n",
    "addons/not-this-one/broken.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\ndata: {a: b}\n",
    "clusters.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: everywhere, namespace: argocd}
spec:
  generators:
    - clusters:
        selector: {matchLabels: {staging: "true"}}
    - matrix:
        generators:
          - git: {repoURL: https://git.example.org/sets.git, revision: HEAD, files: [{path: "config/**/config.json"}]}
          - list: {elements: [{a: b}]}
  template:
    metadata: {name: '{{name}}-everywhere'}
    spec:
      project: default
      source: {repoURL: https://git.example.org/sets.git, targetRevision: HEAD, path: addons/metrics}
      destination: {server: '{{server}}', namespace: monitoring}
""",
    "project.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata:
  name: my-project
  namespace: argocd
  finalizers: [resources-finalizer.argocd.argoproj.io]
spec:
  description: Example
  sourceRepos: ['*']
  destinations:
    - {namespace: guestbook, server: '*'}
    - {namespace: '*', server: https://kubernetes.default.svc, name: in-cluster}
  clusterResourceWhitelist:
    - {group: '', kind: Namespace}
  namespaceResourceBlacklist:
    - {group: '', kind: ResourceQuota}
  namespaceResourceWhitelist:
    - {group: apps, kind: Deployment}
    - {group: '', kind: ConfigMap}
  orphanedResources: {warn: true}
  roles:
    - name: read-only
      description: Read-only privileges
      policies: ["p, proj:my-project:read-only, applications, get, my-project/*, allow"]
      groups: [my-oidc-group]
  syncWindows:
    - {kind: allow, schedule: '10 1 * * *', duration: 1h, applications: ['*-prod'], manualSync: true}
""",
}

ARGO_SOURCES = {
    "prometheus.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prometheus, namespace: argocd}
spec:
  project: default
  sources:
    - repoURL: https://charts.example.org/prometheus
      chart: prometheus
      targetRevision: 15.7.1
      helm:
        releaseName: monitor
        valueFiles: [$values/charts/prometheus/values.yaml]
        parameters: [{name: server.replicas, value: "2", forceString: true}]
    - repoURL: https://git.example.org/config.git
      targetRevision: dev
      ref: values
  destination: {server: https://kubernetes.default.svc, namespace: monitoring}
""",
    "charts/prometheus/values.yaml": "server:\n  retention: 15d\n",
    "traefik.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: edge-router, namespace: argocd, annotations: {argocd.argoproj.io/sync-wave: "5"}}
spec:
  project: default
  source:
    repoURL: https://traefik.github.io/charts
    chart: traefik
    targetRevision: 41.3.0
    helm:
      releaseName: traefik
      valuesObject:
        ports:
          web: {redirections: {entryPoint: {to: websecure, scheme: https, permanent: true}}}
          metrics: {expose: {default: false}}
          postgres: {port: 5432, expose: {default: true}, exposedPort: 5432, protocol: TCP}
        service:
          spec: {externalTrafficPolicy: Local}
  destination: {server: https://kubernetes.default.svc, namespace: traefik}
  syncPolicy:
    automated: {prune: true, selfHeal: true}
    managedNamespaceMetadata: {labels: {team: edge}}
    syncOptions: [CreateNamespace=true, ServerSideApply=true]
    retry: {limit: 5, backoff: {duration: 5s, factor: 2, maxDuration: 3m}}
""",
    "kustomized.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: kustomized, namespace: argocd}
spec:
  project: default
  source:
    repoURL: https://git.example.org/config.git
    targetRevision: dev
    path: overlays/prod
    kustomize: {namePrefix: prod-, images: ["nginx=nginx:1.27.0"], commonLabels: {a: b}}
  destination: {name: in-cluster, namespace: web}
  ignoreDifferences:
    - {group: apps, kind: Deployment, jsonPointers: [/spec/replicas]}
  info: [{name: url, value: https://example.org}]
  revisionHistoryLimit: 10
""",
    "base/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [deployment.yaml]\n",
    "base/deployment.yaml": """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: nginx}]
""",
    "overlays/prod/kustomization.yaml": """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: web
resources: [../../base, namespace.yaml]
patches:
  - path: replicas.yaml
configMapGenerator:
  - name: settings
    literals: [a=b]
""",
    "overlays/prod/namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: web}\n",
    "overlays/prod/replicas.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n",
    "directory.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: plain, namespace: argocd}
spec:
  project: default
  source:
    repoURL: https://git.example.org/config.git
    targetRevision: dev
    path: plain
    directory: {recurse: true, exclude: '{config.json,env-usw2/*}', jsonnet: {extVars: [{name: foo, value: bar}]}}
  destination: {server: https://kubernetes.default.svc, namespace: plain}
""",
    "plain/a/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: z}\n",
    "repositories/private.yaml": """\
apiVersion: v1
kind: Secret
metadata:
  name: private-repo
  namespace: argocd
  labels: {argocd.argoproj.io/secret-type: repository}
stringData:
  type: git
  url: https://git.example.org/config.git
""",
    "argocd-cm.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-cm
  namespace: argocd
  labels: {app.kubernetes.io/name: argocd-cm, app.kubernetes.io/part-of: argocd}
data:
  url: https://argocd.example.org
  application.resourceTrackingMethod: annotation
  resource.exclusions: |
    - apiGroups: [cilium.io]
      kinds: [CiliumIdentity]
      clusters: ["*"]
  resource.customizations.health.argoproj.io_Application: |
    hs = {}
    hs.status = "Progressing"
    hs.message = ""
    if obj.status ~= nil then
      if obj.status.health ~= nil then
        hs.status = obj.status.health.status
        if obj.status.health.message ~= nil then
          hs.message = obj.status.health.message
        end
      end
    end
    return hs
""",
}

FLUX_BOOTSTRAP = {
    "clusters/lab/flux-system/gotk-sync.yaml": """\
# This manifest was generated by flux. DO NOT EDIT.
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: flux-system
  namespace: flux-system
spec:
  interval: 1m0s
  ref: {branch: main}
  secretRef: {name: flux-system}
  url: ssh://git@git.example.org/fleet.git
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: flux-system
  namespace: flux-system
spec:
  interval: 10m0s
  path: ./clusters/lab
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
""",
    "clusters/lab/flux-system/gotk-components.yaml": """\
---
apiVersion: v1
kind: Namespace
metadata:
  labels: {app.kubernetes.io/instance: flux-system, pod-security.kubernetes.io/warn: restricted}
  name: flux-system
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: allow-egress, namespace: flux-system}
spec:
  egress: [{}]
  ingress: [{from: [{podSelector: {}}]}]
  podSelector: {}
  policyTypes: [Ingress, Egress]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: source-controller, namespace: flux-system}
spec:
  replicas: 1
  selector: {matchLabels: {app: source-controller}}
  strategy: {type: Recreate}
  template:
    metadata: {labels: {app: source-controller}}
    spec:
      containers:
        - args: [--watch-all-namespaces=true]
          env: [{name: RUNTIME_NAMESPACE, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}]
          image: ghcr.io/fluxcd/source-controller:v1.6.2
          name: manager
          securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, runAsNonRoot: true}
      priorityClassName: system-cluster-critical
      serviceAccountName: source-controller
""",
    "clusters/lab/flux-system/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- gotk-components.yaml\n- gotk-sync.yaml\n",
    "clusters/lab/apps.yaml": """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 10m0s
  dependsOn: [{name: infra-configs}]
  sourceRef: {kind: GitRepository, name: flux-system}
  path: ./apps/lab
  prune: true
  wait: true
  timeout: 5m0s
""",
    "clusters/lab/infrastructure.yaml": """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: infra-controllers, namespace: flux-system}
spec:
  interval: 1h
  retryInterval: 1m
  timeout: 5m
  sourceRef: {kind: GitRepository, name: flux-system}
  path: ./infrastructure/controllers
  prune: true
  wait: true
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: infra-configs, namespace: flux-system}
spec:
  dependsOn: [{name: infra-controllers}]
  interval: 1h
  retryInterval: 1m
  timeout: 5m
  sourceRef: {kind: GitRepository, name: flux-system}
  path: ./infrastructure/configs
  prune: true
  patches:
    - patch: |
        - op: replace
          path: /spec/acme/server
          value: https://acme.example.org/directory
      target: {kind: ClusterIssuer, name: letsencrypt}
""",
    "apps/base/podinfo/namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: podinfo}\n",
    "apps/base/podinfo/repository.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: podinfo, namespace: podinfo}\nspec:\n  interval: 12h\n  url: oci://ghcr.io/example/charts/podinfo\n  layerSelector: {mediaType: application/vnd.cncf.helm.chart.content.v1.tar+gzip, operation: copy}\n  ref: {semver: '>=6.0.0'}\n  verify: {provider: cosign}\n",
    "apps/base/podinfo/release.yaml": """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: podinfo, namespace: podinfo}
spec:
  releaseName: podinfo
  chartRef: {kind: OCIRepository, name: podinfo}
  interval: 50m
  install: {strategy: {name: RetryOnFailure}, remediation: {retries: 3}}
  upgrade: {cleanupOnFail: true, remediation: {retries: 3, strategy: rollback}}
  driftDetection: {mode: enabled, ignore: [{paths: [/spec/replicas], target: {kind: Deployment}}]}
  test: {enable: true}
  values: {redis: {enabled: true}, ingress: {enabled: true, className: nginx}}
""",
    "apps/base/podinfo/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: podinfo\nresources:\n  - namespace.yaml\n  - repository.yaml\n  - release.yaml\n",
    "apps/lab/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n  - ../base/podinfo\npatches:\n  - path: podinfo-values.yaml\n    target: {kind: HelmRelease, name: podinfo}\n",
    "apps/lab/podinfo-values.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: podinfo}\nspec:\n  values:\n    ingress:\n      hosts: [{host: podinfo.lab.example.org}]\n",
    "infrastructure/controllers/cert-manager.yaml": """\
---
apiVersion: v1
kind: Namespace
metadata: {name: cert-manager, labels: {toolkit.fluxcd.io/tenant: sre-team}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: cert-manager, namespace: cert-manager}
spec: {interval: 24h, type: oci, url: oci://quay.example.org/jetstack/charts}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cert-manager, namespace: cert-manager}
spec:
  interval: 30m
  chart:
    spec:
      chart: cert-manager
      version: 1.x
      sourceRef: {kind: HelmRepository, name: cert-manager, namespace: cert-manager}
      interval: 12h
  values: {crds: {enabled: true, keep: false}}
""",
    "infrastructure/controllers/ingress.yaml": """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: ingress-nginx, namespace: flux-system}
spec: {interval: 24h, url: https://nginx.example.org/charts}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ingress-nginx, namespace: flux-system}
spec:
  interval: 30m
  targetNamespace: ingress-nginx
  install: {createNamespace: true}
  chart: {spec: {chart: ingress-nginx, version: "*", sourceRef: {kind: HelmRepository, name: ingress-nginx}}}
  values: {controller: {service: {type: LoadBalancer}}}
""",
    "infrastructure/controllers/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [cert-manager.yaml, ingress.yaml]\n",
    "infrastructure/configs/issuer.yaml": """\
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: letsencrypt}
spec:
  acme:
    server: https://acme-staging.example.org/directory
    email: me@example.org
    privateKeySecretRef: {name: letsencrypt-nginx}
    solvers: [{http01: {ingress: {class: nginx}}}]
""",
    "infrastructure/configs/policy.yaml": "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: deny, namespace: ingress-nginx}\nspec: {podSelector: {}, policyTypes: [Ingress]}\n",
    "infrastructure/configs/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [issuer.yaml, policy.yaml]\n",
    ".github/workflows/test.yaml": "name: test\non: {pull_request: {}, push: {branches: [main]}}\npermissions: {contents: read}\njobs:\n  manifests:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - uses: fluxcd/pkg/actions/yq@main\n      - run: ./scripts/validate.sh\n",
}

FLUX_MORE = {
    "flux/sources.yaml": """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: podinfo, namespace: default}
spec:
  interval: 5m
  url: https://git.example.org/podinfo
  ref: {semver: ">=6.0.0"}
  ignore: |
    # exclude all
    /*
    # include deploy dir
    !/deploy
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: Bucket
metadata: {name: minio, namespace: default}
spec: {interval: 5m, endpoint: minio.example.org, bucketName: example, secretRef: {name: minio}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: podinfo, namespace: default}
spec:
  interval: 10m
  targetNamespace: default
  sourceRef: {kind: GitRepository, name: podinfo}
  path: ./kustomize
  prune: true
  timeout: 1m
  postBuild:
    substitute: {cluster_env: prod, cluster_region: eu-central-1}
    substituteFrom:
      - {kind: ConfigMap, name: cluster-vars, optional: true}
      - {kind: Secret, name: cluster-secret-vars}
  healthChecks:
    - {apiVersion: apps/v1, kind: Deployment, name: backend, namespace: dev}
  decryption: {provider: sops, secretRef: {name: sops-age}}
---
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Provider
metadata: {name: slack, namespace: flux-system}
spec: {type: slack, channel: general, address: https://chat.example.org/api, secretRef: {name: slack-bot-token}}
---
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata: {name: on-call, namespace: flux-system}
spec: {summary: production, providerRef: {name: slack}, eventSeverity: info, eventSources: [{kind: GitRepository, name: '*'}, {kind: Kustomization, name: '*'}]}
---
apiVersion: notification.toolkit.fluxcd.io/v1
kind: Receiver
metadata: {name: hook, namespace: flux-system}
spec: {type: github, events: [ping, push], secretRef: {name: receiver-token}, resources: [{kind: GitRepository, name: podinfo}]}
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageRepository
metadata: {name: podinfo, namespace: flux-system}
spec: {image: ghcr.io/example/podinfo, interval: 5m}
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: {name: podinfo, namespace: flux-system}
spec: {imageRepositoryRef: {name: podinfo}, policy: {semver: {range: 5.0.x}}}
""",
    "flux/secret.sops.yaml": """\
apiVersion: v1
kind: Secret
metadata: {name: basic-auth, namespace: default}
type: kubernetes.io/basic-auth
stringData:
  username: ENC[AES256_GCM,data:Zm9v,iv:YQ==,tag:Yg==,type:str]
  password: ENC[AES256_GCM,data:YmFy,iv:YQ==,tag:Yg==,type:str]
sops:
  age: [{recipient: age1qqqq, enc: "-----BEGIN AGE ENCRYPTED FILE-----"}]
  encrypted_regex: ^(data|stringData)$
  lastmodified: "2026-01-01T00:00:00Z"
  mac: ENC[AES256_GCM,data:eA==,iv:YQ==,tag:Yg==,type:str]
  version: 3.9.0
""",
    ".sops.yaml": "creation_rules:\n  - path_regex: .*.yaml\n    encrypted_regex: ^(data|stringData)$\n    age: age1qqqq\n",
    "flux/valuesfrom.yaml": """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: backend, namespace: default}
spec:
  interval: 5m
  timeout: 5m
  chart: {spec: {chart: podinfo, version: '6.5.*', sourceRef: {kind: HelmRepository, name: podinfo}, valuesFiles: [values.yaml, values-prod.yaml], reconcileStrategy: ChartVersion}}
  dependsOn: [{name: redis, namespace: default}]
  valuesFrom:
    - {kind: ConfigMap, name: prod-env-values, valuesKey: values-prod.yaml}
    - {kind: Secret, name: prod-tls-values, valuesKey: crt, targetPath: tls.crt, optional: true}
  postRenderers:
    - kustomize:
        patches: [{target: {kind: Deployment}, patch: "- {op: add, path: /metadata/labels/x, value: y}"}]
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: redis, namespace: default}
spec:
  interval: 5m
  chart: {spec: {chart: redis, version: 20.x, sourceRef: {kind: HelmRepository, name: podinfo}}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: podinfo, namespace: default}
spec: {interval: 10m, url: https://charts.example.org/podinfo}
""",
}

TRAEFIK_VALUES = {
    "traefik/two-services.yaml": """\
deployment: {replicas: 3, podAnnotations: {a: b}}
service:
  enabled: true
  single: true
  annotations: {projectcalico.org/ipv4pools: '["public"]'}
  spec: {externalTrafficPolicy: Local, type: LoadBalancer}
  additionalServices:
    internal:
      spec: {type: ClusterIP}
      labels: {scope: internal}
ports:
  web: {port: 8000, expose: {default: true, internal: true}, exposedPort: 80, protocol: TCP}
  websecure:
    port: 8443
    expose: {default: true}
    exposedPort: 443
    http3: {enabled: true, advertisedPort: 443}
    transport: {respondingTimeouts: {readTimeout: 60s}}
  mqtt: {port: 1883, protocol: TCP, expose: {default: true}, exposedPort: 1883}
  dns: {port: 5353, protocol: UDP, expose: {default: true}, exposedPort: 53}
ingressClass: {enabled: true, isDefaultClass: true, name: public}
providers:
  kubernetesCRD: {enabled: true, allowCrossNamespace: true, ingressClass: public}
  kubernetesIngress: {enabled: true, publishedService: {enabled: true}}
  kubernetesGateway: {enabled: true}
certificatesResolvers:
  letsencrypt: {acme: {email: me@example.org, storage: /data/acme.json, httpChallenge: {entryPoint: web}}}
persistence: {enabled: true, size: 128Mi, accessMode: ReadWriteOnce}
resources: {requests: {cpu: 100m, memory: 50Mi}, limits: {memory: 150Mi}}
logs: {general: {level: INFO}, access: {enabled: true}}
metrics: {prometheus: {entryPoint: metrics, service: {enabled: true}}}
additionalArguments: ["--ping", "--entrypoints.web.forwardedHeaders.trustedIPs=10.0.0.0/8"]
""",
    "traefik/host.yaml": """\
deployment: {kind: DaemonSet}
hostNetwork: true
updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1, maxSurge: 0}}
service: {enabled: false}
ports: {web: {port: 80}, websecure: {port: 443}}
securityContext: {capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}, runAsNonRoot: false, runAsUser: 0, runAsGroup: 0, readOnlyRootFilesystem: true}
tolerations: [{operator: Exists}]
""",
    "argocd/edge.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: edge, namespace: argocd}
spec:
  project: default
  sources:
    - {repoURL: https://traefik.github.io/charts, chart: traefik, targetRevision: 41.3.0, helm: {releaseName: edge, valueFiles: [$here/traefik/two-services.yaml]}}
    - {repoURL: https://git.example.org/edge.git, targetRevision: main, ref: here}
  destination: {server: https://kubernetes.default.svc, namespace: edge}
  syncPolicy: {syncOptions: [CreateNamespace=true]}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: edge-on-hosts, namespace: argocd}
spec:
  project: default
  sources:
    - {repoURL: "oci://ghcr.io/traefik/helm", chart: traefik, targetRevision: 41.3.0, helm: {releaseName: hosts, valueFiles: [$here/traefik/host.yaml]}}
    - {repoURL: https://git.example.org/edge.git, targetRevision: main, ref: here}
  destination: {server: https://kubernetes.default.svc, namespace: edge-hosts}
  syncPolicy: {syncOptions: [CreateNamespace=true]}
""",
    "routes/dashboard.yaml": """\
apiVersion: traefik.io/v1alpha1
kind: IngressRoute
metadata: {name: dashboard, namespace: edge}
spec:
  entryPoints: [websecure]
  routes:
    - match: Host(`traefik.example.org`) && (PathPrefix(`/dashboard`) || PathPrefix(`/api`))
      kind: Rule
      middlewares: [{name: auth}]
      services: [{name: api@internal, kind: TraefikService}]
  tls: {certResolver: letsencrypt}
---
apiVersion: traefik.io/v1alpha1
kind: Middleware
metadata: {name: auth, namespace: edge}
spec: {basicAuth: {secret: dashboard-users}}
---
apiVersion: traefik.io/v1alpha1
kind: IngressRouteTCP
metadata: {name: mqtt, namespace: edge}
spec:
  entryPoints: [mqtt]
  routes: [{match: HostSNI(`*`), services: [{name: broker, port: 1883}]}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: edge, annotations: {traefik.ingress.kubernetes.io/router.entrypoints: websecure}}
spec:
  ingressClassName: public
  rules:
    - host: www.example.org
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: gateway, namespace: edge}
spec:
  gatewayClassName: traefik
  listeners: [{name: http, protocol: HTTP, port: 8000, allowedRoutes: {namespaces: {from: All}}}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: web, namespace: edge}
spec:
  parentRefs: [{name: gateway}]
  hostnames: [gw.example.org]
  rules: [{matches: [{path: {type: PathPrefix, value: /}}], backendRefs: [{name: web, port: 80}]}]
""",
}

METALLB = {
    "metallb/config.yaml": """\
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: first-pool, namespace: metallb-system}
spec:
  addresses: [10.56.10.0/24, 10.56.11.1-10.56.11.50, "fc00:f853:0ccd:e799::/124"]
  autoAssign: true
  avoidBuggyIPs: true
---
apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata: {name: tor, namespace: metallb-system}
spec:
  myASN: 65300
  peerASN: 65301
  peerAddress: 10.56.0.1
  holdTime: 90s
  nodeSelectors: [{matchLabels: {rack: frontend}}]
  bfdProfile: full
---
apiVersion: metallb.io/v1beta1
kind: BGPAdvertisement
metadata: {name: local, namespace: metallb-system}
spec: {ipAddressPools: [first-pool], aggregationLength: 32, localPref: 100, communities: ["65535:65282"]}
---
apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata: {name: l2, namespace: metallb-system}
spec: {ipAddressPools: [first-pool], interfaces: [eth3]}
---
apiVersion: metallb.io/v1beta1
kind: BFDProfile
metadata: {name: full, namespace: metallb-system}
spec: {receiveInterval: 300, transmitInterval: 300, detectMultiplier: 3, minimumTtl: 254}
""",
    "metallb/namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: metallb-system\n  labels: {pod-security.kubernetes.io/enforce: privileged, pod-security.kubernetes.io/audit: privileged}\n",
    "calico/installation.yaml": "apiVersion: operator.tigera.io/v1\nkind: Installation\nmetadata: {name: default}\nspec:\n  calicoNetwork:\n    bgp: Disabled\n    ipPools: [{cidr: 10.66.0.0/16, encapsulation: VXLAN, natOutgoing: Enabled, nodeSelector: all()}]\n",
    "services/dns.yaml": """\
apiVersion: v1
kind: Service
metadata:
  name: dns
  namespace: infra
  annotations: {metallb.io/loadBalancerIPs: 10.56.10.53, metallb.io/allow-shared-ip: dns}
spec:
  type: LoadBalancer
  loadBalancerClass: metallb.io/metallb
  selector: {app: dns}
  ports: [{name: dns, port: 53, protocol: UDP, targetPort: 5353}]
""",
    "router/frr.conf": """\
frr version 10.2
frr defaults traditional
hostname tor
log syslog informational
!
router bgp 65301
 bgp router-id 10.56.0.1
 no bgp ebgp-requires-policy
 neighbor METAL peer-group
 neighbor METAL remote-as 65300
 neighbor METAL bfd
 bgp listen range 10.56.0.0/24 peer-group METAL
 address-family ipv4 unicast
  neighbor METAL next-hop-self
  maximum-paths 8
 exit-address-family
exit
!
bfd
 profile full
  transmit-interval 300
 exit
exit
!
line vty
!
""",
}

CILIUM = {
    "cilium/values.yaml": "kubeProxyReplacement: true\nk8sServiceHost: api.example.org\nk8sServicePort: 6443\nbgpControlPlane: {enabled: true}\nipam: {mode: kubernetes}\n",
    "cilium/bgp.yaml": """\
apiVersion: cilium.io/v2
kind: CiliumBGPClusterConfig
metadata: {name: rack0}
spec:
  nodeSelector: {matchLabels: {rack: rack0}}
  bgpInstances:
    - name: instance-65000
      localASN: 65000
      peers:
        - {name: tor, peerASN: 65010, peerAddress: fd00:10::1, peerConfigRef: {name: peer}}
---
apiVersion: cilium.io/v2
kind: CiliumBGPPeerConfig
metadata: {name: peer}
spec:
  timers: {holdTimeSeconds: 9, keepAliveTimeSeconds: 3}
  authSecretRef: tor-password
  gracefulRestart: {enabled: true, restartTimeSeconds: 15}
  families: [{afi: ipv4, safi: unicast, advertisements: {matchLabels: {advertise: bgp}}}]
---
apiVersion: cilium.io/v2
kind: CiliumBGPAdvertisement
metadata: {name: services, labels: {advertise: bgp}}
spec:
  advertisements:
    - {advertisementType: Service, service: {addresses: [LoadBalancerIP]}, selector: {matchExpressions: [{key: x, operator: NotIn, values: [never]}]}}
---
apiVersion: cilium.io/v2
kind: CiliumLoadBalancerIPPool
metadata: {name: blue}
spec: {blocks: [{cidr: 10.57.10.0/24}, {start: 10.57.20.100, stop: 10.57.20.200}]}
""",
    "kubeadm.yaml": """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
skipPhases: [addon/kube-proxy]
nodeRegistration: {name: cp, kubeletExtraArgs: [{name: node-ip, value: 10.57.0.4}]}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.36.1
controlPlaneEndpoint: api.example.org:6443
networking: {podSubnet: 10.67.0.0/16}
proxy: {disabled: true}
""",
    "helmfile.yaml": "repositories:\n  - {name: cilium, url: https://charts.example.org/cilium}\nreleases:\n  - {name: cilium, namespace: kube-system, chart: cilium/cilium, version: 1.18.0, values: [cilium/values.yaml]}\n",
}

FRR_SPINE = {
    "leaf1/frr.conf": """\
frr version 8.5.4
frr defaults datacenter
hostname leaf1
log syslog informational
service integrated-vtysh-config
!
interface lo
 ip address 10.58.255.1/32
exit
!
interface swp51
 ipv6 nd ra-interval 10
 no ipv6 nd suppress-ra
exit
!
router bgp 65101
 bgp router-id 10.58.255.1
 bgp bestpath as-path multipath-relax
 neighbor FABRIC peer-group
 neighbor FABRIC remote-as external
 neighbor FABRIC bfd
 neighbor swp51 interface peer-group FABRIC
 neighbor swp52 interface peer-group FABRIC
 neighbor SERVERS peer-group
 neighbor SERVERS remote-as 65201
 neighbor 10.58.1.11 peer-group SERVERS
 neighbor 10.58.1.12 peer-group SERVERS
 !
 address-family ipv4 unicast
  redistribute connected route-map LOOPBACK
  neighbor SERVERS prefix-list FROM-SERVERS in
  neighbor SERVERS default-originate
  neighbor SERVERS soft-reconfiguration inbound
  maximum-paths 64
 exit-address-family
 !
 address-family ipv6 unicast
  neighbor FABRIC activate
 exit-address-family
 !
 address-family l2vpn evpn
  neighbor FABRIC activate
  advertise-all-vni
 exit-address-family
exit
!
ip prefix-list FROM-SERVERS seq 5 permit 10.58.64.0/18 le 32
ip prefix-list LOOPBACKS seq 5 permit 10.58.255.0/24 ge 32
!
route-map LOOPBACK permit 10
 match ip address prefix-list LOOPBACKS
exit
!
""",
    "leaf1/daemons": 'bgpd=yes\nospfd=no\nbfdd=yes\nvtysh_enable=yes\nzebra_options="  -A 127.0.0.1 -s 90000000"\nbgpd_options="   -A 127.0.0.1"\n',
    "leaf1/vtysh.conf": "service integrated-vtysh-config\n",
    "leaf1/interfaces": "auto swp51\niface swp51\n  mtu 9216\n",
    "site.yml": "- hosts: leaves\n  roles: [frr]\n",
    "inventory.ini": "[leaves]\nleaf1 ansible_host=10.58.0.1\n",
}

BIRD_GATEWAY = {
    "bird/bird.conf": """\
# a top-of-rack in front of a cluster
log syslog all;
router id 10.59.0.1;

protocol device { }
protocol direct { ipv4; interface "eth*"; }
protocol kernel {
  ipv4 { export filter { if source = RTS_STATIC then reject; accept; }; };
  merge paths on;
  learn;
}
protocol static { ipv4; route 10.59.128.0/17 blackhole; }

function is_ours() -> bool { return net ~ [ 10.59.64.0/18{18,32} ]; }
filter import_nodes {
  if !is_ours() then reject;
  bgp_community.add((64599, 100));
  accept;
}

template bgp nodes {
  local 10.59.0.1 as 64599;
  hold time 30;
  keepalive time 10;
  graceful restart on;
  ipv4 { import filter import_nodes; export none; import limit 1000 action warn; };
}
protocol bgp node_a from nodes { neighbor 10.59.0.11 as 64598; description "node a"; }
protocol bgp node_b from nodes { neighbor 10.59.0.12 as 64598; }
protocol bgp dynamic from nodes { neighbor range 10.59.0.128/25 as 64598; dynamic name "dyn"; }
""",
}

ELSEWHERE = {
    "talos/controlplane.yaml": """\
version: v1alpha1
machine:
  type: controlplane
  token: ${TALOS_TOKEN}
  network:
    hostname: cp-1
    interfaces:
      - interface: eth0
        addresses: [10.60.0.11/24]
        routes: [{network: 0.0.0.0/0, gateway: 10.60.0.1}]
        vip: {ip: 10.60.0.5}
cluster:
  controlPlane: {endpoint: https://10.60.0.5:6443}
  clusterName: talos
  network: {cni: {name: none}, podSubnets: [10.68.0.0/16], serviceSubnets: [10.96.0.0/12]}
  proxy: {disabled: true}
""",
    "k3s/config.yaml": "write-kubeconfig-mode: '0644'\ntls-san: [k3s.example.org]\ncluster-init: true\nflannel-backend: none\ndisable: [servicelb, traefik]\nnode-label: [foo=bar]\n",
    "rke2/manifests/calico.yaml": "apiVersion: helm.cattle.io/v1\nkind: HelmChartConfig\nmetadata: {name: rke2-calico, namespace: kube-system}\nspec:\n  valuesContent: |-\n    installation:\n      calicoNetwork: {bgp: Enabled}\n",
    "compose.yaml": "services:\n  web: {image: 'nginx:1.27', ports: ['8080:80'], environment: {PASSWORD_FILE: /run/secrets/p}}\n",
    "terraform/main.tf": 'resource "null_resource" "x" {}\n',
    "ansible/group_vars/all.yml": 'kube_version: 1.36.0\nusers: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  62313365\nntp: ["{{ ntp_server }}"]\n',
    "ansible/playbook.yml": "- hosts: all\n  become: true\n  tasks:\n    - name: forward\n      ansible.posix.sysctl: {name: net.ipv4.ip_forward, value: '1'}\n    - template: {src: kubeadm.yaml.j2, dest: /etc/kubeadm.yaml}\n",
    "ansible/templates/kubeadm.yaml.j2": "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\n{% if x %}\n{% endif %}\n",
    "renovate.json": '{"$schema": "https://docs.example.org/schema.json", "extends": ["config:recommended"], "kubernetes": {"managerFilePatterns": ["/.+\\\\.yaml$/"]}, "customManagers": [{"customType": "regex", "managerFilePatterns": ["/^ansible/.+\\\\.yml$/"], "matchStrings": ["kube_version: (?<currentValue>.*)"], "depNameTemplate": "kubernetes/kubernetes", "datasourceTemplate": "github-releases"}]}',
    ".pre-commit-config.yaml": "repos:\n  - repo: https://git.example.org/pre-commit-hooks\n    rev: v5.0.0\n    hooks: [{id: check-yaml, args: [--allow-multiple-documents]}]\n",
    ".gitlab-ci.yml": "stages: [test]\ntest:\n  image: python:3.12\n  script: [pip install yamllint, yamllint .]\n  rules: [{if: $CI_COMMIT_BRANCH}]\n  reference: !reference [.setup, script]\n",
    "mkdocs.yml": "site_name: Docs\nmarkdown_extensions:\n  - pymdownx.emoji:\n      emoji_index: !!python/name:material.extensions.emoji.twemoji\n",
    "cloudformation/vpc.yaml": "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  Vpc: {Type: 'AWS::EC2::VPC', Properties: {CidrBlock: !Ref Cidr}}\n",
    "k8s/web.yaml": """\
apiVersion: v1
kind: Namespace
metadata: {name: web}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: web, labels: &labels {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: *labels}
  template:
    metadata: {labels: *labels}
    spec:
      topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]
      containers:
        - name: web
          image: registry.example.org/web@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
          ports: [{name: http, containerPort: 8080}]
          readinessProbe: {httpGet: {path: /, port: http}}
          resources: {requests: {cpu: 0.5, memory: 64Mi}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 5
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: tidy, namespace: web}
spec:
  schedule: "*/5 * * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: OnFailure, containers: [{name: tidy, image: busybox:1.36, command: [sh, -c, "true"]}]}}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: elsewhere, namespace: monitoring}
data: {a: b}
""",
}

ARGO_MANY = {
    "apps/namespaces.yaml": """\
apiVersion: v1
kind: Namespace
metadata: {name: monitoring}
---
apiVersion: v1
kind: Namespace
metadata: {name: calico-system}
---
apiVersion: v1
kind: Namespace
metadata: {name: traefik, labels: {pod-security.kubernetes.io/enforce: privileged}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: important}
value: 1000000
""",
    "apps/a.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: cert-manager, namespace: argocd, annotations: {argocd.argoproj.io/sync-wave: "1"}}
spec:
  project: platform
  source: {repoURL: https://charts.example.org/jetstack, chart: cert-manager, targetRevision: v1.18.2, helm: {releaseName: cert-manager}}
  destination: {server: https://kubernetes.default.svc, namespace: cert-manager}
  syncPolicy: {automated: {prune: true, selfHeal: true}, syncOptions: [CreateNamespace=true]}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: external-dns, namespace: argocd, annotations: {argocd.argoproj.io/sync-wave: "2"}}
spec:
  project: platform
  source: {repoURL: https://charts.example.org/dns, chart: external-dns, targetRevision: 1.18.0, helm: {releaseName: external-dns}}
  destination: {server: https://kubernetes.default.svc, namespace: external-dns}
  syncPolicy: {automated: {prune: true, selfHeal: true}, syncOptions: [CreateNamespace=true]}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: longhorn, namespace: argocd, annotations: {argocd.argoproj.io/sync-wave: "2"}}
spec:
  project: platform
  source: {repoURL: https://charts.example.org/longhorn, chart: longhorn, targetRevision: 1.9.0, helm: {releaseName: longhorn}}
  destination: {server: https://kubernetes.default.svc, namespace: longhorn-system}
  syncPolicy: {automated: {prune: true, selfHeal: true}, syncOptions: [CreateNamespace=true]}
---
# large definitions, another project, a release with a short name, and nobody heals it
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: kube-prometheus-stack, namespace: argocd, annotations: {argocd.argoproj.io/sync-wave: "3"}, finalizers: [resources-finalizer.argocd.argoproj.io]}
spec:
  project: observability
  source: {repoURL: https://charts.example.org/prometheus, chart: kube-prometheus-stack, targetRevision: 75.0.0, helm: {releaseName: prom, values: "prometheus: {enabled: true}"}}
  destination: {server: https://kubernetes.default.svc, namespace: monitoring}
  syncPolicy: {automated: {prune: false, selfHeal: false}, retry: {limit: 2}, syncOptions: [ServerSideApply=true]}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: argo-cd, namespace: argocd, annotations: {argocd.argoproj.io/sync-wave: "0"}}
spec:
  project: default
  source:
    repoURL: https://argoproj.github.io/argo-helm
    chart: argo-cd
    targetRevision: 10.3.3
    helm: {releaseName: argo-cd, valuesObject: {global: {domain: cd.example.org, priorityClassName: from-elsewhere}, configs: {params: {server.insecure: true}, cm: {resource.customizations.health.argoproj.io_Application: "return {status = obj.status.health.status}", resource.customizations.health.operator.tigera.io_Installation: "return {}", resource.customizations.health.operator.tigera.io_APIServer: "return {}"}}}}
  destination: {server: https://kubernetes.default.svc, namespace: argocd}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: calico-crds, namespace: argocd, annotations: {argocd.argoproj.io/sync-wave: "-20"}}
spec:
  project: default
  source: {repoURL: https://docs.tigera.io/calico/charts, chart: crd.projectcalico.org.v1, targetRevision: v3.32.2}
  destination: {server: https://kubernetes.default.svc, namespace: tigera-operator}
  syncPolicy: {syncOptions: [CreateNamespace=true, ServerSideApply=true]}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: tigera-operator, namespace: argocd, annotations: {argocd.argoproj.io/sync-wave: "-10"}}
spec:
  project: default
  source: {repoURL: https://docs.tigera.io/calico/charts, chart: tigera-operator, targetRevision: v3.32.2, helm: {valuesObject: {installation: {calicoNetwork: {ipPools: [{cidr: 10.69.0.0/16, encapsulation: VXLAN}]}}}}}
  destination: {server: https://kubernetes.default.svc, namespace: tigera-operator}
  syncPolicy: {syncOptions: [CreateNamespace=true, ServerSideApply=true]}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: extras, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://git.example.org/many.git, targetRevision: main, path: extras}
  destination: {server: https://kubernetes.default.svc, namespace: monitoring}
---
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: platform, namespace: argocd}
spec:
  sourceRepos: ["https://charts.example.org/*"]
  destinations: [{server: https://kubernetes.default.svc, namespace: "*"}]
  clusterResourceWhitelist: [{group: "*", kind: "*"}]
---
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: observability, namespace: argocd}
spec:
  sourceRepos: ["*"]
  destinations: [{server: "*", namespace: monitoring}]
  clusterResourceWhitelist: [{group: "*", kind: "*"}]
""",
    "extras/route.yaml": """\
apiVersion: traefik.io/v1alpha1
kind: IngressRoute
metadata: {name: cd, namespace: argocd}
spec:
  entryPoints: [websecure]
  routes: [{match: "Host(`cd.example.org`)", kind: Rule, services: [{name: argo-cd-argocd-server, port: 80}]}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: dashboards, namespace: longhorn-system}
data: {a: b}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: calico, namespace: calico-apiserver}
data: {a: b}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: exporter, namespace: monitoring}
spec:
  selector: {matchLabels: {app: exporter}}
  template:
    metadata: {labels: {app: exporter}}
    spec: {priorityClassName: made-by-a-chart, containers: [{name: exporter, image: "registry.example.org/exporter:1.2"}]}
""",
    "extras/bgp.yaml": """\
apiVersion: projectcalico.org/v3
kind: BGPConfiguration
metadata: {name: default}
spec: {asNumber: 65321, nodeToNodeMeshEnabled: true}
""",
}

MACHINES = {
    "boot/init.yaml": """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration: {name: a, criSocket: "unix:///run/containerd/containerd.sock", kubeletExtraArgs: [{name: node-ip, value: 10.71.0.11}]}
localAPIEndpoint: {advertiseAddress: 10.71.0.11}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.36.2
controlPlaneEndpoint: api.mixed.example.org:6443
apiServer: {certSANs: [10.71.8.1]}
networking: {podSubnet: 10.72.0.0/16, serviceSubnet: 10.97.0.0/16}
""",
    "boot/b.yaml": "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery: &d {bootstrapToken: {apiServerEndpoint: 'api.mixed.example.org:6443', token: '$TOKEN', caCertHashes: ['$HASH']}}\nnodeRegistration: {name: b, criSocket: 'unix:///run/containerd/containerd.sock', kubeletExtraArgs: [{name: node-ip, value: 10.71.0.12}]}\ncontrolPlane: {localAPIEndpoint: {advertiseAddress: 10.71.0.12}}\n",
    "boot/c.yaml": "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery: {bootstrapToken: {apiServerEndpoint: 'api.mixed.example.org:6443', token: '$TOKEN', caCertHashes: ['$HASH']}}\nnodeRegistration: {name: c, criSocket: 'unix:///run/containerd/containerd.sock', kubeletExtraArgs: [{name: node-ip, value: 10.71.0.13}]}\ncontrolPlane: {localAPIEndpoint: {advertiseAddress: 10.71.0.13}}\n",
    "boot/w1.yaml": "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery: {bootstrapToken: {apiServerEndpoint: 'api.mixed.example.org:6443', token: '$TOKEN', caCertHashes: ['$HASH']}}\nnodeRegistration: {name: w1, criSocket: 'unix:///run/containerd/containerd.sock', kubeletExtraArgs: [{name: node-ip, value: 10.71.0.21}, {name: max-pods, value: '110'}]}\n",
    "boot/w2.yaml": "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery: {bootstrapToken: {apiServerEndpoint: 'api.mixed.example.org:6443', token: '$TOKEN', caCertHashes: ['$HASH']}}\nnodeRegistration: {name: w2, criSocket: 'unix:///run/containerd/containerd.sock', kubeletExtraArgs: [{name: node-ip, value: 10.71.0.22}, {name: max-pods, value: '110'}]}\n",
    "boot/w3.yaml": "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery: {bootstrapToken: {apiServerEndpoint: 'api.mixed.example.org:6443', token: '$TOKEN', caCertHashes: ['$HASH']}}\nnodeRegistration: {name: w3, criSocket: 'unix:///run/containerd/containerd.sock', kubeletExtraArgs: [{name: node-ip, value: 10.71.0.23}, {name: max-pods, value: '110'}]}\n",
    # the large one
    "boot/w4.yaml": "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery: {bootstrapToken: {apiServerEndpoint: 'api.mixed.example.org:6443', token: '$TOKEN', caCertHashes: ['$HASH']}}\nnodeRegistration: {name: w4, criSocket: 'unix:///run/crio/crio.sock', taints: [{key: gpu, effect: NoSchedule}], kubeletExtraArgs: [{name: node-ip, value: 10.71.0.24}, {name: max-pods, value: '250'}]}\n",
    **{
        f"vip/kube-vip-{name}.yaml": f"""\
apiVersion: v1
kind: Pod
metadata: {{name: kube-vip, namespace: kube-system}}
spec:
  nodeName: {name}
  hostNetwork: true
  containers:
    - name: kube-vip
      image: ghcr.io/kube-vip/kube-vip:v1.2.4
      args: [manager]
      env:
        - {{name: vip_arp, value: "true"}}
        - {{name: port, value: "6443"}}
        - {{name: vip_interface, value: {card}}}
        - {{name: cp_enable, value: "true"}}
        - {{name: vip_leaderelection, value: "true"}}
        - {{name: vip_leaseduration, value: "5"}}
        - {{name: vip_renewdeadline, value: "3"}}
        - {{name: vip_retryperiod, value: "1"}}
        - {{name: address, value: 10.71.8.1}}
      securityContext: {{capabilities: {{add: [NET_ADMIN, NET_RAW], drop: [ALL]}}}}
      volumeMounts: [{{mountPath: /etc/kubernetes/admin.conf, name: kubeconfig}}]
  volumes: [{{name: kubeconfig, hostPath: {{path: /etc/kubernetes/admin.conf}}}}]
"""
        for name, card in (("a", "eno1"), ("b", "eno1"), ("c", "enp3s0"))
    },
}

STAGES = {
    f"{stage}/{name}": text.replace("STAGE", stage)
    for stage in ("dev", "prod")
    for name, text in {
        "namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n",
        "web.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\ndata: {stage: STAGE}\n",
        "lb/service.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n",
    }.items()
}

OVERLAYS = {
    "base/kustomization.yaml": "resources: [pool.yaml, peer.yaml]\n",
    "base/pool.yaml": "apiVersion: projectcalico.org/v3\nkind: IPPool\nmetadata: {name: lb}\nspec: {cidr: 10.73.0.0/24, allowedUses: [LoadBalancer]}\n",
    "base/peer.yaml": "apiVersion: projectcalico.org/v3\nkind: BGPPeer\nmetadata: {name: tor}\nspec: {peerIP: 10.73.255.1, asNumber: 65331}\n",
    "overlays/blue/kustomization.yaml": "resources: [../../base, config.yaml]\n",
    "overlays/blue/config.yaml": "apiVersion: projectcalico.org/v3\nkind: BGPConfiguration\nmetadata: {name: default}\nspec: {asNumber: 65332, serviceLoadBalancerIPs: [{cidr: 10.73.0.0/24}]}\n",
    "overlays/red/kustomization.yaml": "resources: [../../base, config.yaml]\n",
    "overlays/red/config.yaml": "apiVersion: projectcalico.org/v3\nkind: BGPConfiguration\nmetadata: {name: default}\nspec: {asNumber: 65333, serviceLoadBalancerIPs: [{cidr: 10.73.0.0/24}]}\n",
}

UMBRELLA = {
    "charts/platform/Chart.yaml": "apiVersion: v2\nname: platform\nversion: 0.1.0\ndependencies:\n  - {name: shared, version: 0.1.x, repository: file://../shared}\n",
    "charts/platform/Chart.lock": "dependencies:\n- name: shared\n  repository: file://../shared\n  version: 0.1.0\ndigest: sha256:0\ngenerated: '2026-01-01T00:00:00Z'\n",
    "charts/platform/values.yaml": "# -- how many\nreplicas: 2\nshared: {name: s}\n",
    "charts/platform/templates/cm.yaml": 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n  labels: {{- include "shared.labels" . | nindent 4 }}\ndata:\n  replicas: {{ .Values.replicas | quote }}\n',
    "charts/platform/templates/tests/test.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}-test\n  annotations: {helm.sh/hook: test}\nspec: {restartPolicy: Never, containers: [{name: t, image: 'busybox:1.36', command: ['true']}]}\n",
    "charts/platform/.helmignore": "*.md\n.git/\n",
    "charts/platform/README.md": "# platform\n",
    "charts/platform/charts/shared/Chart.yaml": "apiVersion: v2\nname: shared\nversion: 0.1.0\ntype: library\n",
    "charts/platform/charts/shared/templates/_labels.tpl": '{{- define "shared.labels" -}}\napp: {{ .Chart.Name }}\n{{- end -}}\n',
    "argocd/platform.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: platform, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://git.example.org/umbrella.git, targetRevision: main, path: charts/platform, helm: {valueFiles: [values.yaml, ../../env/prod.yaml], ignoreMissingValueFiles: true}}
  destination: {server: https://kubernetes.default.svc, namespace: platform}
""",
    "env/prod.yaml": "replicas: 5\n",
}

FLUX_CALICO = {
    "cluster/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [sync.yaml]\n",
    "cluster/sync.yaml": """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: "https://git.example.org/home.git", ref: {branch: main}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: crds, namespace: flux-system}
spec: {interval: 10m, path: ./calico/crds, prune: false, wait: true, sourceRef: {kind: GitRepository, name: flux-system}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: operator, namespace: flux-system}
spec: {interval: 10m, path: ./calico/operator, prune: false, wait: true, dependsOn: [{name: crds}], sourceRef: {kind: GitRepository, name: flux-system}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: routes, namespace: flux-system}
spec: {interval: 10m, path: ./calico/routes, prune: false, wait: true, dependsOn: [{name: operator}], sourceRef: {kind: GitRepository, name: flux-system}}
""",
    "calico/crds/release.yaml": """\
apiVersion: v1
kind: Namespace
metadata: {name: tigera-operator, labels: {pod-security.kubernetes.io/enforce: privileged}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: calico, namespace: tigera-operator}
spec: {interval: 24h, url: "https://docs.tigera.io/calico/charts"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: calico-crds, namespace: tigera-operator}
spec: {interval: 1h, chart: {spec: {chart: crd.projectcalico.org.v1, version: v3.32.2, sourceRef: {kind: HelmRepository, name: calico}}}}
""",
    "calico/operator/release.yaml": """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: calico, namespace: tigera-operator}
spec:
  interval: 1h
  chart: {spec: {chart: tigera-operator, version: v3.32.2, sourceRef: {kind: HelmRepository, name: calico}}}
  values: {installation: {cni: {type: Calico}, calicoNetwork: {ipPools: [{cidr: 10.74.0.0/16, encapsulation: VXLANCrossSubnet}]}}}
""",
    "calico/routes/bgp.yaml": """\
apiVersion: projectcalico.org/v3
kind: BGPConfiguration
metadata: {name: default}
spec: {asNumber: 65341, serviceLoadBalancerIPs: [{cidr: 10.75.0.0/24}]}
---
apiVersion: projectcalico.org/v3
kind: BGPPeer
metadata: {name: gateway}
spec: {peerIP: 10.75.255.1, asNumber: 65342, maxRestartTime: 15s}
---
apiVersion: projectcalico.org/v3
kind: IPPool
metadata: {name: services}
spec: {cidr: 10.75.0.0/24, allowedUses: [LoadBalancer], nodeSelector: all()}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: note, namespace: calico-system}
data: {text: hello}
""",
}

EXAMPLES: Mapping[str, Files] = {
    "calico-peers": CALICO_PEERS,
    "calico-pools": CALICO_POOLS,
    "calico-operator": OPERATOR,
    "calico-operator-everything": OPERATOR_MANY,
    "kube-vip-daemonset": KUBE_VIP_DAEMONSET,
    "kube-vip-arp": KUBE_VIP_ARP,
    "kubeadm": KUBEADM,
    "kubeadm-external-etcd": KUBEADM_EXTERNAL,
    "argo-app-of-apps": ARGO_APP_OF_APPS,
    "argo-sets": ARGO_SETS,
    "argo-sources": ARGO_SOURCES,
    "flux-bootstrap": FLUX_BOOTSTRAP,
    "flux-objects": FLUX_MORE,
    "traefik-values": TRAEFIK_VALUES,
    "metallb": METALLB,
    "cilium": CILIUM,
    "frr-leaf": FRR_SPINE,
    "bird-gateway": BIRD_GATEWAY,
    "no-bgp-at-all": ELSEWHERE,
    "argo-many-habits": ARGO_MANY,
    "unlike-machines": MACHINES,
    "stages-side-by-side": STAGES,
    "overlays": OVERLAYS,
    "umbrella-chart": UMBRELLA,
    "flux-calico": FLUX_CALICO,
}
