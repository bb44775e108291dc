"""Every code that reading a repository can raise: the reference of rules is generated from this table."""

from __future__ import annotations

from anycastle.finding import Explanation, Severity
from anycastle.reader.codes_egress import EGRESS
from anycastle.reader.codes_foreign import FOREIGN

_YAML = (
    Explanation(
        "YAML001",
        "A file is not YAML",
        "Whatever reads it stops here: kubeadm, kubectl, Helm, and the GitOps engine with every object beside it.",
        source="YAML 1.1; sigs.k8s.io/yaml",
    ),
    Explanation(
        "YAML002",
        "A key is set twice",
        "Kubernetes tools keep the last value in silence, so one of the two never reaches the cluster.",
        source="kubernetes-sigs/kubespray#13503",
    ),
    Explanation(
        "YAML003",
        "A value became a YAML tag",
        "A bare `!has(x)` is a tag: the value is lost, the selector is empty, and an empty selector means every node.",
        source="projectcalico/calico#6451",
    ),
    Explanation(
        "YAML004",
        "A file is too large or nested too deeply",
        "No manifest needs that; a file that grows when it is expanded stops the tools that read it.",
    ),
    Explanation(
        "YAML005",
        "A file is not UTF-8",
        "kubectl and the GitOps engines refuse it.",
    ),
    Explanation(
        "YAML006",
        "A key is no text",
        "Kubernetes objects are JSON, in which a key is text; the API server refuses anything else.",
    ),
)

_HELM = (
    Explanation(
        "HELM001",
        "Helm cannot render a chart",
        "The GitOps engine renders with the same library, stops at the same place, and applies nothing of the chart.",
    ),
    Explanation(
        "HELM002",
        "helm lint refuses a chart",
        "The chart or its values break a rule of Helm's; the next version of Helm may refuse to render it.",
    ),
    Explanation(
        "HELM003",
        "A chart was stopped while it was rendered",
        "A template that calls itself overflows the stack of Helm, one that counts too far never ends, and one that "
        "repeats too much fills the memory. Argo CD's repository server renders every repository in one process and "
        "goes down with it. Charts that are not this program's own are rendered apart, with limits of time, memory "
        "and text.",
    ),
)

_READ = (
    Explanation(
        "READ001",
        "A value cannot be read",
        "An address, network, AS number or duration that no program can parse: the component refuses its "
        "configuration, and every check that needs the value has nothing to look at.",
    ),
    Explanation(
        "READ002",
        "A symbolic link leaves the repository",
        "Argo CD refuses a whole repository with such a link, since it could be made to read its own secrets.",
        source="Argo CD, out-of-bounds symlinks",
    ),
    Explanation(
        "READ003",
        "A file could not be read",
        "What stands in it was not checked.",
    ),
    Explanation(
        "READ004",
        "A node does not say its address",
        "Without the kubelet argument node-ip the kubelet takes the address of the default route, which may be another "
        "one tomorrow; no session of the node can be followed from the files.",
    ),
    Explanation(
        "READ005",
        "A selector cannot be read",
        "Calico refuses the object, so there is no session for any node that it should have selected.",
    ),
    Explanation(
        "READ006",
        "A chart is used by nothing",
        "No object of the GitOps engine names it, so it was not rendered, and its objects were not checked.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ007",
        "Something renders objects in a way that this tool does not follow",
        "What it brings to the cluster was not checked.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ008",
        "A router's configuration is in a language that is not read",
        "Its sessions, filters and firewall were not checked.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ009",
        "A filter has conditions that the network model does not carry",
        "The rule was left out of every check of what is sent and accepted.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ010",
        "Peers between nodes were not followed",
        "Sessions with pods, or with nodes that are not here, change what nodes hear and send; they were left out of "
        "every check.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ011",
        "Two files describe the same thing",
        "Only one of them can take effect, and it is not clear to a reader which.",
    ),
    Explanation(
        "READ012",
        "Nothing here describes a cluster",
        "No kubeadm document, no static pod, no chart, no router: a check of nothing passes for the wrong reason.",
    ),
)

_KUBE_VIP = (
    Explanation(
        "KVIP001",
        "A setting stops kube-vip",
        "kube-vip ends at once and the pod restarts for ever: the API address is announced by nobody.",
        source="kube-vip pkg/kubevip/config_environment.go, config_bgp.go",
    ),
    Explanation(
        "KVIP002",
        "A setting of kube-vip is ignored",
        "kube-vip does not know the variable and says nothing; what it should have changed stays as it was.",
        Severity.WARNING,
        source="kube-vip/kube-vip#1132",
    ),
    Explanation(
        "KVIP003",
        "kube-vip falls back to AS 65000",
        "65000 is built in for both sides: without a number of its own the session is refused, or becomes iBGP.",
        source="kube-vip cmd/kube-vip.go",
    ),
    Explanation(
        "KVIP004",
        "The certificate of kube-vip's health check is not mounted",
        "The file is read once at start; without it kube-vip ends and announces nothing.",
        source="kube-vip pkg/cluster/service.go",
    ),
    Explanation(
        "KVIP005",
        "A BFD interval of kube-vip is a thousand times too short",
        "gobgp counts microseconds: 300 is a third of a millisecond, and the session goes down with the first pause.",
        source="kube-vip pkg/kubevip/config_bgp.go; gobgp bfd_peer.go",
    ),
    Explanation(
        "KVIP008",
        "Only one control plane announces the API address",
        "With leader election kube-vip announces the address from the leader alone: no load is shared, and clients "
        "wait "
        "for a new leader when one goes. With BGP all may announce it, and the router knows within seconds which one "
        "is gone.",
        Severity.WARNING,
        source="kube-vip/kube-vip#213, kube-vip/kube-vip#578",
    ),
)

