"""`furoshiki memory list|show|why|rejected|stats|view`: shows what is remembered."""

import argparse
from collections import Counter
from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

from furoshiki.conversation.commands.look import why
from furoshiki.core import refs
from furoshiki.core.catalogue import later, say, say_each, say_number
from furoshiki.faces.cli import context
from furoshiki.faces.overview.store import memory_lists
from furoshiki.faces.overview.store.memory_lists import Wanted
from furoshiki.faces.terminal.printing import as_json, markdown, show_list, table
from furoshiki.language.humanize import ago, figure, last, plural, shorten
from furoshiki.memory import overview
from furoshiki.memory.correction import NoSuchMemory
from furoshiki.memory.overview import Overview
from furoshiki.memory.rules import in_words
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store.overview import newest
from furoshiki.memory.values import Memory
from furoshiki.recall.retrieval.client import Vectors

_MOST_CITED = 5

# bytes of the database up to which --json tells the size of each table without --disk
SMALL_BYTES = 256 * 1024 * 1024


def list_(args: argparse.Namespace) -> int:
    """Run `memory list`."""
    _settings, database = context.storage()
    since = context.moment(args.since) if args.since else None
    wanted = Wanted(args.type, args.status, args.about, since)
    with database.read() as db:
        found = [overview.brief(memory) for memory in memory_lists.read_newest(db, wanted, args.limit)]
    rows = []
    for one in found:
        weight, text = f"{one['weight']:.2f}", context.phrase(one["text"])
        rows.append((one["at"][:10], one["id"], one["type"], in_words.state(one), weight, text))
    headers = say_each("when", "id", "type", "status", "weight", "what")
    asked = any(vars(wanted).values())
    nothing = say("Nothing like that is remembered.") if asked else say("Nothing is remembered yet.")
    return show_list(args.json, found, headers, rows, nothing, right=(4,))


def show(args: argparse.Namespace) -> int:
    """Run `memory show ID`: print a memory in full."""
    settings, database = context.storage()
    kind, number = parse_ref(args.id)
    if kind != "memory":
        return why_(args)
    with database.read() as db:
        found = overview.whole(db, number)
    if found is None:
        raise no_such(args.id)
    if args.json:
        as_json(found)
    else:
        markdown(in_full(found, context.clock().now(), settings.furoshiki_companion_name))
    return 0


def why_(args: argparse.Namespace) -> int:
    """Run `memory why ID`: print the words that a memory rests on."""
    _settings, database = context.storage()
    kind, number = parse_ref(args.id)
    with database.read() as db:
        found = why.read_source(db, refs.name(kind, number))
    if found is None:
        raise no_such(args.id)
    if args.json:
        as_json(found)
        return 0
    text = found.get("text", "")
    shown = context.phrase(text) if kind == "memory" else text  # of a turn, the very words
    lines = [f"**{found['id']}** · {found.get('at', '')[:10]}", "", shown]
    rests = [one for one in found.get("turns", ()) if one["id"] != found["id"]]
    if rests:
        lines += ["", say("Based on:"), *(f"- {quote_turn(one)}" for one in rests)]
    if documents := found.get("documents"):
        told = [f"- {one['source']}, {one['heading']}: “{shorten(one['text'], 200)}”" for one in documents]
        lines += ["", say("It is based on documents about the companion:"), *told]
    markdown("\n".join(lines))
    return 0


def list_rejected(args: argparse.Namespace) -> int:
    """Run `memory rejected`: print claims without evidence, and why they were rejected."""
    _settings, database = context.storage()
    with database.read() as db:
        rejections = newest(db, args.limit, args.kind)
    data = [{**asdict(rejection), "at": rejection.at.isoformat()} for rejection in rejections]
    rows = []
    for rejection in rejections:
        claim = shorten(context.phrase(rejection.content), 200)
        cited = ", ".join(refs.names("turn", rejection.cited[:_MOST_CITED]))
        rows.append((rejection.at.isoformat()[:10], rejection.kind.replace("_", " "), claim, cited, rejection.reason))
    headers = say_each("when", "kind", "what was claimed", "citing", "why it is not believed")
    nothing = say("Nothing of that kind was refused.") if args.kind else say("Nothing was refused.")
    return show_list(args.json, data, headers, rows, nothing)


