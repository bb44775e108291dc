"""Codes of what must agree between files: each half may be right, both cannot be."""

from __future__ import annotations

from anycastle.finding import Explanation, Severity
from anycastle.reader.agreement.codes_mirrors import MIRRORS

_SITE = (
    Explanation(
        "SITE020",
        "A file says something else than the site file",
        "Every file follows from site.yaml, so one that says something else was changed by hand, or site.yaml was "
        "and nothing was generated since. The next run of the generator takes the change away, or brings in one that "
        "nobody expects.",
        Severity.WARNING,
        source="The files of this repository.",
    ),
)

_NODE = (
    Explanation(
        "NODE001",
        "One machine is set up in another way than all others",
        "Machines are described one by one and behave as one cluster: what differs in a single file is a change that "
        "was not made everywhere, and it shows on the day that machine matters.",
        Severity.WARNING,
        source="Practice.",
    ),
    Explanation(
        "NODE002",
        "The API server of a node advertises an address that is not the node's",
        "etcd and the certificate get the one, kubelet and BGP the other: members of etcd do not find each other.",
        source="kubeadm, localAPIEndpoint; kubelet, node-ip.",
    ),
    Explanation(
        "NODE003",
        "A machine joins through another endpoint than the cluster's",
        "The certificate has the cluster's endpoint, and kubelet keeps the one it joined through: the machine cannot "
        "join, or loses the cluster with one control plane.",
        source="kubeadm, controlPlaneEndpoint and apiServerEndpoint.",
    ),
    Explanation(
        "NODE004",
        "A pod pool lies outside kubeadm's podSubnet",
        "The Tigera operator reads podSubnet and refuses an Installation with a pool outside it: no pod gets a "
        "network.",
        source="tigera/operator pkg/controller/installation (mergeKubeadm).",
    ),
    Explanation(
        "NODE005",
        "kube-proxy does not fit the dataplane",
        "With BPF, Calico serves Services and kube-proxy beside it rewrites the same packets; with any other "
        "dataplane and no kube-proxy nothing serves them.",
        source="Calico documentation, eBPF; kubeadm v1beta4, proxy.disabled.",
    ),
    Explanation(
        "NODE006",
        "The hosts file of a machine contradicts the cluster",
        "kubeadm and kubelet dial the API by its name before there is any DNS: a wrong line sends them to another "
        "machine, and a missing one nowhere.",
        source="kubeadm, controlPlaneEndpoint.",
    ),
    Explanation(
        "NODE007",
        "A script of a machine speaks of another one",
        "It runs as root on the machine it was copied to: with another's name or address it refuses to run, waits "
        "for an API server that is not this one, or takes a foreign address away.",
        source="nodes/*/install.sh.",
    ),
    Explanation(
        "NODE008",
        "A kernel setting of a machine breaks the routing",
        "Without forwarding pods reach nothing. With the API address on lo, arp_ignore 0 makes the machine answer "
        "ARP for it; a redirect that is accepted pins it to one control plane, also after that one is dead.",
        source="Linux Documentation/networking/ip-sysctl.",
    ),
    Explanation(
        "NODE009",
        "A word that the script should fill in is not known to it",
        "kubeadm gets the word itself for a token, hash or key, and refuses to join.",
        source="nodes/*/install.sh.",
    ),
    Explanation(
        "NODE010",
        "An argument of a component is misspelt",
        "kubelet and the control plane end at a flag that they do not know; kubeadm does not look at it.",
        source="kubeadm v1beta4, extraArgs.",
    ),
    Explanation(
        "NODE011",
        "kubeadm cuts ranges for nodes that Calico never uses",
        "With allocate-node-cidrs the controller manager gives each node a /24 of podSubnet; at the 257th node of a "
        "/16 it reports that none is left, although Calico has addresses.",
        Severity.WARNING,
        source="kube-controller-manager, allocate-node-cidrs.",
    ),
    Explanation(
        "NODE012",
        "kube-proxy has another range for the pods than kubeadm",
        "It masquerades what comes to a Service from outside of clusterCIDR. With a wrong range it does so for pods, "
        "or not for clients: policies see the wrong sender, and answers take another way.",
        source="kube-proxy, clusterCIDR; projectcalico/calico#2507.",
    ),
    Explanation(
        "NODE013",
        "An upgrade brings kube-proxy back",
        "kubeadm remembers what stands in ClusterConfiguration. A phase that init has skipped is not skipped by the "
        "next upgrade, and kube-proxy then rewrites the packets that Calico has already sent on their way.",
        source="kubernetes/kubeadm#3137, kubernetes/kubeadm#1318; kubeadm v1beta4, proxy.disabled.",
    ),
    Explanation(
        "NODE014",
        "Calico's eBPF programs are not on the link of the nodes",
        "Felix attaches them to the interfaces whose names bpfDataIfacePattern matches. Packets that come in on "
        "another one pass by: no Service is reachable there, or reverse path filtering drops the answers. For a VLAN "
        "or a bond the name is that of the interface with the address, not of what is below it.",
        source="Felix, bpfDataIfacePattern; projectcalico/calico#5979, projectcalico/calico#8917.",
    ),
    Explanation(
        "NODE015",
        "A control plane that carries pods is kept out of Services",
        "kubeadm labels every control plane so that load balancers leave it out. Calico looks at the value and does "
        "not mind; every other controller does, and a single node then serves nobody.",
        Severity.WARNING,
        source="kubeadm, mark-control-plane; kubernetes.io, node.kubernetes.io/exclude-from-external-load-balancers.",
    ),
    Explanation(
        "NODE016",
        "A machine goes on sending into a link that is down",
        "A default route over several links loses the share of the dead one: by itself Linux does not look whether a "
        "link has a carrier.",
        Severity.WARNING,
        source="Linux Documentation/networking/ip-sysctl, ignore_routes_with_linkdown; measured.",
    ),
)

