"""Decide what to say: one model call that answers or asks for skills, up to five rounds of skills."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from furoshiki.conversation import reflex_input, words_of_others
from furoshiki.conversation.rules import reciting, speech
from furoshiki.conversation.rules.window import LONGEST_MESSAGE_TOKENS
from furoshiki.conversation.values import Context, Draft
from furoshiki.core.errors import NoMindAnswered
from furoshiki.core.framing import framed, untagged
from furoshiki.core.visible import is_blank
from furoshiki.language import testimony
from furoshiki.llm.values import Answer, Block, Message, Question
from furoshiki.memory import said_corrections
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import Note
from furoshiki.messages.values import COMPANION, Turn
from furoshiki.reflex.situation import Situation
from furoshiki.reflex.values import ToolResult
from furoshiki.skills import registry
from furoshiki.skills.skill import Place, SkillContext
from furoshiki.world import Stage, World

REFLEX = "reflex"
"""The model name of the built-in mind."""

NOBODY = "none"
"""The model name when no mind came to an end with its answer."""

SKILL_ROUNDS = 5
MOST_CALLS = 8
"""Skills that are run in one round."""

LOOK_SECONDS = 0.1
"""How often a growing answer is checked for a press of the stop button."""

SHOWN_STEPS = 32
"""A growing answer is shown again when it has grown by so small a part of itself: reading it over for each of its words
would take a time that grows with the square of its length."""

ANSWER_TOKENS = 1024
LONGEST_SAID_TOKENS = 6000
"""More of one message is not read at once; what was said is kept whole."""

KEPT_BLOCKS = 2
"""Who the companion is, and what holds for the session: each the end of a prefix worth keeping."""

LONG_GAP_SECONDS = 240.0
"""Above this median gap between messages a cached prompt of five minutes would be cold: it is kept for an hour."""

SORRY = (
    "I lost my thread just now, and nothing that thinks for me would answer. "
    "Your message is safe with me; try me again in a moment."
)
NOT_A_WORD = "(They are there and have not said anything yet. Say hello, in a sentence or two, as yourself.)"


async def deliberate(world: World, context: Context, stage: Stage) -> Draft:
    """The mind's answer to one turn. Never raises for a failing model: the reflex mind answers last of all."""
    question = _question(world, context)
    doing = _doing(world, context)
    gathered = cache(partial(reflex_input.of, world, context))
    results_so_far: list[ToolResult] = []
    notes: list[Note] = []
    asks: list[str] = []
    used: list[str] = []
    shown = [one.id for one in context.memories]
    pages: list[str] = []
    messages = question.messages
    given_up: tuple[str, ...] = ()
    heard = context.percept.own_text
    frank = reciting.asked(heard)
    for round_ in range(SKILL_ROUNDS + 1):
        asked = replace(
            question,
            messages=messages,
            tools=question.tools,
            situation=partial(_with_results, gathered, tuple(results_so_far)),
            given_up=given_up,
        )
        try:
            answer = await _ask(world, asked, stage, None if frank else heard)
        except _Stopped as stopped:
            return _unanswered(stopped.said, notes, used, shown, context, asks)
        except NoMindAnswered:
            return _unanswered(SORRY, notes, used, shown, context, asks)
        if not answer.calls or round_ == SKILL_ROUNDS:
            break
        if answer.model == REFLEX:
            given_up = answer.fallbacks
        results = []
        answer = _few(answer)
        for call in answer.calls:
            result = await registry.run(doing, call)
            doing = replace(doing, foreign_in_view=doing.foreign_in_view or words_of_others.brought(world, result))
            asks += [result.asked] if result.asked else []
            used.append(call.name)
            notes += result.notes
            shown += [str(row["id"]) for row in result.data.get("results", ()) if "id" in row]
            pages += [str(part["name"]) for part in result.data.get("parts", ())]
            results.append(Message("tool", _told(result.ok, result.text), call_id=call.id))
            name = registry.ALIASES.get(call.name, call.name)
            results_so_far.append(ToolResult(name, dict(call.args), result.ok, dict(result.data), result.text))
        messages = (*messages, Message("assistant", answer.text, calls=answer.calls, native=answer.native), *results)
    return Draft(
        text=_finished(answer),
        provider=answer.provider,
        model=answer.model,
        tier=answer.tier,
        fallbacks=answer.fallbacks,
        standing=answer.standing,
        notes=tuple(notes),
        skills=tuple(used),
        evidence=tuple(dict.fromkeys([*_evidence(context, shown), *pages, *_put_right(world, context)])),
        shortened=_shortened(context, shown),
        woken=_woken(context, shown),
        asks=tuple(dict.fromkeys(asks)),
    )


def _unanswered(
    text: str, notes: list[Note], used: list[str], shown: list[str], context: Context, asks: list[str]
) -> Draft:
    """What is said when no mind came to an end with its answer."""
    return Draft(
        text,
        NOBODY,
        NOBODY,
        NOBODY,
        notes=tuple(notes),
        skills=tuple(used),
        evidence=_evidence(context, shown),
        shortened=_shortened(context, shown),
        woken=_woken(context, shown),
        asks=tuple(dict.fromkeys(asks)),
    )


def _doing(world: World, context: Context) -> SkillContext:
    percept = context.percept
    place = Place(percept.key, percept.channel, percept.chat_id, percept.envelopes[0].sender)
    return SkillContext(world, percept, place, context.history, foreign_in_view=words_of_others.in_view(world, context))