def stats(args: argparse.Namespace) -> int:
    """Run `memory stats`."""
    from furoshiki.recall.retrieval import reindex

    settings, database = context.storage()
    found = reindex.stats(database, Vectors(settings.data))
    with_disk = args.disk or (args.json and found["database_bytes"] <= SMALL_BYTES)
    found |= {"kinds": overview.stats(database, context.clock().now(), with_disk)}
    if args.json:
        as_json(found)
        return 0
    kinds = found["kinds"]
    print(
        f"{plural(found['turns'], 'message')}, {plural(found['memories'], 'memory', 'memories')}, "
        f"{plural(found['sessions'], 'conversation')} read over; {_size(found['database_bytes'])} on disk"
    )
    weights = ("hot", "cold", "contested", "uninformed", "fading", "pinned", "without_source")
    counted = {
        "type": kinds["by_type"],
        "status": kinds["by_status"],
        "weight": {name: kinds[name] for name in weights},
        "what was said": {_GATE.get(name, name): count for name, count in kinds["gate"].items()},
        "import": {name.removeprefix("import:"): count for name, count in kinds["imports"].items()},
        **_count_by_search(found["states"]),
    }
    rows = [[what, name, f"{count:,}"] for what, counts in counted.items() for name, count in counts.items()]
    rows += [["theme", way, ", ".join(kinds["themes"][way])] for way in ("rising", "fading") if kinds["themes"][way]]
    if kinds["disk_bytes"] is not None:
        rows += [["disk", name, _size(size)] for name, size in list(kinds["disk_bytes"].items())[:8]]
    table(["what", "which", "how many"], [[name.replace("_", " ") for name in row] for row in rows], right=[2])
    return 0


_GATE = {"persisted": "became a memory", "dropped": "no memory of its own", "waiting": "not judged yet"}

# how texts without a vector are found, by the states of `vectors`
_SEARCH = {"pending": "by words, soon by meaning", "failed": "by words alone", "empty": "nothing to find"}

_FOUND = {"turn": "messages", "memory": "memories", "session": "conversations", "design": "about itself"}


def _count_by_search(states: dict[str, dict[str, int]]) -> dict[str, Counter[str]]:
    """Count how each kind of text is found."""
    counted: dict[str, Counter[str]] = {}
    for kind, by_state in states.items():
        counts = counted.setdefault(f"{_FOUND[kind]} found", Counter())
        for state, count in by_state.items():
            counts[_SEARCH.get(state, "by meaning")] += count
    return counted


def view(args: argparse.Namespace) -> int:
    """Run `memory view`: print an overview."""
    _settings, database = context.storage()
    now = context.clock().now()
    with database.read() as db:
        found = overview.read_overview(db, now, args.limit)
    if args.json:
        as_json(
            {"counts": found.counts, "themes": asdict(found.themes)}
            | {
                name: [overview.brief(one) for one in getattr(found, name)]
                for name in ("hot", "contested", "fading", "insights", "tensions")
            }
        )
        return 0

    print_overview(found, now)
    return 0


def parse_ref(text: str) -> tuple[Literal["memory", "turn", "session"], int]:
    """Parse "memory:3", "3", "turn:12" or "session:4" to kind and number. Raises NoSuchMemory."""
    ref = refs.Ref.parse(text if ":" in text else refs.name("memory", text))
    if ref is None or ref.row is None or ref.kind not in ("memory", "turn", "session"):
        raise NoSuchMemory(say("“{id}” is not an id: ids look like memory:3 (or 3), turn:12 and session:4", id=text))
    return ref.kind, ref.row


def no_such(name: str) -> NoSuchMemory:
    """Return the error for an id without a memory."""
    return NoSuchMemory(say("nothing is remembered as “{id}”; `furoshiki memory list` shows what there is", id=name))


def _size(count: int) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"


