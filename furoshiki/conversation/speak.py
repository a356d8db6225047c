"""Read the draft's directives: text, channel, reaction, silence."""

from dataclasses import replace

from furoshiki.conversation.rules import reciting, speech
from furoshiki.conversation.rules.speech import Part, Speech
from furoshiki.conversation.values import REFLEX, Context, Draft, Reply
from furoshiki.language.reflex.care import helplines
from furoshiki.language.requests.lines import MOOD_UNKNOWN, MOODS


def speak(context: Context, draft: Draft, channels: tuple[str, ...]) -> Reply:
    """Build the reply from a draft. `channels` are the allowed redirections."""
    said = _strip_recitals(context, speech.parse(draft.text, channels))
    return Reply(context, draft, _with_help(context, draft, said))


def _with_help(context: Context, draft: Draft, said: Speech) -> Speech:
    """Add a help number if the user is in danger and the answer has none; in doubt and without a
    model, add a question."""
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
        return replace(said, parts=(*said.parts, Part(more)))
    *before, last = here
    told = replace(last, text=f"{last.text}\n\n{more}")
    return replace(said, parts=tuple(told if part is last else part for part in said.parts))


def _strip_recitals(context: Context, said: Speech) -> Speech:
    """Remove recited internal values unless requested; if nothing remains, name the mood."""
    heard = context.percept.own_text
    if not said.parts or reciting.is_mood_question(heard):
        return said
    kept = [
        replace(one, text=words) for one in said.parts if (words := reciting.strip_recitals(one.text, heard).strip())
    ]
    if not kept and said.reaction is None:
        kept = [replace(said.parts[0], text=MOODS.get(context.percept.heartbeat.mood.word, MOOD_UNKNOWN)[0])]
    return replace(said, parts=tuple(kept))