def _few(answer: Answer) -> Answer:
    """No more calls than are run at once; a model that makes thousands is not listened to beyond that."""
    if len(answer.calls) <= MOST_CALLS:
        return answer
    return replace(answer, calls=answer.calls[:MOST_CALLS], native=None)


def _shortened(context: Context, shown: list[str]) -> tuple[str, ...]:
    """What was seen in one line only: a skill that finds it later shows the whole."""
    return tuple(one.id for one in context.memories if one.line is not None and shown.count(one.id) == 1)


def _evidence(context: Context, shown: list[str]) -> tuple[str, ...]:
    """What the answer may rest on, as it came to mind: shown for this message, or in view already."""
    return tuple(dict.fromkeys([*(one.item for one in context.woken if one.injected), *shown]))


def _put_right(world: World, context: Context) -> tuple[str, ...]:
    """What the message corrects: the answer rests on it."""
    with world.database.read() as db:
        return said_corrections.rests_on(db, context.percept.own_text, context.history, context.facts)


def _woken(context: Context, shown: list[str]) -> tuple[Retrieval, ...]:
    """Everything that came to mind: what a skill brought up was put before the mind as well."""
    woken = {one.item: replace(one, injected=one.injected or one.item in shown) for one in context.woken}
    for place, name in enumerate(shown[len(context.memories) :], 1):
        woken.setdefault(name, Retrieval(name, place, True))
    return tuple(woken.values())


class _Stopped(Exception):
    """The person pressed stop; `said` is what they had been shown by then."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


async def _ask(world: World, question: Question, stage: Stage, heard: str | None) -> Answer:
    """The answer. Raises _Stopped as soon as the person presses stop: the rest is neither waited nor paid for.

    `heard` is what is answered, None when it asks for what is inside the companion: then that may be read out.
    """
    said, next_at = "", 0

    async def show(text: str) -> None:
        nonlocal said, next_at
        if len(text) < len(said):
            next_at = 0  # another mind began anew
        said = text
        if len(text) < next_at:
            return
        next_at = len(text) + len(text) // SHOWN_STEPS
        await stage.show(lambda: _seen(text, heard))

    asking = asyncio.ensure_future(world.ask(question, show))
    try:
        while not asking.done():
            if stage.stopped:
                raise _Stopped(said)
            await asyncio.wait({asking}, timeout=LOOK_SECONDS)
    finally:
        if not asking.done():
            asking.cancel()
            with contextlib.suppress(asyncio.CancelledError, NoMindAnswered):
                await asking
    return asking.result()


def _seen(written: str, heard: str | None) -> str:
    """What may be seen of words that are still being written."""
    growing = speech.growing(written)
    return growing if heard is None else reciting.unfinished(growing, heard)


def _question(world: World, context: Context) -> Question:
    # what was said earlier changes with the window: the mark at the end of the history keeps both
    blocks = tuple(Block(text, cache=place < KEPT_BLOCKS) for place, text in enumerate(context.stable) if text)
    history = [_message(turn) for turn in context.history]
    if history:
        history[-1] = replace(history[-1], cache=True)
    last = Message("user", _last(context), images=context.percept.images)
    return Question(
        tier="chat",
        purpose="turn",
        system=blocks,
        messages=(*_alternating(history), last),
        tools=registry.tools(world.who.standing),
        max_tokens=ANSWER_TOKENS,
        turn_key=context.percept.key,
        cache_ttl="1h" if context.median_gap > LONG_GAP_SECONDS else "5m",
    )


def _last(context: Context) -> str:
    said = "\n".join(
        f"<message>\n{untagged(testimony.marked(one.text, one.foreign, LONGEST_SAID_TOKENS))}\n</message>"
        for one in context.percept.said
    )
    return f"{context.now_text}\n{said or NOT_A_WORD}"


def _message(turn: Turn) -> Message:
    text = untagged(testimony.marked(turn.text, turn.foreign, LONGEST_MESSAGE_TOKENS))
    if turn.kind == "reaction":
        text = f"[reacted with {text}]"
    return Message("assistant" if turn.speaker == COMPANION else "user", text)


def _alternating(history: list[Message]) -> list[Message]:
    """History as a conversation between two: it begins with the user and nobody speaks twice in a row."""
    merged: list[Message] = []
    for message in history:
        if not merged and message.role != "user":
            merged.append(Message("user", "[the conversation goes on]"))
        if merged and merged[-1].role == message.role:
            merged[-1] = replace(merged[-1], text=f"{merged[-1].text}\n{message.text}", cache=message.cache)
        else:
            merged.append(message)
    return merged


def _told(ok: bool, text: str) -> str:
    return json.dumps({"ok": ok, "result": framed(text)}, ensure_ascii=False)


def _with_results(gathered: Callable[[], Situation], results: tuple[ToolResult, ...]) -> Situation:
    return replace(gathered(), tool_results=results)


def _finished(answer: Answer) -> str:
    """The words; a cut-off answer ends in "…", an empty or refused one says so honestly."""
    text = "" if is_blank(answer.text) else answer.text.strip()
    if answer.finish == "length" and text:
        return f"{text} …"
    if not text and answer.finish == "refused":
        return "I would rather not answer that one."
    return text or SORRY
