"""The creation pass: a model writes a draft with file tools, and is told what is wrong with it, a few times."""

from __future__ import annotations

from dataclasses import replace

from furoshiki.core.paths import version
from furoshiki.core.process.crash_points import point
from furoshiki.extensions.plugins.authoring import checking, file_tools, trying
from furoshiki.extensions.plugins.authoring.budgeted import Budget, Rounds
from furoshiki.extensions.plugins.authoring.checking import Checked
from furoshiki.extensions.plugins.authoring.drafts import LARGEST_DRAFT, MOST_FILES, Draft
from furoshiki.extensions.plugins.authoring.rules import static_review
from furoshiki.extensions.plugins.store.jobs import Job
from furoshiki.world import World

PURPOSE = "plugin_create"
MOST_ROUNDS = 30
MOST_CORRECTIONS = 3
"""So often a draft with something wrong goes back to its author."""


async def create(world: World, job: Job, draft: Draft) -> Checked:
    """Write the draft of a job; with problems in it when it could not be mended. Raises Spent, Away and OSError."""
    draft.begin()
    system = world.prompts.render(
        "plugins/create",
        version=version(),
        most_files=MOST_FILES,
        largest=LARGEST_DRAFT,
        modules=sorted(static_review.FREE - {"__future__"}),
    )
    budget = Budget(PURPOSE, world.settings.furoshiki_plugin_create_usd)
    rounds = Rounds(world, job, budget, MOST_ROUNDS, file_tools.WRITING, system)
    rounds.say(world.prompts.render("plugins/wish", wish=job.wish, name=draft.name))
    for _ in range(1 + MOST_CORRECTIONS):
        await rounds.until_words(lambda call: file_tools.run(draft, call, may_write=True))
        point("plugins.draft_written")
        checked = checking.check(draft)
        if not checked.problems:
            checked = replace(checked, problems=await trying.try_out(world, checked))
            point("plugins.tried")
        if not checked.problems:
            return checked
        rounds.say(world.prompts.render("plugins/problems", problems=checked.problems))
    return checked
