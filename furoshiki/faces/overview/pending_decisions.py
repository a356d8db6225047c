"""Everything that awaits the owner's decision, what it would change, and the decision itself.

A decision is for what was read: it returns that `mark`, and if the proposal has changed since,
nothing is done.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from furoshiki.core.catalogue import Sentence, later, say, say_sentence
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.timestamps import parse
from furoshiki.extensions.plugins import offers
from furoshiki.extensions.plugins.authoring import deciding as wishes
from furoshiki.extensions.plugins.store import jobs
from furoshiki.extensions.plugins.store.jobs import Job as Wish
from furoshiki.extensions.repair import deciding, proposing, store
from furoshiki.extensions.repair.dispatching import evidence_of
from furoshiki.extensions.repair.store import Job
from furoshiki.faces.overview.errors import Conflict, NotThere
from furoshiki.faces.overview.rules import differences
from furoshiki.faces.overview.rules.differences import File
from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.store import drift
from furoshiki.owner.agenda.store import proposals as actions
from furoshiki.world import World

Kind = Literal["repair", "plugin", "self", "action"]
KINDS: dict[str, str] = later(
    {
        "repair": "a repair",
        "plugin": "a plugin it wrote",
        "self": "a change to how it describes itself",
        "action": "something it may do once you say yes",
    }
)


@dataclass(frozen=True)
class Waiting:
    """A waiting proposal in one line. `id` is as "repair-3"."""

    id: str
    kind: Kind
    title: str
    at: datetime


@dataclass(frozen=True)
class Proposal:
    """A proposal in full. `text` says why, `may` what it could do, `files` what changes, `does` the
    effect of a yes, `refused` why a yes is impossible here ("": it is possible)."""

    waiting: Waiting
    text: str
    may: tuple[str, ...]
    files: tuple[File, ...]
    does: str
    refused: str
    mark: str


def every(world: World) -> list[Waiting]:
    """Return all waiting proposals, newest first."""
    with world.database.read() as db:
        changed = drift.proposal(db)
        items = [
            *(
                Waiting(f"repair-{job.id}", "repair", f"{job.source}: {job.kind}", job.changed_at)
                for job in store.of_states(db, ("proposed",))
            ),
            *(
                Waiting(f"plugin-{job.id}", "plugin", f"{job.name}: {job.wish}", job.changed_at)
                for job in jobs.of_states(db, ("proposed",))
            ),
            *(
                Waiting(f"action-{proposal.token}", "action", proposal.shown, parse(proposal.at))
                for proposal in actions.every_open(db, world.now)
            ),
        ]
    if changed is not None:
        title = say("{share:.0%} of SELF.md would change", share=changed.changed_share)
        items.append(Waiting(f"self-{changed.id}", "self", title, changed.at))
    return sorted(items, key=lambda one: one.at, reverse=True)


def one(world: World, proposal_id: str) -> Proposal:
    """Return one proposal. Raises NotThere."""
    waiting = next((each for each in every(world) if each.id == proposal_id), None)
    if waiting is None:
        decided = later("It's already been decided: the list shows what's waiting.")
        raise NotThere(later("Nothing like that is waiting for you."), decided)
    kind, _, name = proposal_id.partition("-")
    return _WHOLE[kind](world, waiting, name)


def decide(world: World, proposal_id: str, yes: bool, mark: str) -> str:
    """Accept or decline what was read; return a message. Raises NotThere, Conflict, or the error
    that prevented it."""
    proposal = one(world, proposal_id)
    kind, _, name = proposal_id.partition("-")
    if proposal.mark != mark:
        raise Conflict(later("This has changed since you read it, so nothing was done."), later("Read it again."))
    if yes and proposal.refused:
        raise Conflict(proposal.refused, later("Decline it, or do as it describes."))
    if kind == "repair":
        return deciding.accept(world, int(name), mark) if yes else deciding.decline(world, int(name))
    if kind == "plugin":
        file = _wish(world, int(name)).proposal or ""
        return offers.accept(world, offers.of_proposal(world, file)) if yes else wishes.decline(world, file)
    if kind == "self":
        changed = description.accept(world) if yes else description.decline(world)
        if yes:
            return say("Accepted: {share:.0%} of SELF.md is new.", share=changed.changed_share)
        return say("SELF.md stays unchanged.")
    raise Conflict(later("Answer this with the button in the chat where it asked."), later("Open the chat."))


def repairs(world: World, before: int | None, limit: int) -> list[Job]:
    """Return recurring errors before a number, newest first."""
    with world.database.read() as db:
        return store.newest(db, limit, before)


@dataclass(frozen=True)
class Repair:
    """A recurring error: evidence without secrets, changed files, the proposal's text, and earlier
    repairs of the same error."""

    job: Job
    evidence: str
    files: tuple[File, ...]
    text: str
    earlier: tuple[Job, ...]


def repair(world: World, job_id: int) -> Repair:
    """Return one recurring error in any state. Raises NotThere."""
    with world.database.read() as db:
        job = store.get(db, job_id)
        before = store.earlier(db, job) if job is not None else []
    if job is None:
        raise NotThere(
            Sentence("There is no repair {number}.", number=job_id), later("Check the list for what exists.")
        )
    text = proposing.read(world.settings.data, job) or ""
    change = deciding.find_change(world, job)
    if change is not None:
        files = [File(change.file, "changed", differences.of_texts(change.before, change.after))]
    else:
        diff = proposing.diff_in(text)
        files = [File(job.file or "", "changed", differences.parse_unified(diff.splitlines()))] if diff else []
    return Repair(job, evidence_of(world, job), tuple(files), text, tuple(before))


def _whole_repair(world: World, waiting: Waiting, name: str) -> Proposal:
    found = repair(world, int(name))
    try:
        item = deciding.load_proposal(world, int(name))
    except FuroshikiError as error:
        return Proposal(waiting, found.text, (), found.files, "", say_sentence(error), "changed")
    if item.change is None:
        does = say("Saying yes records that you made the change yourself.")
        return Proposal(waiting, found.text, (), found.files, does, "", item.mark)
    files = (File(item.change.file, "changed", differences.of_texts(item.change.before, item.change.after)),)
    does = say("If you say yes, the change is made and the plugin's tests run; if they fail, it's undone.")
    return Proposal(waiting, found.text, (), files, does, "", item.mark)


def _whole_plugin(world: World, waiting: Waiting, name: str) -> Proposal:
    file = _wish(world, int(name)).proposal or ""
    try:
        offer = offers.of_proposal(world, file)
    except FuroshikiError as error:
        return Proposal(waiting, "", (), (), "", say_sentence(error), "changed")
    files = tuple(differences.of_files(offer.before, offer.files))
    does = say(
        "If you say yes, exactly these files are installed, and the plugin may do this and no "
        "more. Switch it off to undo it."
    )
    assert offer.ready is not None
    return Proposal(waiting, offer.ready.text, tuple(offer.lines), files, does, "", offer.mark)


def _whole_self(world: World, waiting: Waiting, name: str) -> Proposal:
    with world.database.read() as db:
        found = drift.get(db, int(name))
    if found is None:
        raise NotThere
    why = "\n".join(f"- {reason.text}" for reason in found.reasons if reason.kind != "sentence")
    files = (File("config/SELF.md", "changed", differences.of_texts(found.before, found.text)),)
    refused = ""
    if description.text(world).split() != found.before.split():
        refused = say("SELF.md has changed since this was proposed, and accepting it would undo that.")
    does = say("Saying yes saves it: {share:.0%} of the text is new.", share=found.changed_share)
    mark = f"{found.id}-{description.digest(description.text(world))[:16]}"
    return Proposal(waiting, why, (), files, does, refused, mark)


def _whole_action(world: World, waiting: Waiting, name: str) -> Proposal:
    return Proposal(waiting, waiting.title, (), (), "", say("Answer with the button in the chat where it asked."), name)


_WHOLE: dict[str, Callable[[World, Waiting, str], Proposal]] = {
    "repair": _whole_repair,
    "plugin": _whole_plugin,
    "self": _whole_self,
    "action": _whole_action,
}


def _wish(world: World, job_id: int) -> Wish:
    with world.database.read() as db:
        job = jobs.get(db, job_id)
    if job is None:
        raise NotThere
    return job
