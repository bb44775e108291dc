"""Wrong settings on a node, made while everything runs: a leak, a second speaker, another AS, another password."""

from __future__ import annotations

from anycastle.lab import bird, leaks
from anycastle.lab.daemons import Bird
from anycastle.lab.expected import Absent, tables
from anycastle.lab.rehearsal import Rehearsal
from anycastle.lab.running import Lab
from anycastle.lab.victims import AT_ONCE, WATCHED, NotHere, api, by_closing, targets, victims
from anycastle.network.bgp import Software
from anycastle.network.questions import on_router


def leaked_block(lab: Lab) -> Rehearsal:
    """A node announces what it must not: its pods, the world, the API's address."""
    node = leaks.leaking(lab)
    if not node:
        raise NotHere("no node runs Calico's speaker")
    fault = bird.Fault(leaked=leaks.leaked(lab, node))
    return Rehearsal(
        name="leaked-block",
        what=f"{node} announces {', '.join(map(str, fault.leaked))}",
        inject=lambda: lab.birds[node].configure(lab.bird_configuration(node, fault=fault)),
        mend=lambda: lab.birds[node].configure(lab.bird_configuration(node)),
        wanted=tables(lab.network, lab.plan.placement),
        promise=AT_ONCE,
        because="the routers let none of it in",
        targets=targets(lab),
        steady=1.5,
        spared=True,
    )


def second_speaker(lab: Lab) -> Rehearsal:
    """Calico's speaker on a control plane, beside kube-vip's, from the same address to the same router."""
    calico = [end for end in lab.network.ends if end.software is Software.CALICO]
    own = [end for end in lab.network.ends if end.host in lab.kube_vips and end.software is Software.KUBE_VIP]
    if not calico or not own:
        raise NotHere("no control plane speaks by kube-vip beside workers with Calico")
    # With ebgp-multihop FRR 8.4 would call the next hop of the first one inaccessible, unless its file forbids that.
    first = max(own, key=lambda end: end.hops)
    daemon = Bird(first.host)
    as_number = calico[0].asn
    text = bird.lone_speaker(first, as_number)
    return Rehearsal(
        name="second-speaker",
        what=f"a second speaker (AS {as_number}) dials from {first.host}, where kube-vip's session stands",
        inject=lambda: daemon.start(text),
        mend=daemon.kill,
        wanted=tables(lab.network, lab.plan.placement),
        promise=AT_ONCE,
        because="the router refused the second one and kept the first",
        targets=api(lab),
        steady=WATCHED,
        spared=True,
    )


def wrong_as(lab: Lab) -> Rehearsal:
    """A node comes back with another AS number than its router has for it."""
    hit = victims(lab)
    if not hit.worker:
        raise NotHere("no second node announces Services")
    wrong = bird.Fault(asn=_unused_asn(lab))
    return Rehearsal(
        name="wrong-as",
        what=f"{hit.worker} says AS {wrong.asn}",
        inject=lambda: _again(lab, hit.worker, lab.bird_configuration(hit.worker, fault=wrong)),
        mend=lambda: _again(lab, hit.worker, lab.bird_configuration(hit.worker)),
        wanted=tables(lab.network, lab.plan.placement, Absent(services=frozenset([hit.worker]))),
        promise=by_closing(lab, hit.worker),
        because="the router refused the session, and the others carry on",
        targets=targets(lab)[-1:],
        steady=WATCHED,
    )


def _unused_asn(lab: Lab) -> int:
    taken = {asn for end in lab.network.ends for asn in (end.asn, end.peer_asn)}
    return next(asn for asn in range(64999, 64512, -1) if asn not in taken)


def _again(lab: Lab, node: str, configuration: str) -> None:
    lab.birds[node].kill()
    lab.birds[node].start(configuration)


def wrong_password(lab: Lab) -> Rehearsal:
    """A node comes back with another password than its router has for it."""
    hit = victims(lab)
    if not any(end.password for end in lab.network.ends if on_router(end)):
        raise NotHere("no session of this site has a password")
    if not hit.worker or not lab.password_of(hit.worker):
        raise NotHere("no node of which a second one could take over has a password")
    wrong = bird.configuration(
        lab.network, lab.plan.placement, hit.worker, dict.fromkeys(lab.password_of(hit.worker), "not-the-password")
    )
    return Rehearsal(
        name="wrong-password",
        what=f"{hit.worker} signs with another password",
        inject=lambda: _again(lab, hit.worker, wrong),
        mend=lambda: _again(lab, hit.worker, lab.bird_configuration(hit.worker)),
        wanted=tables(lab.network, lab.plan.placement, Absent(services=frozenset([hit.worker]))),
        promise=by_closing(lab, hit.worker),
        because="its packets are dropped unread, and the others carry on",
        targets=targets(lab)[-1:],
        steady=WATCHED,
    )
