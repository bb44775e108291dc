"""Every statement that the routers' templates use, in the form and with the place in which its vendor documents it.

A word of capitals stands for a value. A line of a rendered file that is none of these forms has no documented source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

Forms = tuple[tuple[str, str], ...]

_BIRD = "BIRD 2 user's guide"
_CFG = f"{_BIRD}, chapter Configuration"
_BGP = f"{_BIRD}, chapter Protocols, section BGP"
_VYOS = "vyos-1x (branches sagitta, current), interface-definitions"
_ROS = "RouterOS documentation"
_IOS = "Cisco IOS IP Routing: BGP Command Reference"
_IOS_PI = "Cisco IOS IP Routing: Protocol-Independent Command Reference"
_NX = "Cisco Nexus NX-OS Unicast Routing Command Reference"
_EOS = "Arista EOS User Manual"
_JUNOS = "Junos CLI Reference"

FORMS: dict[str, Forms] = {
    "bird": (
        ("log syslog all;", f"{_CFG}, log"),
        ("router id ID;", f"{_CFG}, router id"),
        ("protocol device {", f"{_BIRD}, Protocols, Device"),
        ("protocol kernel NAME {", f"{_BIRD}, Protocols, Kernel"),
        ("merge paths on limit N;", f"{_BIRD}, Protocols, Kernel, merge paths"),
        ("protocol static NAME {", f"{_BIRD}, Protocols, Static"),
        ("route P blackhole;", f"{_BIRD}, Protocols, Static, route"),
        ("ipvN {", f"{_CFG}, Channel options"),
        ("preference N;", f"{_CFG}, Channel options, preference"),
        ("import none;", f"{_CFG}, Channel options, import"),
        ("import filter NAME;", f"{_CFG}, Channel options, import"),
        ("import keep filtered on;", f"{_CFG}, Channel options, import keep filtered"),
        ("import limit N action restart;", f"{_CFG}, Channel options, import limit"),
        ("export none;", f"{_CFG}, Channel options, export"),
        ("export where source ~ [ RTS_BGP, RTS_STATIC ];", f"{_BIRD}, chapter Filters, Route attributes, source"),
        ("filter NAME {", f"{_BIRD}, chapter Filters"),
        ("if net ~ [ SET ] then accept;", f"{_BIRD}, chapter Filters, Data types, prefix set"),
        ("reject;", f"{_BIRD}, chapter Filters, Control structures"),
        ("template bgp NAME {", f"{_CFG}, Protocol options, template"),
        ("protocol bgp NAME from NAME {", f"{_CFG}, Protocol options, template"),
        ("description TEXT;", f"{_CFG}, Protocol options, description"),
        ("local IP as ASN;", f"{_BGP}, local"),
        ("neighbor IP as ASN;", f"{_BGP}, neighbor"),
        ("direct;", f"{_BGP}, direct"),
        ("multihop N;", f"{_BGP}, multihop"),
        ("hold time N;", f"{_BGP}, hold time"),
        ("keepalive time N;", f"{_BGP}, keepalive time"),
        ("passive on;", f"{_BGP}, passive"),
        ("graceful restart off;", f"{_BGP}, graceful restart"),
        ("graceful restart aware;", f"{_BGP}, graceful restart"),
        ("password TEXT;", f"{_BGP}, password"),
        ("}", _CFG),
        ("};", _CFG),
    ),
    "vyos": (
        ("delete policy prefix-list NAME", f"{_VYOS}/policy.xml.in"),
        ("delete policy prefix-list6 NAME", f"{_VYOS}/policy.xml.in"),
        ("set policy prefix-list NAME rule N action permit", f"{_VYOS}/policy.xml.in"),
        ("set policy prefix-list NAME rule N prefix P", f"{_VYOS}/policy.xml.in"),
        ("set policy prefix-list NAME rule N ge N", f"{_VYOS}/policy.xml.in"),
        ("set policy prefix-list NAME rule N le N", f"{_VYOS}/policy.xml.in"),
        ("set policy prefix-list6 NAME rule N action permit", f"{_VYOS}/policy.xml.in"),
        ("set policy prefix-list6 NAME rule N prefix P", f"{_VYOS}/policy.xml.in"),
        ("set policy prefix-list6 NAME rule N ge N", f"{_VYOS}/policy.xml.in"),
        ("set policy prefix-list6 NAME rule N le N", f"{_VYOS}/policy.xml.in"),
        ("set policy route-map NAME rule N action permit", f"{_VYOS}/policy.xml.in"),
        ("set policy route-map NAME rule N action deny", f"{_VYOS}/policy.xml.in"),
        ("set policy route-map NAME rule N match ip address prefix-list NAME", f"{_VYOS}/policy.xml.in"),
        ("set policy route-map NAME rule N match ipv6 address prefix-list NAME", f"{_VYOS}/policy.xml.in"),
        ("set protocols static route P blackhole distance N", f"{_VYOS}/include/static/static-route-blackhole.xml.i"),
        ("set protocols static route6 P blackhole distance N", f"{_VYOS}/include/static/static-route-blackhole.xml.i"),
        ("set protocols bgp system-as ASN", f"{_VYOS}/include/bgp/protocol-common-config.xml.i"),
        ("set protocols bgp parameters router-id ID", f"{_VYOS}/include/bgp/protocol-common-config.xml.i"),
        ("set protocols bgp parameters log-neighbor-changes", f"{_VYOS}/include/bgp/protocol-common-config.xml.i"),
        (
            "set protocols bgp parameters bestpath as-path multipath-relax",
            f"{_VYOS}/include/bgp/protocol-common-config.xml.i",
        ),
        (
            "set protocols bgp address-family ipvN-unicast maximum-paths ebgp N",
            f"{_VYOS}/include/bgp/afi-maximum-paths.xml.i",
        ),
        (
            "set protocols bgp address-family ipvN-unicast maximum-paths ibgp N",
            f"{_VYOS}/include/bgp/afi-maximum-paths.xml.i",
        ),
        ("set protocols bgp peer-group NAME remote-as ASN", f"{_VYOS}/include/bgp/remote-as.xml.i"),
        ("set protocols bgp peer-group NAME update-source IP", f"{_VYOS}/include/bgp/neighbor-update-source.xml.i"),
        ("set protocols bgp peer-group NAME ebgp-multihop N", f"{_VYOS}/include/bgp/neighbor-ebgp-multihop.xml.i"),
        ("set protocols bgp peer-group NAME passive", f"{_VYOS}/include/bgp/neighbor-passive.xml.i"),
        ("set protocols bgp peer-group NAME password TEXT", f"{_VYOS}/include/bgp/neighbor-password.xml.i"),
        (
            "set protocols bgp peer-group NAME address-family ipvN-unicast route-map import NAME",
            f"{_VYOS}/include/bgp/afi-route-map.xml.i",
        ),
        (
            "set protocols bgp peer-group NAME address-family ipvN-unicast route-map export NAME",
            f"{_VYOS}/include/bgp/afi-route-map.xml.i",
        ),
        (
            "set protocols bgp peer-group NAME address-family ipvN-unicast soft-reconfiguration inbound",
            f"{_VYOS}/include/bgp/afi-soft-reconfiguration.xml.i",
        ),
        (
            "set protocols bgp peer-group NAME address-family ipvN-unicast maximum-prefix N",
            f"{_VYOS}/include/bgp/neighbor-afi-ipv4-ipv6-common.xml.i",
        ),
        ("set protocols bgp neighbor IP peer-group NAME", f"{_VYOS}/include/bgp/peer-group.xml.i"),
        ("set protocols bgp neighbor IP description TEXT", f"{_VYOS}/include/generic-description.xml.i"),
        ("set protocols bgp neighbor IP timers holdtime N", f"{_VYOS}/include/bgp/timers-holdtime.xml.i"),
        ("set protocols bgp neighbor IP timers keepalive N", f"{_VYOS}/include/bgp/timers-keepalive.xml.i"),
        (
            "set protocols bgp neighbor IP graceful-restart disable",
            f"{_VYOS}/include/bgp/neighbor-graceful-restart.xml.i",
        ),
        (
            "set protocols bgp neighbor IP graceful-restart restart-helper",
            f"{_VYOS}/include/bgp/neighbor-graceful-restart.xml.i",
        ),
        ("set system ip multipath layer4-hashing", f"{_VYOS}/system_ip.xml.in"),
        ("set system ipv6 multipath layer4-hashing", f"{_VYOS}/system_ipv6.xml.in"),
        (
            "set firewall global-options send-redirects disable",
            f"{_VYOS}/include/firewall/global-options.xml.i",
        ),
        ("set system conntrack ignore ipvN rule N description TEXT", f"{_VYOS}/system_conntrack.xml.in"),
        ("set system conntrack ignore ipvN rule N inbound-interface NAME", f"{_VYOS}/system_conntrack.xml.in"),
        ("set system conntrack ignore ipvN rule N source address P", f"{_VYOS}/system_conntrack.xml.in"),
        ("set system conntrack ignore ipvN rule N destination address P", f"{_VYOS}/system_conntrack.xml.in"),
    ),
    "routeros": (
        (":foreach item in=ITEMS do={ COMMANDS }", f"{_ROS}, Scripting, Loops and conditional statements"),
        (":if (CONDITION) do={ COMMANDS }", f"{_ROS}, Scripting, Loops and conditional statements"),
        ("[:find ARRAY VALUE]", f"{_ROS}, Scripting, Global commands, :find"),
        ("[:len VALUE]", f"{_ROS}, Scripting, Global commands, :len"),
        ("[:typeof VALUE]", f"{_ROS}, Scripting, Global commands, :typeof"),
        ("MENU find where NAME=VALUE", f"{_ROS}, Scripting, Menu specific commands"),
        ("/ip/settings set send-redirects ipv4-multipath-hash-policy", f"{_ROS}, IP Settings"),
        ("/ipv6/settings set multipath-hash-policy", f"{_ROS}, IPv6 Settings"),
        ("/ip/route add comment dst-address distance blackhole", f"{_ROS}, IP Routing, Route properties"),
        ("/ipv6/route add comment dst-address distance blackhole", f"{_ROS}, IP Routing, Route properties"),
        ("/routing/filter/rule add comment chain rule", f"{_ROS}, Route Selection and Filters, Filter syntax"),
        ("/routing/bgp/instance add name as", f"{_ROS}, BGP, Instance menu (7.20)"),
        ("/routing/bgp/instance set as router-id", f"{_ROS}, BGP, Instance menu (7.20)"),
        ("/routing/bgp/template add name", f"{_ROS}, BGP, Template menu"),
        (
            "/routing/bgp/template set afi hold-time keepalive-time multihop input.filter "
            "input.limit-process-routes-ipv4 input.limit-process-routes-ipv6 output.filter-chain",
            f"{_ROS}, BGP, Template menu",
        ),
        (
            "/routing/bgp/connection add comment name instance templates local.address local.role local.ttl "
            "remote.address remote.as connect tcp-md5-key",
            f"{_ROS}, BGP, Connection menu",
        ),
        (
            "/ip/firewall/raw add comment chain action in-interface src-address dst-address",
            f"{_ROS}, Firewall, Raw, action=notrack",
        ),
        (
            "/ipv6/firewall/raw add comment chain action in-interface src-address dst-address",
            f"{_ROS}, Firewall, Raw, action=notrack",
        ),
    ),
    "eos": (
        ("ip route P Null0 N", f"{_EOS}, IPv4, ip route"),
        ("ipv6 route P Null0 N", f"{_EOS}, IPv6, ipv6 route"),
        ("no ip icmp redirect", f"{_EOS}, IPv4, ip icmp redirect"),
        ("no ip prefix-list NAME", f"{_EOS}, Route Maps and Prefix Lists, ip prefix-list"),
        ("ip prefix-list NAME seq N permit P", f"{_EOS}, Route Maps and Prefix Lists, ip prefix-list"),
        ("ip prefix-list NAME seq N permit P le N", f"{_EOS}, Route Maps and Prefix Lists, ip prefix-list"),
        ("ip prefix-list NAME seq N permit P ge N le N", f"{_EOS}, Route Maps and Prefix Lists, ip prefix-list"),
        ("no ipv6 prefix-list NAME", f"{_EOS}, Route Maps and Prefix Lists, ipv6 prefix-list"),
        ("ipv6 prefix-list NAME", f"{_EOS}, Route Maps and Prefix Lists, ipv6 prefix-list"),
        ("seq N permit P", f"{_EOS}, Route Maps and Prefix Lists, seq (IPv6 Prefix Lists)"),
        ("seq N permit P le N", f"{_EOS}, Route Maps and Prefix Lists, seq (IPv6 Prefix Lists)"),
        ("seq N permit P ge N le N", f"{_EOS}, Route Maps and Prefix Lists, seq (IPv6 Prefix Lists)"),
        ("route-map NAME permit N", f"{_EOS}, Route Maps and Prefix Lists, route-map"),
        ("route-map NAME deny N", f"{_EOS}, Route Maps and Prefix Lists, route-map"),
        ("match ip address prefix-list NAME", f"{_EOS}, Route Maps and Prefix Lists, match (route-map)"),
        ("match ipv6 address prefix-list NAME", f"{_EOS}, Route Maps and Prefix Lists, match (route-map)"),
        ("router bgp ASN", f"{_EOS}, BGP, router bgp"),
        ("router-id ID", f"{_EOS}, BGP, router-id (BGP)"),
        ("bgp log-neighbor-changes", f"{_EOS}, BGP, bgp log-neighbor-changes"),
        ("no graceful-restart-helper", f"{_EOS}, BGP, graceful-restart-helper"),
        ("graceful-restart-helper", f"{_EOS}, BGP, graceful-restart-helper"),
        ("maximum-paths N ecmp N", f"{_EOS}, BGP, maximum-paths (BGP)"),
        ("bgp bestpath as-path multipath-relax", f"{_EOS}, BGP, bgp bestpath as-path multipath-relax"),
        ("neighbor NAME peer group", f"{_EOS}, BGP, neighbor peer group (create)"),
        ("neighbor IP peer group NAME", f"{_EOS}, BGP, neighbor peer group (neighbor assignment)"),
        ("neighbor NAME remote-as ASN", f"{_EOS}, BGP, neighbor remote-as"),
        ("neighbor NAME update-source NAME", f"{_EOS}, BGP, neighbor update-source"),
        ("neighbor NAME ebgp-multihop N", f"{_EOS}, BGP, neighbor ebgp-multihop"),
        ("neighbor NAME timers N N", f"{_EOS}, BGP, neighbor timers"),
        ("neighbor NAME passive", f"{_EOS}, BGP, neighbor passive"),
        ("neighbor NAME maximum-routes N", f"{_EOS}, BGP, neighbor maximum-routes"),
        ("neighbor NAME password TEXT", f"{_EOS}, BGP, neighbor password"),
        ("neighbor IP description TEXT", f"{_EOS}, BGP, neighbor description"),
        ("address-family ipvN", f"{_EOS}, BGP, address-family"),
        ("neighbor NAME activate", f"{_EOS}, BGP, neighbor activate"),
        ("no neighbor NAME activate", f"{_EOS}, BGP, neighbor activate"),
        ("neighbor NAME route-map NAME in", f"{_EOS}, BGP, neighbor route-map (BGP)"),
        ("neighbor NAME route-map NAME out", f"{_EOS}, BGP, neighbor route-map (BGP)"),
    ),
    "ios-xe": (
        ("ip route IP MASK Null0 N", f"{_IOS_PI}, ip route"),
        ("ipv6 route P Null0 N", "Cisco IOS IPv6 Command Reference, ipv6 route"),
        (
            "ip cef load-sharing algorithm include-ports source destination",
            "Cisco IOS IP Switching Command Reference, ip cef load-sharing algorithm",
        ),
        (
            "ipv6 cef load-sharing algorithm include-ports source destination",
            "Cisco IOS IPv6 Command Reference, ipv6 cef load-sharing algorithm",
        ),
        ("interface NAME", "Cisco IOS Interface and Hardware Component Command Reference, interface"),
        ("no ip redirects", "Cisco IOS IP Application Services Command Reference, ip redirects"),
        ("no ipv6 redirects", "Cisco IOS IPv6 Command Reference, ipv6 redirects"),
        ("no ip prefix-list NAME", f"{_IOS_PI}, ip prefix-list"),
        ("ip prefix-list NAME seq N permit P", f"{_IOS_PI}, ip prefix-list"),
        ("ip prefix-list NAME seq N permit P le N", f"{_IOS_PI}, ip prefix-list"),
        ("ip prefix-list NAME seq N permit P ge N le N", f"{_IOS_PI}, ip prefix-list"),
        ("no ipv6 prefix-list NAME", "Cisco IOS IPv6 Command Reference, ipv6 prefix-list"),
        ("ipv6 prefix-list NAME seq N permit P", "Cisco IOS IPv6 Command Reference, ipv6 prefix-list"),
        ("ipv6 prefix-list NAME seq N permit P le N", "Cisco IOS IPv6 Command Reference, ipv6 prefix-list"),
        ("ipv6 prefix-list NAME seq N permit P ge N le N", "Cisco IOS IPv6 Command Reference, ipv6 prefix-list"),
        ("route-map NAME permit N", f"{_IOS_PI}, route-map"),
        ("route-map NAME deny N", f"{_IOS_PI}, route-map"),
        ("match ip address prefix-list NAME", f"{_IOS_PI}, match ip address"),
        ("match ipv6 address prefix-list NAME", "Cisco IOS IPv6 Command Reference, match ipv6 address"),
        ("router bgp ASN", f"{_IOS}, router bgp"),
        ("bgp router-id ID", f"{_IOS}, bgp router-id"),
        ("bgp log-neighbor-changes", f"{_IOS}, bgp log-neighbor-changes"),
        ("no bgp graceful-restart", f"{_IOS}, bgp graceful-restart"),
        ("bgp graceful-restart", f"{_IOS}, bgp graceful-restart"),
        ("bgp bestpath as-path multipath-relax", f"{_IOS}, bgp bestpath as-path multipath-relax"),
        ("neighbor NAME peer-group", f"{_IOS}, neighbor peer-group (creating)"),
        ("neighbor IP peer-group NAME", f"{_IOS}, neighbor peer-group (assigning members)"),
        ("neighbor NAME remote-as ASN", f"{_IOS}, neighbor remote-as"),
        ("neighbor NAME update-source NAME", f"{_IOS}, neighbor update-source"),
        ("neighbor NAME ebgp-multihop N", f"{_IOS}, neighbor ebgp-multihop"),
        ("neighbor NAME timers N N", f"{_IOS}, neighbor timers"),
        ("neighbor NAME transport connection-mode passive", f"{_IOS}, neighbor transport"),
        ("neighbor NAME password TEXT", f"{_IOS}, neighbor password"),
        ("neighbor IP description TEXT", f"{_IOS}, neighbor description"),
        ("address-family ipvN", f"{_IOS}, address-family ipv4 (BGP), address-family ipv6"),
        ("neighbor IP activate", f"{_IOS}, neighbor activate"),
        ("no neighbor IP activate", f"{_IOS}, neighbor activate"),
        ("neighbor NAME soft-reconfiguration inbound", f"{_IOS}, neighbor soft-reconfiguration"),
        ("neighbor NAME maximum-prefix N restart N", f"{_IOS}, neighbor maximum-prefix (BGP)"),
        ("neighbor NAME route-map NAME in", f"{_IOS}, neighbor route-map"),
        ("neighbor NAME route-map NAME out", f"{_IOS}, neighbor route-map"),
        ("maximum-paths N", f"{_IOS}, maximum-paths"),
        ("maximum-paths ibgp N", f"{_IOS}, maximum-paths ibgp"),
        ("exit-address-family", f"{_IOS}, exit-address-family"),
        ("exit", "Cisco IOS Configuration Fundamentals Command Reference, exit (global)"),
        ("end", "Cisco IOS Configuration Fundamentals Command Reference, end"),
    ),
    "nx-os": (
        ("feature bgp", f"{_NX}, feature bgp"),
        ("ip route P Null0 N", f"{_NX}, ip route"),
        ("ipv6 route P Null0 N", f"{_NX}, ipv6 route"),
        ("ip load-sharing address source-destination port source-destination", f"{_NX}, ip load-sharing address"),
        ("interface NAME", "Cisco Nexus NX-OS Interfaces Command Reference, interface"),
        ("no ip redirects", f"{_NX}, ip redirects"),
        ("no ipv6 redirects", f"{_NX}, ipv6 redirects"),
        ("no ip prefix-list NAME", f"{_NX}, ip prefix-list"),
        ("ip prefix-list NAME seq N permit P", f"{_NX}, ip prefix-list"),
        ("ip prefix-list NAME seq N permit P le N", f"{_NX}, ip prefix-list"),
        ("ip prefix-list NAME seq N permit P ge N le N", f"{_NX}, ip prefix-list"),
        ("no ipv6 prefix-list NAME", f"{_NX}, ipv6 prefix-list"),
        ("ipv6 prefix-list NAME seq N permit P", f"{_NX}, ipv6 prefix-list"),
        ("ipv6 prefix-list NAME seq N permit P le N", f"{_NX}, ipv6 prefix-list"),
        ("ipv6 prefix-list NAME seq N permit P ge N le N", f"{_NX}, ipv6 prefix-list"),
        ("route-map NAME permit N", f"{_NX}, route-map"),
        ("route-map NAME deny N", f"{_NX}, route-map"),
        ("match ip address prefix-list NAME", f"{_NX}, match ip address"),
        ("match ipv6 address prefix-list NAME", f"{_NX}, match ipv6 address"),
        ("router bgp ASN", f"{_NX}, router bgp"),
        ("router-id ID", f"{_NX}, router-id (BGP)"),
        ("log-neighbor-changes", f"{_NX}, log-neighbor-changes"),
        ("graceful-restart", f"{_NX}, graceful-restart (BGP)"),
        ("no graceful-restart", f"{_NX}, graceful-restart (BGP)"),
        ("no graceful-restart-helper", f"{_NX}, graceful-restart-helper"),
        ("bestpath as-path multipath-relax", f"{_NX}, bestpath"),
        ("address-family ipvN unicast", f"{_NX}, address-family (BGP)"),
        ("maximum-paths N", f"{_NX}, maximum-paths (BGP)"),
        ("maximum-paths ibgp N", f"{_NX}, maximum-paths (BGP)"),
        ("template peer NAME", f"{_NX}, template (BGP)"),
        ("remote-as ASN", f"{_NX}, remote-as"),
        ("update-source NAME", f"{_NX}, update-source"),
        ("ebgp-multihop N", f"{_NX}, ebgp-multihop"),
        ("timers N N", f"{_NX}, timers (BGP)"),
        ("transport connection-mode passive", f"{_NX}, transport connection-mode passive"),
        ("password TEXT", f"{_NX}, password (BGP)"),
        ("maximum-prefix N restart N", f"{_NX}, maximum-prefix"),
        ("route-map NAME in", f"{_NX}, route-map (BGP)"),
        ("route-map NAME out", f"{_NX}, route-map (BGP)"),
        ("soft-reconfiguration inbound always", f"{_NX}, soft-reconfiguration inbound (BGP)"),
        ("neighbor IP", f"{_NX}, neighbor"),
        ("inherit peer NAME", f"{_NX}, inherit (BGP)"),
        ("description TEXT", f"{_NX}, description (BGP)"),
    ),
    "junos": (
        ("delete protocols bgp group NAME", "Junos CLI User Guide, delete"),
        ("delete policy-options policy-statement NAME", "Junos CLI User Guide, delete"),
        ("set routing-options router-id ID", f"{_JUNOS}, router-id"),
        ("set routing-options autonomous-system ASN", f"{_JUNOS}, autonomous-system"),
        ("set routing-options static route P discard", f"{_JUNOS}, static (Routing Options)"),
        ("set routing-options static route P preference N", f"{_JUNOS}, static (Routing Options)"),
        ("set routing-options rib inet6.0 static route P discard", f"{_JUNOS}, rib (General)"),
        ("set routing-options rib inet6.0 static route P preference N", f"{_JUNOS}, rib (General)"),
        ("set system no-redirects", f"{_JUNOS}, no-redirects (IPv4 Traffic)"),
        ("set system no-redirects-ipv6", f"{_JUNOS}, no-redirects-ipv6"),
        (
            "set policy-options policy-statement NAME then load-balance per-packet",
            "Junos Routing Policies User Guide, Configuring Per-Packet Load Balancing",
        ),
        ("set routing-options forwarding-table export NAME", f"{_JUNOS}, forwarding-table, export"),
        ("set chassis maximum-ecmp N", f"{_JUNOS}, maximum-ecmp"),
        ("set policy-options policy-statement NAME term NAME from route-filter P exact", f"{_JUNOS}, route-filter"),
        (
            "set policy-options policy-statement NAME term NAME from route-filter P prefix-length-range /N-/N",
            f"{_JUNOS}, route-filter",
        ),
        ("set policy-options policy-statement NAME term NAME then accept", f"{_JUNOS}, policy-statement"),
        ("set policy-options policy-statement NAME term NAME then reject", f"{_JUNOS}, policy-statement"),
        ("set protocols bgp precision-timers", f"{_JUNOS}, precision-timers (Protocols BGP)"),
        ("set protocols bgp group NAME type external", f"{_JUNOS}, type (Protocols BGP)"),
        ("set protocols bgp group NAME type internal", f"{_JUNOS}, type (Protocols BGP)"),
        ("set protocols bgp group NAME peer-as ASN", f"{_JUNOS}, peer-as"),
        ("set protocols bgp group NAME local-address IP", f"{_JUNOS}, local-address (Protocols BGP)"),
        ("set protocols bgp group NAME multihop ttl N", f"{_JUNOS}, multihop"),
        ("set protocols bgp group NAME hold-time N", f"{_JUNOS}, hold-time (Protocols BGP)"),
        ("set protocols bgp group NAME multipath", f"{_JUNOS}, multipath (Protocols BGP)"),
        ("set protocols bgp group NAME multipath multiple-as", f"{_JUNOS}, multipath (Protocols BGP)"),
        ("set protocols bgp group NAME passive", f"{_JUNOS}, passive (Protocols BGP)"),
        ("set protocols bgp group NAME graceful-restart disable", f"{_JUNOS}, graceful-restart (Protocols BGP)"),
        ("set protocols bgp group NAME authentication-key TEXT", f"{_JUNOS}, authentication-key (Protocols BGP)"),
        ("set protocols bgp group NAME log-updown", f"{_JUNOS}, log-updown (Protocols BGP)"),
        ("set protocols bgp group NAME family inet unicast prefix-limit maximum N", f"{_JUNOS}, prefix-limit"),
        (
            "set protocols bgp group NAME family inet unicast prefix-limit teardown idle-timeout N",
            f"{_JUNOS}, prefix-limit",
        ),
        ("set protocols bgp group NAME family inet6 unicast prefix-limit maximum N", f"{_JUNOS}, prefix-limit"),
        (
            "set protocols bgp group NAME family inet6 unicast prefix-limit teardown idle-timeout N",
            f"{_JUNOS}, prefix-limit",
        ),
        ("set protocols bgp group NAME import NAME", f"{_JUNOS}, import (Protocols BGP)"),
        ("set protocols bgp group NAME export NAME", f"{_JUNOS}, export (Protocols BGP)"),
        ("set protocols bgp group NAME neighbor IP description TEXT", f"{_JUNOS}, neighbor, description"),
    ),
}
"""Software -> forms and sources."""

_VALUES = {
    "N": r"\d+",
    "ASN": r"\d+",
    "ID": r"\d+\.\d+\.\d+\.\d+",
    "IP": r"[0-9A-Fa-f.:]+",
    "P": r"[0-9A-Fa-f.:]+/\d+",
    "MASK": r"\d+\.\d+\.\d+\.\d+",
    "SET": r"[0-9A-Fa-f.:/{}, ]+",
    "TEXT": r"(?:\"[^\"]*\"|'[^']*'|\S+)",
    "NAME": r"\S+",
}


def undocumented(software: str, text: str) -> Iterator[str]:
    """Lines of a file that are no comment and have none of the forms."""
    patterns = _patterns(software)
    for line in text.splitlines():
        said = line.strip()
        if said and not said.startswith(("!", "#")) and not any(one.fullmatch(said) for one in patterns):
            yield said


@cache
def _patterns(software: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(_pattern(form)) for form, _source in FORMS[software])


def _pattern(form: str) -> str:
    words = re.split(r"([A-Z]+\b)", form)
    return "".join(_VALUES.get(word, re.escape(word)) for word in words)


def script(text: str) -> Iterator[str]:
    """RouterOS: each command as its menu, verb and the names of its parameters."""
    for line in text.splitlines():
        for menu, verb, rest in re.findall(r"(/[a-z0-9/]+) (add|set) ([^}]*(?:\{ accept \}[^}]*)?)", line):
            if not line.startswith("#"):
                bare = re.sub(r"\[find [^]]*\]", "", re.sub(r'"(?:[^"\\]|\\.)*"', '""', rest))
                yield " ".join((menu, verb, *re.findall(r"(?<![\w.\"])(?:[a-z][a-z0-9.-]*(?==)|blackhole\b)", bare)))
