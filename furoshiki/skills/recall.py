"""The skill `recall`: one search over everything that was said and learned."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo
from typing import Annotated, Any

from pydantic import Field

from furoshiki.language import testimony
from furoshiki.language.tokens import cut
from furoshiki.memory import said_corrections
from furoshiki.reflex.values import PutRight
from furoshiki.retrieval.recall import recall
from furoshiki.retrieval.values import Recalled
from furoshiki.skills.skill import Arguments, Result, Skill, SkillContext
from furoshiki.user_model import user

LONGEST_TOKENS = 200


class RecallArguments(Arguments):
    """What to look for."""

    query: Annotated[str, Field(min_length=1, max_length=500, description="What was said, in likely words")]
    k: Annotated[int, Field(ge=1, le=20, description="How many results")] = 6


def _run(doing: SkillContext, args: RecallArguments) -> Result:
    world = doing.world
    with world.database.read() as db:
        zone = user.zone(world, db)
    found = recall(world, args.query, k=args.k, now=world.now.astimezone(zone))
    with world.database.read() as db:
        righted = said_corrections.put_right(db, [one.id for one in found])
    rows = [
        {
            "id": one.id,
            "speaker": one.speaker,
            "at": one.at.isoformat(),
            "date": one.at.astimezone(zone).strftime("%-d %B %Y"),
            "text": (text := cut(one.text, LONGEST_TOKENS)),
            "foreign": testimony.kept(testimony.clipped(one.foreign, text)),
            "score": round(one.score, 4),
            "past": _past(one, zone),
            "righted": _righted(righted.get(one.id)),
        }
        for one in found
    ]
    if not rows:
        return Result(True, "Nothing was found.", {"results": []})
    lines = []
    for row in rows:
        lines.append(_line(row))
    return Result(True, "\n".join(lines), {"results": rows})


def _line(row: Mapping[str, Any]) -> str:
    """A result for a mind: what of it is somebody else's says so, in its label and by marks around it."""
    text, foreign = str(row["text"]), testimony.read(row["foreign"], str(row["text"]))
    who = None if row["speaker"] is None else testimony.labelled(str(row["speaker"]), text, foreign)
    label = [
        str(part) for part in (row["id"], row["date"], who, row["past"], _since(row["righted"])) if part is not None
    ]
    return f"[{' · '.join(label)}] {testimony.marked(text, foreign)}"


def _righted(by: PutRight | None) -> dict[str, str] | None:
    """The words that put a message right since, as plain values."""
    return None if by is None else {"text": by.text, "at": by.at.isoformat()}


def _since(righted: Mapping[str, str] | None) -> str | None:
    return None if righted is None else f"they put this right since: {righted['text']}"


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
