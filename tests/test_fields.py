"""Every value type takes what is right and says in words what is wrong."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anycastle import fields
from anycastle.fields import FieldError
from anycastle.site.git_url import parse_git_url


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (fields.parse_address, "192.168.20.1", ip_address("192.168.20.1")),
        (fields.parse_address, "fd00::1", ip_address("fd00::1")),
        (fields.parse_cidr, "192.168.10.0/24", ip_network("192.168.10.0/24")),
        (fields.parse_range, "192.168.20.64/26", (ip_network("192.168.20.64/26"),)),
        (fields.parse_range, "10.0.0.4-10.0.0.11", (ip_network("10.0.0.4/30"), ip_network("10.0.0.8/30"))),
        (fields.parse_asn, "65010", 65010),
        (fields.parse_asn, 4200000001, 4200000001),
        (fields.parse_asn, "1.1", 65537),
        (fields.parse_dns_name, "control.k8s.example.com", "control.k8s.example.com"),
        (fields.parse_version, "v1.36.4", "1.36.4"),
        (fields.parse_port, "6443", 6443),
        (parse_git_url, "git@git.example.com:platform/home.git", "git@git.example.com:platform/home.git"),
        (parse_git_url, "ssh://git@h:2222/a/b.git", "ssh://git@h:2222/a/b.git"),
        (parse_git_url, "ssh://APKA2EXAMPLE@h.net/v1/a", "ssh://APKA2EXAMPLE@h.net/v1/a"),
        (parse_git_url, "first.last@h.net:a.git", "first.last@h.net:a.git"),
        (parse_git_url, "https://10.0.0.5:65535/a/b..c.git", "https://10.0.0.5:65535/a/b..c.git"),
        (parse_git_url, "ssh://xn--bcher-kva.example:1/a", "ssh://xn--bcher-kva.example:1/a"),
        (fields.parse_version, "1.2.3-rc.1", "1.2.3-rc.1"),
        (fields.parse_git_revision, "release/v1.2", "release/v1.2"),
        (fields.parse_duration, "1h30m", 5400),
        (fields.parse_duration, "90", 90),
        (fields.parse_interface, "bond0.20", "bond0.20"),
        (fields.parse_router_interface, "GigabitEthernet0/0/1.20", "GigabitEthernet0/0/1.20"),
        (fields.parse_router_interface, "xe-0/0/1:0.100", "xe-0/0/1:0.100"),
        (fields.parse_label_key, "example.com/rack", "example.com/rack"),
        (fields.parse_label_value, "", ""),
        (fields.parse_secret_ref, "bgp-router/password", "bgp-router/password"),
    ],
)
def test_right_values(parse: object, text: object, value: object) -> None:
    assert parse(text) == value  # type: ignore[operator]


@pytest.mark.parametrize(
    ("parse", "text", "cure"),
    [
        (fields.parse_address, "192.168.20.1/32", "Write 192.168.20.1."),
        (fields.parse_address, "192.168.20.256", "0 to 255"),
        (fields.parse_address, 7, "as text"),
        (fields.parse_cidr, "192.168.10.5/24", "Did you mean 192.168.10.0/24?"),
        (fields.parse_cidr, "192.168.10.0", "192.168.10.0/24"),
        (fields.parse_cidr, "banana/9", "prefix length"),
        (fields.parse_range, "10.0.0.9-10.0.0.4", "lower address first"),
        (fields.parse_range, "10.0.0.9-fd00::1", "one family"),
        (fields.parse_asn, 0, "1 to 4294967295"),
        (fields.parse_asn, "4294967296", "1 to 4294967295"),
        (fields.parse_asn, "banana", "such as 65010"),
        (fields.parse_asn, True, "such as 65010"),
        (fields.parse_asn, "²", "such as 65010"),
        (fields.parse_dns_name, "Control.example.com", "Write control.example.com."),
        (fields.parse_dns_name, "a_b", "hyphens"),
        (fields.parse_dns_name, "10.0.0.1", "lower-case letters"),
        (fields.parse_dns_name, "a\nb", "lower-case"),
        (fields.parse_label, "../escape", "at most 63"),
        (fields.parse_label, "home\n", "at most 63"),
        (fields.parse_version, "1.36", "major, minor and patch"),
        (fields.parse_version, 1.36, "as text"),
        (fields.parse_port, 70000, "1 to 65535"),
        (fields.parse_port, "٣", "1 to 65535"),
        (parse_git_url, "https://user:token@h/x.git", "repository Secret"),
        (parse_git_url, "https://h/x.git; rm -rf /", "Write https://"),
        (parse_git_url, "--upload-pack=x", "Write https://"),
        (fields.parse_git_revision, "-x", "such as main"),
        (fields.parse_git_revision, "a..b", "such as main"),
        (fields.parse_duration, "soon", "90s"),
        (fields.parse_interface, "eth0; reboot", "15 characters"),
        (fields.parse_router_interface, "Vlan10 shutdown", "40 characters"),
        (fields.parse_router_interface, "Vlan10\nshutdown", "no blank"),
        (fields.parse_router_interface, "a" * 41, "40 characters"),
        (fields.parse_router_interface, "lo", "eth0"),
        (fields.parse_label_value, "a b", "letters"),
        (fields.parse_address, "fe80::1%a\nb", "without %"),
        (fields.parse_cidr, "fd00::%a\nb/64", "without %"),
        (fields.parse_range, "fd00::1%a-fd00::2", "without %"),
        (fields.parse_version, "1.2." + "9" * 5000, "such as 1.36.4"),
        (fields.parse_version, "1.2.3-" + "a" * 60, "such as 1.36.4"),
        (fields.parse_version, "1.2.3-01", "such as 1.36.4"),
        (fields.parse_version, "1.2.٤", "such as 1.36.4"),
        (fields.parse_duration, "٩s", "90s"),
        (fields.parse_duration, "9" * 5000 + "s", "90s"),
        (fields.parse_duration, 10**9, "90s"),
        (parse_git_url, "https://h:٤/x.git", "Write https://"),
        (parse_git_url, "HTTPS://u:s3cret@h/x.git", "repository Secret"),
        (parse_git_url, "http://h/x.git", "Write https://h/x.git"),
        (parse_git_url, "ssh://u:s3cret@h/x.git", "repository Secret"),
        (parse_git_url, "u:s3cret@h:x.git", "repository Secret"),
        (parse_git_url, "https://h/x.git?access_token=s3cret", "repository Secret"),
        (parse_git_url, "ftp://s3cret@h/x.git", "The value is not"),
        (parse_git_url, "ssh://-oProxyCommand=x/y", "Write https://"),
        (parse_git_url, "git@-h:x", "Write https://"),
        (
            parse_git_url,
            "git@h.net:2222/a/b.git",
            "Write ssh://git@h.net:2222/a/b.git, or ssh://git@h.net/2222/a/b.git",
        ),
        (parse_git_url, "git@h.net:0/a/b.git", "Write ssh://git@h.net:PORT/a/b.git, or ssh://git@h.net/0/a/b.git"),
        (parse_git_url, "git@h.net:99999/a.git", "Write ssh://git@h.net:PORT/a.git, or ssh://git@h.net/99999/a.git"),
        (parse_git_url, "https://h.net:0/a/b.git", "leave it out for 443"),
        (parse_git_url, "https://h.net:99999/a/b.git", "no port 99999"),
        (parse_git_url, "https://h.net:0443/a/b.git", "no port 0443"),
        (parse_git_url, "ssh://git@h.net:65536/a/b.git", "leave it out for 22"),
        (parse_git_url, "ssh://h.net:0/a/b.git", "no port 0,"),
        (parse_git_url, "https://a..b/x.git", "'a..b' is not a host: it has two dots in a row"),
        (parse_git_url, "ssh://git@a..b:2222/x.git", "'a..b' is not a host"),
        (parse_git_url, "git@a..b:x.git", "'a..b' is not a host"),
        (parse_git_url, "git@a..b:2222/x.git", "'a..b' is not a host"),
        (parse_git_url, "https://a.-b.c/x.git", "'-b' begins or ends with a hyphen"),
        (parse_git_url, f"https://{'a' * 64}.b/x.git", "is longer than 63 characters"),
        (parse_git_url, "https://10.0.0.256/x.git", "'10.0.0.256' is not a host"),
        (parse_git_url, "git@h:-x", "Write https://"),
        (parse_git_url, "https://h/x/..", "Write https://"),
        (fields.parse_git_revision, "a//b", "such as main"),
        (fields.parse_git_revision, "a.lock/b", "such as main"),
        (fields.parse_git_revision, "a/.b", "such as main"),
        (fields.parse_interface, "lo", "eth0"),
        (fields.parse_interface, "default", "eth0"),
        (fields.parse_label_key, ".".join(["a" * 63] * 4) + "/x", "[prefix/]name"),
        (fields.parse_secret_ref, "hunter2", "never the secret itself"[:5]),
    ],
)
def test_wrong_values_name_the_cure(parse: object, text: object, cure: str) -> None:
    with pytest.raises(FieldError) as caught:
        parse(text)  # type: ignore[operator]
    assert cure in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "s3cret" not in str(caught.value)


PARSERS = [parse_git_url, *(value for name, value in vars(fields).items() if name.startswith("parse_"))]


@given(st.one_of(st.text(max_size=80), st.integers(), st.none(), st.booleans(), st.floats(), st.lists(st.text())))
def test_no_value_gives_anything_but_a_field_error(value: object) -> None:
    for parse in PARSERS:
        try:
            parse(value)
        except FieldError as error:
            assert error.problem, parse
            assert error.fix, parse


@given(st.integers(0, 2**32 - 1), st.integers(0, 600))
def test_a_range_covers_exactly_its_addresses(first: int, size: int) -> None:
    last = min(first + size, 2**32 - 1)
    networks = fields.parse_range(f"{ip_address(first)}-{ip_address(last)}")
    assert sum(network.num_addresses for network in networks) == last - first + 1
    assert int(networks[0].network_address) == first
    assert int(networks[-1].broadcast_address) == last
