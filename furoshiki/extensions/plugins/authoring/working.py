"""Hourly job: turn one wish for a plugin into a draft, a review, and a proposal or rejection.

A backup must exist before anything begins. After a crash the next run continues, or repeats the
step once; a step that was begun twice without an end is given up. No plugin is run by this module.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.logs import Redacting
from furoshiki.core.paths import version
from furoshiki.core.process.crash_points import point
from furoshiki.extensions.plugins import trial_runs
from furoshiki.extensions.plugins.authoring import checking, file_tools
from furoshiki.extensions.plugins.authoring.budgeted import Away, Budget, Rounds, Spent
from furoshiki.extensions.plugins.authoring.checking import Checked
from furoshiki.extensions.plugins.authoring.drafts import FOLDER, LARGEST_DRAFT, MOST_FILES, Draft
from furoshiki.extensions.plugins.authoring.rules import proposal_text, static_review, verdicts, wishes
from furoshiki.extensions.plugins.authoring.rules.verdicts import REVIEWS, Review, Verdict
from furoshiki.extensions.plugins.rules import permissions
from furoshiki.extensions.plugins.store import jobs
from furoshiki.extensions.plugins.store.jobs import Job, State
from furoshiki.extensions.plugins.values import Manifest
from furoshiki.maintenance import backup
from furoshiki.models.llm.store import waits
from furoshiki.models.llm.values import Tool, ToolCall
from furoshiki.owner.agenda import proposal_files
from furoshiki.world import Report, World

PURPOSE = "plugin_create"

MOST_ROUNDS = 30

MOST_CORRECTIONS = 3  # how often a draft with problems is returned to its author
MOST_ATTEMPTS = 2  # how often a step is begun, which limits its cost to twice the budget
FRESH = timedelta(days=1)  # the maximum age of a verified backup that suffices

LONGEST_REASON = 1_500

NO_BACKUP = "no plugin is written without a backup, and none could be made: {error}"
NEVER_ENDED = "it was begun {times} times and never came to an end"

_WORDS: dict[State, str] = {
    "proposed": "laid before the owner",
    "rejected": "turned down by its review",
    "failed": "could not be written",
}


async def work(world: World) -> Report:
    """Advance one wish as far as possible."""
    settings = world.settings
    if settings.furoshiki_plugin_wishes == "off" or settings.furoshiki_plugin_create_usd <= 0:
        return Report(False, "no plugins are written: FUROSHIKI_PLUGIN_WISHES, FUROSHIKI_PLUGIN_CREATE_USD")
    with world.database.read() as db:
        job = next(iter(jobs.of_states(db, jobs.UNFINISHED)), None)
    if job is None:
        return Report(False, "no wish for a plugin waits")
    if job.attempts >= MOST_ATTEMPTS:
        return _end(world, job, "failed", NEVER_ENDED.format(times=job.attempts))
    with world.database.write() as db:
        jobs.attempt(db, job)
    try:
        if job.state == "queued":
            _back_up(world)
            point("plugins.backed_up")
            job = await _write_draft(world, job)
        return await _review(world, job)
    except _Over as over:
        return _end(world, over.job, over.state, str(over))
    except StorageUnavailable as error:
        _put_off(world, job, str(error))
        return Report(False, NO_BACKUP.format(error=error), {"failed": True})
    except Away as away:
        _put_off(world, job, str(away))
        return Report(False, f"the wish for a plugin waits for a model: {away}", {"failed": True})
    except Spent as spent:
        return _end(world, job, "failed", str(spent))


class _Over(Exception):
    """The job ends in this state, for this reason."""

    def __init__(self, job: Job, state: State, reason: str) -> None:
        super().__init__(reason)
        self.job, self.state = job, state


async def _write_draft(world: World, job: Job) -> Job:
    """Write the draft and return the job, ready for review. Raises _Over, Away and Spent."""
    name = job.name or _name(world, job)
    with world.database.write() as db:
        jobs.record_name(db, job, name)
    checked = await create(world, job, Draft(world.settings.data, name))
    if checked.problems:
        raise _Over(_again(world, job), "rejected", "; ".join(checked.problems))
    with world.database.write() as db:
        jobs.decide(db, job, "written", world.now)
        jobs.attempt(db, job)
    point("plugins.written")
    return _again(world, job)


async def _review(world: World, job: Job) -> Report:
    """Review a draft and propose or reject it. Raises _Over, Away and Spent."""
    assert job.name is not None
    draft = Draft(world.settings.data, job.name)
    checked = checking.check(draft)
    if checked.problems or checked.manifest is None:
        raise _Over(job, "rejected", "; ".join(checked.problems))
    said = await review_draft(world, job, draft, checked)
    point("plugins.reviewed")
    verdict = verdicts.judge(said, checked.findings)
    after = checking.check(draft)
    if after.files != checked.files:
        raise _Over(job, "rejected", "its files changed while they were reviewed")
    if not verdict.approved:
        with world.database.write() as db:
            jobs.decide(db, job, "written", world.now, confidence=verdict.confidence)
        raise _Over(_again(world, job), "rejected", "; ".join(verdict.reasons))
    return _propose(
        world, job, checked, checked.manifest, next(review for review in said if review is not None), verdict
    )


def _propose(world: World, job: Job, checked: Checked, manifest: Manifest, review: Review, verdict: Verdict) -> Report:
    file = f"{proposal_files.FOLDER}/plugin-{manifest.name}-{job.created_at:%Y-%m-%d}.md"
    clean = Redacting(world.settings.secrets()).clean
    text = proposal_text.render(
        manifest.name,
        job.wish,
        job.source,
        job.created_at,
        manifest,
        checked.files,
        checked.findings,
        clean(review.can_do),
        verdict.confidence,
        file,
    )
    proposal_files.write(world.settings.data, file, text)
    point("plugins.proposal_written")
    may = "; ".join(permissions.in_words(manifest.permissions)) or permissions.NOTHING
    summary = f"{' '.join(manifest.description.split())} It may: {may}."
    return _end(world, job, "proposed", clean(summary), verdict.confidence, file)


def _end(
    world: World, job: Job, state: State, reason: str, confidence: float | None = None, file: str | None = None
) -> Report:
    """Record the end of the job and delete a draft that cannot be applied any more."""
    if state != "proposed" and job.name is not None:
        Draft(world.settings.data, job.name).remove()
        point("plugins.draft_removed")
    reason = reason[:LONGEST_REASON]
    with world.database.write() as db:
        jobs.decide(db, job, state, world.now, reason=reason, confidence=confidence, proposal=file)
    point("plugins.decided")
    return Report(True, f"the plugin {job.name or job.id} was {_WORDS[state]}", {"job": job.id, "state": state})


def _back_up(world: World) -> None:
    """Make sure that a verified backup of today exists. Raises StorageUnavailable."""
    there = backup.list_backups(world.settings.data / "backups")
    if not any(result.verified is not None and world.now - result.made_at < FRESH for result in there):
        backup.daily(world)


def _put_off(world: World, job: Job, why: str) -> None:
    """Postpone a job after an external failure; without cost the attempt does not count."""
    with world.database.write() as db:
        now = jobs.get(db, job.id)
        if now is not None and now.cost_usd == job.cost_usd:
            jobs.attempt(db, job, -1)
        waits.record_failure(db, PURPOSE, "away", why, world.now)


def _name(world: World, job: Job) -> str:
    """Return a name that neither a plugin nor another draft has."""
    data = world.settings.data
    taken = {path.name for folder in ("plugins", FOLDER) for path in (data / folder).glob("*")}
    with world.database.read() as db:
        taken |= {one.name for one in jobs.of_states(db) if one.name is not None and one.id != job.id}
    return wishes.name(job.wish, job.id, frozenset(taken))


def _again(world: World, job: Job) -> Job:
    with world.database.read() as db:
        found = jobs.get(db, job.id)
    assert found is not None
    return found


async def create(world: World, job: Job, draft: Draft) -> Checked:
    """Write a job's draft; remaining problems are in the result. Raises Spent, Away, OSError."""
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
            checked = replace(checked, problems=await try_out(world, checked))
            point("plugins.tried")
        if not checked.problems:
            return checked
        rounds.say(world.prompts.render("plugins/problems", problems=checked.problems))
    return checked


