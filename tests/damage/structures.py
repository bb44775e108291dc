"""Damage that knows what it damages: files that are legal bytes and no sane content, and folders that are traps.

Each kind changes a tree and names the file (or folder) of which something must be said; the empty text where the
damage may be harmless, as a byte order mark is.
"""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

Damage = Callable[[Path, Random], str]
MEBIBYTE = 1 << 20


def _files(root: Path, *endings: str) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file() and path.name.endswith(endings or ("",)))


def _one(root: Path, chance: Random, *endings: str) -> Path:
    return chance.choice(_manifests(root) if not endings else _files(root, *endings))


def _manifests(root: Path) -> list[Path]:
    """YAML that kubectl or kubeadm reads; templates and values of charts are others' business."""
    skipped = {"templates", ".anycastle", ".github"}
    found = [path for path in _files(root, ".yaml", ".yml") if not skipped & set(path.relative_to(root).parts)]
    return [path for path in found if b"kind:" in path.read_bytes() and path.name != "site.yaml"]


def _name(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


def _new(root: Path, chance: Random, text: str | bytes, name: str = "damaged.yaml") -> str:
    """A file of its own beside another one."""
    folders = sorted({path.parent for path in _manifests(root)})
    path = chance.choice(folders) / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return _name(root, path)


def _whole(text: str | bytes) -> Damage:
    return lambda root, chance: _new(root, chance, text)


def _legal(text: str) -> Damage:
    """Odd, and nothing that has to be called a mistake."""

    def change(root: Path, chance: Random) -> str:
        _new(root, chance, text)
        return ""

    return change


def _recoded(encoding: str) -> Damage:
    def change(root: Path, chance: Random) -> str:
        path = _one(root, chance)
        path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
        return _name(root, path)

    return change


def _rewritten(how: Callable[[bytes, Random], bytes], *, harmless: bool = False) -> Damage:
    def change(root: Path, chance: Random) -> str:
        path = _one(root, chance)
        path.write_bytes(how(path.read_bytes(), chance))
        return "" if harmless else _name(root, path)

    return change


def _at(name: str, text: str | bytes, *, certain: bool = False) -> Damage:
    """A file of that name at the root."""

    def change(root: Path, _chance: Random) -> str:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return name if certain else ""

    return change


def _bomb(levels: int, width: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)]
    return "\n".join(["apiVersion: v1", "kind: ConfigMap", "metadata: {name: bomb}", *lines]) + "\n"


OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd, namespace: kube-system}\n"
SERVICE = "apiVersion: v1\nkind: Service\nmetadata:\n  name: s\n  namespace: n\n  annotations: {%s}\nspec: {type: LoadBalancer, ports: [{port: 80}], selector: {a: b}}\n"
POOL = "apiVersion: projectcalico.org/v3\nkind: IPPool\nmetadata: {name: odd}\nspec: %s\n"
PEER = "apiVersion: projectcalico.org/v3\nkind: BGPPeer\nmetadata: {name: odd}\nspec: %s\n"

