"""The skill `memorize`: store a fact from the user with its source, or a temporary note."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from furoshiki.conversation.skills.skill import Arguments, Result, Skill, SkillContext
from furoshiki.language.facts.assertions import list_asserted
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.grounding.said_of import somebody_else
from furoshiki.memory.grounding.believing import with_language
from furoshiki.memory.grounding.rules.conversation import Conversation, make_record
from furoshiki.memory.grounding.rules.doubts import UNREAD, measure_overlap
from furoshiki.memory.grounding.rules.judging import judge
from furoshiki.memory.store import gists, memories
from furoshiki.memory.store.gists import Gist
from furoshiki.memory.values import Note
from furoshiki.messages.values import USER

LOOKED_BACK = 10  # number of earlier messages of the user that may support a fact


NOT_NOW = (
    "Not kept: somebody else's words came with this message. What they say themselves in it is "
    "read after the conversation."
)


NOBODY_SAID = "Not kept: nobody said it just now. With for_now it is a note for half an hour."


class MemorizeArguments(Arguments):
    """A fact."""

    text: Annotated[str, Field(min_length=3, max_length=500, description='In their words: "Their sister is Anika."')]
    subject: Annotated[str | None, Field(max_length=80, description='"user", "Anika"')] = None
    predicate: Annotated[str | None, Field(max_length=60, description='"lives_in", "sister"')] = None
    object: Annotated[str | None, Field(max_length=200, description='"Lisbon"')] = None
    category: Annotated[SkipJsonSchema[str | None], Field(max_length=40)] = None
    preference: Annotated[bool, Field(description="They like or want it")] = False
    for_now: Annotated[bool, Field(description="Instead: a note to yourself for half an hour")] = False


def _run(doing: SkillContext, args: MemorizeArguments) -> Result:
    """Store a fact if the user's own recent words support it; the companion's do not count."""
    if doing.percept is None:
        return _thought(doing, args) if args.for_now else Result(False, NOBODY_SAID)
    if doing.foreign_now and (doing.percept.foreign or not _has_claim(doing, args)):
        return Result(False, NOT_NOW)  # next to a picture, the user's own words suffice: "this is my cat Miso"
    if args.for_now:
        return _keep_note(doing, args)
    talk, cited = _talk(doing, args.text)
    whom = _whom(doing, args)
    of_user = (args.subject is None or whom == USER) and _somebody_else(doing, args.text) is None
    judgement = judge(talk.statement(args.text, "fact", cited, of_owner=of_user, object_=args.object or ""))
    reason = "" if judgement.kept else judgement.reason
    if not reason and doing.foreign_in_view and not _has_claim(doing, args):
        reason = "others' words are in view, and they do not say it in this message, as a claim of their own"
    if reason:
        with doing.world.database.write() as db:
            memories.reject(db, "memorize", args.text, (), reason, doing.world.now)
        return Result(False, f"Not kept: {reason}. Keep only what they said themselves.")
    note = Note(
        text=args.text,
        type="preference" if args.preference else "semantic",
        subject=whom,
        predicate=args.predicate,
        object=args.object,
        category=args.category,
        turn_ids=tuple(one for one in cited if one > 0),
        unconfirmed=judgement.reason if judgement.unconfirmed else None,
    )
    doubted = judgement.unconfirmed and UNREAD not in judgement.reasons  # a reader reads it afterwards
    kept = f"Kept as perhaps so ({judgement.reason})" if doubted else "Kept"
    return Result(True, f"{kept}: {args.text}", notes=(note,))


def _talk(doing: SkillContext, text: str) -> tuple[Conversation, tuple[int, ...]]:
    """Return the recent conversation, and the messages a fact rests on: this one (ids below 1) if
    related, else related earlier ones."""
    assert doing.percept is not None
    zone = doing.world.zone
    now = [
        replace(make_record(-number, said.text, doing.world.now), foreign=said.foreign)
        for number, said in enumerate(doing.percept.said)
    ]
    talk = with_language(Conversation([*doing.history, *now], zone))
    own = [turn for turn in doing.history if turn.speaker == USER and turn.own][-LOOKED_BACK:]
    near = tuple(turn.id for turn in own if measure_overlap(text, [turn.own]))
    here = any(measure_overlap(text, [turn.own]) for turn in now) or not near
    return talk, tuple(turn.id for turn in now) if here else near


def _keep_note(doing: SkillContext, args: MemorizeArguments) -> Result:
    """Store a note for half an hour. It needs no evidence; but while text of others is visible, the
    user must have said it in this message, so that foreign text does not enter later turns."""
    assert doing.percept is not None
    if doing.foreign_in_view and not _has_claim(doing, args):
        return Result(False, "Not noted: others' words are in view, and they do not say it in this message.")
    now = doing.world.now
    note = Gist("user", "note", args.text, now, (doing.place.key,), doing.percept.session_id)
    with doing.write() as db:
        gists.add(db, note)
    return Result(True, f"Noted for half an hour: {args.text}")


def _thought(doing: SkillContext, args: MemorizeArguments) -> Result:
    """Store a note from background work as the companion's own thought."""
    if doing.foreign_in_view:
        return Result(False, "Not noted: others' words are in view.")
    with doing.write() as db:
        gists.add(db, Gist("drift", "note", args.text, doing.world.now, (doing.place.key,)))
    return Result(True, f"Noted for half an hour: {args.text}")


def _whom(doing: SkillContext, args: MemorizeArguments) -> str | None:
    """Return the subject: the user also by name; another person if the words concern them alone."""
    if args.subject is None or args.predicate in RELATIONS:
        return args.subject
    if args.subject.casefold() not in {USER, *_own_names(doing)}:
        return args.subject
    return _somebody_else(doing, args.text) or USER


def _somebody_else(doing: SkillContext, text: str) -> str | None:
    """Return whom an English text is about, unless it is the user, whose names are known."""
    other = somebody_else(text)
    return None if other is None or other.casefold() in _own_names(doing) else other


def _own_names(doing: SkillContext) -> set[str]:
    """Return every name the user has given, in lower case, of full names the first as well."""
    with doing.world.database.read() as db:
        called = memories.of_facts(db, USER, ["name"]).get("name", [])
    names = {one.object.casefold() for one in called if one.object}
    return names | {name.split()[0] for name in names}


def _has_claim(doing: SkillContext, args: MemorizeArguments) -> bool:
    """Return whether the statements (not questions) of this message support it."""
    clauses = " ".join(doing.own[clause.start : clause.end] for clause in list_asserted(doing.own))
    talk = with_language(Conversation([make_record(0, clauses, doing.world.now)], doing.world.zone))
    return judge(talk.statement(args.text, "fact", (0,), object_=args.object or "")).outcome == "known"


SKILL = Skill(
    name="memorize",
    description="Keep a fact about them or their people. Once per fact.",
    arguments=MemorizeArguments,
    limit_s=0.05,
    run=_run,
    who="paired",
)