async def try_out(world: World, checked: Checked) -> tuple[str, ...]:
    """Run every entry point of a checked draft; returns the problems in words for its author.

    Without a sandbox the draft is not tried: the plugin would not run there either.
    """
    assert checked.manifest is not None
    files = {file: text.encode("utf-8") for file, text in checked.files.items()}
    ran = await trial_runs.try_files(world, checked.manifest, files)
    if any(run.status == "no_sandbox" for _entry, run in ran):
        return ()
    failed = [(entry, run) for entry, run in ran if not run.ok]
    return tuple(f"{entry.script}, tried at its hook {entry.hook}: {run.status}: {run.error}" for entry, run in failed)


REVIEW_PURPOSE = "plugin_review"
REVIEW_ROUNDS = 16
MOST_REFUSED = 2  # how often an invalid answer is returned to the reviewer

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


async def review_draft(world: World, job: Job, draft: Draft, checked: Checked) -> list[Review | None]:
    """Return the reviews; None for an unusable answer. Raises Spent and Away."""
    budget = Budget(REVIEW_PURPOSE, world.settings.furoshiki_plugin_review_usd)
    return [await _one(world, job, draft, checked, budget) for _ in range(REVIEWS)]


async def _one(world: World, job: Job, draft: Draft, checked: Checked, budget: Budget) -> Review | None:
    schema = ReadReview.model_json_schema()
    tools = (*file_tools.READING, Tool(_LAST, "Give your verdict, once everything is read.", schema))
    system = world.prompts.render("plugins/review")
    rounds = Rounds(world, job, budget, REVIEW_ROUNDS, tools, system)
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
