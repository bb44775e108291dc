"""The names of kube-vip's variables: it passes over every other one without a word.

From pkg/kubevip/config_envvar.go (1.2) and the health check's documentation; what was removed on the way is known, too.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_KNOWN = (
    "address annotation backend_health_check_interval bgp_as bgp_attach_ip_to_interface bgp_enable bgp_hold_time "
    "bgp_keepalive_interval bgp_multihop bgp_peeraddress bgp_peeras bgp_peerpass bgp_peers bgp_routerid "
    "bgp_routerinterface bgp_sourceif bgp_sourceip config_file control_plane_health_check_address "
    "control_plane_health_check_ca_path control_plane_health_check_failure_threshold "
    "control_plane_health_check_period_seconds control_plane_health_check_timeout_seconds cp_detect cp_enable "
    "cp_namespace dhcp_backoff_attempts dhcp_mode disable_service_updates dns_mode egress_clean egress_podcidr "
    "egress_servicecidr egress_withnftables enable_endpoints enable_node_labeling enable_service_security enable_upnp "
    "health_check_port iptables_backend k8s_config_file kubernetes_addr lb_class_legacy_handling lb_class_name "
    "lb_class_only lb_enable lb_fwdmethod lb_port mirror_dest_interface mpbgp_ipv4 mpbgp_ipv6 mpbgp_nexthop port "
    "preserve_vip_on_leadership_loss prometheus_server provider_config svc_election svc_enable svc_leasename "
    "svc_namespace vip_address vip_arp vip_arpRate vip_cidr vip_cleanroutingtable vip_configmap vip_ddns vip_interface "
    "vip_interfaceloglobal vip_leaderelection vip_leaseannotations vip_leaseduration vip_leasename vip_loglevel "
    "vip_nodename vip_packet vip_packetproject vip_preserve_on_leadership_loss vip_renewdeadline vip_retryperiod "
    "vip_routingprotocol vip_routingtable vip_routingtableid vip_routingtabletype vip_servicesinterface vip_singlenode "
    "vip_skipdad vip_startleader vip_subnet vip_wireguard zebra_enable zebra_software_name zebra_url "
    "zebra_version"
)
KNOWN = frozenset(_KNOWN.split())
_NEAR = 0.88
_LETTERS = re.compile(r"[^a-z0-9]")


def misspelt(names: Iterable[str]) -> dict[str, str]:
    """Names that are none of kube-vip's and look like one, with that one. Another program's (`TZ`) look like none."""
    strangers = [name for name in names if name not in KNOWN]
    plain = {_letters(name): name for name in sorted(KNOWN)} if strangers else {}
    found: dict[str, str] = {}
    for name in strangers:
        near = difflib.get_close_matches(_letters(name), sorted(plain), 1, _NEAR)
        if near:
            found[name] = plain[near[0]]
    return found


def _letters(name: str) -> str:
    return _LETTERS.sub("", name.lower())