YAML: Mapping[str, Damage] = {
    "binary": _rewritten(lambda data, chance: b"kind: \x00" + chance.randbytes(len(data))),
    "cut inside a flow": _rewritten(lambda data, _chance: data.rstrip() + b"\nopen: [1, {a: b"),
    "cut inside quotes": _rewritten(lambda data, _chance: data.rstrip() + b'\nopen: "abc\n'),
    "tabs": _rewritten(lambda data, _chance: data.rstrip() + b"\nx:\n\t- y\n"),
    "zeros": _rewritten(lambda data, _chance: data + b"\x00" * 100),
    "half a character": _rewritten(lambda data, _chance: data + b"# \xe2\x82\n"),
    "latin-1": _rewritten(lambda data, _chance: data + "# müde\n".encode("latin-1")),
    "surrogates": _rewritten(lambda data, _chance: data + b"# \xed\xa0\x80\n"),
    "utf-16": _recoded("utf-16"),
    "utf-16-be": _recoded("utf-16-be"),
    "utf-32": _recoded("utf-32"),
    "ebcdic": _recoded("cp500"),
    "byte order mark": _rewritten(lambda data, _chance: codecs.BOM_UTF8 + data, harmless=True),
    "two marks": _rewritten(lambda data, _chance: codecs.BOM_UTF8 * 2 + data, harmless=True),
    "carriage returns": _rewritten(lambda data, _chance: data.replace(b"\n", b"\r"), harmless=True),
    "line separators": _rewritten(lambda data, _chance: data.replace(b"\n", b"\n\xe2\x80\xa8"), harmless=True),
    "empty": _rewritten(lambda _data, _chance: b"", harmless=True),
    "doubled": _rewritten(lambda data, _chance: data + b"\n---\n" + data, harmless=True),
    "bomb": _whole(_bomb(9, 9)),
    "wide bomb": _whole(_bomb(3, 400)),
    "merge bomb": _whole(
        OBJECT + "m0: &m0 {a: 1}\n" + "".join(f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 30)}], k{n}: 1}}\n" for n in range(1, 9))
    ),
    "alias of itself": _whole(OBJECT + "a: &a [*a]\n"),
    "merge of itself": _whole(OBJECT + "a: &a {<<: *a}\n"),
    "unknown alias": _whole(OBJECT + "a: *nowhere\n"),
    "deep flow": _whole(OBJECT + "a: " + "[" * 50_000 + "\n"),
    "deep closed flow": _whole(OBJECT + "a: " + "[" * 5_000 + "]" * 5_000 + "\n"),
    "deep braces": _whole(OBJECT + "a: " + "{a: " * 20_000 + "\n"),
    "deep block": _whole(OBJECT + "".join(f"{' ' * n}a:\n" for n in range(3_000))),
    "deep dashes": _whole(OBJECT + "a:\n" + "- " * 30_000 + "x\n"),
    "deep keys": _whole(OBJECT + "? " * 30_000 + "x\n"),
    "huge scalar": _whole(OBJECT + "data: {a: " + "x" * (5 * MEBIBYTE) + "}\n"),
    "large scalar": _legal(OBJECT + "data: {a: " + "x" * (3 * MEBIBYTE) + "}\n"),
    "huge line of words": _whole(OBJECT + "spec: {selector: " + "a && " * 300_000 + "b}\n"),
    "huge number": _legal(OBJECT + "data: {a: " + "9" * 100_000 + "}\n"),
    "huge hexadecimal": _legal(OBJECT + "data: {a: 0x" + "f" * 100_000 + "}\n"),
    "huge exponent": _whole(OBJECT + "data: {a: 1e99999999999}\n"),
    "not a number": _whole(OBJECT + "data: {a: .nan, b: -.inf}\n"),
    "sexagesimal": _legal(OBJECT + "data: {a: " + ":".join(["59"] * 10_000) + "}\n"),
    "many keys": _whole(OBJECT + "".join(f"k{n}: 1\n" for n in range(200_000))),
    "many duplicates": _whole(OBJECT + "a: 1\n" * 100_000),
    "many documents": _whole("---\na: 1\n" * 100_000),
    "many objects": _whole("---\n".join([OBJECT] * 3_000)),
    "many tags": _whole(OBJECT + "a:\n" + "  - !x y\n" * 50_000),
    "many anchors": _whole(OBJECT + "a:\n" + "".join(f"  - &a{n} y\n" for n in range(50_000))),
    "odd tags": _whole(OBJECT + "a: !!python/object/apply:os.system [id]\nb: !!binary ~\nc: !!int x\nd: !!set {a}\n"),
    "odd directive": _whole("%YAML 9.9\n%TAG ! tag:x,2000:\n---\n" + OBJECT),
    "keys that are no texts": _whole(OBJECT + "data: {[a]: b, {c: d}: e, 1: f, ~: g, 1.5: h}\n"),
    "control characters": _whole(OBJECT + 'data: {"\\u0000\\u001b[31m\\u202e": "\\ud800\\x07"}\n'),
    "escapes of half characters": _whole('apiVersion: v1\nkind: "\\ud800"\nmetadata: {name: "\\udc00"}\n'),
    "a name of a mebibyte": _whole("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + "n" * MEBIBYTE + "}\n"),
    "a kind of newlines": _whole('apiVersion: v1\nkind: "a\\nb\\r\\n::error::x"\nmetadata: {name: "%0A"}\n'),
    "everything a list": _whole("apiVersion: [v1]\nkind: [Pod]\nmetadata: [name]\nspec: [x]\n"),
    "lists in lists": _legal("apiVersion: v1\nkind: List\nitems: " + "[{apiVersion: v1, kind: List, items: " * 40 + "[]" + "}]" * 40 + "\n"),
    "annotations nested": _whole(SERVICE % ("projectcalico.org/loadBalancerIPs: '" + "[" * 50_000 + "'")),
    "pools nested": _whole(SERVICE % ("projectcalico.org/ipv4pools: '" + "[" * 50_000 + "'")),
    "annotation of numbers": _whole(SERVICE % ("projectcalico.org/loadBalancerIPs: '[" + "9" * 6_000 + "]'")),
    "many addresses": _whole(SERVICE % ("projectcalico.org/loadBalancerIPs: '" + json.dumps(["10.0.0.1"] * 20_000) + "'")),
    "pool of everything": _whole(POOL % "{cidr: '::/0', blockSize: 128, allowedUses: [LoadBalancer]}"),
    "pool of odd digits": _whole(POOL % "{cidr: '١٠.0.0.0/٨', blockSize: '²'}"),
    "selector nested": _whole(PEER % ("{peerIP: 10.0.0.1, asNumber: 1, nodeSelector: '" + "(" * 20_000 + "'}")),
    "selector negated": _whole(PEER % ("{peerIP: 10.0.0.1, asNumber: 1, nodeSelector: '" + "!" * 20_000 + "all()'}")),
    "selector of sets": _whole(PEER % ("{peerIP: 10.0.0.1, asNumber: 1, nodeSelector: 'a in {" + '"b", ' * 20_000 + "'}")),
    "AS number without end": _whole(PEER % ("{peerIP: 10.0.0.1, asNumber: '" + "1." * 10_000 + "'}")),
    "duration without end": _whole(PEER % ("{peerIP: 10.0.0.1, asNumber: 1, maxRestartTime: " + "9" * 5_000 + "s}")),
    "communities": _whole("apiVersion: projectcalico.org/v3\nkind: BGPConfiguration\nmetadata: {name: default}\nspec: {prefixAdvertisements: [{cidr: 0.0.0.0/0, communities: ['" + "1:" * 20_000 + "']}]}\n"),
    "quantities": _legal("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, resources: {limits: {cpu: " + "1" * 5_000 + "e" + "9" * 50 + "}}}]}\n"),
    "expressions": _whole("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.x.io}\nspec: {group: x.io, names: {kind: A, plural: as}, scope: Namespaced, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: string, pattern: '(a+)+(b+)+$'}}}}}]}\n---\napiVersion: x.io/v1\nkind: A\nmetadata: {name: a}\nspec: " + "a" * 5_000 + "c\n"),
    "definition of itself": _legal("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.x.io}\nspec: {group: x.io, names: {kind: A, plural: as}, scope: Namespaced, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {$ref: '#'}}}]}\n---\napiVersion: x.io/v1\nkind: A\nmetadata: {name: a}\n"),
}  # fmt: skip


