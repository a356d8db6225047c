"""The companion's state and health, for `furoshiki status --json` and `/status`."""

from datetime import datetime
from fnmatch import filter as matching
from typing import Any

from furoshiki.conversation.commands import health, quiet
from furoshiki.conversation.commands.look import why
from furoshiki.conversation.commands.registry import Command
from furoshiki.core.catalogue import later, say, say_number
from furoshiki.core.errors import BadSetting
from furoshiki.core.process.locks import LOCKS, list_held_for
from furoshiki.core.timestamps import day_start, stamp
from furoshiki.feelings.rules import user_needs
from furoshiki.language.humanize import ago, dollars, shorten
from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, Envelope, Words
from furoshiki.mind.inner_life import inner_state
from furoshiki.mind.inner_life.store import drift
from furoshiki.mind.outreach import explanation
from furoshiki.mind.outreach.rules import explaining
from furoshiki.mind.readiness import milestones
from furoshiki.mind.readiness.store import lives
from furoshiki.models.llm.plans import plans_of
from furoshiki.models.llm.store import costs
from furoshiki.owner.agenda.store import backlog
from furoshiki.world import World


def gather(world: World) -> dict[str, Any]:
    """Collect the data of `status --json`. Raises StorageUnavailable."""
    now = world.now
    inside = inner_state.look(world)
    beat = inside.beat
    with world.database.read() as db:
        pending = backlog.count_waiting(db)
        proposed = drift.proposal(db)
        recorded = health.read_records(db, now)
        last = turns.last_said(db, USER)
        spent = costs.spent_since(db, day_start(now))
        here = turns.last_session(db)
        on_session = 0.0 if here is None else costs.spent_on_session(db, here[0])
        guessed = costs.list_unpriced(db, day_start(now))
        held = {"turns": turns.count(db), "memories": memories.count(db)}
        life = lives.manifest(db, now)
    run_folder = world.settings.data / "run"
    locks = list_held_for(run_folder)
    running = {name: bool(matching(locks, pattern)) for name, pattern in LOCKS.items()}
    chosen = plans_of(world.settings)
    return {
        "name": world.settings.furoshiki_companion_name,
        "mood": beat.mood.word,
        "mood_since": stamp(beat.mood.since),
        "emotions": {name: round(value, 4) for name, value in beat.emotions.as_mapping().items()},
        "needs": {name: round(value, 4) for name, value in beat.needs.items()},
        "need_marks": dict(beat.need_marks),
        "user_needs": {
            name: {
                "level": round(need.level, 4),
                "confidence": round(user_needs.confidence_at(need, now, world.laws.user_needs), 4),
            }
            for name, need in beat.user_needs.items()
        },
        "moved_by": inside.why or None,
        "wants": inner_state.wants(inside) or None,
        "senses": list(inside.sensed),
        "on_mind": dict(inside.on_mind),
        "commitments": inside.promises,
        "self_proposed_at": None if proposed is None else stamp(proposed.at),
        "last_reflection_at": stamp(inside.reflected_at),
        "outreach": _outreach(world),
        "pending": pending,
        "memory": held,
        "manifest": milestones.manifest(life, now),
        "last_conversation_at": None if last is None else stamp(last.at),
        "last_tick_at": stamp(beat.last_tick_at),
        "cost_today_usd": round(spent, 6),
        "cost_session_usd": round(on_session, 6),
        "price_guessed": guessed,
        "models": {tier: [str(ref) for ref in plan.models] for tier, plan in chosen.by_tier.items()},
        "running": running,
        "health": health.judge(world, running, beat.last_tick_at, recorded, chosen),
    }


def _outreach(world: World) -> dict[str, Any]:
    """Return the state of unprompted messages: the last one, those waiting, the holding gate."""
    short = explanation.in_short(world)
    last = short.last
    try:
        rests = quiet.in_short(world) or None
    except BadSetting:  # `held_by` reports it
        rests = None
    known: dict[str, Any] = {"last_at": None, "because": None, "kind": None}
    if last is not None:
        because = why.in_their_language(world, last.decision.kind, last.about) or None
        known = {"last_at": stamp(last.decision.at), "because": because, "kind": last.decision.kind}
    return {
        **known,
        "waiting": short.waiting,
        "unanswered": short.unanswered,
        "held_by": short.held_by,
        "quiet": rests,
    }


