"""The skill `memorize`: keep what the user said about themselves, with the words it rests on; or a note for now."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from furoshiki.language import testimony
from furoshiki.language.facts.assertions import asserted
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.grounding.said_of import said_so, somebody_else
from furoshiki.language.grounding.words import only_said_back
from furoshiki.language.testimony import as_told
from furoshiki.memory.store import gists, memories
from furoshiki.memory.store.gists import Gist
from furoshiki.memory.values import Note
from furoshiki.messages.values import COMPANION, USER
from furoshiki.skills.skill import Arguments, Result, Skill, SkillContext

LOOKED_BACK = 10
"""How many of the user's earlier messages may carry a fact."""


NOT_NOW = (
    "Not kept: somebody else's words came with this message. What they say themselves in it is read after the "
    "conversation."
)


NOBODY_SAID = "Not kept: nobody said it just now. With for_now it is a note for half an hour."


class MemorizeArguments(Arguments):
    """One fact."""

    text: Annotated[str, Field(min_length=3, max_length=500, description='In their words: "Their sister is Anika."')]
    subject: Annotated[str | None, Field(max_length=80, description='"user", "Anika"')] = None
    predicate: Annotated[str | None, Field(max_length=60, description='"lives_in", "sister"')] = None
    object: Annotated[str | None, Field(max_length=200, description='"Lisbon"')] = None
    category: Annotated[str | None, Field(max_length=40)] = None
    preference: Annotated[bool, Field(description="They like or want it")] = False
    for_now: Annotated[bool, Field(description="No fact: a note to yourself for half an hour")] = False


def _run(doing: SkillContext, args: MemorizeArguments) -> Result:
    """Refused unless the user's own words, now or lately, carry it: what the companion said is no evidence."""
    if doing.percept is None:
        return _thought(doing, args) if args.for_now else Result(False, NOBODY_SAID)
    if doing.foreign_now:
        return Result(False, NOT_NOW)
    if args.for_now:
        return _noted(doing, args)
    said, history = doing.own, doing.history
    own = [turn for turn in history if turn.speaker == USER and turn.own][-LOOKED_BACK:]
    verdict = said_so(args.text, args.object, [said])
    earlier: tuple[int, ...] = ()
    if not verdict.ok:
        earlier = tuple(turn.id for turn in own if said_so(args.text, args.object, [turn.own]).ok)
    reason = "" if verdict.ok or earlier else verdict.reason
    if not reason:
        told = [turn.text for turn in history if turn.speaker == COMPANION]
        echo = only_said_back(args.text, [said, *(turn.own for turn in own)], told)
        reason = "" if echo is None else f"{echo!r} was said by the companion alone"
    if not reason:
        brought = only_said_back(args.text, [said, *(turn.own for turn in own)], _passed_on(doing))
        reason = "" if brought is None else f"{brought!r} stands only in what they passed on or quoted"
    if not reason and doing.foreign_in_view and not _claimed(doing, args):
        reason = "others' words are in view, and they do not say it in this message, as a claim of their own"
    if reason:
        with doing.world.database.write() as db:
            memories.reject(db, "memorize", args.text, (), reason, doing.world.now)
        return Result(False, f"Not kept: {reason}. Keep only what they said themselves.")
    note = Note(
        text=args.text,
        type="preference" if args.preference else "semantic",
        subject=_whom(args),
        predicate=args.predicate,
        object=args.object,
        category=args.category,
        turn_ids=earlier,
    )
    return Result(True, f"Kept: {args.text}", {"text": args.text}, (note,))


def _noted(doing: SkillContext, args: MemorizeArguments) -> Result:
    """A note for half an hour. It is no claim about anybody, so nothing has to carry it; but while others' words are in
    view it would carry those into the next turns, and is held to what the user says in this message."""
    assert doing.percept is not None
    if doing.foreign_in_view and not _claimed(doing, args):
        return Result(False, "Not noted: others' words are in view, and they do not say it in this message.")
    now = doing.world.now
    note = Gist("user", "note", args.text, now, (doing.place.key,), doing.percept.session_id)
    with doing.write() as db:
        gists.add(db, note)
    return Result(True, f"Noted for half an hour: {args.text}", {"text": args.text})


def _thought(doing: SkillContext, args: MemorizeArguments) -> Result:
    """What came up in work that nobody waits for: a thought of its own, and shown as such."""
    if doing.foreign_in_view:
        return Result(False, "Not noted: others' words are in view.")
    with doing.write() as db:
        gists.add(db, Gist("drift", "note", args.text, doing.world.now, (doing.place.key,)))
    return Result(True, f"Noted for half an hour: {args.text}", {"text": args.text})


def _whom(args: MemorizeArguments) -> str | None:
    """Whom it is about: whoever its words are about, where they are not of the user and the model says they are."""
    if args.subject is None or args.subject.casefold() != "user" or args.predicate in RELATIONS:
        return args.subject
    return somebody_else(args.text) or args.subject


def _claimed(doing: SkillContext, args: MemorizeArguments) -> bool:
    """Whether what they say in this message, not what they ask, carries it."""
    clauses = [doing.own[clause.start : clause.end] for clause in asserted(doing.own)]
    return said_so(args.text, args.object, [as_told(clause) for clause in clauses]).ok


def _passed_on(doing: SkillContext) -> list[str]:
    """What stands in the documents, forwards and quotations of this message and of those before it."""
    assert doing.percept is not None
    now = [testimony.others(said.text, said.foreign) for said in doing.percept.said]
    earlier = (turn for turn in doing.history if turn.speaker == USER)
    return [*now, *(testimony.others(turn.text, turn.foreign) for turn in earlier)]


SKILL = Skill(
    name="memorize",
    description="Keep a fact about the user or their people, for years. Once per fact.",
    arguments=MemorizeArguments,
    limit_s=0.05,
    run=_run,
)
