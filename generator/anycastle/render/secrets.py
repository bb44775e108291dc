"""`secrets/`: a file for each Secret that the site needs, in the form of the tool that brings it.

A file is written once, as a placeholder, and is the person's from then on. `anycastle validate` refuses a placeholder,
so none reaches the cluster. SOPS is told by `.sops.yaml` what to encrypt, and for whom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anycastle import yamlio
from anycastle.records import dataclass
from anycastle.render import passwords
from anycastle.render.release import ingress_name
from anycastle.site.ingresses import main_ingress
from anycastle.site.model import Site

FOLDER = "secrets"
RULES = ".sops.yaml"
STORE = f"{FOLDER}/store.yaml"
STORE_NAME = "secrets"
CERTIFICATE = f"{FOLDER}/sealing.pem"
"""The public half of the sealing key; the person makes it."""

SUFFIXES: Mapping[str, str] = {"sops": "sops", "sealed-secrets": "sealed", "external-secrets": "external"}
ENCRYPTED = "^(data|stringData)$"
"""What SOPS encrypts: kind, name and namespace stay readable, as the engine needs them."""

_Object = dict[str, object]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A Secret of this site: `keys` each with the file below the folder of passwords that it is made of."""

    namespace: str
    name: str
    keys: tuple[tuple[str, str], ...]
    type: str = "Opaque"

    def path(self, tool: str) -> str:
        """Its file."""
        return f"{FOLDER}/{self.namespace}.{self.name}.{SUFFIXES[tool]}.yaml"

    def mark(self, key: str) -> str:
        """What stands in a placeholder."""
        return f"<{self.name}/{key}>"


def wanted(site: Site) -> tuple[Wanted, ...]:
    """Passwords that Calico reads, and the certificate of the edge."""
    found = [
        Wanted("calico-system", name, tuple((key, f"{name}/{key}") for key in keys))
        for name, keys in passwords.secrets(site)
    ]
    ingress = main_ingress(site)
    if ingress is not None and ingress.certificate:
        name = ingress.certificate
        keys = tuple((key, f"{name}/{key}") for key in ("tls.crt", "tls.key"))
        found.append(Wanted(ingress_name(site), name, keys, "kubernetes.io/tls"))
    return tuple(found)


def files(site: Site, step: str) -> dict[str, bytes]:
    """Placeholders, and the rules of SOPS; nothing where Secrets are made by hand.

    `step` is the target of the Makefile that wants them filled in.
    """
    tool = site.gitops.secrets
    if tool == "none":
        return {}
    made = {one.path(tool): _placeholder(one, tool) for one in wanted(site)}
    if tool == "sops":
        made[RULES] = _rules(site)
    elif tool == "external-secrets" and made:
        made[STORE] = _store(step)
    return made


def _rules(site: Site) -> bytes:
    recipients = site.gitops.age_recipients
    value = {
        "creation_rules": [
            {
                "path_regex": rf"^{FOLDER}/.*\.sops\.yaml$",
                "encrypted_regex": ENCRYPTED,
                "age": ",".join(recipients),
            }
        ]
    }
    head = yamlio.header(
        "Follows from site.yaml: gitops.age_recipients.\nWhat SOPS encrypts, and who can open it. After a change: sops "
        f"updatekeys FILE, for each file of {FOLDER}/."
    )
    return (head + yamlio.dump(value)).encode()


def _placeholder(one: Wanted, tool: str) -> bytes:
    bodies = {"sops": _secret, "sealed-secrets": _sealed, "external-secrets": _external}
    value = {**_OF[tool], "metadata": {"name": one.name, "namespace": one.namespace}, **bodies[tool](one)}
    return (yamlio.header(_HEADS[tool]) + yamlio.dump(value)).encode()


_OF: Mapping[str, _Object] = {
    "sops": {"apiVersion": "v1", "kind": "Secret"},
    "sealed-secrets": {"apiVersion": "bitnami.com/v1alpha1", "kind": "SealedSecret"},
    "external-secrets": {"apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret"},
}
_YOURS = "Yours: written once, never touched again.\n"
_HEADS: Mapping[str, str] = {
    "sops": f"{_YOURS}A placeholder: `seal` in README.md puts the encrypted Secret in its place. Never write a secret "
    "in here.",
    "sealed-secrets": f"{_YOURS}A placeholder: `seal` in README.md puts the sealed Secret in its place. Never write a "
    "secret in here.",
    "external-secrets": f"{_YOURS}A placeholder: write where your store keeps each value in place of its <mark> "
    "(remoteRef.key, and property\nwhere one entry of the store has several values). The values themselves never stand "
    "here.",
}


def _secret(one: Wanted) -> _Object:
    return {"type": one.type, "stringData": {key: one.mark(key) for key, _file in one.keys}}


def _sealed(one: Wanted) -> _Object:
    template = {"metadata": {"name": one.name, "namespace": one.namespace}, "type": one.type}
    return {"spec": {"encryptedData": {key: one.mark(key) for key, _file in one.keys}, "template": template}}


def _external(one: Wanted) -> _Object:
    return {
        "spec": {
            "refreshInterval": "1h",
            "secretStoreRef": {"kind": "ClusterSecretStore", "name": STORE_NAME},
            "target": {"name": one.name, "deletionPolicy": "Retain", "template": {"type": one.type}},
            "data": [{"secretKey": key, "remoteRef": {"key": one.mark(key)}} for key, _file in one.keys],
        }
    }


def _store(step: str) -> bytes:
    value = {
        "apiVersion": "external-secrets.io/v1",
        "kind": "ClusterSecretStore",
        "metadata": {"name": STORE_NAME},
        "spec": {"provider": {}},
    }
    head = yamlio.header(
        f"{_YOURS}A placeholder: describe your store under provider (https://external-secrets.io, Provider), by "
        "reference to a\nSecret for what the operator logs in with. That one is made by hand, before\n"
        f"`make {step}`: README.md says how."
    )
    return (head + yamlio.dump(value)).encode()


def commands(site: Site) -> Iterator[tuple[Wanted, str]]:
    """Each Secret with the path that its file has."""
    tool = site.gitops.secrets
    if tool != "none":
        yield from ((one, one.path(tool)) for one in wanted(site))
