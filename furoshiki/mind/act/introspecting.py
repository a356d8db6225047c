"""The skill `introspect`: how the companion is, what it did lately, and how it works."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from furoshiki.mind.act.skill import Arguments, Doing, Result, Skill
from furoshiki.storage import costs, feelings, memories, mindqueue, skillruns, turns


class IntrospectArguments(Arguments):
    """What to look at."""

    about: Literal["state", "design"] = "state"


def _run(doing: Doing, args: IntrospectArguments) -> Result:
    world = doing.world
    if args.about == "design":
        design = world.prompts.render("introspect/design")
        return Result(True, design, {"design": design})
    beat = world.state.heartbeat()
    with world.store.read() as db:
        last = feelings.last(db)
        data = {
            "mood": beat.mood.word,
            "emotions": {name: round(value, 2) for name, value in beat.emotions.as_mapping().items()},
            "needs": {name: round(value, 2) for name, value in beat.needs.items()},
            "turns": turns.count(db),
            "memories": memories.count(db),
            "thoughts_waiting": mindqueue.count_pending(db),
            "skills_this_week": skillruns.statistics(db, world.now - timedelta(days=7)),
            "cost_today_usd": round(costs.spent_since(db, world.now - timedelta(days=1)), 4),
            "last_tick": None if last is None else last[0].isoformat(),
        }
    strongest = sorted(beat.emotions.as_mapping().items(), key=lambda pair: -pair[1])[:3]
    text = (
        f"Mood: {beat.mood.word}. Strongest: {', '.join(f'{name} {value:.2f}' for name, value in strongest)}. "
        f"{data['turns']} messages and {data['memories']} memories kept; {data['thoughts_waiting']} thoughts waiting."
    )
    return Result(True, text, data)


SKILL = Skill(
    name="introspect",
    description="Look at yourself: your mood and feelings, what you keep, what you did lately; or how you are built.",
    arguments=IntrospectArguments,
    limit_s=0.1,
    run=_run,
)
