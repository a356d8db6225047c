"""The skill `recall`: one search over everything that was said and learned."""

from __future__ import annotations

from datetime import tzinfo
from typing import Annotated

from pydantic import Field

from furoshiki.domain.remembering import Recalled
from furoshiki.domain.tokens import cut
from furoshiki.mind import user
from furoshiki.mind.act.skill import Arguments, Doing, Result, Skill
from furoshiki.mind.remember.recall import recall

LONGEST_TOKENS = 200


class RecallArguments(Arguments):
    """What to look for."""

    query: Annotated[str, Field(min_length=1, max_length=500, description="What was said, in likely words")]
    k: Annotated[int, Field(ge=1, le=20, description="How many results")] = 6


def _run(doing: Doing, args: RecallArguments) -> Result:
    world = doing.world
    with world.store.read() as db:
        zone = user.zone(world, db)
    found = recall(world, args.query, k=args.k, now=world.now.astimezone(zone))
    rows = [
        {
            "id": one.id,
            "speaker": one.speaker,
            "at": one.at.isoformat(),
            "date": one.at.astimezone(zone).strftime("%-d %B %Y"),
            "text": cut(one.text, LONGEST_TOKENS),
            "score": round(one.score, 4),
            "past": _past(one, zone),
        }
        for one in found
    ]
    if not rows:
        return Result(True, "Nothing was found.", {"results": []})
    lines = []
    for row in rows:
        label = [str(row[part]) for part in ("id", "date", "speaker", "past") if row[part] is not None]
        lines.append(f"[{' · '.join(label)}] {row['text']}")
    return Result(True, "\n".join(lines), {"results": rows})


def _past(one: Recalled, zone: tzinfo) -> str | None:
    """What is over says so: it must never be told as if it were still true."""
    if not one.past:
        return None
    until = one.valid_to
    return f"until {until.astimezone(zone).strftime('%-d %B %Y')}, not now" if until else "replaced since"


SKILL = Skill(
    name="recall",
    description="Search everything that was ever said and learned. Use it before saying that you do not remember.",
    arguments=RecallArguments,
    limit_s=0.5,
    run=_run,
)
