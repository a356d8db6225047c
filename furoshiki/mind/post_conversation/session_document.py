"""The document of a session: a head of what it was, then the words themselves."""

from __future__ import annotations

from collections.abc import Sequence

from furoshiki.language.testimony import label_speaker
from furoshiki.mind.post_conversation.reading_check import CheckedReading
from furoshiki.mind.post_conversation.session import Session
from furoshiki.world import World

_PARTS_OF_DAY = ((5, "night"), (12, "morning"), (18, "afternoon"), (23, "evening"))


def document(
    world: World,
    session: Session,
    sound: CheckedReading,
    facts: Sequence[str],
    quality: tuple[float, float],
    mood: str,
    unread: int = 0,
) -> str:
    """The text that recall finds. `facts` are those that were kept; `quality` is that of the connection and warmth, in
    [0, 1]; `unread` counts the first messages, which nobody could be shown."""
    started, ended = (at.astimezone(session.zone) for at in (session.started_at, session.ended_at))
    return world.prompts.render(
        "post_conversation/document",
        date=started.strftime("%Y-%m-%d (%A)"),
        part_of_day=_part_of_day(started.hour),
        start=started.strftime("%H:%M"),
        end=ended.strftime("%H:%M"),
        topics=", ".join(sound.topics) or "nothing in particular",
        user_state=sound.user_state,
        companion=session.companion,
        mood=mood,
        connection=f"{quality[0]:.1f}, warmth {quality[1]:.1f}",
        unread=unread,
        facts=list(facts),
        summary=sound.summary,
        lines=[
            f"{label_speaker(session.speaker(turn), turn.text, turn.foreign)}: {turn.text}" for turn in session.said
        ],
    )


def _part_of_day(hour: int) -> str:
    return next((name for until, name in _PARTS_OF_DAY if hour < until), "night")