def _larger(root: Path, chance: Random) -> str:
    path = _one(root, chance)
    with path.open("ab") as file:
        file.truncate(path.stat().st_size + 40 * MEBIBYTE)
    return _name(root, path)


def _link(target: str) -> Damage:
    def change(root: Path, chance: Random) -> str:
        path = _one(root, chance).parent / "link.yaml"
        path.symlink_to(target)
        return _name(root, path)

    return change


def _loop(root: Path, chance: Random) -> str:
    path = _one(root, chance).parent / "self"
    path.symlink_to(".")
    return ""


def _chain(root: Path, _chance: Random) -> str:
    for at in range(60):
        (root / f"l{at}.yaml").symlink_to(f"l{at + 1}.yaml")
    return ""


def _instead(make: Callable[[Path], None], *, harmless: bool = False) -> Damage:
    """Something else in the place of a file."""

    def change(root: Path, chance: Random) -> str:
        path = _one(root, chance)
        path.unlink()
        make(path)
        return "" if harmless else _name(root, path)

    return change


def _beside(make: Callable[[Path], None]) -> Damage:
    def change(root: Path, chance: Random) -> str:
        path = _one(root, chance).parent / "trap.yaml"
        make(path)
        return ""

    return change


def _socket(path: Path) -> None:
    import socket

    here = Path.cwd()
    os.chdir(path.parent)  # a path of a socket has 108 bytes at most
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _deep(root: Path, _chance: Random) -> str:
    folder = root
    for _level in range(70):
        folder = folder / "d"
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text(OBJECT)
    return "/".join(["d"] * 65)


