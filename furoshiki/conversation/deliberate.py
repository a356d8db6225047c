"""Produce the answer: model calls with up to five rounds of skills."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial

from furoshiki.conversation import mode_effects, reconsideration, reflex_input, reply_language
from furoshiki.conversation.acting import second_thoughts
from furoshiki.conversation.acting.loop import MOST_CALLS, finish_or_stop, run_in_time
from furoshiki.conversation.acting.second_thoughts import Asked
from furoshiki.conversation.promises.keeping import Promised
from furoshiki.conversation.promises.keeping import Turn as Promising
from furoshiki.conversation.promises.rules import claims
from furoshiki.conversation.reconsideration import Held
from furoshiki.conversation.rules import reciting, speech
from furoshiki.conversation.skills import proposing, registry
from furoshiki.conversation.skills.outside import SLACK_S
from furoshiki.conversation.skills.skill import GivenUp, Place, Result, SkillContext
from furoshiki.conversation.transcript import Rounds, Transcript
from furoshiki.conversation.values import NOBODY, REFLEX, Context, Draft
from furoshiki.conversation.window import LONGEST_MESSAGE_TOKENS
from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import NoMindAnswered
from furoshiki.core.framing import is_blank, strip_tags
from furoshiki.core.process.crash_points import point
from furoshiki.language import testimony
from furoshiki.language.reflex.situation import Situation
from furoshiki.memory import said_corrections
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, Turn
from furoshiki.mind.outreach import being_quiet
from furoshiki.models.llm.rules import spoken
from furoshiki.models.llm.rules.spoken import Manner
from furoshiki.models.llm.values import Answer, Block, Message, Question, Tool, ToolCall
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import Stage, World

ANSWER_TOKENS = 1024
LONGEST_SAID_TOKENS = 6000  # maximum tokens of a message shown; it is stored in full
KEPT_BLOCKS = 2  # the number of cacheable prefixes: identity and session

# median gap in seconds between messages above which prompts are cached for an hour
LONG_GAP_SECONDS = 240.0

SORRY = later(
    "I just lost my thread, and nothing that thinks for me is answering. Your message is safe "
    "with me; try again in a moment."
)
UNFINISHED = later(
    "I have been looking into this and did not get to the end of it: one step led to the next. "
    "Tell me which part matters most to you, and I'll start there."
)
BROKE_OFF = later("(My model broke off there; that is all I got.)")
NOT_A_WORD = "(They are there and have not said anything yet. Say hello, in a sentence or two, as yourself.)"


async def deliberate(world: World, context: Context, stage: Stage) -> Draft:
    """Return the draft of an answer. Never raises for a failing model: the reflex mind answers."""
    rounds = Rounds(world, context.percept.key)
    context = replace(context, quiet=being_quiet.apply_message(world, context.percept.own_text))
    draft = await _run_deliberation(world, context, stage, rounds)
    await rounds.keep(answered=draft.model != NOBODY)
    return replace(draft, text=speech.with_quiet(draft.text, context.quiet))


async def _run_deliberation(world: World, context: Context, stage: Stage, rounds: Rounds) -> Draft:
    if (silence := mode_effects.draft_silence(context)) is not None:
        return silence
    question = replace(_question(world, context), logprobs=world.settings.furoshiki_second_thoughts)
    doing = _build_skill_context(world, context)
    gathered = cache(partial(reflex_input.of, world, context))
    heard = context.percept.own_text
    hides = None if reciting.is_mood_question(heard) else heard
    transcript = Transcript(context, question.messages)
    corrected, asked = _gather_evidence(world, context)
    held = asked is not None and second_thoughts.holds_back(world, asked)
    translated = False
    promised = Promised(world, Promising(context.percept, context.talk.history, gathered, voice=hides is None))
    while True:
        try:
            seen = partial(_cut_to_visible, said=transcript.said, heard=hides, acted=bool(transcript.runs))
            unseen = held or mode_effects.may_look_first(context, transcript) or promised.waits(transcript.runs)
            following = _next(question, transcript, gathered, rounds.found)
            answer = await _ask(world, following, Held(stage) if unseen else stage, seen)
        except _Stopped as stopped:
            return transcript.unanswered(stopped.said)
        except NoMindAnswered:
            return transcript.unanswered(SORRY)
        if not answer.calls and answer.finish != "refused":
            if is_blank(answer.text + transcript.said) and transcript.may_ask_again:
                transcript = transcript.asked_again(world.prompts.render("acting/silent"))
                continue
            answer = replace(answer, text=speech.join_said(transcript.said, answer.text))
        if not answer.calls and rounds.stopped is None:
            answer = mode_effects.looks_first(world, context, transcript, answer) or answer
        if not answer.calls and answer.model != REFLEX and rounds.stopped is None and not stage.stopped:
            note = promised.note(transcript.runs, answer, [tool.name for tool in question.tools])
            if note is None and not translated:
                note = reply_language.note(world, context, answer.text)
                translated = note is not None
            if note is not None:
                transcript = transcript.reminded(answer, note)
                continue
        if not answer.calls or rounds.stopped is not None:
            break
        answer = _few(answer)
        doing, results = await _round(doing, answer.calls, context, rounds, stage)
        done = answer.calls[: len(results)]
        told = answer if done == answer.calls else replace(answer, calls=done)
        transcript = transcript.after(told, results, note=await rounds.after(told, results))
        if done != answer.calls:
            return transcript.unanswered(answer.text.strip())
    text = _finish(answer, unfinished=rounds.stopped is not None)
    if transcript.raw:  # the built-in mind's words about it are unfiltered yet
        text = spoken.read(text, Manner({}, heard, plain=True)).text
    settled = text
    if answer.model != REFLEX:
        own = promised.own_calls(transcript.runs, answer)
        doing, did = await _round(doing, own, context, rounds, stage)
        point("promises.done")
        settled = promised.settled(transcript.runs, list(zip(own, did, strict=False)), text)
        transcript = transcript.done(own, did)
    draft = transcript.answered(answer, settled, corrected)
    if transcript.raw or settled != text:
        return draft
    if asked is not None and _has_acted(transcript):
        asked = replace(asked, triggers=asked.triggers - {"irreversible"})
    found = [result for _, result in transcript.runs]
    return await reconsideration.over(world, asked, draft, answer, found, stage)


def _has_acted(transcript: Transcript) -> bool:
    """Return whether a skill changed something: it was asked to act, which weighs on no decision."""
    acted = (call.name for call, result in transcript.runs if result.ok)
    return any(name in registry.SKILLS and registry.SKILLS[name].changes for name in acted)


def _next(
    question: Question, transcript: Transcript, gathered: Callable[[], Situation], found: Sequence[Tool]
) -> Question:
    """Build the question of the next round, with the tools found so far after the fixed ones."""
    tools = question.tools + tuple(one for one in found if one not in question.tools)
    return replace(
        question,
        messages=transcript.messages,
        tools=tools,
        situation=lambda: replace(gathered(), tool_results=transcript.tool_results),
        given_up=transcript.given_up,
        plain=transcript.raw,
        may_be_silent=bool(transcript.said) or transcript.may_ask_again,
    )


def _build_skill_context(world: World, context: Context) -> SkillContext:
    percept = context.percept
    place = Place(percept.key, percept.channel, percept.chat_id, percept.envelopes[0].sender)
    return SkillContext(
        world, percept, place, context.talk.history, foreign_in_view=has_words_of_others(world, context)
    )


def _few(answer: Answer) -> Answer:
    """Drop calls beyond the maximum of a round."""
    if len(answer.calls) <= MOST_CALLS:
        return answer
    return replace(answer, calls=answer.calls[:MOST_CALLS], native=None)


def _gather_evidence(world: World, context: Context) -> tuple[tuple[str, ...], Asked | None]:
    """Return the corrections in the message, which support the answer, and its other evidence."""
    with world.database.read() as db:
        corrected = said_corrections.rests_on(db, context.percept, context.talk.history, context.known.facts)
        grown = second_thoughts.grown(db)
    return corrected, reconsideration.about(world, context, bool(corrected), grown)


async def _round(
    doing: SkillContext, calls: Sequence[ToolCall], context: Context, rounds: Rounds, stage: Stage
) -> tuple[SkillContext, list[Result]]:
    """Return the calls' results; fewer when the user pressed stop."""
    results: list[Result] = []
    allowed = {one.name: one.limit_s + SLACK_S for one in context.talk.outside}
    for call in calls:
        seconds = rounds.seconds(allowed.get(call.name, 0.0))
        if stage.stopped or (result := await _run_call(doing, call, stage, seconds, call.name in allowed)) is None:
            break
        results.append(result)
        brought = doing.foreign_in_view or proposing.brought(doing.world, result)
        doing = replace(doing, foreign_in_view=brought)
    return doing, results