_KUBE_VIP = (
    Explanation(
        "KVIP006",
        "kube-vip differs on one control plane",
        "All control planes announce one address in one way. What differs on one of them is found when the others "
        "are down.",
        Severity.WARNING,
        source="Static pods are written once for each machine.",
    ),
    Explanation(
        "KVIP007",
        "kube-vip for the bootstrap differs from the one that stays",
        "The first one is replaced by the second after kubeadm init; but for the kubeconfig they are one. What else "
        "differs changes the announcement in the middle of the bring-up.",
        Severity.WARNING,
        source="kube-vip/kube-vip#684; kubeadm super-admin.conf.",
    ),
    Explanation(
        "KVIP009",
        "kube-vip waits for a file that only the first control plane has",
        "kubeadm writes super-admin.conf where it runs init, and nowhere else: on every other control plane the pod "
        "does not start, so the API address has fewer next hops than it seems.",
        source="kubeadm (1.29), super-admin.conf; kube-vip/kube-vip#684.",
    ),
    Explanation(
        "KVIP010",
        "kube-vip needs the network that needs kube-vip",
        "As a DaemonSet it asks for the API server at the address of the Service `kubernetes`. Where Calico serves "
        "that in place of kube-proxy, Calico waits for the API address, and that for kube-vip.",
        source="Calico documentation, eBPF (kubernetes-services-endpoint); kube-vip, static pods.",
    ),
)

_FRR = (
    Explanation(
        "FRR007",
        "A neighbour has no AS number or no such group",
        "FRR refuses statements about a neighbour that has no remote-as and is in no defined peer group: there is no "
        "session to it.",
        source="FRR bgpd (`Specify remote-as or peer-group commands first`).",
    ),
    Explanation(
        "FRR008",
        "A daemon of FRR is not started",
        "Without bgpd there is no session, without zebra no route reaches the kernel, without staticd the static "
        "routes are missing, without vtysh the common file is not read.",
        source="FRR, /etc/frr/daemons.",
    ),
    Explanation(
        "FRR009",
        "A terminal of FRR listens on the network",
        "The daemons' own terminals ask for a password in clear text, and whoever has it changes the routing.",
        Severity.WARNING,
        source="FRR, option -A.",
    ),
    Explanation(
        "FRR010",
        "The description of a neighbour names another machine",
        "At night somebody shuts down the session of the wrong node.",
        Severity.WARNING,
        source="Practice.",
    ),
    Explanation(
        "FRR012",
        "FRR refuses a value",
        "vtysh stops at the line, and with integrated configuration what follows is not read either.",
        source="FRR, log levels; ip prefix-list.",
    ),
    Explanation(
        "FRR013",
        "A router refuses what nodes announce",
        "The session is up and its counters look healthy, and the router has no route: packets to the address go "
        "where the static route or the default route sends them.",
        source="FRR bgpd, route-map and prefix-list.",
    ),
    Explanation(
        "FRR011",
        "A static route that drops packets does not fit an announced range",
        "It is there for what nobody announces. Too narrow, the rest circles between router and upstream; too wide, "
        "it drops what belongs to others; with distance 255 FRR never installs it.",
        Severity.WARNING,
        source="FRR zebra, administrative distance 255.",
    ),
    Explanation(
        "FRR014",
        "A link that comes back stays dead for its node",
        "When a link goes down, the kernel strikes it out of its groups of next hops. FRR before release 9 takes such "
        "a group for whole when the link is back, and no connection reaches the node by way of this router.",
        Severity.WARNING,
        source="FRRouting/frr#13413; measured with FRR 8.4.4.",
    ),
)

