"""Services and the smaller kinds of Kubernetes."""

from __future__ import annotations

from anycastle.schemas.reasons.explanation import Explanation

REASONS = (
    Explanation(
        "OBJ130",
        "A Service lists one port twice",
        "Port and protocol together are unique; the API server refuses the Service.",
    ),
    Explanation(
        "OBJ131",
        "The ports of a Service are not told apart by name",
        "With more than one port each needs a name of its own; the API server refuses the Service.",
    ),
    Explanation(
        "OBJ132",
        "A node port is outside the node port range",
        "The API server hands out 30000 to 32767 unless it was started with another range, and refuses the rest.",
    ),
    Explanation(
        "OBJ133",
        "A cluster IP is malformed",
        "It is `None` or an address of the service range; the API server refuses anything else.",
    ),
    Explanation(
        "OBJ134",
        "An address of a Service is malformed",
        "externalIPs and loadBalancerIP hold plain addresses; loopback and link-local ones are refused.",
    ),
    Explanation(
        "OBJ135",
        "A network in CIDR form is malformed",
        "The API server refuses it, or a firewall rule is made for another network than the one meant.",
    ),
    Explanation(
        "OBJ136",
        "A Service carries a field that its type does not allow",
        "externalTrafficPolicy, loadBalancerClass and their like belong to certain types only; the API "
        "server refuses the Service.",
    ),
    Explanation(
        "OBJ137",
        "A Service has no ports",
        "Only headless and ExternalName Services may do without; the API server refuses the rest.",
    ),
    Explanation(
        "OBJ138",
        "An Ingress rule leads nowhere",
        "Without a default backend and without rules, or with a backend that is not exactly one Service "
        "port or one resource, the API server refuses the Ingress.",
    ),
    Explanation(
        "OBJ139",
        "An IP family list contradicts the policy",
        "SingleStack allows one family, and no family may be listed twice; the API server refuses it.",
    ),
    Explanation(
        "OBJ140",
        "A key of a ConfigMap or Secret is malformed",
        "Keys become file names: letters, digits, `-`, `_` and `.`; the API server refuses the rest.",
    ),
    Explanation(
        "OBJ141",
        "A key stands in both halves of a ConfigMap",
        "`data` and `binaryData` share one set of keys; the API server refuses the object.",
    ),
    Explanation(
        "OBJ142",
        "Binary data is not base64",
        "Values under `data` of a Secret, `binaryData` and CA bundles are base64; clear text of a Secret belongs "
        "under `stringData`. The API server refuses the object.",
    ),
    Explanation(
        "OBJ150",
        "A disruption budget has both of its bounds, or a malformed one",
        "minAvailable and maxUnavailable exclude each other and are numbers or percentages; the API server "
        "refuses the object.",
    ),
    Explanation(
        "OBJ151",
        "A role binding does not say who or what",
        "A ServiceAccount without namespace in a ClusterRoleBinding, or a role of an unknown kind, makes a binding "
        "that is refused.",
    ),
    Explanation(
        "OBJ152",
        "A definition is not named after its resource",
        "A CustomResourceDefinition is called `<plural>.<group>`; the API server refuses another name.",
    ),
    Explanation(
        "OBJ153",
        "A priority is outside the range for users",
        "Values above 1000000000 and names starting with `system-` are reserved; the API server refuses them.",
    ),
)