async def _run_call(doing: SkillContext, call: ToolCall, stage: Stage, seconds: float, gives_up: bool) -> Result | None:
    """Return a call's result; None when stopped by the user. Own skills are awaited: they are
    short, and their changes are reported."""
    using = asyncio.ensure_future(run_in_time(doing, call, seconds))
    if await finish_or_stop(using, lambda: gives_up and stage.stopped, GivenUp):
        return using.result()
    doing.hold.cancel()
    return None


class _Stopped(Exception):
    """The person pressed stop; `said` is what they had been shown by then."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


async def _ask(world: World, question: Question, stage: Stage, seen: Callable[[str], str]) -> Answer:
    """Ask a model. Raises _Stopped when the user presses stop, which cancels the call and its cost.

    `seen` filters the text written so far for display.
    """
    said = ""

    async def show(text: str) -> None:
        nonlocal said
        said = text
        await stage.show(lambda: seen(text))

    asking = asyncio.ensure_future(world.ask(question, show))
    if await finish_or_stop(asking, lambda: stage.stopped, NoMindAnswered):
        return asking.result()
    raise _Stopped(said)


def _cut_to_visible(written: str, said: str, heard: str | None, acted: bool = False) -> str:
    """Return the displayable part of a growing answer, after what was `said` beside calls.

    `heard` is the question; None if it asks for internal state, which may then be shown. Unless
    skills have `acted`, claims of actions are hidden until verified.
    """
    growing = speech.cut_to_visible(speech.join_said(said, written))
    if heard is None:
        return growing
    return reciting.strip_unfinished(growing if acted else claims.before_claims(growing), heard)


def _question(world: World, context: Context) -> Question:
    # earlier messages depend on the window: the mark at the history's end caches both
    blocks = tuple(Block(text, cache=place < KEPT_BLOCKS) for place, text in enumerate(context.talk.stable) if text)
    history = _history(context)
    if history:
        history[-1] = replace(history[-1], cache=True)
    last = Message("user", _last(world, context), images=context.percept.images)
    return Question(
        tier="chat",
        purpose="turn",
        system=blocks,
        messages=(*_merge_speakers(history), last),
        tools=mode_effects.tools(context, (*registry.tools_here(world), *(one.tool for one in context.talk.outside))),
        max_tokens=ANSWER_TOKENS,
        turn_key=context.percept.key,
        cache_ttl="1h" if context.known.median_gap > LONG_GAP_SECONDS else "5m",
    )


def _last(world: World, context: Context) -> str:
    said = "\n".join(
        f"<message>\n{strip_tags(testimony.render_marked(one.text, one.foreign, LONGEST_SAID_TOKENS))}\n</message>"
        for one in context.percept.said
    )
    way = mode_effects.prompt(world, context)
    quiet = (
        world.prompts.render("turn/quiet", quiet=context.quiet, danger=context.bearing.danger) if context.quiet else ""
    )
    return "\n".join(part for part in (context.now_text, way, quiet, said or NOT_A_WORD) if part)


def _history(context: Context) -> list[Message]:
    """Return the earlier messages, with the day before those of another day than today: "tonight" of
    yesterday is not tonight."""
    zone = context.known.zone
    days = [turn.at.astimezone(zone).date() for turn in context.talk.history]
    today = context.percept.now.astimezone(zone).date()
    messages: list[Message] = []
    for before, day, turn in zip([None, *days], days, context.talk.history, strict=False):
        if day != (before or today):
            messages.append(Message("user", f"[{day:%A, %-d %B}]"))
        messages.append(_message(turn))
    return messages


def _message(turn: Turn) -> Message:
    text = strip_tags(testimony.render_marked(turn.text, turn.foreign, LONGEST_MESSAGE_TOKENS))
    if turn.kind == "reaction":
        text = f"[reacted with {text}]"
    return Message("assistant" if turn.speaker == COMPANION else "user", text)


def _merge_speakers(history: list[Message]) -> list[Message]:
    """Merge the history into alternating messages, starting with the user."""
    merged: list[Message] = []
    for message in history:
        if not merged and message.role != "user":
            merged.append(Message("user", "[the conversation goes on]"))
        if merged and merged[-1].role == message.role:
            merged[-1] = replace(merged[-1], text=f"{merged[-1].text}\n{message.text}", cache=message.cache)
        else:
            merged.append(message)
    return merged


def _finish(answer: Answer, unfinished: bool) -> str:
    """Return the final text: mark a truncated answer with "…" and say so if it broke off, was
    empty, refused, or needed more skills."""
    text = "" if is_blank(answer.text) else answer.text.strip()
    if answer.finish in ("length", "broken") and text:
        return f"{text} …" if answer.finish == "length" else f"{text} …\n\n{say(BROKE_OFF)}"
    if not text and answer.finish == "refused":
        return say("I would rather not answer that one.")
    return text or say(UNFINISHED if unfinished else SORRY)


def has_words_of_others(world: World, context: Context, evidence: Sequence[str] = ()) -> bool:
    """Return whether this turn's prompt contains text of others, or derived text, besides the
    message."""
    quoted = (said.reply_to for said in context.percept.said)
    spoken = [*context.talk.history, *(one for one in quoted if one is not None)]
    if context.plugins or any(testimony.outside(turn.foreign) for turn in spoken):
        return True
    with world.database.read() as db:
        if turns.others_lately(db) or mind_queue.has_plugin_words(db, world.now):
            return True
        return turns.among(db, [*(one.id for one in context.woken.shown), *evidence])
