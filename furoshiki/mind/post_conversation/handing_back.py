"""What was refused of a reading is handed back once, with the reasons: what a mind says better then is judged again."""

from __future__ import annotations

from furoshiki.core import refs
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.memory.grounding import believing
from furoshiki.memory.grounding.believing import Claim
from furoshiki.mind.post_conversation import reading_check
from furoshiki.mind.post_conversation.reading_check import CheckedReading
from furoshiki.mind.post_conversation.reading_form import Corrected, SessionReading
from furoshiki.mind.post_conversation.session import Session
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.world import World

PURPOSE = "post_conversation.refused"
MOST_HANDED_BACK = 20
ANSWER_TOKENS = 1_500
GIVES_UP_S = 60.0


async def said_better(world: World, session: Session, reading: SessionReading, sound: CheckedReading) -> CheckedReading:
    """What is believed, with what a mind made of the refused part; as it was where nothing was refused, or nobody says
    anything. One question, asked outside of any transaction, and one more to judge the answer."""
    refused = sound.handed_back[:MOST_HANDED_BACK]
    if not (refused or reading.unfit):
        return sound
    ids = {turn.id for turn in session.said}
    cited = {place: [one for one in claim.messages if one in ids] for place, claim in enumerate(refused)}
    few = {place: found for place, found in cited.items() if len(found) <= reading_check.MOST_CITED}
    claims = {place: Claim(refused[place].text, "fact", tuple(found)) for place, found in few.items()}
    material = world.prompts.render(
        "post_conversation/refused",
        lines=believing.shown(reading_check.conversation(session), claims, world.rng)["lines"],
        refused=[(one.kind, one.text, one.reason) for one in refused],
        unfit=reading.unfit,
    )
    companion = session.companion
    question = Question(
        tier="fast",
        purpose=PURPOSE,
        system=(Block(world.prompts.render("post_conversation/instructions", companion=companion), True),),
        messages=(Message("user", material),),
        answer=Corrected,
        max_tokens=ANSWER_TOKENS,
        timeout_s=GIVES_UP_S,
        turn_key=refs.name("session", session.id),
    )
    try:
        answer = (await patiently(world, question, world.now)).parsed
    except (AnswerUnusable, NoMindAnswered):
        return sound
    return await reading_check.again(world, answer, session, sound) if isinstance(answer, Corrected) else sound
