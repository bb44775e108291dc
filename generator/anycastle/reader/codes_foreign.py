"""Codes about repositories that people wrote in their own way, and about Flux."""

from __future__ import annotations

from anycastle.finding import Explanation, Severity

_FOREIGN = (
    Explanation(
        "READ013",
        "A value is a placeholder",
        "Something else fills it in before it is used, so nobody can say here what it will be.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ014",
        "It cannot be told on which nodes a kube-vip runs",
        "Neither its folder, nor its file name, nor its router ID names a node, and other files place a kube-vip on "
        "the control planes already.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ015",
        "Files look like samples",
        "They lie below a folder such as examples, docs or tests, and no object of the GitOps engine and no "
        "kustomization.yaml names them. They are read as YAML and for secrets, and are no part of the cluster.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ016",
        "The nodes are not described",
        "Selectors choose among nodes, and no kubeadm file says which there are: sessions that depend on a selector "
        "were not followed.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ017",
        "The address of a router is not said",
        "Neither its own configuration nor a peer of the nodes tells it, so its sessions were not followed.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ018",
        "Statements of a router are not understood",
        "They stand where sessions and filters are configured. A misspelt one is refused by the daemon, and what it "
        "should have set stays at its default.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ019",
        "How a router's kernel forwards is not said",
        "Beside the routing daemon's configuration lies no sysctl.conf or no nftables.conf, so the choice of next "
        "hops, redirects and the firewall were not checked.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ020",
        "The names in the API server's certificate are not said",
        "No ClusterConfiguration of kubeadm is here, so nothing that depends on the certificate was checked.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ021",
        "An object is written in Calico's storage format",
        "crd.projectcalico.org/v1 is what Calico keeps for itself: nobody validates or defaults such an object, and "
        "some fields have other names and meanings than in projectcalico.org/v3.",
        source="Calico documentation, API; projectcalico/calico#6412",
    ),
    Explanation(
        "READ022",
        "A router's configuration cannot be read",
        "The daemon refuses the file and keeps running with what it had, or does not start.",
    ),
    Explanation(
        "READ023",
        "A manifest is not listed in the kustomization beside it",
        "Kustomize applies what is listed and nothing else. A file that was forgotten there is missing in the cluster.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ025",
        "A kubeadm document is meant for any machine",
        "It says neither which node it makes nor which address that has, so what is made with it is not known.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "READ024",
        "A kustomization names a file that is not there",
        "Kustomize stops at it, so nothing of the folder is applied or updated.",
        source="kustomize, resources",
    ),
    Explanation(
        "READ026",
        "Kustomize does not know a kustomization's kind",
        "Kustomize stops at an apiVersion or a kind that is not its own, so nothing of the folder is applied.",
        source="kustomize, api/types, Kustomization.EnforceFields",
    ),
)

_FLUX = (
    Explanation(
        "FLUX001",
        "A dependsOn names nothing",
        "Flux waits for an object that nobody creates: neither this one nor what depends on it is ever applied.",
        source="kustomize-controller, helm-controller: dependency check",
    ),
    Explanation(
        "FLUX002",
        "A dependsOn waits for nothing",
        "Without wait or healthChecks a Kustomization is ready as soon as its objects are applied: a HelmRelease in it "
        "has then installed nothing yet, and the dependent fails with `no matches for kind`.",
        source="fluxcd/flux2#1193, fluxcd/flux2#3042, fluxcd/kustomize-controller#601",
    ),
    Explanation(
        "FLUX003",
        "Dependencies go round in a circle",
        "Each waits for the other, and nothing of the circle is ever applied.",
        source="fluxcd: dependency check",
    ),
    Explanation(
        "FLUX004",
        "Objects stand beside the release that defines their kind",
        "Flux checks all objects of a Kustomization before it applies one of them, and the kind does not exist before "
        "the HelmRelease beside it has run: the whole Kustomization fails, that release included.",
        source="kustomize-controller, server-side dry run",
    ),
    Explanation(
        "FLUX005",
        "Encrypted files without decryption",
        "Flux applies what SOPS encrypted as it stands: the Secret then holds ciphertext, or is refused.",
        source="Flux documentation, spec.decryption",
    ),
    Explanation(
        "FLUX006",
        "A path or source of Flux does not exist",
        "The Kustomization or HelmRelease never becomes ready, and nothing of it is applied.",
        source="kustomize-controller: path not found; source-controller",
    ),
    Explanation(
        "FLUX007",
        "Values of a release are not where they are looked for",
        "helm-controller stops at a ConfigMap or a key that is not there, unless the entry is optional; the release is "
        "neither installed nor upgraded.",
        source="Flux, helmreleases.md, Values references.",
    ),
    Explanation(
        "FLUX008",
        "A release asks for a generated ConfigMap by the name that it had before",
        "Kustomize adds a hash to the names of what it generates and follows them in the kinds that it knows. "
        "HelmRelease is none of them, so the release looks for a ConfigMap that nobody makes.",
        source="Kustomize, nameReference; Flux, guides/helmreleases.md.",
    ),
    Explanation(
        "FLUX009",
        "An annotation has a value that nothing looks for",
        "Helm and Flux compare the word and nothing else: what was to be kept is pruned, what was to be left alone is "
        "changed.",
        source="Helm, Tell Helm Not To Uninstall a Resource; Flux, kustomizations.md.",
    ),
    Explanation(
        "FLUX010",
        "A release asks about the health of a kind that it does not bring",
        "An expression is asked of objects of its kind alone. Without any, the release is ready at once, and what "
        "depends on it starts too early.",
        source="Flux, helmreleases.md, healthCheckExprs.",
    ),
    Explanation(
        "FLUX011",
        "A guard is missing that the objects beside it have",
        "What keeps the network in place when a file vanishes or a release goes has several parts: prune: false beside "
        "deletionPolicy: Orphan, disableHooks in each of the four actions of a release, and keepHistory. The one "
        "object that lacks a part is the one that is taken away, or whose hooks run.",
        Severity.WARNING,
        source="Flux, kustomizations.md (prune, deletionPolicy) and helmreleases.md (disableHooks, keepHistory).",
    ),
)

FOREIGN: tuple[Explanation, ...] = (*_FOREIGN, *_FLUX)
