"""The host of a URL, as sites and repositories spell it."""

import pytest

from anycastle.urls import hostname


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://registry.example.com/docker.io", "registry.example.com"),
        ("http://Proxy.Example.com:3128", "proxy.example.com"),
        ("registry.example.com:5000", "registry.example.com"),
        ("registry.example.com:5000/a@b", "registry.example.com"),
        ("ssh://git@git.example.com:2222/platform/home.git", "git.example.com"),
        ("https://[2001:DB8::1]:5000/a", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("https://10.0.0.5", "10.0.0.5"),
        ("", ""),
        ("https:///a", ""),
    ],
)
def test_the_host_of_a_url(url: str, host: str) -> None:
    assert hostname(url) == host
