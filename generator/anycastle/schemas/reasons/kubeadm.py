"""Documents for kubeadm."""

from __future__ import annotations

from anycastle.finding import Severity
from anycastle.schemas.reasons.explanation import Explanation

REASONS = (
    Explanation(
        "KUBEADM001",
        "Arguments are written as a mapping",
        "Since v1beta4 extraArgs are a list of name and value; kubeadm cannot read the old form.",
    ),
    Explanation(
        "KUBEADM002",
        "An endpoint is malformed",
        "It is a host name or an address with a port, without scheme or path; kubeadm refuses the rest.",
    ),
    Explanation(
        "KUBEADM003",
        "A bootstrap token is malformed",
        "Six characters, a dot and sixteen characters of lower-case letters and digits; no node can join "
        "with anything else.",
    ),
    Explanation(
        "KUBEADM004",
        "A certificate key is malformed",
        "It is 32 bytes in hexadecimal, that is 64 digits; the control planes cannot fetch their "
        "certificates otherwise.",
    ),
    Explanation(
        "KUBEADM005",
        "A CRI socket has no unix:// scheme",
        "kubeadm accepts a unix socket with its scheme and stops in preflight otherwise.",
    ),
    Explanation(
        "KUBEADM006",
        "A hash of the cluster's CA is malformed",
        "It is `sha256:` and 64 hexadecimal digits; a join cannot verify the API server otherwise.",
    ),
    Explanation(
        "KUBEADM007",
        "Fields of a kubeadm document exclude each other",
        "Local or external etcd, a token or a file for discovery, ttl or expires: kubeadm refuses both.",
    ),
    Explanation(
        "KUBEADM008",
        "Discovery by token verifies nothing",
        "Without caCertHashes kubeadm only joins if unsafeSkipCAVerification says so, and then any machine "
        "on the path can pose as the API server.",
    ),
    Explanation(
        "KUBEADM009",
        "A network of the cluster is malformed or too large",
        "kubeadm refuses networks with mistakes and service networks with more than 20 host bits.",
    ),
    Explanation(
        "KUBEADM010",
        "A feature gate that kubeadm no longer knows",
        "Unknown gates make kubeadm stop before it does anything.",
    ),
    Explanation(
        "KUBEADM011",
        "An address is malformed",
        "advertiseAddress is the plain address of the node itself; the API server cannot listen otherwise.",
    ),
    Explanation(
        "KUBEADM012",
        "A name for the certificate is malformed",
        "Entries are addresses, DNS names or `*.` wildcards; kubeadm refuses the rest.",
    ),
    Explanation(
        "KUBEADM013",
        "An argument is named with dashes",
        "kubeadm puts the dashes in front itself: the component would get `----name` and not start.",
    ),
    Explanation(
        "KUBEADM014",
        "`all` among other preflight errors",
        "`all` stands alone; kubeadm refuses the mixture.",
    ),
    Explanation(
        "KUBEADM015",
        "A node name is malformed",
        "Nodes are named by lower-case DNS names; the kubelet cannot register otherwise.",
    ),
    Explanation(
        "KUBEADM016",
        "An old version of the kubeadm documents",
        "v1beta3 is deprecated and leaves kubeadm with the releases after 1.35; v1beta4 is read since 1.31.",
        Severity.WARNING,
    ),
    Explanation(
        "KUBEADM017",
        "A path is not absolute or has the wrong ending",
        "kubeadm refuses relative paths, and a CA certificate that does not end in .crt.",
    ),
    Explanation(
        "KUBEADM018",
        "Groups of a token that cannot authenticate",
        "Groups belong to tokens with the usage `authentication`; kubeadm refuses them elsewhere.",
    ),
    Explanation(
        "KUBEADM019",
        "Discovery has no way to find the cluster",
        "A join needs a bootstrap token or a discovery file; kubeadm refuses to start without one.",
    ),
)