_FIREWALL = (
    Explanation(
        "FW001",
        "The router's firewall drops what the network needs",
        "Sessions come up and addresses are announced, and the packets end at the router.",
        source="nftables; the rules were walked through with packets of this network.",
    ),
    Explanation(
        "FW002",
        "The router's firewall lets in what it should keep out",
        "The API address stands on the control planes with every port that is open there, and BGP on the router "
        "answers whoever dials it.",
        Severity.WARNING,
        source="nftables; the rules were walked through with packets of this network.",
    ),
    Explanation(
        "FW003",
        "A rule of the firewall speaks of nothing in this network",
        "A range or an interface that nothing else names is a rule that never matches, or that matches somebody "
        "else's packets.",
        Severity.WARNING,
        source="routers/*/nftables.conf, sysctl.conf.",
    ),
    Explanation(
        "FW004",
        "The router does not forward packets",
        "With net.ipv4.ip_forward or net.ipv6.conf.all.forwarding off, everything that is sent to an announced address "
        "ends at the router.",
        source="Linux Documentation/networking/ip-sysctl.",
    ),
    Explanation(
        "FW005",
        "A router looks for the way back where there are several",
        "With strict reverse path filtering (1) the kernel drops a packet that comes in by another interface than the "
        "one by which it would answer. Nodes with two routers send by either of them.",
        source="RFC 3704 section 2; Linux Documentation/networking/ip-sysctl, rp_filter.",
    ),
)

