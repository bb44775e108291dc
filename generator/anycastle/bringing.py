"""`vendor`: the charts that a site names into its repository. Composes the site, its releases, and `vendoring`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from anycastle import cache
from anycastle.compose import Echo
from anycastle.finding import Finding, Refused
from anycastle.updating import site_of
from anycastle.vendoring import FOLDER, LOCK, Locked, Wanted, codes, locking
from anycastle.vendoring.repositories import Fetched, fetched

_STAGED = ".anycastle/vendor"
_IMAGES = f"{FOLDER}/images.txt"


def vendor(root: Path, registry: str, mirror: str, echo: Echo) -> int:
    """Fetch what is not there yet, replace, lock, and list the images. Raises `Refused`, with nothing changed."""
    judged = site_of(root)
    assert judged.site is not None
    assert judged.network is not None
    from anycastle.render.release import releases
    from anycastle.site.egress import prefix

    upstream = (one for one in releases(judged.site, judged.network).values() if one.repository)
    wanted = tuple(sorted({Wanted(one.repository, one.chart, one.version) for one in upstream}))
    entries = locking.read(root)
    if isinstance(entries, Finding):
        raise Refused([entries])
    locked = {entry.wanted.name: entry for entry in entries}
    doubtful = set(_doubtful(root, wanted, locked))
    there = [one for one in wanted if one.name not in doubtful and _is_there(root, locked.get(one.name), one)]
    missing = [one for one in wanted if one not in there]
    brought = _fetched(missing, locked, mirror or judged.site.egress.charts, echo)
    same = {one.locked.wanted.name for one in brought if one.locked.content == locking.on_disk(_place(root, one))}
    if edited := sorted(doubtful - same):
        raise Refused([codes.edited(name, LOCK) for name in edited])
    kept = [locked[one.name] for one in there]
    _write(root, brought, [name for name in locked if name not in {one.name for one in wanted}])
    lock = locking.text([*kept, *(one.locked for one in brought)])
    cache.write(root / LOCK, lock.encode(), private=False)
    count = _list_images(root, registry, {one.registry: prefix(one.mirror) for one in judged.site.egress.mirrors})
    echo(f"{FOLDER}/: {len(brought)} charts fetched, {len(there)} unchanged; {_IMAGES} names {count} images.\n")
    if judged.site.gitops.source != "vendored":
        echo("Nothing uses them yet: write `source: vendored` under `gitops` in site.yaml, run `anycastle update`.\n")
    return 0


def _place(root: Path, one: Fetched) -> Path:
    return root / FOLDER / one.locked.wanted.name


def _doubtful(root: Path, wanted: tuple[Wanted, ...], locked: Mapping[str, Locked]) -> Iterator[str]:
    """Charts that would be replaced and are not what the lock says: edited, brought along, or of a run that was killed.

    Raises `Refused` where a link would lead the writing elsewhere.
    """
    for part in (FOLDER, ".anycastle", *(f"{FOLDER}/{name}" for name in {one.name for one in wanted} | set(locked))):
        if (root / part).is_symlink():
            raise Refused([codes.unwritable(part, "it is a link")])
    for name in sorted({one.name for one in wanted} | set(locked)):
        folder, entry = root / FOLDER / name, locked.get(name)
        if folder.exists() and (entry is None or locking.on_disk(folder) != entry.content):
            yield name


def _is_there(root: Path, entry: Locked | None, wanted: Wanted) -> bool:
    return entry is not None and entry.wanted == wanted and (root / FOLDER / wanted.name).is_dir()


def _fetched(missing: list[Wanted], locked: Mapping[str, Locked], mirror: str, echo: Echo) -> list[Fetched]:
    """All of them, or `Refused` with what is wrong about each."""
    brought: list[Fetched] = []
    against: list[Finding] = []
    for one in missing:
        try:
            found = fetched(one, mirror)
        except Refused as refused:
            against += refused.findings
            continue
        before = locked.get(one.name)
        if before is not None and before.wanted == one and before.digest != found.locked.digest:
            against.append(codes.other_bytes(one, LOCK, before.digest, found.locked.digest))
        echo(f"fetched {one} ({len(found.files)} files)\n")
        brought.append(found)
    if against:
        raise Refused(against)
    return brought


def _write(root: Path, brought: list[Fetched], gone: list[str]) -> None:
    """Every chart is whole beside the manifest before the first one takes its place."""
    staged = root / _STAGED
    shutil.rmtree(staged, ignore_errors=True)
    try:
        for one in brought:
            for path, data in one.files.items():
                target = staged / one.locked.wanted.name / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
        for name in [*gone, *(one.locked.wanted.name for one in brought)]:
            shutil.rmtree(root / FOLDER / name, ignore_errors=True)
        (root / FOLDER).mkdir(exist_ok=True)
        for one in brought:
            (staged / one.locked.wanted.name).replace(root / FOLDER / one.locked.wanted.name)
    except OSError as error:
        raise Refused([codes.unwritable(FOLDER, error.strerror or str(error))]) from error
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _list_images(root: Path, registry: str, mirrors: Mapping[str, str]) -> int:
    from anycastle.reader import read
    from anycastle.vendoring.images import images, listing

    repository = read(root)
    found = images(item.value for item in repository.objects)
    text = listing(found, registry, repository.kube_version, mirrors)
    cache.write(root / _IMAGES, text.encode(), private=False)
    return len(found)
