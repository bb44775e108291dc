"""A CSV of machines, and exports of NetBox."""

import json
from typing import Any

import pytest

from anycastle.importing.detect import detected, read
from anycastle.importing.draft import Draft, draft
from anycastle.importing.facts import Source
from anycastle.site.load import parse

RACKS = """\
# floor plan, spring
Hostname;IP Address;Role;Gateway;Rack;ASN;Router ASN
M1;10.40.1.11/24;control plane;10.40.1.1;r1;65020;65101
m2;10.40.2.11/24;master;10.40.2.1;r2;65020;65102
w1;10.40.1.21/24;worker;10.40.1.1;r1;65201;65101

w2;10.40.2.21/24;node;10.40.2.1;r2;65202;65102
"""


def drawn(*texts: str) -> Draft:
    return draft([read(Source(f"list-{number}", text)) for number, text in enumerate(texts, start=1)])


def data(*texts: str) -> dict[str, Any]:
    made = drawn(*texts)
    assert made.data is not None
    assert not made.findings
    assert parse(made.data).site is not None, parse(made.data).findings
    return made.data


def test_racks_with_their_subnets_gateways_and_numbers() -> None:
    assert detected(RACKS) == "csv"
    made = data(RACKS)
    assert [(node["name"], node["role"], node["rack"]) for node in made["nodes"]] == [
        ("m1", "control-plane", "r1"),
        ("m2", "control-plane", "r2"),
        ("w1", "worker", "r1"),
        ("w2", "worker", "r2"),
    ]
    assert [(one["name"], one["cidr"], one["gateway"]) for one in made["networks"]["nodes"]] == [
        ("r1", "10.40.1.0/24", "10.40.1.1"),
        ("r2", "10.40.2.0/24", "10.40.2.1"),
    ]
    assert [(one["address"], one["asn"]) for one in made["routers"]] == [("10.40.1.1", 65101), ("10.40.2.1", 65102)]
    assert [one["routers"] for one in made["racks"]] == [["router-1"], ["router-2"]]
    assert made["bgp"]["control_plane_asn"] == 65020
    assert not [node for node in made["nodes"] if "asn" in node], "what a whole rack has stands beside the rack"
    assert [one.get("worker_asn") for one in made["racks"]] == [65201, 65202]


def test_masks_quotes_and_other_separators() -> None:
    text = 'name,node ip,netmask,role,labels\r\n"n1",10.5.0.9,255.255.254.0,"control-plane,worker","a=1; b=2"\r\n'
    made = data(text)
    assert made["networks"]["nodes"][0]["cidr"] == "10.5.0.0/23"
    (node,) = made["nodes"]
    assert node["workloads"] is True
    assert node["labels"] == {"a": "1", "b": "2"}


def test_a_router_is_no_node() -> None:
    made = data("name\taddress\trole\tasn\ngw\t10.6.0.254\trouter\t65010\nn1\t10.6.0.2\tmaster\t\n")
    assert made["routers"] == [{"name": "gw", "address": "10.6.0.254", "asn": 65010, "software": "frr"}]
    assert len(made["nodes"]) == 1


@pytest.mark.parametrize(
    ("text", "line", "code", "said"),
    [
        ("name,role\nn1,master\n", 1, "IMPORT002", "No column of the first line is the address"),
        ("name,ip\n", 1, "IMPORT005", "no line below its first"),
        ("name,ip,role\nn1,10.1.1.1,printer\n", 2, "IMPORT004", "no role of a machine"),
        ("name,ip\nn1,10.1.1\n", 2, "IMPORT004", "not an IP address"),
        ("name,ip\nn1,10.1.1.1,what,is,this\n", 2, "IMPORT002", "5 cells"),
        ("name,ip\nn1,10.1.1.1\nn1,10.1.1.2\n", 3, "IMPORT003", "10.1.1.2 here and 10.1.1.1 in list-1:2"),
        ("name,ip,asn\nn1,10.1.1.1,70000.1\n", 2, "IMPORT004", "AS number"),
        ("name,ip,gateway\na,10.1.1.1/24,10.1.1.9\nb,10.1.1.2/24,10.1.1.8\n", 3, "IMPORT003", "10.1.1.8 here"),
    ],
)
def test_what_is_wrong_in_a_table_is_said_at_its_line(text: str, line: int, code: str, said: str) -> None:
    finding = drawn(text).findings[0]
    assert (finding.code, finding.where.path, finding.where.line) == (code, "list-1", line)
    assert said in finding.message


