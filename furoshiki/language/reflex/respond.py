"""Answer one message by rule: the first ability with a reply answers."""

import random
from collections.abc import Callable
from dataclasses import replace

from furoshiki.core.catalogue import later, say
from furoshiki.language.reflex import (
    answering,
    caring,
    drawing,
    feelings,
    focusing,
    frankness,
    greetings,
    noting,
    other_languages,
    play,
    quote_search,
    selfhood,
    smalltalk,
    telling,
)
from furoshiki.language.reflex.corrections import answers as correction_answers
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import answers as reminder_answers
from furoshiki.language.reflex.reminders import embedded_requests
from furoshiki.language.reflex.reminders import respond as reminder_respond
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.values import Reflex, ToolResult
from furoshiki.language.reflex.wording import Wording, join_sentences
from furoshiki.language.requests import lines
from furoshiki.language.tables.wish_names import LANGUAGES

_LONGEST = 14  # most words of a message that contains little besides the wish


def agree(heard: Heard, wording: Wording) -> Reflex | None:
    """Confirm a wish about how to be spoken to, if the message contains little else."""
    wished = heard.situation.wished
    if not wished or heard.facts or len(heard.plain.split()) > _LONGEST or play.asks_joke(heard):
        return None
    if language := next((name for name in wished if name in LANGUAGES), None):
        return other_languages.answer_in(language.capitalize(), language == "english")
    agreed = [name for name in wished if name in lines.AGREED] or ["wish_later"]
    reply = " ".join(wording.one(lines.AGREED[name]) for name in agreed)
    return Reflex(reply, complete="no_questions" in wished)


_NEEDS_QUIET = later("Then take all the quiet you need. If I shouldn't write first for a while: /quiet")

_NO_HOURS = later(
    "I can't see from here when that is. Tell me the hours, and I won't write first then: "
    "“don't write between 9:00 and 15:00”. Or /quiet for now."
)

Ability = Callable[[Heard, Wording], Reflex | None]


def _leave_alone(heard: Heard, _wording: Wording) -> Reflex | None:
    """Tell how long the quiet lasts, or how to ask for it; ask nothing."""
    if heard.situation.quiet:
        return Reflex(heard.situation.quiet, complete=True)
    if heard.situation.needs_quiet and heard.situation.weighs is None:
        return Reflex(say(_NEEDS_QUIET), complete=True)
    return Reflex(say(_NO_HOURS), complete=True) if heard.situation.lacks_hours else None


def _agree_abroad(heard: Heard, wording: Wording) -> Reflex | None:
    """Confirm such a wish in another language before its small talk; in English other abilities come first."""
    return None if heard.situation.language is None else agree(heard, wording)


def _tell_day(heard: Heard, _wording: Wording) -> Reflex | None:
    return Reflex(heard.situation.said_then, complete=True) if heard.situation.said_then else None


# The order matters: distress first, requests before news, and small talk last,
# when no distress is left.
_ABILITIES: tuple[Ability, ...] = (
    caring.answer,
    caring.follow,
    _tell_day,
    focusing.request,
    noting.move_appointment,
    reminder_respond.request,
    drawing.request,
    _leave_alone,
    greetings.ask_to_be_called,
    correction_answers.answer,
    noting.call_off,
    noting.keep_appointment,
    noting.tell_when,
    reminder_respond.offer_errand,
    quote_search.quote_pasted,
    greetings.ask_to_call,
    other_languages.switch,
    play.compute,
    _agree_abroad,
    other_languages.talk,
    smalltalk.answer_small,
    caring.be_glad,
    greetings.greet,
    agree,
    greetings.take_name,
    telling.keep,
    greetings.thank,
    greetings.part,
    caring.stay_abroad,
    other_languages.name_source,
    answering.name_source,
    other_languages.answer,
    answering.answer,
    frankness.use,
    selfhood.speak,
    play.play,
    noting.offer_stated,
    noting.note,
    smalltalk.answer_meaning,
    quote_search.look_up,
    caring.stay,
    feelings.complain,
    smalltalk.answer_short,
    smalltalk.keep_measure,
    smalltalk.tell_news,
    feelings.feel,
    feelings.hold_back,
    smalltalk.admit,
)


