"""What follows from a site: who owns which address, who speaks to whom, who announces and accepts what.

Pure: a `Site` in, a `Network` out. It judges nothing; the rules judge its result, as they judge one that was
read from files.
"""

from __future__ import annotations

from anycastle.network.canonical import canonical
from anycastle.network.model import Declared, Network
from anycastle.plan import cluster, egress, further, links, ranges, routers, routing
from anycastle.site.model import Site


def plan(site: Site) -> Network:
    """The network that the site means."""
    speakers, ends, inside = routing.speakers_and_ends(site)
    return canonical(
        Network(
            nodes=tuple(ranges.nodes(site)),
            subnets=tuple(ranges.subnets(site)),
            reserved=tuple(ranges.reserved(site)),
            routers=tuple(routers.routers(site)),
            speakers=speakers,
            ends=ends,
            inside=inside,
            announcements=(*routing.announcements(site), *further.announcements(site, links.sessions(site))),
            acceptances=tuple(routers.acceptances(site)),
            filters=(routing.filter_of(site),),
            pools=tuple(ranges.pools(site)),
            service_ranges=tuple(ranges.service_ranges(site)),
            services=tuple(cluster.services(site)),
            reservations=tuple(ranges.reservations(site)),
            kube_proxy=cluster.kube_proxy(site),
            kube_vips=tuple(cluster.kube_vips(site)),
            api=cluster.api(site),
            calico=cluster.calico(site),
            apps=tuple(cluster.apps(site)),
            versions=tuple(cluster.versions(site)),
            health_checks=cluster.health_checks(site),
            mirrors=tuple(egress.mirrors(site)),
            proxies=tuple(egress.proxies(site)),
            trusts=tuple(egress.trusts(site)),
            declared=Declared(
                asns=tuple(sorted(site.networks.owned.asns)),
                prefixes=site.networks.owned.prefixes,
                vip_on_link=site.kubernetes.api.allow_on_link,
                pools_on_link=tuple(pool.name for pool in site.load_balancer.pools if pool.allow_on_link),
                ranges=tuple(ranges.written(site)),
            ),
        )
    )