def in_full(found: dict[str, Any], now: datetime, companion: str) -> str:
    """Format all that `overview.whole` found as Markdown."""
    lines = [f"**{context.phrase(found['text'])}**", ""]
    facts = [f"{found['id']}, {found['type']}, {in_words.state(found)}; {in_words.validity(found)}"]
    seen = say("for {yes}, against {no}", yes=figure(found["alpha"]), no=figure(found["beta"]))
    facts.append(f"{say('weight')} {found['weight']:.2f}: {found['in_words']} ({seen})")
    if found["fact"]:
        facts.append(" · ".join(str(part) for part in found["fact"].values()))
    for name in ("compressed", "contextualized"):
        if found[name] and found[name] != found["text"]:
            how = say("in short") if name == "compressed" else say("in its context")
            facts.append(f"{how}: {context.phrase(found[name])}")
    used = found["accesses"]
    latest = f", {last(used['last'], now)}" if used["last"] else ""
    facts.append(say("hits: {hits}, came to mind: {count}", hits=used["hits"], count=used["count"]) + latest)
    facts.append(say("useful in {share:.0%} of the recent answers it was part of", share=found["utility"]))
    if used["together_with"]:
        others = ", ".join(in_words.company(one) for one in used["together_with"])
        facts.append(say("together with {others}", others=others))
    if found["cold_since"]:
        cold = later("cold since {day}: not a known fact until it is needed again")
        facts.append(say(cold, day=found["cold_since"][:10]))
    from_ = later("from {source}, confidence {sure:g}")
    facts.append(say(from_, source=found["source"], sure=found["confidence"]))
    lines += [f"- {fact}" for fact in facts]
    linked = [f"{say(overview.relation_in_words(one))} {one['id']}: {_other(one)}" for one in found["links"]]
    sections = (
        (say("Based on:"), [quote_turn(one, companion) for one in found["turns"]]),
        (say("Whether what was said became a memory, and why:"), map(in_words.describe_decision, found["gate"])),
        (say("What the safety ceilings said:"), map(in_words.describe_ceiling, found["held_back"])),
        (say("Linked to:"), dict.fromkeys(linked)),  # two relations can say the same: replaced, superseded
        (say("How its weight changed:"), in_words.describe_changes(found["history"])),
    )
    for title, items in sections:
        told = [f"- {item}" for item in items]
        lines += ["", title, *told] if told else []
    return "\n".join(lines)


def quote_turn(one: dict[str, Any], companion: str = "companion") -> str:
    """Format a turn with its day, speaker and id."""
    who = {"user": say("you"), "companion": companion}.get(one["speaker"], one["speaker"])
    typed = (
        say("you, correcting it") if one["channel"] == "owner" else f"{who} ({one['from']})" if one.get("from") else who
    )
    return f"{one['at'][:16].replace('T', ' ')}, {typed}: “{' '.join(one['text'].split())}” ({one['id']})"


def _other(one: dict[str, Any]) -> str:
    """Return the text a link leads to."""
    if not one["text"]:
        return say("which is gone")
    return context.phrase(one["text"]) if refs.is_of(str(one["id"]), "memory") else str(one["text"])


_SECTIONS = (
    ("hot", later("Hot: needed most")),
    ("contested", later("Contested: much for it, much against it")),
    ("fading", later("Fading: light, and not needed for a month")),
    ("insights", later("Newest insights")),
    ("tensions", later("Tensions: said one way, done another")),
)


def print_overview(overview: Overview, now: datetime) -> None:
    """Print the overview as Markdown."""
    lines = [head(overview), *describe_moves(overview)]
    for name, title in _SECTIONS:
        memories: list[Memory] = getattr(overview, name)
        if memories:
            lines += ["", f"**{say(title)}**"]
        for one in memories:
            weight = Weight(one.alpha, one.beta).centre
            lines.append(f"- {weight:.2f}  {context.phrase(one.content)} ({describe_use(one, now)})")
    markdown("\n".join(lines))


def describe_moves(overview: Overview) -> list[str]:
    """Describe in a line each which themes are rising and which are fading."""
    themes = overview.themes
    ways = ((say("More on your mind lately"), themes.rising), (say("Less than before"), themes.fading))
    return [f"{title}: {', '.join(names)}." for title, names in ways if names]


def head(overview: Overview) -> str:
    """Return the counts in one line."""
    counts = overview.counts
    each = [(name, counts[name]) for name in later(("hot", "cold", "contested", "fading", "pinned"))]
    each.append(("dormant", counts["by_status"].get("dormant", 0)))
    parts = [f"{count:,} {say(name)}" for name, count in each if count]
    whole = say_number("{number:,} memory", "{number:,} memories", counts["memories"])
    return f"{whole}: {', '.join(parts)}." if parts else f"{whole}."


def describe_use(memory: Memory, now: datetime) -> str:
    """Return the memory's id, how often it was needed, and when last."""
    used = max(memory.hit_count, memory.access_count)
    at = memory.last_accessed_at or memory.created_at
    if used:
        times = say("how often needed: {number}, {last}", number=used, last=last(at, now))
    else:
        times = say("learned {when}, never needed since", when=ago(at, now))
    return ", ".join((refs.name("memory", memory.id), times, *([say("pinned")] if memory.immutable else [])))
