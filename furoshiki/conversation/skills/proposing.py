"""Show a change to the owner first unless their own words requested it."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from furoshiki.conversation.skills import own_request, rules
from furoshiki.conversation.skills.skill import Arguments, Change, Result, Skill, SkillContext
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.framing import strip_tags, visible
from furoshiki.extensions.plugins.rules import mail_drafts
from furoshiki.language.testimony import Own
from furoshiki.language.tokens import cut
from furoshiki.messages.store import turns
from furoshiki.models.llm.values import Question
from furoshiki.owner.agenda.store import proposals
from furoshiki.world import World

log = logging.getLogger(__name__)

# maximum proposals in a turn, and offers below one question; more are refused: nobody reads a
# hundred buttons
MOST, MOST_OFFERED = 3, 6

WAITS = (
    "Not done: words that are not theirs stand before you, so they are asked first. Below your "
    "answer stands a button for exactly this: {shown}. Do not say that it is done."
)
ASKED = (
    "Not done: they are asked first. Below your answer stands a button for exactly this: {shown}. "
    "Do not say that it is done."
)
UNSURE = (
    "Not done, and not asked: it does not come from them, and what it comes from is too uncertain "
    "({sure:.0%}) to bother them with."
)
TOO_LONG = "Not done, and not asked: it is too long to be read through before saying yes."
LONGEST_SHOWN = 1000  # maximum characters of a proposal

# maximum seconds that a turn waits for a reader of the request, and tokens of a message it reads
READS_S, READ_TOKENS = 5.0, 600

TOO_MANY = "Not done, and not asked: there is too much waiting for their yes already."


class ReadRequest(BaseModel):
    """Whether the words of a message ask for exactly this change, as a model reads them."""

    asked: bool


def ask_first(doing: SkillContext, skill: Skill, args: Arguments) -> Result | None:
    """Return None if the change may be made now; else store a proposal and return that result."""
    change = None if skill.change is None else skill.change(doing, args)
    if change is None or isinstance(change, Result):
        return change
    if skill.asks_first is not None and skill.asks_first(doing, change.args):
        result = propose(doing, skill.name, _settle(change), change.words)
        return replace(result, text=ASKED.format(shown=result.data["shown"])) if result.asked else result
    apart = own_request.puts_down(change.args) and not rules.names_part(change.named, doing.own)
    said = doing.own_lately if apart else doing.own
    if _leave(doing, change.named, own_request.asks(doing, change) if doing.foreign else "perhaps", said) == "given":
        return None
    return propose(doing, skill.name, _settle(change), change.words)


def _settle(change: Change) -> dict[str, Any]:
    found: dict[str, Any] = change.args.model_dump(mode="json", exclude_defaults=True)
    return found


def was_asked_for(doing: SkillContext, named: Sequence[str]) -> bool:
    """Return whether the owner's own words request it, as far as text of others is visible."""
    return _leave(doing, named) == "given"


def _leave(
    doing: SkillContext, named: Sequence[str], asks: rules.Asks = "perhaps", said: Own | None = None
) -> rules.Leave:
    return rules.leave(
        named,
        doing.own if said is None else said,
        foreign_now=doing.foreign_now,
        foreign_in_view=doing.foreign_in_view,
        asks=asks,
        source_tag=doing.source_tag,
        source_confidence=doing.source_confidence,
    )


def propose(doing: SkillContext, name: str, settled: Mapping[str, Any], words: str, form: str = "") -> Result:
    """Store a call as a proposal unless its source is too uncertain; `words` describe all its
    effects. A call with a `form` needs a tap below an answer."""
    if _leave(doing, ()) == "unsure":
        return Result(False, UNSURE.format(sure=doing.source_confidence))
    if form and doing.percept is None:
        return Result(False, mail_drafts.NOT_HERE)
    text = words if form else render_proposal(words)
    if len(text) > (mail_drafts.LONGEST_SHOWN if form else LONGEST_SHOWN):
        return Result(False, TOO_LONG)
    where, key, now = doing.place.where, doing.place.key, doing.world.now
    proposal = proposals.make_proposal(name, settled, text, where, key, now, form=form)
    token = proposal.token
    with doing.write() as db:
        waiting = [one.token for one in proposals.list_waiting(db, *where, now) if one.turn_key == key]
        most = max(MOST, MOST_OFFERED * bool(settled.get("offered")))
        if token not in waiting and len(waiting) >= most:
            return Result(False, TOO_MANY)
        if replaced := settled.get("instead"):
            proposals.settle(db, doing.place.channel, doing.place.chat_id, replaced)
        proposals.propose(db, proposal, now)
    told = mail_drafts.WAITS if form else WAITS.format(shown=text)
    return Result(False, told, {"asked": token, "shown": text}, asked=token)


async def take_requested(doing: SkillContext, skill: Skill, token: str) -> Arguments | None:
    """Withdraw a proposal that the owner's own words ask for, by a model that sees nothing else, and
    return its arguments; None otherwise. Only in languages whose orders no rule reads, and without
    text of others in the message."""
    world = doing.world
    if doing.foreign_now or doing.source_tag != rules.USER or not own_request.is_unread(doing):
        return None
    with world.database.read() as db:
        kept = proposals.get(db, token, world.now)
    if kept is None:
        return None
    args = skill.arguments.model_validate(dict(kept.args))
    if skill.asks_first is not None and skill.asks_first(doing, args):
        return None
    name = world.settings.furoshiki_companion_name
    told = {"text": strip_tags(cut(doing.own, READ_TOKENS)), "change": kept.shown}
    system = world.prompts.render("acting/requested", companion=name)
    matter = world.prompts.render("acting/request", **told)
    question = Question.of(
        "fast", "requested", system, matter, ReadRequest, max_tokens=40, timeout_s=READS_S, turn_key=doing.place.key
    )
    try:
        answer = (await asyncio.wait_for(world.ask(question), READS_S)).parsed
    except (AnswerUnusable, NoMindAnswered, TimeoutError) as error:
        log.debug("nobody read whether it was asked for: %s", type(error).__name__)
        return None
    if not isinstance(answer, ReadRequest) or not answer.asked:
        return None
    with doing.write() as db:
        taken = proposals.take(db, token)
    return args if taken else None


def brought(world: World, result: Result) -> bool:
    """Return whether a result contains text of others; a model alone may then change nothing."""
    if result.foreign:
        return True
    names = [str(row["id"]) for row in result.data.get("results", ()) if "id" in row]
    if not names:
        return False
    with world.database.read() as db:
        return turns.among(db, names)


def render_proposal(words: str) -> str:
    """Format a proposal on one line, without invisible characters."""
    return visible(" ".join(words.split()))