def _named(name: bytes) -> Damage:
    """A file with a name that no person types."""

    def change(root: Path, _chance: Random) -> str:
        with open(os.path.join(os.fsencode(root), name), "wb") as file:  # noqa: PTH118, PTH123
            file.write(b"apiVersion: v1\nkind: [\n")
        return ""

    return change


def _crowd(root: Path, _chance: Random) -> str:
    (root / "crowd").mkdir()
    for at in range(2_000):
        (root / "crowd" / f"{at}.yaml").write_text(OBJECT.replace("odd", f"odd-{at}"))
    return ""


FOLDERS: Mapping[str, Damage] = {
    "larger than a disk": _larger,
    "link out": _link("/etc/passwd"),
    "link to a folder outside": _link("/etc"),
    "link up": _link("../../../../../../etc/hostname"),
    "link to a device": _link("/dev/zero"),
    "link to nothing": _beside(lambda path: path.symlink_to("nowhere.yaml")),
    "link to itself": _beside(lambda path: path.symlink_to(path.name)),
    "link to its folder": _loop,
    "chain of links": _chain,
    "FIFO": _beside(os.mkfifo),
    "FIFO in place": _instead(os.mkfifo, harmless=True),
    "socket": _beside(_socket),
    "folder in place": _instead(Path.mkdir, harmless=True),
    "deep folders": _deep,
    "crowd": _crowd,
    "name of bytes": _named(b"\xff\xfe.yaml"),
    "name with a line end": _named(b"a\nb\r::error::.yaml"),
    "name with an escape": _named(b"\x1b[31mred.yaml"),
    "name of 255": _named(b"n" * 250 + b".yaml"),
    "name with marks": _named(b"%s{0}{{x}}$(id)`.yaml"),
    "gitignore that backtracks": _at(".gitignore", "*a" * 40 + "b\n" + "**/" * 60 + "x\n" + "[" * 200 + "\n!\n\\\n"),
    "gitignore of bytes": _at(".gitignore", os.urandom(0) + bytes(range(256)) * 50),
    "gitignore of everything": _at(".gitignore", "*\n"),
    "gitignore without end": _at(".gitignore", "a/**/b/**/c\n" * 100_000),
}


def _frr(text: str) -> Damage:
    def change(root: Path, _chance: Random) -> str:
        (root / "odd").mkdir(exist_ok=True)
        (root / "odd" / "frr.conf").write_text(text, encoding="utf-8")
        return ""

    return change


def _beside_frr(name: str, text: str) -> Damage:
    def change(root: Path, _chance: Random) -> str:
        folder = root / "odd"
        folder.mkdir(exist_ok=True)
        (folder / "frr.conf").write_text(
            "router bgp 65000\n bgp router-id 10.9.9.9\n neighbor 10.9.9.1 remote-as 65001\n"
        )
        (folder / name).write_text(text)
        return ""

    return change


