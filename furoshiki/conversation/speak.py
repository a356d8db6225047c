"""Read the mind's draft for directions: what is said, where, and when nothing is."""

from __future__ import annotations

from dataclasses import replace

from furoshiki.conversation.rules import reciting, speech
from furoshiki.conversation.rules.speech import Speech
from furoshiki.conversation.values import Context, Draft, Reply
from furoshiki.reflex.about_itself import MOOD_UNKNOWN, MOODS


def speak(context: Context, draft: Draft, channels: tuple[str, ...]) -> Reply:
    """The reply a draft comes to. `channels` are those that words may be redirected to."""
    return Reply(context, draft, _unrecited(context, speech.parse(draft.text, channels)))


def _unrecited(context: Context, said: Speech) -> Speech:
    """What is said without dials read out, unless they were asked for; where it was nothing else, the mood in words."""
    heard = context.percept.own_text
    if not said.parts or reciting.asked(heard):
        return said
    kept = [replace(one, text=words) for one in said.parts if (words := reciting.unrecited(one.text, heard).strip())]
    if not kept and said.reaction is None:
        kept = [replace(said.parts[0], text=MOODS.get(context.percept.heartbeat.mood.word, MOOD_UNKNOWN)[0])]
    return replace(said, parts=tuple(kept))
