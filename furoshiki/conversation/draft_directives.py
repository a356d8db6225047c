"""Read the draft's directives: text, channel, reaction, silence; speak the answer to a voice note."""

import contextlib
import logging
from dataclasses import replace

from furoshiki.conversation.rules import reciting, speech
from furoshiki.conversation.rules.speech import Part, Speech
from furoshiki.conversation.values import REFLEX, Context, Draft, Reply
from furoshiki.core.database import troubles
from furoshiki.core.errors import BadSetting, StorageUnavailable
from furoshiki.core.process.crash_points import point
from furoshiki.language.requests import helplines
from furoshiki.language.requests.lines import MOOD_UNKNOWN, MOODS
from furoshiki.memory.perception import speech_to_text
from furoshiki.memory.perception.values import Percept
from furoshiki.models.speech import downloads, store, synthesis, voices
from furoshiki.models.speech.rules import spoken_text
from furoshiki.models.speech.synthesis import CannotSpeak
from furoshiki.models.speech.values import Audio, Voice
from furoshiki.owner.agenda import channel_modes
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World


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


log = logging.getLogger(__name__)


async def speak_answer(world: World, reply: Reply) -> Audio | None:
    """Return the audio; None when disabled or unavailable. Never raises for the engine."""
    try:
        speech = _plan_speech(world, reply)
        if speech is None:
            return None
        audio = await synthesis.synthesize(*speech, downloads.packages(world.home, "speaking"))
    except (CannotSpeak, BadSetting) as error:
        _silent(world, str(error))
        return None
    _works(world)
    point("speech.made")
    return audio


def _plan_speech(world: World, reply: Reply) -> tuple[Voice, str] | None:
    """Return voice and text. Raises CannotSpeak (no engine) and BadSetting (invalid voice)."""
    percept, settings = reply.percept, world.settings
    if not _was_spoken(percept) or channel_modes.mode(world, percept.channel) != "live":
        return None
    with world.database.read() as db:
        mode = store.mode(db, percept.channel, percept.chat_id)
        refused = store.is_refused(db, percept.channel, percept.chat_id, world.now)
    if mode is None or refused:
        return None
    if not voices.is_installed(world.home):
        raise CannotSpeak(f"speaking: the engine for it is not installed: {voices.INSTALL}")
    here = [part.text for part in reply.speech.parts if part.channel in (None, percept.channel)]
    shown = [one for text in here for one in world.shape(percept.channel, text, frozenset())]
    text = spoken_text.compose_speech(((one.text, one.entities or ()) for one in shown), mode)
    if not text:
        return None
    # the answer's language; for a short answer the message helps
    known = load_languages(world.config)
    found = known.of(text, known.of(percept.own_text))
    language = known.english.code if found is None else found.code
    voice = voices.for_language(settings.furoshiki_speech_voice, language, downloads.voices(world.home))
    return None if voice is None else (voice, text)


def _was_spoken(percept: Percept) -> bool:
    """Return whether the sender spoke; forwarded recordings do not count."""
    messages = (one.message for one in percept.envelopes)
    return any(one is not None and one.holds in speech_to_text.SPOKEN_KINDS and not one.passed_on for one in messages)


def _silent(world: World, why: str) -> None:
    """Report the reason to the owner and the log, once each."""
    if world.who.place is not None:
        log.warning("%s", why)
        return
    with contextlib.suppress(StorageUnavailable), world.database.write() as db:
        if not troubles.is_met(db, troubles.SPEECH):
            log.warning("%s", why)
        troubles.record_failure(db, troubles.SPEECH, why, world.now)


def _works(world: World) -> None:
    if world.who.place is not None:
        return
    with contextlib.suppress(StorageUnavailable):
        with world.database.read() as db:
            met = troubles.is_met(db, troubles.SPEECH)
        if met:
            with world.database.write() as db:
                troubles.over(db, troubles.SPEECH, world.now)
