"""Why a site file can be refused: one entry for each code of this folder."""

from __future__ import annotations

from anycastle.finding import Explanation

EXPLANATIONS: tuple[Explanation, ...] = (
    Explanation(
        "SITE001",
        "A key of the site file is not known",
        "A misspelt key would change nothing in silence: the default stays in force, and the network differs from what "
        "was written down.",
    ),
    Explanation(
        "SITE002",
        "A key of the site file is missing",
        "What follows from it cannot be derived, and a guess would be somebody else's network.",
    ),
    Explanation(
        "SITE003",
        "A value of the site file cannot be used",
        "It is not of the form that the key wants: an address with a mask, a network with host bits, a number out of "
        "range. The component that gets such a value refuses its whole configuration, or reads something else in it.",
    ),
    Explanation(
        "SITE004",
        "The site file is of another schema version",
        "The same keys may mean something else in it.",
    ),
    Explanation(
        "SITE005",
        "A name is used twice",
        "Names become files and objects: the second would overwrite the first.",
    ),
    Explanation(
        "SITE006",
        "A name points at nothing",
        "A node in a rack that does not exist gets no router, a Service of a pool that does not exist no address.",
    ),
    Explanation(
        "SITE007",
        "An answer needs another one",
        "Each is right alone, but not without the other: an API address without an AS number makes kube-vip take one "
        "of its own, an ingress that asks for no address waits for one for ever.",
    ),
    Explanation(
        "SITE008",
        "A node label is not kubelet's to set",
        "kubelet refuses to start with a label of the Kubernetes domains outside its own few, and kubeadm overwrites "
        "those that it sets itself.",
        source="KEP-279, node restriction",
    ),
    Explanation(
        "SITE011",
        "Two answers contradict each other",
        "Each is right alone. Together they would leave Services without anybody who serves them, give one class to "
        "two ingresses, or a router two speakers behind one address.",
    ),
    Explanation(
        "SITE012",
        "The interface is not called so by the router's software",
        "Its configuration names the interface to the nodes. A name that the system does not know is refused on "
        "loading, or creates an interface that nothing is connected to.",
    ),
    Explanation(
        "SITE010",
        "The site file describes what cannot be generated yet",
        "An answer that is accepted and changes nothing is a trap, so it is refused until something is made from it.",
    ),
)
