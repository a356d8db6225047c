"""Read each finished conversation as a whole and store the results.

One session at a time, each in one transaction with its document, so an interrupted run can be
repeated. A model's claims count only as far as the messages support them (`reading_check`).
"""

import contextlib
import re
from typing import Any

from furoshiki.core import refs
from furoshiki.core.database import events, kv
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.plugins import hooks
from furoshiki.language.humanize import plural
from furoshiki.memory.grounding import believing
from furoshiki.memory.grounding.believing import Claim
from furoshiki.messages.store import sessions
from furoshiki.mind.inner_life import session_context
from furoshiki.mind.inner_life.self_model import commitments
from furoshiki.mind.post_conversation import reading_check
from furoshiki.mind.post_conversation.due import QUIET, READING_OWED
from furoshiki.mind.post_conversation.parts import merge
from furoshiki.mind.post_conversation.reading_check import CheckedReading
from furoshiki.mind.post_conversation.reading_form import Corrected, SessionReading
from furoshiki.mind.post_conversation.results import RULES, Read, keep, keep_quietly
from furoshiki.mind.post_conversation.session import MOST_PARTS, Part, Session, gather
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.values import Answer, Block, Message, Question
from furoshiki.owner.user_model import profile
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import Report, World

PURPOSE = "post_conversation.refused"

MOST_HANDED_BACK = 20

ANSWER_TOKENS = 1_500

GIVES_UP_S = 60.0

MOST_AT_ONCE = 10

# failed readings in one run after which the model is at fault and the other sessions wait
MOST_FAILED = 3


async def read_sessions(world: World) -> Report:
    """Read every finished session without a document, oldest first."""
    with world.database.read() as db:
        waiting = sessions.to_read(db, world.now, QUIET)[:MOST_AT_ONCE]
        owed = bool(kv.get(db, READING_OWED))
    kept, rejected, done, away, failed = 0, 0, 0, "", list[str]()
    for session_id in waiting:
        session = gather(world, session_id)
        if not session.own:
            keep_quietly(world, session)
            done += 1
            continue
        try:
            read = await _read(world, session)
        except (AnswerUnusable, NoMindAnswered) as error:
            if isinstance(error, NoMindAnswered) and error.away:
                away = str(error)
                break  # the others would wait too; all are read when a model is available
            failed.append(session_id)
            with world.database.write() as db:
                payload = {"session": session_id, "reason": str(error)[:300]}
                events.announce(db, sessions.READING_FAILED, payload, world.now)
            if len(failed) == MOST_FAILED:
                break
            continue
        point("post_conversation.answered")
        sound = await reading_check.check_claims(world, read.reading, session, by_rule=read.by_rule)
        if not read.by_rule:
            sound = await rephrase_refused(world, session, read.reading, sound)
        new, refused = keep(world, session, read, sound)
        kept, rejected = kept + new, rejected + refused
        done += 1
        await hooks.run_hook(world, "post_conversation", event=_over(session))
    if done or owed or failed:
        await _follow(world)
    summary = f"{plural(done, 'session')} read, {plural(kept, 'fact')} kept, {plural(rejected, 'claim')} refused"
    if away:
        summary = f"{plural(len(waiting) - done, 'session')} to be read when there is a model: {away}"
    data = {"sessions": waiting, "facts": kept, "rejected": rejected, "failed": failed}
    if not waiting:
        summary = "what follows a reading was done" if owed else "no finished conversation is unread"
    return Report(bool(done or owed or failed), summary, data)


async def _follow(world: World) -> None:
    """Do the follow-up work: commitments, profile, session context, vectors."""
    await commitments.learn(world)
    await profile.refine(world, at_once=True)
    session_context.refresh(world)
    with contextlib.suppress(VectorsAway):
        world.vectors.nudge()
    with world.database.write() as db:
        kv.drop(db, READING_OWED)


def _over(session: Session) -> dict[str, Any]:
    """Return the event for plugins; those with database access can find the messages."""
    began, ended = (session.said[end].at for end in (0, -1))
    return {"session": session.id, "began": stamp(began), "ended": stamp(ended), "turns": len(session.said)}


