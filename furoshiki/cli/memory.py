"""`furoshiki memory`: search, import, explain and rebuild what is remembered."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from furoshiki.cli import house, memory_moving
from furoshiki.cli.printing import as_json, end_progress, markdown, table, waiting
from furoshiki.domain.when import stamp
from furoshiki.errors import FuroshikiError
from furoshiki.mind.commands import why
from furoshiki.mind.commands.words import plural, shortened
from furoshiki.storage import memories
from furoshiki.storage.store import Store
from furoshiki.vectors import Vectors, spawner


class NoSuchMemory(FuroshikiError):
    """Nothing has that id: `furoshiki memory list` shows what there is."""


def run(args: argparse.Namespace) -> int:
    """Dispatch on the verb."""
    verbs: dict[str, Callable[[argparse.Namespace], int]] = {
        "search": _search,
        "import": memory_moving.take_in,
        "export": memory_moving.take_out,
        "reindex": _reindex,
        "stats": _stats,
        "why": _why,
        "show": _why,
        "list": _list,
    }
    return verbs[args.verb](args)


def _search(args: argparse.Namespace) -> int:
    if (args.text is None) == (args.batch is None):
        raise house.Misused("memory search takes either TEXT or --batch FILE")
    from furoshiki.mind.remember import searching

    settings, store = house.storage()
    now = house.moment(args.now) if args.now else house.clock().now()
    encoder = searching.encoder_of(settings.furoshiki_embedder, settings.data)
    if args.batch is not None:
        for found in searching.search_batch(store, encoder, _lines(args.batch), now):
            as_json(found)
        return 0
    results = searching.search_one(store, encoder, args.text, args.k, now)
    if args.json:
        as_json(results)
    elif results:
        rows = [[one["at"][:10], one["id"], shortened(one["text"], 300), f"{one['score']:.3f}"] for one in results]
        table(["when", "id", "what", "score"], rows, right=[3])
    else:
        print("Nothing like that is remembered.")
    return 0


def _lines(name: str) -> Iterable[str]:
    if name == "-":
        yield from sys.stdin
        return
    with Path(name).open(encoding="utf-8") as file:
        yield from file


def _reindex(args: argparse.Namespace) -> int:
    from furoshiki.mind.remember import indexing

    store, memoryd = _with_memoryd()
    try:
        left = indexing.reindex(store, memoryd, args.wait, waiting("texts are not in the index yet"))
    finally:
        end_progress(sys.stderr)
    if args.json:
        as_json({"rebuilding": left > 0, "pending": left})
    else:
        print("The index is built anew." if args.wait else "The index is being built anew; recall works meanwhile.")
    return 0


def _with_memoryd() -> tuple[Store, Vectors]:
    """The database, and the way to memoryd, which is started when it is not there."""
    settings, store = house.storage()
    return store, Vectors(settings.data, spawner(settings.data))


def _stats(args: argparse.Namespace) -> int:
    from furoshiki.mind.remember import indexing

    settings, store = house.storage()
    found = indexing.stats(store, Vectors(settings.data))
    if args.json:
        as_json(found)
        return 0
    rows = [[kind, state, f"{count:,}"] for kind, by in found["states"].items() for state, count in by.items()]
    table(["kind", "index", "rows"], rows, right=[2])
    print(
        f"{plural(found['turns'], 'turn')}, {plural(found['memories'], 'memory', 'memories')}; encoder {found['model']}"
    )
    return 0


def _why(args: argparse.Namespace) -> int:
    world = house.world()
    found = why.of(world, args.id)
    if found is None:
        raise NoSuchMemory(f"nothing is remembered as {args.id!r}; ids look like memory:3 or turn:12")
    if args.json:
        as_json(found)
        return 0
    lines = [f"**{found['id']}** · {found.get('at', '')[:10]}", "", found.get("text", "")]
    rests = [one for one in found.get("turns", ()) if one["id"] != found["id"]]
    if rests:
        lines += ["", "It rests on:"]
        lines += [
            f"- {one['at'][:16].replace('T', ' ')}, {one['speaker']}: “{one['text']}” ({one['id']})" for one in rests
        ]
    markdown("\n".join(lines))
    return 0


def _list(args: argparse.Namespace) -> int:
    _settings, store = house.storage()
    with store.read() as db:
        newest = memories.newest(db, args.limit)
    if args.json:
        as_json(
            [
                {
                    "id": f"memory:{one.id}",
                    "type": one.type,
                    "text": one.content,
                    "at": stamp(one.created_at),
                    "status": one.status,
                    "turn_ids": list(one.turn_ids),
                }
                for one in newest
            ]
        )
        return 0
    rows = [[stamp(one.created_at)[:10], f"memory:{one.id}", one.type, one.status, one.content] for one in newest]
    table(["when", "id", "type", "status", "what"], rows)
    return 0
