"""Ways out of generated sites: a proxy, mirrors, certificates, each of them or none."""

from typing import Any

import yaml
from hypothesis import strategies as st

from patches import CASES

Data = dict[str, Any]

REGISTRIES = ("docker.io", "quay.io", "ghcr.io", "registry.k8s.io", "registry.example.org:5000", "10.9.0.1:5000")
MIRRORS = (
    "https://registry.example.net",
    "https://registry.example.net/docker.io",
    "http://registry.example.net:8080/a/b.c/d-e",
    "https://10.10.0.250:5000/hub",
    "https://[fd00:77::5]:5000",
)
PROXIES = ("http://proxy.example.net:3128", "https://10.77.0.1", "http://[fd00:77::1]:3128")
CERTIFICATES = yaml.safe_load((CASES / "behind-a-proxy" / "site.yaml").read_text())["egress"]["ca_certificates"]
FIRST = CERTIFICATES[: CERTIFICATES.index("-----END") + len("-----END CERTIFICATE-----\n")]


def behind(draw: st.DrawFn, site: Data) -> Data:
    """The same site, one in three times with a way out of its own."""
    if draw(st.integers(0, 2)):
        return site
    egress: Data = {}
    if draw(st.booleans()):
        egress["proxy"] = _proxy(draw)
    if draw(st.booleans()):
        egress["ca_certificates"] = draw(st.sampled_from((CERTIFICATES, FIRST)))
    registries = draw(st.lists(st.sampled_from(REGISTRIES), max_size=3, unique=True))
    egress["mirrors"] = [{"registry": name, "mirror": draw(st.sampled_from(MIRRORS))} for name in registries]
    if draw(st.booleans()):
        egress["charts"] = draw(st.sampled_from(("https://charts.example.net/upstream", "http://10.77.0.2:8080")))
    return {**site, "egress": egress}


def _proxy(draw: st.DrawFn) -> Data:
    proxy: Data = {"https": draw(st.sampled_from(PROXIES))}
    if draw(st.booleans()):
        proxy["http"] = draw(st.sampled_from(PROXIES))
    names = (".corp.example.net", "10.0.0.0/8", "fd00::/8", "10.1.2.3", "nas", "registry.example.net:8080")
    proxy["no_proxy"] = draw(st.lists(st.sampled_from(names), max_size=3, unique=True))
    return proxy
