"""The review: a draft read twice, each time in a new context with read-only tools. The verdicts are
judged by rules."""

from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from furoshiki.extensions.plugins.authoring import file_tools
from furoshiki.extensions.plugins.authoring.budgeted import Budget, Rounds
from furoshiki.extensions.plugins.authoring.checking import Checked
from furoshiki.extensions.plugins.authoring.drafts import Draft
from furoshiki.extensions.plugins.authoring.rules.verdicts import REVIEWS, Review
from furoshiki.extensions.plugins.store.jobs import Job
from furoshiki.models.llm.values import Tool, ToolCall
from furoshiki.world import World

PURPOSE = "plugin_review"
MOST_ROUNDS = 16
MOST_REFUSED = 2
"""How often an invalid answer is returned to the reviewer."""

_LAST = "verdict"


class ReadReview(BaseModel):
    """The typed answer of a reviewer."""

    model_config = {"extra": "forbid"}

    approve: Annotated[bool, Field(description="Whether the owner should get to see it")]
    confidence: Annotated[float, Field(ge=0, le=1, description="How sure you are, from 0 to 1")]
    blocking_issues: Annotated[
        list[Annotated[str, Field(min_length=3, max_length=400)]],
        Field(max_length=12, description="What must not be so, each with file and line; empty when nothing"),
    ]
    can_do: Annotated[
        str,
        Field(min_length=10, max_length=1_200, description="What it does and can do, for its owner, in plain words"),
    ]


async def review(world: World, job: Job, draft: Draft, checked: Checked) -> list[Review | None]:
    """Return the reviews; None for an unusable answer. Raises Spent and Away."""
    budget = Budget(PURPOSE, world.settings.furoshiki_plugin_review_usd)
    return [await _one(world, job, draft, checked, budget) for _ in range(REVIEWS)]


async def _one(world: World, job: Job, draft: Draft, checked: Checked, budget: Budget) -> Review | None:
    schema = ReadReview.model_json_schema()
    tools = (*file_tools.READING, Tool(_LAST, "Give your verdict, once everything is read.", schema))
    system = world.prompts.render("plugins/review")
    rounds = Rounds(world, job, budget, MOST_ROUNDS, tools, system)
    findings = list(map(str, checked.findings))
    rounds.say(world.prompts.render("plugins/to_review", wish=job.wish, files=list(checked.files), findings=findings))
    read: set[str] = set()

    def reads(call: ToolCall) -> str:
        if call.name == "read_file":
            read.add(str(call.args.get("file", "")))
        return file_tools.run(draft, call, may_write=False)

    for _ in range(1 + MOST_REFUSED):
        said = await rounds.until_words(reads, _LAST)
        unread = [file for file in checked.files if file not in read]
        if unread:
            rounds.say(f"You have not read {', '.join(unread)} yet. Read everything, then give your verdict.")
        elif isinstance(said, str):
            rounds.say("Give your verdict with the tool `verdict`.")
        elif (found := _read(said)) is not None:
            return found
        else:
            rounds.say("That verdict does not fit. Give all of approve, confidence, blocking_issues and can_do.")
    return None


def _read(call: ToolCall) -> Review | None:
    try:
        found = ReadReview.model_validate(dict(call.args), strict=False)
    except (ValidationError, TypeError, ValueError, RecursionError):
        return None
    issues = tuple(" ".join(one.split()) for one in found.blocking_issues)
    return Review(found.approve, found.confidence, issues, found.can_do)