_ARGO = (
    Explanation(
        "ARGO001",
        "The folder of an Application is missing",
        "Argo CD reports a ComparisonError that the health of the Application does not show, so the next wave starts.",
        source="argoproj/argo-cd#6507, #10682",
    ),
    Explanation(
        "ARGO002",
        "A value file of an Application is missing",
        "Rendering fails, so nothing of the chart is applied or updated.",
    ),
    Explanation(
        "ARGO003",
        "A value file names an unknown source",
        "`$name` at the beginning must be the `ref` of another source of the same Application.",
        source="Argo CD, multiple sources",
    ),
    Explanation(
        "ARGO004",
        "A sync wave is no whole number",
        "Argo CD falls back to wave 0 in silence: the network could be applied after what needs it.",
        source="Argo CD, gitops-engine syncwaves/waves.go",
    ),
    Explanation(
        "ARGO005",
        "A source of an Application is not in this repository",
        "What it brings was not checked.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "ARGO006",
        "A chart is not in this repository",
        "Its values were read as far as they are known here; what it renders was not checked.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "ARGO007",
        "A path of an Application leaves the repository",
        "Argo CD refuses to read outside of the checkout.",
    ),
    Explanation(
        "ARGO008",
        "An Application reads another repository than the site file names",
        "A commit to this repository would change nothing in the cluster, or only a part of it.",
        Severity.WARNING,
    ),
)

_FRR = (
    Explanation(
        "FRR001",
        "FRR refuses a line",
        "FRR knows no comment behind a statement, and no number outside of a statement's range: it passes over the "
        "line, or stops there, and the daemons start with a part of the file.",
        source="FRR vtysh; measured with 8.4.4",
    ),
    Explanation(
        "FRR002",
        "FRR refers to a name that is not defined",
        "An undefined route-map or prefix-list lets nothing through: the session is up and carries no route.",
        source="FRR bgpd",
    ),
    Explanation(
        "FRR003",
        "A static route beats the route from BGP",
        "Static routes have distance 1, eBGP has 20: for the same prefix the router keeps the static one and drops "
        "every packet.",
        source="FRR zebra, administrative distance",
    ),
    Explanation(
        "FRR004",
        "Graceful restart is switched off where that has no effect",
        "On a peer group FRR accepts the line and keeps helping: routes of a dead speaker stay for 120 seconds.",
        Severity.WARNING,
        source="measured with FRR 8.4.4",
    ),
    Explanation(
        "FRR005",
        "A neighbour is in no address family",
        "With `no bgp default ipv4-unicast` FRR opens no session to a neighbour that is activated nowhere.",
        source="FRR bgpd",
    ),
    Explanation(
        "FRR006",
        "ttl-security towards kube-vip",
        "kube-vip sends its packets with TTL 1, the router drops everything below 254: the session never comes up.",
        source="measured with FRR 8.4.4 and gobgpd",
    ),
)

_TRAEFIK = (
    Explanation(
        "TRF001",
        "A value is accepted by Traefik's chart and changes nothing",
        "The chart's schema is open in several places, so a key at the wrong level passes and is ignored: "
        "service.externalTrafficPolicy leaves the Service at Cluster, and the client's address is lost.",
        source="traefik-helm-chart v41.3.0, values.schema.json",
    ),
)

_SECRETS = (
    Explanation(
        "SEC001",
        "A Secret stands in clear text",
        "Whoever can read the repository, now or in its history, has the secret; base64 hides nothing.",
    ),
    Explanation(
        "SEC002",
        "A kubeadm token or certificate key stands in clear text",
        "With the token a stranger's machine joins the cluster, with the key it becomes a control plane.",
    ),
    Explanation(
        "SEC003",
        "A password of kube-vip's session stands in clear text",
        "Static pods cannot refer to a Secret, so the password belongs into the file on the node, not into git.",
    ),
    Explanation(
        "SEC004",
        "A private key stands in the repository",
        "It must be taken for known; a key that was committed once stays in the history.",
    ),
    Explanation(
        "SEC005",
        "A BGP password of a router stands in clear text",
        "It is the only thing between a stranger's speaker and the routing table.",
    ),
    Explanation(
        "SEC006",
        "A placeholder stands where a Secret belongs",
        "The engine applies it as it is: the mark becomes the password, which no router accepts, or the controller "
        "finds nothing to open. What reads the Secret fails when it next starts, and not when the file is pushed.",
    ),
    Explanation(
        "SEC007",
        "A file is not encrypted whole with SOPS",
        "SOPS opens a file only with its block `sops` and the mac in it, and encrypts only what `encrypted_regex` "
        "names: what is left open is in the history for ever, and what cannot be opened stops everything that is "
        "applied together with it.",
        source="SOPS, encrypting only parts of a file; message authentication code",
    ),
    Explanation(
        "SEC008",
        "A file is encrypted for others than .sops.yaml says",
        "Rules are read when a file is encrypted, and never again. A key that was added cannot open it: the engine "
        "stops at it. One that was taken out still can.",
        source="SOPS, updatekeys",
    ),
)

CODES: tuple[Explanation, ...] = (
    *_YAML,
    *_HELM,
    *_READ,
    *FOREIGN,
    *EGRESS,
    *_KUBE_VIP,
    *_ARGO,
    *_FRR,
    *_TRAEFIK,
    *_SECRETS,
)
