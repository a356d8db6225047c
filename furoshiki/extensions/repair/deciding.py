"""The owner's decision on a repair proposal: accept it, which applies allowed changes, or
decline."""

import hashlib
from dataclasses import dataclass

from furoshiki.core.errors import FuroshikiError
from furoshiki.extensions.repair import applying, proposing, store
from furoshiki.extensions.repair.applying import Change
from furoshiki.extensions.repair.dispatching import prove, target_of
from furoshiki.extensions.repair.rules import patches
from furoshiki.extensions.repair.rules.patches import Patch
from furoshiki.extensions.repair.store import Job
from furoshiki.world import World


class NoProposal(FuroshikiError):
    """There is no such proposal, or it was decided already: `furoshiki proposals` lists those that wait."""


class NotApplied(FuroshikiError):
    """The change was not made, or was made and taken back: the message says why. The proposal waits on."""


@dataclass(frozen=True)
class Shown:
    """A proposal as shown: its text, the change made on acceptance (None: no automatic change), and
    a hash of both."""

    job: Job
    text: str
    change: Change | None
    mark: str


def load_proposal(world: World, job_id: int) -> Shown:
    """Return a waiting proposal. Raises NoProposal, and NotApplied if its change no longer fits."""
    job = _load_waiting(world, job_id)
    text, change = proposing.read(world.settings.data, job) or "", _change(world, job)
    told = (text, None if change is None else (change.file, change.before, change.after))
    return Shown(job, text, change, hashlib.sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()[:32])


def find_change(world: World, job: Job) -> Change | None:
    """Return the change made or proposed for a job; None without one."""
    change = applying.find_change(world.settings.data, job.id, job.file or "")
    if change is not None or job.state != "proposed":
        return change
    try:
        return _change(world, job)
    except NotApplied:
        return None


def accept(world: World, job_id: int, mark: str | None = None) -> str:
    """Apply the proposed change, or record that the owner made it by hand; returns a message.
    `mark` is the hash of the shown proposal. Raises NoProposal, NotApplied."""
    item = load_proposal(world, job_id)
    job, change = item.job, item.change
    if mark not in (None, item.mark):
        raise NotApplied(f"proposal {job_id} changed while you read it: look at it again")
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
    """Decline a proposal; the same error is not proposed again. Raises NoProposal."""
    _settle(world, _load_waiting(world, job_id), "declined", "declined")
    return "Then it stays as it is, and I do not propose it again."


def _load_waiting(world: World, job_id: int) -> Job:
    with world.database.read() as db:
        job = store.get(db, job_id)
    if job is None or job.state != "proposed":
        raise NoProposal(f"no proposal {job_id} waits: `furoshiki proposals` lists those that do")
    return job


def _change(world: World, job: Job) -> Change | None:
    """Return the change in a proposal; None without one, or if automation may not write the file.
    Raises NotApplied when it no longer fits."""
    data = world.settings.data
    diff = proposing.diff_in(proposing.read(data, job) or "")
    patch, target = patches.read(diff or ""), target_of(data, diff or "")
    if not isinstance(patch, Patch) or target is None or target.writable is None or not target.writable.endswith(".py"):
        return None
    text = applying.text_of(data, target.writable)
    after = None if text is None else patches.apply_patch(patch, text)
    if text is None or after is None:
        raise NotApplied(f"the change does not fit {target.writable} as it is now: change it by hand")
    return Change(target.writable, text, after)


def _settle(world: World, job: Job, state: store.State, result: str) -> None:
    with world.database.write() as db:
        done = store.decide(db, job, state, world.now, result=result)
    if not done:
        raise NoProposal(f"proposal {job.id} was decided meanwhile")