MANY = 20_000
ROUTERS: Mapping[str, Damage] = {
    "many neighbours": _frr("router bgp 1\n" + "".join(f" neighbor 10.{n >> 8}.{n & 255}.1 remote-as {n}\n" for n in range(3_000))),
    "many entries": _frr("router bgp 1\n neighbor 10.0.0.1 remote-as 2\n neighbor 10.0.0.1 prefix-list a in\n" + "ip prefix-list a permit 10.0.0.0/8 le 32\n" * MANY),
    "many clauses": _frr("router bgp 1\n neighbor 10.0.0.1 remote-as 2\n neighbor 10.0.0.1 route-map a in\n" + "".join(f"route-map a permit {n}\n match ip address prefix-list p{n}\n" for n in range(MANY))),
    "route-map that calls itself": _frr("router bgp 1\n neighbor 10.0.0.1 remote-as 2\n neighbor 10.0.0.1 route-map a in\nroute-map a permit 1\n call a\n on-match goto 1\n"),
    "group of itself": _frr("router bgp 1\n neighbor a peer-group\n neighbor a peer-group a\n neighbor 10.0.0.1 peer-group b\n neighbor b peer-group c\n neighbor c peer-group b\n"),
    "everything listens": _frr("router bgp 1\n neighbor a peer-group\n bgp listen range 0.0.0.0/0 peer-group a\n bgp listen range ::/0 peer-group a\n bgp listen range x peer-group a\n"),
    "odd numbers": _frr("router bgp ٣\n neighbor ² remote-as ²\n timers bgp ² ²\n maximum-paths " + "9" * 6_000 + "\nip route 10.0.0.0/8 blackhole " + "9" * 6_000 + "\nip prefix-list a seq x permit 10.0.0.0/8 ge ² le " + "9" * 6_000 + "\n"),
    "one long line": _frr("router bgp 1 " + "neighbor " * 200_000 + "\n"),
    "no words": _frr("router\nrouter bgp\nneighbor\nno\nip\nip route\nip prefix-list\nroute-map\nroute-map a\ntimers bgp\nbgp\n address-family\nexit\nexit\nend\n"),
    "only marks": _frr("!\n" * 100_000),
    "daemons": _beside_frr("daemons", "bgpd=\n=yes\nbgpd\n" * 1_000),
    "nft braces": _beside_frr("nftables.conf", "table inet filter {" * 5_000),
    "nft jumps": _beside_frr("nftables.conf", "table inet f {\n chain a { jump b; }\n chain b { jump a; goto a; }\n chain forward { type filter hook forward priority 0; policy drop; jump a; }\n chain input { type filter hook input priority 0; policy drop; jump a }\n}\n"),
    "nft sets": _beside_frr("nftables.conf", "table inet f {\n set s { type ipv4_addr; flags interval; elements = { " + ", ".join(["0.0.0.0/0"] * MANY) + " } }\n chain forward { type filter hook forward priority 0; policy drop; ip daddr @s accept; }\n}\n"),
    "nft rules": _beside_frr("nftables.conf", "table inet f {\n chain forward { type filter hook forward priority 0; policy drop;\n" + "ip daddr 10.0.0.0/8 ip saddr { 10.1.0.0/16, 10.2.0.0/16 } tcp dport { 1-65535 } accept\n" * 3_000 + "}\n}\n"),
    "nft definitions": _beside_frr("nftables.conf", "define a = $b\ndefine b = $a\ntable inet f { chain forward { type filter hook forward priority 0; ip daddr $a accept; } }\ninclude \"/etc/*\"\n"),
    "sysctl": _beside_frr("sysctl.conf", "net.ipv4.ip_forward = " + "9" * 6_000 + "\n= 1\nnet\nnet.ipv4.ip_forward\n" * 200),
    "bird braces": _at("odd/bird.conf", "protocol bgp a { local 10.0.0.1 as 1; neighbor 10.0.0.2 as 2; ipv4 " + "{" * 20_000),
    "bird templates": _at("odd/bird.conf", "template bgp a from b { }\ntemplate bgp b from a { }\nprotocol bgp c from a { local as 1; neighbor 10.0.0.1 as 2; }\n"),
    "bird functions": _at("odd/bird.conf", "function f() { return g(); }\nfunction g() { return f(); }\nfilter x { if f() then accept; reject; }\nprotocol bgp c { local 10.0.0.9 as 1; neighbor 10.0.0.1 as 2; ipv4 { import filter x; }; }\n"),
    "bird definitions": _at("odd/bird.conf", "define A = B;\ndefine B = A;\nprotocol bgp c { local A as B; neighbor A as B; }\n"),
    "bird sets": _at("odd/bird.conf", "filter x { if net ~ [ " + ", ".join(["10.0.0.0/8{8,32}"] * MANY) + " ] then accept; }\nprotocol bgp c { local 10.0.0.9 as 1; neighbor 10.0.0.1 as 2; ipv4 { import filter x; }; }\n"),
    "bird quotes": _at("odd/bird.conf", 'protocol bgp c { description "' + "x" * 100_000 + "\n/* " * 1_000),
    "bird conditions": _at("odd/bird.conf", "filter x { " + "if net ~ [ 10.0.0.0/8 ] then { " * 3_000 + "accept; }\nprotocol bgp c { local 10.0.0.9 as 1; neighbor 10.0.0.1 as 2; ipv4 { import filter x; }; }\n"),
}  # fmt: skip