def respond(situation: Situation, rng: random.Random) -> Reflex:
    """Return the reaction to a message: skills to run first, or the reply. Pure: dice are `rng`.

    With `tool_results` in the situation it reports them; it never requests the same skills twice.
    """
    heard, wording = Heard(situation), Wording(situation, rng)
    if situation.tool_results:
        for look in (other_languages.answer_kept, other_languages.answer_search):
            if (elsewhere := look(situation.tool_results, heard, wording)) is not None:
                return caring.stay_near(elsewhere, heard, wording)
        said = Reflex(_after_skills(situation.tool_results, heard, wording))
        return _with_note(caring.stay_near(said, heard, wording), heard, wording)
    for ability in _ABILITIES:
        reflex = ability(heard, wording)
        if reflex is not None:
            return _with_note(caring.stay_near(reflex, heard, wording), heard, wording)
    return _with_note(caring.stay_near(smalltalk.converse(heard, wording), heard, wording), heard, wording)


def _after_skills(results: tuple[ToolResult, ...], heard: Heard, wording: Wording) -> str:
    offered = [result for result in results if result.args.get("offered")]
    kept = [result for result in results if result.name == "memorize"]
    heavy = caring.words(heard, wording)
    spoken = [heavy] if heavy else []
    if kept and not heavy:
        told = (
            telling.acknowledge(heard, wording)
            if any(result.ok for result in kept)
            else wording.one(lines.REPLIES["not_kept"])
        )
        spoken.append(join_sentences(feelings.tone(heard, wording), None if offered and not heard.name else told))
    if offered:
        spoken.append(noting.offer(offered, heard))
    for result in results:
        if result in offered:
            continue
        if result.name in ("schedule", "list"):
            spoken.append(reminder_answers.describe_result(noting.add_told(result, heard), heard, wording))
        elif result.name == "recall":
            looked = answering.answer_search if answering.asks_memory(heard) else quote_search.answer_search
            spoken.append(looked(result, heard, wording))
        elif result.name == "introspect":
            spoken.append(selfhood.describe_findings(result, heard, wording))
        elif result.name == drawing.SKILL:
            spoken.append(drawing.describe_result(result))
        elif result.name in ("focus", "find_tools"):
            spoken.append(focusing.describe_result(result, wording))
        elif result.name != "memorize" and result.ok:
            spoken.append(frankness.unsaid_answer(wording))
    if any(result.name in ("schedule", "list") for result in results):
        spoken.insert(0, _answer_beside(heard, wording))
        spoken.append(reminder_respond.rest(heard, wording) or "")
    spoken = list(filter(None, spoken))
    if len(spoken) > 1:
        return join_sentences(*spoken)
    return "".join(spoken) or smalltalk.converse(heard, wording).text


def _answer_beside(heard: Heard, wording: Wording) -> str:
    """Answer a question next to a reminder or list: "what's 5+5 and remind me to stretch"."""
    for part in embedded_requests.parts(heard.text):
        beside = Heard(replace(heard.situation, text=part))
        if reminder_respond.wish(beside) is not None:
            continue
        for ability in (play.play, selfhood.speak):
            found = ability(beside, wording)
            if found is not None and not found.calls:
                return found.text
    return ""


def _with_note(reflex: Reflex, heard: Heard, wording: Wording) -> Reflex:
    """Add to the reply what must be said once: who speaks, and that no model is available."""
    if reflex.calls or reflex.complete or caring.find_notice(heard) is not None or heard.situation.weighs is not None:
        return reflex
    text = join_sentences(reflex.text, greetings.introduction(heard, wording, reflex.text))
    note = frankness.first_note(wording) if wording.away and "language model" not in text else None
    if note is None or note in text:
        return Reflex(text)
    return Reflex(f"{note}\n{text}" if "\n" in text else join_sentences(note, text))
