"""Ranges as networks: exactly the addresses that were written, in as few networks as there can be."""

from ipaddress import IPv4Address, collapse_addresses

from hypothesis import given
from hypothesis import strategies as st

from anycastle.site.model import LoadBalancerPool
from anycastle.site.parts import parts_of

BASE = int(IPv4Address("10.0.0.0"))


def pool(*ranges: str) -> LoadBalancerPool:
    return LoadBalancerPool(name="pool", ranges=ranges)


def addresses(ranges: list[tuple[int, int]]) -> set[int]:
    return {number for first, last in ranges for number in range(first, last + 1)}


SPANS = st.lists(
    st.tuples(st.integers(0, 300), st.integers(0, 300)).map(lambda pair: (min(pair), max(pair))),
    min_size=1,
    max_size=5,
)


def written(span: tuple[int, int]) -> str:
    return "-".join(str(IPv4Address(BASE + number)) for number in span)


@given(SPANS)
def test_parts_hold_what_was_written_and_nothing_else(spans: list[tuple[int, int]]) -> None:
    found = parts_of(pool(*map(written, spans)))
    held = {int(address) - BASE for part in found for address in part.cidr}
    assert held == addresses(spans)


@given(SPANS)
def test_no_part_lies_in_another_one(spans: list[tuple[int, int]]) -> None:
    found = parts_of(pool(*map(written, spans)))
    for part in found:
        assert not any(part.cidr.subnet_of(other.cidr) for other in found if other is not part)  # type: ignore[arg-type]
    assert [part.name for part in found] == ["pool", *(f"pool-{number}" for number in range(2, len(found) + 1))]


@given(SPANS.map(lambda spans: spans[0]))
def test_one_range_becomes_the_fewest_networks(span: tuple[int, int]) -> None:
    found = [part.cidr for part in parts_of(pool(written(span)))]
    assert list(collapse_addresses(found)) == found  # type: ignore[type-var]


def test_each_part_knows_what_it_came_from() -> None:
    found = parts_of(pool("10.0.0.10-10.0.0.12", "10.0.0.64/27", "fd00::/120"))
    assert [(part.name, str(part.cidr), part.written, part.as_written) for part in found] == [
        ("pool", "10.0.0.10/31", "10.0.0.10-10.0.0.12", False),
        ("pool-2", "10.0.0.12/32", "10.0.0.10-10.0.0.12", False),
        ("pool-3", "10.0.0.64/27", "10.0.0.64/27", True),
        ("pool-4", "fd00::/120", "fd00::/120", True),
    ]
    assert found[0].span == "10.0.0.10 to 10.0.0.11"


def test_of_overlapping_ranges_the_wider_network_counts() -> None:
    found = parts_of(pool("10.4.11.0/24", "10.4.11.0-10.4.15.254"))
    assert [str(part.cidr) for part in found][:3] == ["10.4.11.0/24", "10.4.12.0/23", "10.4.14.0/24"]
    assert [str(part.cidr) for part in parts_of(pool("10.0.0.0/28", "10.0.0.4/30", "10.0.0.0/28"))] == ["10.0.0.0/28"]
