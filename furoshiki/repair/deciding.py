"""What the owner says to a proposal: accept it, which makes the change where that is allowed, or decline it."""

from __future__ import annotations

from furoshiki.core.errors import FuroshikiError
from furoshiki.repair import applying, proposing, store
from furoshiki.repair.applying import Change
from furoshiki.repair.dispatching import prove, target_of
from furoshiki.repair.rules import patches
from furoshiki.repair.rules.patches import Patch
from furoshiki.repair.store import Job
from furoshiki.world import World


class NoProposal(FuroshikiError):
    """There is no such proposal, or it was decided already: `furoshiki proposals` lists those that wait."""


class NotApplied(FuroshikiError):
    """The change was not made, or was made and taken back: the message says why. The proposal waits on."""


def accept(world: World, job_id: int) -> str:
    """Make the proposed change, or note that its owner made it where automation may not write; in words what was done.

    Raises NoProposal and NotApplied.
    """
    job = _waiting(world, job_id)
    change = _change(world, job)
    words = "Noted. I change nothing there: apply it by hand, as the proposal says."
    if change is not None:
        applying.keep(world.settings.data, job.id, change)
        checked = prove(world, change)
        if not checked.ok:
            raise NotApplied(f"{change.file} is as it was: {checked.words}")
        words = f"{change.file} is changed; {checked.words}."
    _settle(world, job, "accepted", words)
    return words


def decline(world: World, job_id: int) -> str:
    """Let it be; the same error is not proposed again. Raises NoProposal."""
    _settle(world, _waiting(world, job_id), "declined", "declined")
    return "Then it stays as it is, and I do not propose it again."


def _waiting(world: World, job_id: int) -> Job:
    with world.database.read() as db:
        job = store.get(db, job_id)
    if job is None or job.state != "proposed":
        raise NoProposal(f"no proposal {job_id} waits: `furoshiki proposals` lists those that do")
    return job


def _change(world: World, job: Job) -> Change | None:
    """The change in the proposal; None when it has none, or of a file that automation may not write. Raises
    NotApplied when it no longer fits."""
    data = world.settings.data
    diff = proposing.diff_in(proposing.read(data, job) or "")
    patch, target = patches.read(diff or ""), target_of(data, diff or "")
    if not isinstance(patch, Patch) or target is None or target.writable is None or not target.writable.endswith(".py"):
        return None
    text = applying.text_of(data, target.writable)
    after = None if text is None else patches.applied(patch, text)
    if text is None or after is None:
        raise NotApplied(f"the change does not fit {target.writable} as it is now: change it by hand")
    return Change(target.writable, text, after)


def _settle(world: World, job: Job, state: store.State, result: str) -> None:
    with world.database.write() as db:
        done = store.decide(db, job, state, world.now, result=result)
    if not done:
        raise NoProposal(f"proposal {job.id} was decided meanwhile")
