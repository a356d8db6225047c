"""`furoshiki memory list|show|why|rejected|stats|view`: what is remembered, for somebody who wants to know."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

from furoshiki.cli import house
from furoshiki.cli.printing import as_json, markdown, table
from furoshiki.mind.commands import why
from furoshiki.mind.commands.words import figure, last, plural, shortened
from furoshiki.mind.remember import overview
from furoshiki.mind.remember.correcting import NoSuchMemory

if TYPE_CHECKING:
    from datetime import datetime

    from furoshiki.storage.rejections import Rejection


_MOST_CITED = 5

SMALL_BYTES = 256 * 1024 * 1024
"""Up to this size of the database, what each table takes is told without being asked for."""


def list_(args: argparse.Namespace) -> int:
    """`memory list`."""
    from furoshiki.storage import overview as stored

    _settings, store = house.storage()
    since = house.moment(args.since) if args.since else None
    wanted = stored.Wanted(args.type, args.status, args.about, since)
    with store.read() as db:
        found = [overview.brief(one) for one in stored.listed(db, wanted, args.limit)]
    if args.json:
        as_json(found)
    elif found:
        rows = [
            [one["at"][:10], one["id"], one["type"], _state(one), f"{one['weight']:.2f}", one["text"]] for one in found
        ]
        table(["when", "id", "type", "status", "weight", "what"], rows, right=[4])
    else:
        print("Nothing like that is remembered." if any(vars(wanted).values()) else "Nothing is remembered yet.")
    return 0


def show(args: argparse.Namespace) -> int:
    """`memory show ID`: all of it."""
    settings, store = house.storage()
    kind, number = named(args.id)
    if kind != "memory":
        return why_(args)
    with store.read() as db:
        found = overview.whole(db, number)
    if found is None:
        raise no_such(args.id)
    if args.json:
        as_json(found)
    else:
        markdown(_whole(found, house.clock().now(), settings.furoshiki_companion_name))
    return 0


def why_(args: argparse.Namespace) -> int:
    """`memory why ID`: the words it rests on."""
    _settings, store = house.storage()
    kind, number = named(args.id)
    with store.read() as db:
        found = why.described(db, f"{kind}:{number}")
    if found is None:
        raise no_such(args.id)
    if args.json:
        as_json(found)
        return 0
    lines = [f"**{found['id']}** · {found.get('at', '')[:10]}", "", found.get("text", "")]
    rests = [one for one in found.get("turns", ()) if one["id"] != found["id"]]
    if rests:
        lines += ["", "It rests on:", *(_quoted(one) for one in rests)]
    if documents := found.get("documents"):
        told = [f"- {one['source']}, {one['heading']}: “{shortened(one['text'], 200)}”" for one in documents]
        lines += ["", "It rests on documents about the companion:", *told]
    markdown("\n".join(lines))
    return 0


def rejected(args: argparse.Namespace) -> int:
    """`memory rejected`: what was claimed without grounds, and why it was not believed."""
    from furoshiki.storage import rejections

    _settings, store = house.storage()
    with store.read() as db:
        found = rejections.newest(db, args.limit, args.kind)
    if args.json:
        as_json([{**asdict(one), "at": one.at.isoformat()} for one in found])
    elif found:
        rows = [
            [one.at.isoformat()[:10], one.kind.replace("_", " "), shortened(one.content, 200), _cited(one), one.reason]
            for one in found
        ]
        table(["when", "kind", "what was claimed", "citing", "why it is not believed"], rows)
    else:
        print("Nothing of that kind was refused." if args.kind else "Nothing was refused.")
    return 0


def _cited(one: Rejection) -> str:
    return ", ".join(f"turn:{number}" for number in one.cited[:_MOST_CITED])


def stats(args: argparse.Namespace) -> int:
    """`memory stats`."""
    from furoshiki.mind.remember import indexing
    from furoshiki.vectors import Vectors

    settings, store = house.storage()
    found = indexing.stats(store, Vectors(settings.data))
    with_disk = args.disk or found["database_bytes"] <= SMALL_BYTES
    found |= {"kinds": overview.stats(store, house.clock().now(), with_disk)}
    if args.json:
        as_json(found)
        return 0
    kinds = found["kinds"]
    print(
        f"{plural(found['turns'], 'turn')}, {plural(found['memories'], 'memory', 'memories')}, "
        f"{plural(found['sessions'], 'session')}; {_size(found['database_bytes'])} on disk; encoder {found['model']}"
    )
    rows = [["type", name, f"{count:,}"] for name, count in kinds["by_type"].items()]
    rows += [["status", name, f"{count:,}"] for name, count in kinds["by_status"].items()]
    rows += [
        ["weight", name, f"{kinds[name]:,}"]
        for name in ("hot", "cold", "contested", "uninformed", "fading", "pinned", "without_source")
    ]
    rows += [["ceiling", name, f"{count:,}"] for name, count in kinds["ceilings"].items()]
    rows += [["theme", way, ", ".join(kinds["themes"][way])] for way in ("rising", "fading") if kinds["themes"][way]]
    rows += [["import", name.removeprefix("import:"), f"{count:,}"] for name, count in kinds["imports"].items()]
    rows += [
        ["index", f"{kind}, {state}", f"{count:,}"]
        for kind, by in found["states"].items()
        for state, count in by.items()
    ]
    if kinds["disk_bytes"] is not None:
        rows += [["disk", name, _size(size)] for name, size in list(kinds["disk_bytes"].items())[:8]]
    table(["what", "which", "how many"], [[name.replace("_", " ") for name in row] for row in rows], right=[2])
    return 0


def view(args: argparse.Namespace) -> int:
    """`memory view`: what stands out, at one look."""
    _settings, store = house.storage()
    now = house.clock().now()
    with store.read() as db:
        found = overview.standing(db, now, args.limit)
    if args.json:
        as_json(
            {"counts": found.counts, "themes": asdict(found.themes)}
            | {
                name: [overview.brief(one) for one in getattr(found, name)]
                for name in ("hot", "contested", "fading", "insights", "tensions")
            }
        )
        return 0
    from furoshiki.cli.memory_view import drawn

    drawn(found, now)
    return 0


def named(text: str) -> tuple[str, int]:
    """The kind and number behind "memory:3", "3", "turn:12" or "session:4". Raises NoSuchMemory."""
    kind, _, number = text.rpartition(":")
    if kind not in {"", "memory", "turn", "session"} or not number.isascii() or not number.isdigit():
        raise NoSuchMemory(f"{text!r} is no id: they look like memory:3 (or 3), turn:12 and session:4")
    return kind or "memory", int(number)


def no_such(name: str) -> NoSuchMemory:
    """What to say when nothing has an id."""
    return NoSuchMemory(f"nothing is remembered as {name!r}; `furoshiki memory list` shows what there is")


def _state(one: dict[str, Any]) -> str:
    return f"{one['status']}, pinned" if one["pinned"] else str(one["status"])


def _whole(found: dict[str, Any], now: datetime, companion: str) -> str:
    lines = [f"**{found['text']}**", ""]
    facts = [f"{found['id']}, {found['type']}, {_state(found)}; {_validity(found)}"]
    seen = f"for {figure(found['alpha'])}, against {figure(found['beta'])}"
    facts.append(f"weight {found['weight']:.2f}: {found['in_words']} ({seen})")
    if found["fact"]:
        facts.append(" · ".join(str(part) for part in found["fact"].values()))
    for name in ("compressed", "contextualized"):
        if found[name] and found[name] != found["text"]:
            facts.append(f"{'in short' if name == 'compressed' else 'in its context'}: {found[name]}")
    used = found["accesses"]
    latest = f", {last(used['last'], now)}" if used["last"] else ""
    facts.append(f"{plural(used['hits'], 'hit')}, came to mind {plural(used['count'], 'time')}{latest}")
    if used["together_with"]:
        facts.append("together with " + ", ".join(_company(one) for one in used["together_with"]))
    if found["cold_since"]:
        facts.append(f"cold since {found['cold_since'][:10]}: no known fact until it is needed again")
    facts.append(f"from {found['source']}, confidence {found['confidence']:g}")
    lines += [f"- {fact}" for fact in facts]
    if found["turns"]:
        lines += ["", "It rests on:", *(_quoted(one, companion) for one in found["turns"])]
    if found["links"]:
        told = [
            f"- {overview.relation_in_words(one)} {one['id']}: {one['text'] or 'which is gone'}"
            for one in found["links"]
        ]
        lines += ["", "It stands with:", *dict.fromkeys(told)]  # two relations can say the same: replaced, superseded
    if found["history"]:
        lines += ["", "What became of its weight:"]
        lines += [_changes(list(some)) for _, some in groupby(found["history"], key=lambda one: one["operation"])]
    return "\n".join(lines)


def _validity(found: dict[str, Any]) -> str:
    start = (found["valid_from"] or found["at"])[:10]
    if found["valid_to"] is None:
        return f"since {start}"
    if found["valid_to"] <= (found["valid_from"] or found["at"]):
        return "withdrawn: never true"
    return f"from {start} to {found['valid_to'][:10]}"


def _quoted(one: dict[str, Any], companion: str = "companion") -> str:
    who = {"user": "you", "companion": companion}.get(one["speaker"], one["speaker"])
    typed = "you, correcting it" if one["channel"] == "owner" else f"{who} ({one['from']})" if one.get("from") else who
    return f"- {one['at'][:16].replace('T', ' ')}, {typed}: “{' '.join(one['text'].split())}” ({one['id']})"


def _company(one: dict[str, Any]) -> str:
    often = figure(one["count"])
    return f"{one['id']} ({'once' if often == '1' else f'{often} times'})"


def _changes(some: list[dict[str, Any]]) -> str:
    """One line for changes of the same kind that follow on each other, oldest first."""
    first, newest = some[0], some[-1]
    moved = ""
    if first["before"] and newest["after"]:
        (a, b), (c, d) = first["before"], newest["after"]
        moved = f": {a / (a + b):.2f} → {c / (c + d):.2f}"
    what = first["operation"].replace("_", " ")
    start, end = (one["at"][:16].replace("T", " ") for one in (first, newest))
    if len(some) == 1:
        return f"- {start} {what}{moved}"
    when = f"at {start}" if start == end else f"between {start} and {end}"
    return f"- {what} {len(some)} times {when}{moved}"


def _size(count: int) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"