APPLICATION = (
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: odd, namespace: argocd}\nspec: %s\n"
)
ENGINES: Mapping[str, Damage] = {
    "app of itself": _at("odd/app.yaml", APPLICATION % "{project: default, source: {repoURL: x, path: odd}, destination: {namespace: a}}"),
    "app out of the tree": _at("odd/app.yaml", APPLICATION % "{project: default, source: {repoURL: x, path: ../../../etc}, destination: {namespace: a}}"),
    "app of nothing": _at("odd/app.yaml", APPLICATION % "{project: [], source: [], sources: {}, destination: x, syncPolicy: [], ignoreDifferences: x}"),
    "app of many sources": _at("odd/app.yaml", APPLICATION % ("{project: default, sources: [" + "{repoURL: x, path: odd}, " * 2_000 + "]}")),
    "values out of the tree": _at("odd/app.yaml", APPLICATION % "{project: default, source: {repoURL: x, path: odd, helm: {valueFiles: [/etc/passwd, ../../../../etc/passwd, $x/../../etc, '$', '']}}}"),
    "inline values": _at("odd/app.yaml", APPLICATION % ("{project: default, source: {repoURL: x, path: odd, helm: {values: '" + "[" * 20_000 + "', parameters: [{name: '" + "a." * 5_000 + "', value: b}, {name: 'a[99999999]', value: c}]}}}")),
    "wave": _at("odd/app.yaml", (APPLICATION % "{}").replace("metadata: {", "metadata: {annotations: {argocd.argoproj.io/sync-wave: '" + "9" * 6_000 + "'}, ")),
    "set without end": _at("odd/set.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec: {generators: [{list: {elements: [" + "{a: b}, " * 5_000 + "]}}], template: {metadata: {name: '{{a}}'}, spec: {source: {repoURL: x, path: '{{a}}'}}}}\n"),
    "set of folders": _at("odd/set.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec: {generators: [{git: {repoURL: x, directories: [{path: '" + "*a" * 30 + "b'}, {path: '**'}, {path: '['}]}}], template: {metadata: {name: '{{path}}'}, spec: {source: {repoURL: x, path: '{{path}}'}}}}\n"),
    "project of patterns": _at("odd/app.yaml", (APPLICATION % ("{project: p, source: {repoURL: '" + "a" * 5_000 + "', path: odd}, destination: {namespace: a}}")) + "---\napiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: p, namespace: argocd}\nspec: {sourceRepos: ['" + "*a" * 30 + "b'], destinations: [{server: '[', namespace: '!'}]}\n"),
    "circle of Flux": _at("odd/flux.yaml", "---\n".join(f"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: k{n}}}\nspec: {{path: ./odd, interval: 1m, sourceRef: {{kind: GitRepository, name: flux-system}}, dependsOn: [{{name: k{(n + 1) % 40}}}, {{name: k{(n + 7) % 40}}}]}}\n" for n in range(40))),
    "long chain of Flux": _at("odd/flux.yaml", "---\n".join(f"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: k{n}}}\nspec: {{path: ./odd, interval: 1m, sourceRef: {{kind: GitRepository, name: flux-system}}, dependsOn: [{{name: k{n + 1}}}]}}\n" for n in range(400))),
    "substitution": _at("odd/flux.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k}\nspec: {path: ./odd, postBuild: {substitute: {a: '${a}${a}', b: '${b:=${c}}'}}, sourceRef: {kind: GitRepository, name: flux-system}}\n---\n" + OBJECT + "data: {x: '" + "${a:-${b:-" * 3_000 + "'}\n"),
    "kustomization of itself": _at("odd/kustomization.yaml", "resources: [., ../odd, ./, ../odd/../odd]\n"),
    "kustomizations of one another": lambda root, chance: (_at("odd/kustomization.yaml", "resources: [../even, ../even, ../even]\n")(root, chance), _at("even/kustomization.yaml", "resources: [../odd, ../odd, ../odd]\n")(root, chance))[1],
    "kustomization of everything": _at("odd/kustomization.yaml", "resources: [/etc, /, ../../.., '', '*', 1, {a: b}, [c], 'https://x.example/y?ref=z']\npatches: {a: b}\nconfigMapGenerator: [x, {files: [/etc/passwd, a=b=c], literals: [=]}]\n"),
    "kustomization of bytes": _at("odd/kustomization.yaml", bytes(range(256))),
    "renovate nested": _at("renovate.json", "[" * 100_000),
    "renovate that backtracks": _at("renovate.json", json.dumps({"customManagers": [{"customType": "regex", "managerFilePatterns": ["/.*/", "/(a+)+$/"], "matchStrings": ["(?<currentValue>(\\w+\\s?)+)$!", "((a|a)+)+(?<currentValue>b)$"], "datasourceTemplate": "docker"}]})),
    "renovate of wrong types": _at("renovate.json", json.dumps({"customManagers": [{"customType": "regex", "managerFilePatterns": [1, "["], "matchStrings": [None, "("], "extractVersionTemplate": 3}], "enabledManagers": "x"})),
    "workflow of wrong types": _at(".github/workflows/v.yaml", "on: [x]\njobs: {a: [b], c: {steps: [anycastle, {run: [x]}, {run: 'anycastle --format', uses: '@'}], runs-on: [y]}}\npermissions: [z]\n"),
    "hooks of wrong types": _at(".pre-commit-config.yaml", "repos: [x, {hooks: [y, {entry: 'anycastle x y', additional_dependencies: z}]}]\n"),
}  # fmt: skip


