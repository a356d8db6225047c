"""Plan a long task: a model proposes steps, rules report faults, one correction is allowed."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from furoshiki.conversation.skills import registry
from furoshiki.core import refs
from furoshiki.models.llm.background import Unanswered, ask_mind
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.owner.agenda.rules import plans
from furoshiki.owner.agenda.rules.long_tasks import LongTask
from furoshiki.owner.agenda.rules.plans import Plan, PlannedStep
from furoshiki.owner.user_model import user
from furoshiki.world import World

PURPOSE = "persistent_task.plan"

ROUNDS = 2
"""Maximum attempts at a plan."""

MOST_TOKENS = 1200
TIMEOUT_S = 90.0


@dataclass(frozen=True)
class Refused:
    """No workable plan: the reason, in words for the owner."""

    reason: str


async def plan(world: World, task: LongTask) -> Plan | Refused | None:
    """Return a workable plan, or why there is none; None while no model is available."""
    wrong: Sequence[str] = ()
    for _ in range(ROUNDS):
        found = await ask_mind(
            world, _question(world, task, wrong), world.now, "long_task_unplanned", {"task": task.id}
        )
        if isinstance(found, Unanswered):
            return None if found.nobody else Refused(f"I found no plan for it: {found.reason}")
        form: PlanForm = found.parsed
        made = Plan(
            tuple(PlannedStep(" ".join(step.text.split()), tuple(dict.fromkeys(step.after))) for step in form.steps),
            form.confidence,
        )
        wrong = plans.faults(made)
        if not wrong:
            return made
    return Refused(f"I found no plan for it that holds. {' '.join(wrong)}")


def day_and_name(world: World, db: sqlite3.Connection) -> dict[str, str | None]:
    """Return today's date where the person is, and their name, for a prompt."""
    here = world.now.astimezone(user.zone(world, db))
    return {"day": here.strftime("%A, %-d %B %Y"), "name": user.name(db)}


def _question(world: World, task: LongTask, wrong: Sequence[str]) -> Question:
    with world.database.read() as db:
        today = day_and_name(world, db)
        outside = registry.outside_tools(world, db)
    tools = [*registry.tools(), *(tool.tool for tool in outside)]
    material = world.prompts.render(
        "acting/task",
        **today,
        title=task.title,
        goal=task.goal,
        skills=[f"{tool.name}: {tool.description}" for tool in tools if tool.name != "persistent_task"],
        wrong=wrong,
    )
    return Question(
        tier="chat",
        purpose=PURPOSE,
        system=(
            Block(
                world.prompts.render("acting/planning", companion=world.settings.furoshiki_companion_name), cache=True
            ),
        ),
        messages=(Message("user", material),),
        answer=PlanForm,
        max_tokens=MOST_TOKENS,
        timeout_s=TIMEOUT_S,
        turn_key=refs.name("persistent_task", task.id),
    )


class StepForm(BaseModel):
    """One step of a plan."""

    text: Annotated[str, Field(max_length=400, description="what is to be done, in 4 to 30 words")]
    after: Annotated[
        list[int], Field(max_length=60, description="numbers of the steps whose results it needs, counted from 1")
    ] = []


class PlanForm(BaseModel):
    """A plan, and how sure it leads to the goal."""

    steps: Annotated[list[StepForm], Field(max_length=60)]
    confidence: Annotated[float, Field(ge=0, le=1, description="how sure you are that these steps lead to the goal")]