_ARGO = (
    Explanation(
        "ARGO009",
        "One Application is kept in another way than all others",
        "Applications of one root follow one repository, one project and one manner of syncing. What differs in a "
        "single one is a change that was not made everywhere.",
        Severity.WARNING,
        source="Practice.",
    ),
    Explanation(
        "ARGO010",
        "An Application belongs to a project that is not there",
        "Argo CD refuses to sync it (InvalidSpecError).",
        source="Argo CD, projects.",
    ),
    Explanation(
        "ARGO011",
        "A project does not allow what an Application does",
        "Argo CD refuses to sync it: a repository, a namespace or a kind that the project does not list. Cluster-wide "
        "kinds are refused unless they are listed.",
        source="Argo CD, sourceRepos, destinations, the lists of kinds (app_project_types.go).",
    ),
    Explanation(
        "BOOT001",
        "A script brings something else than the engine later",
        "The engine takes over what it finds under the same names, with the same values. Anything else it makes a "
        "second time, or changes while the network is needed to change it.",
        Severity.WARNING,
        source="Practice; helm-controller and Argo CD, adoption of objects.",
    ),
    Explanation(
        "BOOT002",
        "A script applies the operator's chart with its hooks",
        "A pre-delete hook is an ordinary object to kubectl. That of tigera-operator deletes the Installation, and "
        "every node loses its network.",
        source="projectcalico/calico, charts/tigera-operator, 00-uninstall.yaml; calico issue 9033.",
    ),
    Explanation(
        "ARGO021",
        "A project hands out more than it must",
        "Whoever may change what one of its Applications brings, upstream's next release included, may then change "
        "everything; in the namespace of Argo CD that is whoever may write a workload or a Secret there.",
        Severity.INFO,
        source="Argo CD, projects; cluster bootstrapping.",
    ),
    Explanation(
        "ARGO012",
        "An Application goes to a namespace that nothing makes",
        "Its objects cannot be created, and the waves after it never start.",
        source="Argo CD, CreateNamespace.",
    ),
    Explanation(
        "ARGO013",
        "A chart is not in the repository that is named",
        "Argo CD finds no such chart there, and nothing of it is ever applied.",
        source="The projects' own documentation.",
    ),
    Explanation(
        "ARGO014",
        "An object has an API group that nothing serves",
        "The API server refuses it, and whatever watches the kind never sees it.",
        source="Kubernetes, API groups.",
    ),
    Explanation(
        "ARGO015",
        "An Application takes the values or the name of another",
        "Two charts share one values file, or a release gets a name that other parts of the repository do not know "
        "it by.",
        Severity.WARNING,
        source="The files of this repository.",
    ),
    Explanation(
        "ARGO016",
        "An Application of the foundation may be pruned",
        "What vanishes from the chart for a moment is deleted in the cluster: definitions go with every object of "
        "their kind, the network with every connection.",
        Severity.WARNING,
        source="Argo CD, automated.prune; argoproj/argo-cd sync options.",
    ),
    Explanation(
        "ARGO017",
        "Definitions are applied by the client",
        "kubectl's client-side apply writes the whole object into an annotation, which holds 256 KiB: large "
        "definitions are refused. The same holds for `kubectl apply` in a script without --server-side.",
        source="Argo CD, ServerSideApply.",
    ),
    Explanation(
        "ARGO018",
        "Objects of a kind that another Application defines are tried before it exists",
        "The dry run of the whole Application fails as long as one kind is unknown, so nothing of it is applied.",
        source="Argo CD, SkipDryRunOnMissingResource.",
    ),
    Explanation(
        "ARGO019",
        "Argo CD passes over a setting",
        "Keys of its ConfigMap and variables that it does not know are ignored without a word: what they should have "
        "changed stays as it was.",
        Severity.WARNING,
        source="Argo CD, argocd-cm; util/settings.",
    ),
    Explanation(
        "ARGO022",
        "Argo CD applies what SOPS encrypted as it stands",
        "It has no decryption of its own: without a plugin the Secret holds ciphertext, or the API server refuses the "
        "field `sops`, and the sync fails.",
        source="Argo CD documentation, secret management.",
    ),
    Explanation(
        "ARGO023",
        "An Application names a plugin that is not there",
        "The repository server finds no plugin of that name, the Application stays Unknown, and the waves behind it "
        "never begin.",
        source="Argo CD documentation, config management plugins.",
    ),
    Explanation(
        "ARGO020",
        "Argo CD's definitions are not kept",
        "With the definition of Application all Applications go, and with them what they brought.",
        Severity.WARNING,
        source="argo-cd chart, crds.keep.",
    ),
)

