"""Lists of nodes in short."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anycastle.fields import FieldError
from anycastle.wizard.nodes import MAX_NODES, compact, expand, table


def listed(text: str) -> list[str]:
    return [f"{name}={address}" for name, address in expand(text)]


def test_a_range_counts_names_and_addresses_up() -> None:
    assert listed("k8s-node-[1-3]=192.168.10.20+") == [
        "k8s-node-1=192.168.10.20",
        "k8s-node-2=192.168.10.21",
        "k8s-node-3=192.168.10.22",
    ]


@pytest.mark.parametrize(
    ("text", "first", "last", "count"),
    [
        ("n[01-12]=10.0.0.11+", "n01=10.0.0.11", "n12=10.0.0.22", 12),
        ("n[9-11]=10.0.0.9+", "n9=10.0.0.9", "n11=10.0.0.11", 3),
        ("n[0-1].rack=10.0.0.255+", "n0.rack=10.0.0.255", "n1.rack=10.0.1.0", 2),
        ("a=192.168.1.5, b=192.168.1.9", "a=192.168.1.5", "b=192.168.1.9", 2),
        ("  a = 10.0.0.1 ,b[1-2]=10.0.0.5+", "a=10.0.0.1", "b2=10.0.0.6", 3),
        ("n[1-2]=fd00::9+", "n1=fd00::9", "n2=fd00::a", 2),
        (f"n[1-{MAX_NODES}]=10.0.0.1+", "n1=10.0.0.1", "n10000=10.0.39.16", MAX_NODES),
    ],
)
def test_what_lists_mean(text: str, first: str, last: str, count: int) -> None:
    nodes = listed(text)
    assert (nodes[0], nodes[-1], len(nodes)) == (first, last, count)


@pytest.mark.parametrize("text", ["", "none", " None "])
def test_no_nodes(text: str) -> None:
    assert expand(text) == ()
    assert compact(()) == "none"


@pytest.mark.parametrize(
    ("text", "problem", "fix"),
    [
        ("a", "is not NAME=ADDRESS", "k8s-node-1=192.168.10.20"),
        ("a=1.2.3.4,,b=1.2.3.5", "nothing between two commas", "take the comma out"),
        ("a=1.2.3.4,", "nothing between two commas", "take the comma out"),
        ("a=1.2.3", "is not an IP address", "four numbers"),
        ("a=1.2.3.4/24", "has a mask", "Write 1.2.3.4."),
        ("A=1.2.3.4", "capital letters", "Write a."),
        ("a[1-3]=1.2.3.4", "one address to several nodes", "a[1-3]=1.2.3.4+"),
        ("a=1.2.3.4+", "for one name", "Write a=1.2.3.4."),
        ("a[3-1]=1.2.3.4+", "counts down", "a[1-3]"),
        ("a[01-100]=1.2.3.4+", "begins with 2 digits and ends with 3", "[01-100]"),
        ("a[1-2][3-4]=1.2.3.4+", "brackets that are not one", "k8s-node-[1-5]"),
        ("a[1]=1.2.3.4+", "brackets that are not one", "k8s-node-[1-5]"),
        ("a[1-20000]=1.0.0.0+", "20000 nodes, more than 10000", "Shorten"),
        ("a[1-9999]=1.0.0.0+, b[1-2]=2.0.0.0+", "10001 nodes", "Shorten"),
        ("a[1-3]=255.255.255.254+", "past the last address", "lower"),
        ("a=1.2.3.4, a=1.2.3.5", "The name a is given twice", "another name"),
        ("a=1.2.3.4, b=1.2.3.4", "given to a and to b", "of its own"),
        ("a[1-2]=1.2.3.4+, b=1.2.3.5", "given to a2 and to b", "of its own"),
        ("a[1-1000000000000]=1.2.3.4+", "brackets that are not one", "k8s-node-[1-5]"),
    ],
)
def test_errors_in_words(text: str, problem: str, fix: str) -> None:
    with pytest.raises(FieldError) as caught:
        expand(text)
    assert problem in caught.value.problem
    assert fix in caught.value.fix


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("a=1.0.0.1, b=1.0.0.2", "a=1.0.0.1, b=1.0.0.2"),
        ("n1=1.0.0.1, n2=1.0.0.2, n3=1.0.0.9", "n[1-2]=1.0.0.1+, n3=1.0.0.9"),
        ("r1-n1=1.0.0.1, r2-n1=1.0.0.2, r2-n2=1.0.0.3", "r[1-2]-n1=1.0.0.1+, r2-n2=1.0.0.3"),
        ("n99=1.0.0.1, n100=1.0.0.2", "n[99-100]=1.0.0.1+"),
        ("n09=1.0.0.1, n10=1.0.0.2, n11=1.0.0.3", "n[09-11]=1.0.0.1+"),
        ("n099=1.0.0.1, n100=1.0.0.2", "n[099-100]=1.0.0.1+"),
        ("n99=1.0.0.1, n0100=1.0.0.2", "n99=1.0.0.1, n0100=1.0.0.2"),
    ],
)
def test_the_shortest_form(text: str, short: str) -> None:
    assert compact(expand(text)) == short


_names = st.from_regex(r"(n|r[0-9]-n|x)[0-9]{0,3}(\.r[0-9]{1,2})?", fullmatch=True)
_addresses = st.one_of(
    st.integers(0x0A000000, 0x0A000010).map(ip_address),
    st.integers(2**128 - 9, 2**128 - 1).map(ip_address),
)
_nodes = st.lists(st.tuples(_names, _addresses), unique_by=(lambda n: n[0], lambda n: n[1]), max_size=12).map(tuple)
_items = st.builds(
    lambda stem, first, more, pad, base: f"{stem}[{first:0{pad}d}-{first + more:0{pad}d}]=10.{base}.0.1+",
    st.sampled_from(["a", "b-", "c0x"]),
    st.integers(0, 120),
    st.integers(0, 20),
    st.integers(3, 4),
    st.integers(0, 200),
)


@given(_nodes)
def test_expand_undoes_compact(nodes: tuple) -> None:  # type: ignore[type-arg]
    assert expand(compact(nodes)) == nodes


@given(st.lists(_items, min_size=1, max_size=4).map(", ".join))
def test_compact_keeps_what_ranges_mean(text: str) -> None:
    try:
        nodes = expand(text)
    except FieldError:
        return  # two ranges share a name or an address
    short = compact(nodes)
    assert expand(short) == nodes
    assert compact(expand(short)) == short
    assert len(short) <= len(text)


@given(st.text(max_size=40))
def test_any_text_is_nodes_or_one_sentence(text: str) -> None:
    try:
        assert expand(compact(expand(text))) == expand(text)
    except FieldError as error:
        assert error.problem
        assert error.fix


def test_the_table_shows_every_node_of_a_short_list_and_the_ends_of_a_long_one() -> None:
    assert table(expand("node-[9-10]=10.0.0.1+")) == "    node-9   10.0.0.1\n    node-10  10.0.0.2"
    lines = table(expand("n[1-1000]=10.0.0.1+")).splitlines()
    assert len(lines) == 23
    assert "n20 " in lines[19]
    assert "... 978 more ..." in lines[20]
    assert lines[-1].split() == ["n1000", "10.0.3.232"]
    assert table(()).strip() == "no nodes"