def _manifest(text: str | bytes) -> Damage:
    return _at(".anycastle/manifest.json", text)


def _site(text: str) -> Damage:
    return _at("site.yaml", text)


SITE: Mapping[str, Damage] = {
    "manifest nested": _manifest("[" * 100_000),
    "manifest of bytes": _manifest(bytes(range(256))),
    "manifest of wrong types": _manifest('{"schema": [], "files": {"../../etc/passwd": 1, "/": [], "a\\u0000b": {}, "\\ud800": "x"}}'),
    "manifest of numbers": _manifest('{"schema": ' + "9" * 6_000 + ', "files": 1e999}'),
    "manifest empty": _manifest(""),
    "manifest a list": _manifest("[1, 2]"),
    "manifest without end": _manifest(json.dumps({"schema": 1, "files": {f"f{n}": "0" * 64 for n in range(50_000)}})),
    "site bomb": _site(_bomb(9, 9)),
    "site of wrong types": _site("schema: []\nnetworks: [x]\nrouters: {a: b}\nnodes: [1, {address: []}]\nbgp: []\nkubernetes: x\ngitops: [y]\n"),
    "site of ranges": _site("networks: {nodes: [{name: [], cidr: '::/0'}], reserved: [{name: x, range: '0.0.0.0-255.255.255.255'}, {range: '9.9.9.9-1.1.1.1'}, {range: []}, {range: '::-ffff::'}], owned: {asns: [x, -1, 1e9], prefixes: [1, 0.0.0.0/0]}}\n"),
    "site of bytes": _site("schema: 1\nname: \"\\0\\e\"\n"),
    "site without end": _site("schema: 1\nnodes:\n" + "".join(f"  - {{name: n{n}, address: 10.0.0.1}}\n" for n in range(6_000))),
}  # fmt: skip


def _chart(files: Mapping[str, str | bytes], values: str = "", *, harmless: bool = False) -> Damage:
    """A chart of somebody else's that an Application names."""

    def change(root: Path, _chance: Random) -> str:
        all_files = {"Chart.yaml": "apiVersion: v2\nname: odd\nversion: 0.1.0\n", "values.yaml": values, **files}
        for name, text in all_files.items():
            path = root / "odd" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        app = "{project: default, source: {repoURL: x, path: odd}, destination: {namespace: default}}"
        (root / "odd-app.yaml").write_text(APPLICATION % app)
        return "" if harmless else "odd"

    return change


def _with(damage: Damage, after: Callable[[Path], None]) -> Damage:
    def change(root: Path, chance: Random) -> str:
        said = damage(root, chance)
        after(root)
        return said

    return change


