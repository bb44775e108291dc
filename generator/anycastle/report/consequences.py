"""What follows from a finding: one table from codes to consequences.

A row is a family or a whole code; the code outweighs its family. A test holds every code that exists against it.
"""

from __future__ import annotations

from anycastle.finding import Consequence
from anycastle.report.families import family

TABLE: dict[str, Consequence] = {
    "ADDR": Consequence.UNREACHABLE,
    "ADDR014": Consequence.CLUSTER_DOWN,
    "ANN": Consequence.UNREACHABLE,
    "API": Consequence.CLUSTER_DOWN,
    "API003": Consequence.LASTING,
    "ARGO": Consequence.DELIVERY,
    "AS": Consequence.UNREACHABLE,
    "BASE": Consequence.OUT_OF_STEP,
    "CAL": Consequence.REFUSED,
    "CI": Consequence.WITHOUT_EFFECT,
    "FAM": Consequence.CLUSTER_DOWN,
    "FLUX": Consequence.DELIVERY,
    "FRR": Consequence.UNREACHABLE,
    "FRR004": Consequence.LASTING,
    "FW": Consequence.UNREACHABLE,
    "FW002": Consequence.EXPOSED,
    "FW003": Consequence.WITHOUT_EFFECT,
    "GITOPS": Consequence.DELIVERY,
    "HELM": Consequence.DELIVERY,
    "IMPORT": Consequence.NOT_GENERATED,
    "KUBEADM": Consequence.CLUSTER_DOWN,
    "KV": Consequence.CLUSTER_DOWN,
    "KV007": Consequence.LASTING,
    "KVIP": Consequence.CLUSTER_DOWN,
    "KVIP002": Consequence.WITHOUT_EFFECT,
    "NODE": Consequence.CLUSTER_DOWN,
    "NODE001": Consequence.LASTING,
    "NODE011": Consequence.WITHOUT_EFFECT,
    "OBJ": Consequence.REFUSED,
    "ORD": Consequence.DELIVERY,
    "POOL": Consequence.UNREACHABLE,
    "PRXY": Consequence.UNREACHABLE,
    "READ": Consequence.UNREADABLE,
    "REF": Consequence.UNREACHABLE,
    "REF001": Consequence.REFUSED,
    "REF005": Consequence.REFUSED,
    "REF006": Consequence.EXPOSED,
    "REF007": Consequence.CLUSTER_DOWN,
    "REF008": Consequence.CLUSTER_DOWN,
    "REF009": Consequence.DELIVERY,
    "REPO": Consequence.NOT_GENERATED,
    "REPO007": Consequence.OUT_OF_STEP,
    "REPO008": Consequence.OUT_OF_STEP,
    "REPO012": Consequence.DELIVERY,
    "RT": Consequence.UNREACHABLE,
    "RT002": Consequence.EXPOSED,
    "RT003": Consequence.LASTING,
    "RT009": Consequence.LASTING,
    "RT010": Consequence.WITHOUT_EFFECT,
    "RT011": Consequence.WITHOUT_EFFECT,
    "SEC": Consequence.EXPOSED,
    "VEND": Consequence.DELIVERY,
    "VEND003": Consequence.OUT_OF_STEP,
    "SESS": Consequence.UNREACHABLE,
    "SITE": Consequence.NOT_GENERATED,
    "SITE020": Consequence.OUT_OF_STEP,
    "SUP": Consequence.OUT_OF_STEP,
    "SVC": Consequence.UNREACHABLE,
    "TIME": Consequence.LASTING,
    "TRAEFIK": Consequence.UNREACHABLE,
    "TRAEFIK002": Consequence.REFUSED,
    "TRF": Consequence.WITHOUT_EFFECT,
    "TRF002": Consequence.LASTING,
    "TRF003": Consequence.UNREACHABLE,
    "TRF004": Consequence.LASTING,
    "UPD": Consequence.WITHOUT_EFFECT,
    "VER": Consequence.UNREACHABLE,
    "VER003": Consequence.REFUSED,
    "VER004": Consequence.CLUSTER_DOWN,
    "WIZ": Consequence.NOT_GENERATED,
    "WORK": Consequence.CLUSTER_DOWN,
    "YAML": Consequence.UNREADABLE,
}


def consequence(code: str) -> Consequence:
    """What follows from a finding with that code; a family without a row is taken for a refusal."""
    return TABLE.get(code) or TABLE.get(family(code), Consequence.REFUSED)
