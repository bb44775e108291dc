"""The way out of every machine: containerd's mirrors and proxy, and certificates for its trust store.

Mirrors stand in containerd's own files, and images keep the names that they have upstream: what containerd fetches by
itself (the pause image) goes the same way, kubeadm finds its images under its own names at every upgrade, and no chart
has to be told. `docs/air-gap.md` says more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from anycastle import yamlio
from anycastle.network.cluster import Proxy
from anycastle.network.model import Network
from anycastle.records import dataclass
from anycastle.site.egress import prefix
from anycastle.site.model import Mirror, Site

CERTS = "/etc/containerd/certs.d"
DROP_IN = "/etc/systemd/system/containerd.service.d/http-proxy.conf"
_PEM = re.compile(r"-----BEGIN CERTIFICATE-----\n.*?-----END CERTIFICATE-----\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Egress:
    """What `install.sh` puts in place, by the names of files beside it; false where there is nothing to do."""

    registries: tuple[str, ...] = ()
    proxy: str = ""
    certificates: tuple[str, ...] = ()
    certs: str = CERTS
    drop_in: str = DROP_IN

    def __bool__(self) -> bool:
        return bool(self.registries or self.proxy or self.certificates)


NOTHING = Egress()


def of(site: Site, network: Network) -> tuple[Egress, dict[str, str]]:
    """The same on every machine: what there is to do, and the files with their texts."""
    texts: dict[str, str] = {}
    registries = tuple(folder(one.registry) for one in site.egress.mirrors)
    for one in site.egress.mirrors:
        texts[f"containerd/certs.d/{folder(one.registry)}/hosts.toml"] = hosts_toml(one)
    proxy = next((one for one in network.proxies if one.program == "containerd"), None)
    if proxy is not None:
        texts["containerd/http-proxy.conf"] = _drop_in(proxy)
    certificates = {f"ca-{number}.crt": text for number, text in enumerate(split(site.egress.ca_certificates), start=1)}
    texts |= certificates
    return Egress(registries, "containerd/http-proxy.conf" if proxy else "", tuple(certificates)), texts


def split(bundle: str) -> tuple[str, ...]:
    """Each certificate alone: the trust store of Debian leaves out a file with two (update-ca-certificates)."""
    return tuple(_PEM.findall(bundle))


def folder(registry: str) -> str:
    """The folder of a registry; `:5000` is written `_5000_`, which every file system takes."""
    host, colon, port = registry.rpartition(":")
    return f"{host}_{port}_" if colon and port.isdigit() else registry


def hosts_toml(one: Mirror) -> str:
    """`hosts.toml` for one registry. Without `server` containerd asks the registry itself after the mirror.

    An image `docker.io/a/b` is `HOST/PATH/a/b` in the mirror, and by the OCI distribution specification that is asked
    for as `/v2/PATH/a/b`. containerd would ask `/PATH/v2/a/b`, unless `override_path` leaves the path as it is.
    """
    url = urlsplit(one.mirror)
    head = yamlio.header(
        f"Follows from site.yaml: egress.mirrors.\n"
        f"Images of {one.registry} are looked for at {prefix(one.mirror)} first, then where they come from."
    )
    path = f"/v2{url.path}" if url.path else ""
    lines = [f'[host."{url.scheme}://{url.netloc}{path}"]', 'capabilities = ["pull", "resolve"]']
    if path:
        lines += [
            "# The path is the API's already: containerd must not put another /v2 behind it.",
            "override_path = true",
        ]
    return head + "\n".join(lines) + "\n"


def variables(proxy: Proxy) -> Iterator[tuple[str, str]]:
    """The environment of a program behind a proxy."""
    if proxy.http:
        yield "HTTP_PROXY", proxy.http
    yield "HTTPS_PROXY", proxy.https
    yield "NO_PROXY", ",".join(proxy.exempt)


def of_engine(network: Network) -> Proxy | None:
    """The proxy of the GitOps engine."""
    return next((one for one in network.proxies if not one.node), None)


def _drop_in(proxy: Proxy) -> str:
    head = yamlio.header(
        "Follows from site.yaml: egress.proxy, and what must not go through it from networks and kubernetes.\n"
        "Only containerd fetches. kubelet gets none: it asks the API server alone, which no proxy knows."
    )
    return f"{head}[Service]\n" + "".join(
        f'Environment="{name}={_quoted(value)}"\n' for name, value in variables(proxy)
    )


def _quoted(value: str) -> str:
    """Inside the quotes of a unit file (systemd.syntax(7), systemd.unit(5)): nothing ends them or is a specifier."""
    if not value.isprintable():
        msg = f"no value of one line: {value!r}"
        raise ValueError(msg)
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