CHARTS: Mapping[str, Damage] = {
    "no Chart.yaml": _chart({"Chart.yaml": "", "templates/a.yaml": OBJECT}),
    "Chart.yaml of bytes": _chart({"Chart.yaml": bytes(range(256))}),
    "Chart.yaml bomb": _chart({"Chart.yaml": _bomb(9, 9)}),
    "Chart.yaml of wrong types": _chart({"Chart.yaml": "apiVersion: [v2]\nname: {a: b}\nversion: []\ndependencies: x\n"}),
    "dependency that is missing": _chart({"Chart.yaml": "apiVersion: v2\nname: odd\nversion: 0.1.0\ndependencies: [{name: lost, version: 1.x, repository: 'https://charts.example.org'}]\n"}),
    "dependency of itself": _chart({"Chart.yaml": "apiVersion: v2\nname: odd\nversion: 0.1.0\ndependencies: [{name: odd, version: 0.1.0, repository: 'file://.'}]\n", "charts/odd/Chart.yaml": "apiVersion: v2\nname: odd\nversion: 0.1.0\ndependencies: [{name: odd, version: 0.1.0, repository: 'file://../..'}]\n"}),
    "template of bytes": _chart({"templates/a.yaml": bytes(range(256))}),
    "template that is no template": _chart({"templates/a.yaml": "{{ if }}{{ end }}{{"}),
    "template that is no YAML": _chart({"templates/a.yaml": "a: [\n"}),
    "template that fails": _chart({"templates/a.yaml": "{{ fail (repeat 5000 \"x\\n\") }}"}),
    "template that reads the world": _chart({"templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: {{ env \"HOME\" }} }\n"}),
    "schema that is no JSON": _chart({"values.schema.json": "{", "templates/a.yaml": OBJECT}),
    "schema of itself": _chart({"values.schema.json": '{"$ref": "#"}', "templates/a.yaml": OBJECT}, "a: b\n"),
    "schema elsewhere": _chart({"values.schema.json": '{"$ref": "http://127.0.0.1:9/x.json"}', "templates/a.yaml": OBJECT}, "a: b\n"),
    "schema of a file": _chart({"values.schema.json": '{"$ref": "file:///etc/passwd"}', "templates/a.yaml": OBJECT}, "a: b\n"),
    "schema of wrong types": _chart({"values.schema.json": '{"type": 3, "properties": []}', "templates/a.yaml": OBJECT}, "a: b\n"),
    "values of bytes": _chart({"values.yaml": bytes(range(256))}),
    "values a list": _chart({"values.yaml": "[a, b]\n", "templates/a.yaml": OBJECT.replace("odd", "x-{{ .Values.a }}")}),
    "values bomb": _chart({"values.yaml": _bomb(9, 9), "templates/a.yaml": OBJECT + "data: {a: {{ toYaml .Values | quote }} }\n"}),
    "FIFO": _with(_chart({"templates/a.yaml": OBJECT}), lambda root: os.mkfifo(root / "odd/templates/b.yaml")),
    "link to a device": _with(_chart({"templates/a.yaml": OBJECT}), lambda root: (root / "odd/files").symlink_to("/dev/zero")),
    "link out": _with(_chart({"templates/a.yaml": OBJECT}), lambda root: (root / "odd/templates/b.yaml").symlink_to("/etc/passwd")),
}  # fmt: skip
"""Of these something must be said about the chart, or about its Application."""
QUIET_CHARTS: Mapping[str, Damage] = {
    "template that renders bytes": _chart({"templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: {{ b64dec \"/////w==\" | quote }} }\n"}, harmless=True),
    "helmignore": _chart({".helmignore": "**/x\n!\n[\n\\\n", "templates/a.yaml": OBJECT}, harmless=True),
    "helmignore of bytes": _chart({".helmignore": bytes(range(256)), "templates/a.yaml": OBJECT}, harmless=True),
    "helmignore of everything": _chart({".helmignore": "*\n", "templates/a.yaml": OBJECT}, harmless=True),
    "notes that fail": _chart({"templates/NOTES.txt": "{{ fail \"no\" }}", "templates/a.yaml": OBJECT}, harmless=True),
    "definitions of bytes": _chart({"crds/a.yaml": bytes(range(256)), "templates/a.yaml": OBJECT}, harmless=True),
    "random every time": _chart({"templates/a.yaml": OBJECT + "data: {a: {{ randAlpha 8 | quote }}, b: {{ now | quote }} }\n"}, harmless=True),
    "link to itself": _with(_chart({"templates/a.yaml": OBJECT}, harmless=True), lambda root: (root / "odd/templates/loop").symlink_to(".")),
}  # fmt: skip
DEADLY_CHARTS: Mapping[str, Damage] = {
    "include of itself": _chart({"templates/_a.tpl": '{{ define "a" }}{{ include "a" . }}{{ end }}', "templates/a.yaml": '{{ include "a" . }}'}),
    "tpl of itself": _chart({"templates/a.yaml": "{{ tpl .Values.a . }}"}, 'a: "{{ tpl .Values.a . }}"\n'),
    "endless": _chart({"templates/a.yaml": "{{ range until 2000000000 }}{{ end }}"}),
    "large": _chart({"templates/a.yaml": '{{ repeat 2000000000 "x" }}'}),
}  # fmt: skip
"""Each ends the process that renders it, so each costs some seconds."""

KINDS: Mapping[str, Mapping[str, Damage]] = {
    "yaml": YAML,
    "folder": FOLDERS,
    "router": ROUTERS,
    "engine": ENGINES,
    "site": SITE,
    "chart": CHARTS,
    "quiet chart": QUIET_CHARTS,
}