def test_a_table_of_too_many_machines_stops() -> None:
    text = "name,ip\n" + "".join(f"n{number},10.1.1.1\n" for number in range(10_050))
    found = read(Source("big", text))
    assert [finding.message for finding in found.findings if finding.code == "IMPORT002"] == [
        "The table has more than 10000 machines."
    ]


def choice(value: str) -> dict[str, str]:
    return {"value": value, "label": value.title()}


def related(name: str, kind: str = "dcim/x") -> dict[str, Any]:
    return {"id": 1, "url": f"https://netbox.example.com/api/{kind}/1/", "display": name, "name": name, "slug": name}


def device(name: str, role: str, address: str, **more: Any) -> dict[str, Any]:
    return {
        "id": 7,
        "url": "https://netbox.example.com/api/dcim/devices/7/",
        "name": name,
        "role": related(role),
        "status": choice("active"),
        "rack": related("R-1"),
        "primary_ip4": {"id": 3, "url": "https://netbox.example.com/api/ipam/ip-addresses/3/", "address": address},
        "oob_ip": {"address": "10.99.0.7/24"},
        "config_context": {"bmc_password": "hunter2"},
        "comments": "root / hunter2",
        **more,
    }


def page(*results: Any, following: str | None = None, count: int = 0) -> dict[str, Any]:
    return {"count": count or len(results), "next": following, "previous": None, "results": list(results)}


def prefix(text: str, **more: Any) -> dict[str, Any]:
    url = "https://netbox.example.com/api/ipam/prefixes/4/"
    return {"id": 4, "url": url, "prefix": text, "status": choice("active"), "role": None, **more}


def test_answers_of_netbox() -> None:
    devices = page(
        device("cp1", "k8s-control-plane", "10.7.0.11/22"),
        device("w1", "kubernetes-worker", "10.7.0.21/22", custom_fields={"asn": 65201}),
        device("gw", "router", "10.7.0.1/22"),
        device("w9", "kubernetes-worker", "10.7.0.29/22", status=choice("decommissioning")),
    )
    rest = [
        prefix("10.7.0.0/22", role=related("servers")),
        prefix("10.7.16.0/24", role=related("load-balancer")),
        prefix("10.200.0.0/16", tags=[related("k8s-pods")]),
        prefix("10.0.0.0/8", status=choice("container")),
        {
            "url": "https://netbox.example.com/api/ipam/ip-ranges/1/",
            "start_address": "10.7.3.10/22",
            "end_address": "10.7.3.200/22",
            "status": choice("active"),
            "role": related("dhcp"),
        },
        {"url": "https://netbox.example.com/api/ipam/asns/1/", "asn": 65010, "description": "ToR routers"},
        {
            "url": "https://netbox.example.com/api/ipam/ip-addresses/9/",
            "address": "10.7.15.1/32",
            "role": choice("anycast"),
            "dns_name": "api.k8s.example.com",
            "status": choice("active"),
        },
    ]
    text = json.dumps({"devices": devices, "ipam": page(*rest)})
    assert detected(text) == "netbox"
    made = data(text)
    assert [(node["name"], node["role"], node["address"]) for node in made["nodes"]] == [
        ("cp1", "control-plane", "10.7.0.11"),
        ("w1", "worker", "10.7.0.21"),
    ]
    assert made["networks"]["nodes"] == [{"name": "lan", "cidr": "10.7.0.0/22", "gateway": "10.7.0.1"}]
    assert made["networks"]["pods"][0]["cidr"] == "10.200.0.0/16"
    assert made["networks"]["reserved"] == [{"name": "dhcp", "range": "10.7.3.10-10.7.3.200"}]
    assert made["load_balancer"]["pools"][0]["ranges"] == ["10.7.16.0/24"]
    assert made["routers"] == [{"name": "gw", "address": "10.7.0.1", "asn": 65010, "software": "frr"}]
    assert made["kubernetes"]["api"]["vips"] == ["10.7.15.1"]
    assert made["kubernetes"]["api"]["name"] == "api.k8s.example.com"
    assert made["bgp"]["worker_asn"] == 65201
    assert "hunter2" not in str(made)
    assert "10.99.0.7" not in str(made), "management controllers are no nodes"


