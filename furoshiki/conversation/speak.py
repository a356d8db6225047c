"""Read the mind's draft for directions: what is said, where, and when nothing is."""

from dataclasses import replace

from furoshiki.conversation.rules import reciting, speech
from furoshiki.conversation.rules.speech import Part, Speech
from furoshiki.conversation.values import REFLEX, Context, Draft, Reply
from furoshiki.language.reflex.care import helplines
from furoshiki.language.reflex.lines import MOOD_UNKNOWN, MOODS


def speak(context: Context, draft: Draft, channels: tuple[str, ...]) -> Reply:
    """The reply a draft comes to. `channels` are those that words may be redirected to."""
    said = _strip_recitals(context, speech.parse(draft.text, channels))
    return Reply(context, draft, _with_help(context, draft, said))


def _with_help(context: Context, draft: Draft, said: Speech) -> Speech:
    """With a number that helps where somebody is in danger and the answer gives none; where that is in doubt and no
    model saw it, with a question."""
    cared = context.bearing.cared
    if cared is None:
        return said
    here = [part for part in said.parts if part.channel in (None, context.percept.channel)]
    more = cared.added
    if more and any(helplines.gives(part.text, cared.kind, cared.help) for part in here):
        return said
    if cared.weight is None and draft.model == REFLEX:
        more = cared.question
    if not more:
        return said
    if not here:
        return replace(said, parts=(*said.parts, Part(more)), reason=None)
    *before, last = here
    told = replace(last, text=f"{last.text}\n\n{more}")
    return replace(said, parts=tuple(told if part is last else part for part in said.parts))


def _strip_recitals(context: Context, said: Speech) -> Speech:
    """What is said without dials read out, unless they were asked for; where it was nothing else, the mood in words."""
    heard = context.percept.own_text
    if not said.parts or reciting.is_mood_question(heard):
        return said
    kept = [
        replace(one, text=words) for one in said.parts if (words := reciting.strip_recitals(one.text, heard).strip())
    ]
    if not kept and said.reaction is None:
        kept = [replace(said.parts[0], text=MOODS.get(context.percept.heartbeat.mood.word, MOOD_UNKNOWN)[0])]
    return replace(said, parts=tuple(kept))