_REFERENCES = (
    Explanation(
        "REF001",
        "A priority class is made by nothing",
        "The API server refuses every pod that names it.",
        source="Kubernetes, PriorityClass admission.",
    ),
    Explanation(
        "REF002",
        "No ingress controller serves the class of a route",
        "Traefik passes over routes of other classes in silence: the site answers 404.",
        source="Traefik, ingressClass of its providers.",
    ),
    Explanation(
        "REF003",
        "Argo CD and the route to it name different hosts",
        "Links and the login lead to a name that the route does not serve.",
        source="argo-cd chart, global.domain.",
    ),
    Explanation(
        "REF004",
        "A probe asks an address that no Service has",
        "The hook of the Application fails, and with it every sync.",
        source="Argo CD, PostSync hooks.",
    ),
    Explanation(
        "REF005",
        "A namespace admits no pod of what runs in it",
        "Pods that work on the host are refused by pod security: the DaemonSet stays at zero, and no object says why.",
        source="Kubernetes, pod security admission; Calico and its operator use the host's network.",
    ),
    Explanation(
        "REF006",
        "A namespace admits more than what runs in it needs",
        "Whoever may create a pod there gets the node.",
        Severity.WARNING,
        source="Kubernetes, pod security standards.",
    ),
    Explanation(
        "REF007",
        "Calico dials another port than that of the API server",
        "Without kube-proxy the operator and its agents have this one way to the API: no pod gets a network.",
        source="Calico documentation, eBPF; ConfigMap kubernetes-services-endpoint.",
    ),
    Explanation(
        "REF008",
        "Nothing serves Calico's own kinds",
        "Objects of projectcalico.org/v3 go through Calico's API server; without it the kinds are unknown and their "
        "Applications never sync.",
        source="tigera/operator, APIServer.",
    ),
    Explanation(
        "REF009",
        "Calico's definitions have two owners",
        "The operator and a chart write them in turn, each in its own version, and Argo CD undoes the other for ever.",
        Severity.WARNING,
        source="tigera-operator chart, manageCRDs.",
    ),
    Explanation(
        "REF011",
        "Calico may take the API address for a node's own",
        "It takes the first address that it finds on a card, or one that leads to some destination. While kube-vip has "
        "put the API address on that card, this may be it: after the address has moved, pods of the node reach "
        "nothing.",
        source="projectcalico/calico#4870, projectcalico/calico#7341.",
    ),
    Explanation(
        "REF012",
        "calico-node may not read the password of a session",
        "Calico renders the session without the password and says so in a log only: the peer drops every packet. The "
        "ServiceAccount calico-node has no right to read Secrets by itself.",
        source="Calico documentation, secure BGP sessions; projectcalico/calico#6893.",
    ),
    Explanation(
        "REF014",
        "A Secret that is needed stands nowhere",
        "The site says that its Secrets come out of git, and no file brings this one. A session is opened without its "
        "password, which only a log says; Traefik answers with a certificate that nobody trusts.",
        source="Calico documentation, secure BGP sessions; Traefik documentation, default certificate.",
    ),
    Explanation(
        "REF013",
        "The pods of a Local Service run where nothing is announced",
        "A node announces the address of such a Service while it has a pod of it. Where all the nodes that may run one "
        "have no session, or carry the exclude label, nobody announces the address.",
        source="confd pkg/backends/calico/routes.go; projectcalico/calico#11128.",
    ),
    Explanation(
        "REF010",
        "Argo CD answers a plain route with a redirection",
        "Behind a proxy that ends the TLS session its server redirects to https without end.",
        source="Argo CD, server.insecure.",
    ),
)

_TRAEFIK = (
    Explanation(
        "TRF002",
        "Traefik is killed before it has finished",
        "preStop, the grace for new requests and that for running ones come one after the other; where they do not "
        "fit into the grace period of the pod, connections break at every update.",
        Severity.WARNING,
        source="Traefik, transport.lifeCycle; Kubernetes, terminationGracePeriodSeconds.",
    ),
    Explanation(
        "TRF003",
        "Values of Traefik name something that the chart does not make",
        "A selector that fits no pod spreads nothing, a redirection to an entry point that does not exist stops "
        "Traefik at its start.",
        source="traefik-helm-chart.",
    ),
    Explanation(
        "TRF004",
        "An update of Traefik interrupts its service",
        "Recreate stops all replicas at once; with maxUnavailable above 0 an update takes away a next hop before the "
        "new one is there.",
        Severity.WARNING,
        source="Kubernetes, Deployment strategy.",
    ),
    Explanation(
        "TRF005",
        "New pods of a Local Service get packets before they can answer",
        "The node announces the address as soon as a pod there is ready; the dataplane learns of it a moment later. "
        "minReadySeconds keeps an update from taking the next old pod away in that moment.",
        Severity.INFO,
        source="projectcalico/calico#11523; Kubernetes, minReadySeconds.",
    ),
)

_UPDATES = (
    Explanation(
        "UPD001",
        "What proposes new releases finds nothing",
        "Renovate says nothing where an expression or a name matches nothing: the version stands still, and the fix "
        "for the next hole is never proposed.",
        Severity.WARNING,
        source="Renovate, custom managers.",
    ),
    Explanation(
        "CI001",
        "The check of every commit does not run",
        "A forge refuses a workflow with a word that it does not know, or starts it and fails for ever: from then on "
        "nobody looks at the result, and a mistake reaches the cluster.",
        Severity.WARNING,
        source="GitHub Actions, workflow syntax. GitLab, CI/CD YAML syntax reference.",
    ),
)

CODES: tuple[Explanation, ...] = (
    *_SITE,
    *_NODE,
    *_KUBE_VIP,
    *_FRR,
    *_FIREWALL,
    *_ARGO,
    *_REFERENCES,
    *_TRAEFIK,
    *_UPDATES,
    *MIRRORS,
)