async def _read(world: World, session: Session) -> Read:
    """Read a session part by part. Each part is stored, so that an interrupted run can continue.

    Raises AnswerUnusable and NoMindAnswered.
    """
    every = session.parts()
    parts = every[-MOST_PARTS:]
    shown = frozenset().union(*(part.ids for part in parts))
    readings: list[SessionReading] = []
    provider = model = ""
    for number, part in enumerate(parts):
        key = f"{sessions.READ_IN_PARTS}{session.id}:{min(part.ids)}-{max(part.ids)}-{len(part.shown)}"
        with world.database.read() as db:
            kept = kv.get(db, key)
        if kept is None:
            before = readings[-1].summary if readings else ""
            place = f"part {number + 1} of {len(parts)}" if len(parts) > 1 else ""
            answer = await _ask(world, session, part, before, place)
            provider, model = answer.provider, answer.model
            if (provider, model) == RULES:  # it reads the whole session, not only the part
                return Read(answer.parsed, provider, model)
            readings.append(answer.parsed)
            if len(parts) > 1:
                with world.database.write() as db:
                    read = {"provider": provider, "model": model, "read": answer.parsed.model_dump(mode="json")}
                    kv.put(db, key, read, world.now)
            point("post_conversation.part_read")
        else:
            provider, model = kept["provider"], kept["model"]
            readings.append(SessionReading.model_validate(kept["read"]))
    unread = sum(turn.id not in shown for turn in session.said)
    return Read(merge(readings, [len(part.ids) for part in parts]), provider, model, unread)


async def _ask(world: World, session: Session, part: Part, before: str, place: str) -> Answer:
    """Ask about a part; `before` summarises the part before, `place` is its number if several."""
    companion = session.companion
    values = {
        "companion": companion,
        "name": session.name,
        "day": session.started_at.astimezone(session.zone).strftime("%A, %-d %B %Y"),
        "known": session.known,
        "expected": [f"[{one.id}] {one.text}" for one in session.expected],
        "commitments": [f"[{one.id}] {one.text} ({one.sign})" for one in session.commitments],
        "noted": [f"[{one.id}] {one.summary}" for one in session.noted],
        "lines": part.lines,
        "before": before,
        "place": place,
    }
    instructions = world.prompts.render("post_conversation/instructions", companion=companion)
    held = world.prompts.render("post_conversation/values", companion=companion, values=session.values)
    question = Question(
        tier="fast",
        purpose="post_conversation",
        system=(Block(instructions, True), Block(held, True)),
        messages=(Message("user", world.prompts.render("post_conversation/session", **values)),),
        answer=SessionReading,
        max_tokens=4000,
        timeout_s=120.0,
        material=tuple(session.said),
        turn_key=refs.name("session", session.id),
    )
    return await patiently(world, question, world.now)


async def rephrase_refused(
    world: World, session: Session, reading: SessionReading, sound: CheckedReading
) -> CheckedReading:
    """Let a model rephrase refused claims once, and judge its answer; return the extended reading,
    or the same one without refusals or an answer. Runs outside of any transaction."""
    refused = sound.handed_back[:MOST_HANDED_BACK]
    unfit = [one for one in reading.unfit if re.split(r"[.:( ]", one)[0] in Corrected.model_fields]
    if not (refused or unfit):
        return sound
    ids = {turn.id for turn in session.said}
    cited = {place: [message for message in claim.messages if message in ids] for place, claim in enumerate(refused)}
    few = {place: found for place, found in cited.items() if len(found) <= reading_check.MOST_CITED}
    claims = {place: Claim(refused[place].text, "fact", tuple(found)) for place, found in few.items()}
    material = world.prompts.render(
        "post_conversation/refused",
        lines=believing.build_material(world, reading_check.conversation(session), claims)["lines"],
        refused=[(refusal.kind, refusal.text, refusal.reason) for refusal in refused],
        unfit=unfit,
    )
    companion = session.companion
    system = world.prompts.render("post_conversation/instructions", companion=companion)
    key = refs.name("session", session.id)
    question = Question.of(
        "fast", PURPOSE, system, material, Corrected, max_tokens=ANSWER_TOKENS, timeout_s=GIVES_UP_S, turn_key=key
    )
    try:
        answer = (await patiently(world, question, world.now)).parsed
    except (AnswerUnusable, NoMindAnswered):
        return sound
    return await reading_check.again(world, answer, session, sound) if isinstance(answer, Corrected) else sound
