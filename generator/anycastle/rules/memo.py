"""Remembers the answer of the last question, since every rule asks the same network."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from anycastle.network.model import Network

Answer = TypeVar("Answer")


def asked_again(question: Callable[[Network], Answer]) -> Callable[[Network], Answer]:
    """A question that is worked out once as long as the very same network is asked.

    Networks are frozen, so the same object has the same answer. Comparing or hashing a network of thousands of
    nodes would cost more than the question; `is` costs nothing. One network is kept alive at most.
    """
    last: list[tuple[Network, Answer]] = []

    @wraps(question)
    def answer(network: Network) -> Answer:
        for asked, known in last:
            if asked is network:
                return known
        found = question(network)
        last[:] = [(network, found)]
        return found

    return answer