def test_an_older_answer_and_a_bare_list() -> None:
    old = device("cp1", "unused", "10.7.0.11/22")
    old["device_role"] = old.pop("role") | {"name": "k8s-master", "slug": "k8s-master"}
    virtual = {
        "url": "https://netbox.example.com/api/virtualization/virtual-machines/2/",
        "name": "w1",
        "vcpus": 4,
        "status": choice("active"),
        "role": related("k8s-worker"),
        "primary_ip6": None,
        "primary_ip4": {"address": "10.7.0.21/22"},
    }
    made = data(json.dumps([old, virtual]))
    assert [node["role"] for node in made["nodes"]] == ["control-plane", "worker"]


def test_interfaces_bring_addresses_that_devices_lack() -> None:
    bare = device("cp1", "k8s-master", "") | {"primary_ip4": None}
    address = {
        "url": "https://netbox.example.com/api/ipam/ip-addresses/9/",
        "address": "10.7.0.11/22",
        "role": None,
        "assigned_object_type": "dcim.interface",
        "assigned_object": {"name": "eno1", "device": related("cp1", "dcim/devices")},
    }
    made = data(json.dumps([bare, address]))
    assert made["nodes"][0]["address"] == "10.7.0.11"
    assert made["networks"]["nodes"][0]["cidr"] == "10.7.0.0/22"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            page(device("cp1", "k8s-master", "10.7.0.11/22"), following="https://x/?offset=50", count=80),
            "1 objects of 80",
        ),
        (page(device("cp1", "k8s-master", "10.7.0.11/22"), device("p", "patch-panel", "10.7.0.2/22")), "patch-panel"),
        (
            [
                device("cp1", "k8s-master", "10.7.0.11/22"),
                {"url": "https://netbox.example.com/api/ipam/asns/1/", "asn": 65010, "description": "somebody's"},
            ],
            "AS number 65010",
        ),
    ],
)
def test_what_netbox_says_besides_is_said_to_be_left_out(value: Any, said: str) -> None:
    (finding,) = drawn(json.dumps(value)).findings
    assert finding.code == "IMPORT006"
    assert said in finding.message


def test_tables_of_netbox() -> None:
    devices = (
        "Name,Status,Tenant,Site,Location,Rack,Role,Manufacturer,Type,IP Address\n"
        "cp1,Active,,hq,,R1,K8s Control Plane,Acme,X1,10.7.0.11/22\n"
        "w1,Active,,hq,,R1,Kubernetes Worker,Acme,X1,10.7.0.21/22\n"
        "old,Offline,,hq,,R1,Kubernetes Worker,Acme,X1,10.7.0.22/22\n"
    )
    prefixes = (
        "Prefix,Status,Children,VRF,Utilization,Tenant,Site,VLAN,Role,Description\n"
        "10.7.0.0/22,Active,0,Global,3%,,hq,,Servers,\n"
        "10.7.16.0/24,Active,0,Global,3%,,hq,,Load Balancer,\n"
    )
    numbers = "ASN,ASDOT,Tenant,Provider Count,Description\n65010,65010,,0,fabric\n"
    assert [detected(text) for text in (devices, prefixes, numbers)] == ["netbox"] * 3
    made = data(devices, prefixes, numbers)
    assert [node["name"] for node in made["nodes"]] == ["cp1", "w1"]
    assert made["load_balancer"]["pools"][0]["ranges"] == ["10.7.16.0/24"]
    assert made["routers"][0]["asn"] == 65010


def test_a_netbox_export_of_nothing() -> None:
    (finding,) = drawn(json.dumps(page(prefix("10.0.0.0/8", status=choice("deprecated"))))).findings
    assert finding.code == "IMPORT005"