def unreadable(error: Exception) -> dict[str, Any]:
    """Return the same structure when the database is unusable; only the reason is known."""
    unknown = dict.fromkeys(
        ("mood", "emotions", "needs", "user_needs", "pending", "last_conversation_at", "last_tick_at"), None
    )
    return {
        **unknown,
        "cost_today_usd": None,
        "models": None,
        "health": {"ok": False, "problems": [str(error)], "notes": []},
    }


@Command("status", "how I am, and whether everything works", place=20, shows=True)
async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """Answer `/status`."""
    return Words(in_words(gather(world), world.now))


# what waits, by the names of `backlog.count_waiting`; what comes to its own mind has no hurry
WAITS = later({"inbox": "{number} to answer", "outbox": "{number} to send", "index": "{number} to read through"})


def in_words(found: dict[str, Any], now: datetime) -> str:
    """Render the status as text."""
    last = found["last_conversation_at"]
    seen = say("last talk {ago}", ago=ago(last, now)) if last else say("we have not talked yet")
    things = say_number("{number:,} thing said", "{number:,} things said", found["memory"]["turns"])
    known = say_number("{number:,} fact", "{number:,} facts", found["memory"]["memories"])
    cost = later("Voice: {voice} · today {today}, this conversation {here}")
    today, here = _about(found) + dollars(found["cost_today_usd"]), dollars(found["cost_session_usd"])
    lines = [
        f"**{found['name']}** · {say(found['mood'])} · {seen}",
        *_inside(found, now),
        say("I remember {said} and {facts}.", said=things, facts=known),
        say(cost, voice=_voice(found["models"]["chat"]), today=today, here=here),
    ]
    waiting = found["pending"]
    busy = [say(words, number=waiting[name]) for name, words in WAITS.items() if waiting.get(name)]
    if busy:
        lines.append(say("Waiting: {what}", what=", ".join(busy)))
    sound = found["health"]
    lines += [f"⚠ {problem}" for problem in sound["problems"]] + [f"· {note}" for note in sound["notes"]]
    if sound["ok"]:
        lines.append(say("Everything else works.") if sound["notes"] else say("Everything works."))
    return "\n".join(lines)


def _about(found: dict[str, Any]) -> str:
    """Return "about " before a sum that is partly a guess; `/cost` says why."""
    return say("about ") if found["price_guessed"] else ""


def _inside(found: dict[str, Any], now: datetime) -> list[str]:
    """Describe the cause of the mood, needs, senses, thoughts and their effects."""
    lines = [say("What moved me most lately: {why}.", why=found["moved_by"])] if found["moved_by"] else []
    if found["wants"]:
        lines.append(found["wants"])
    if said := inner_state.describe_sensed(found["senses"]):
        lines.append(said)
    if said := inner_state.on_mind_in_words(found["on_mind"]):
        lines.append(said)
    if found["self_proposed_at"]:
        lines.append(say("I would like to change how I describe myself, and that is up to you: /self."))
    lines.append(_wrote_first(found["outreach"], now))
    grows = []
    if found["last_reflection_at"]:
        grows.append(say("last journal entry {ago}", ago=ago(found["last_reflection_at"], now)))
    if found["commitments"]:
        grows.append(
            say_number(
                "{number:,} promise to myself that I am trying to keep",
                "{number:,} promises to myself that I am trying to keep",
                found["commitments"],
            )
        )
    return lines + ([f"{'; '.join(grows)}."[:1].upper() + f"{'; '.join(grows)}."[1:]] if grows else [])


def _wrote_first(found: dict[str, Any], now: datetime) -> str:
    """Describe the last unprompted message, those waiting, and the quiet hours."""
    parts = [] if found["last_at"] else [say("I have not written first lately.")]
    if found["last_at"]:
        about = f" (“{shorten(found['because'], 80)}”)" if found["because"] else ""
        kind = explaining.kind(found["kind"])
        wrote = later("I last wrote first {ago}, because of {kind}{about}.")
        parts.append(say(wrote, ago=ago(found["last_at"], now), kind=kind, about=about))
    if found["waiting"]:
        parts.append(
            say_number(
                "{number:,} thing waits to be said (/why not).",
                "{number:,} things wait to be said (/why not).",
                found["waiting"],
            )
        )
    return " ".join([*parts, found["quiet"] or ""]).strip()


def _voice(models: list[str]) -> str:
    first = models[0]
    return say("the built-in mind (no model set)") if first == "local:reflex" else first.partition(":")[2]
