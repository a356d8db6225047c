"""Hourly job: turn recurring errors into jobs, diagnose each, and close those that stopped.

A job ends with a proved change, or with a proposal for the owner. After a crash the next run goes
on: the intention is recorded before a file is changed, and the earlier text is saved.
"""

import importlib.util
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from furoshiki.core.errors import in_words
from furoshiki.core.logs import Redacting
from furoshiki.core.paths import ROOT
from furoshiki.core.process import scratch, trees
from furoshiki.core.process.crash_points import point
from furoshiki.extensions.plugins import pins, running
from furoshiki.extensions.plugins.sandbox import probing
from furoshiki.extensions.plugins.sandbox.command import CannotHold, command
from furoshiki.extensions.plugins.sandbox.supervising import supervise
from furoshiki.extensions.plugins.sandbox.values import Layout, Limits
from furoshiki.extensions.repair import applying, diagnosing, noticing, proposing, store
from furoshiki.extensions.repair.applying import Change
from furoshiki.extensions.repair.diagnosing import Diagnosis
from furoshiki.extensions.repair.proposing import Proposal
from furoshiki.extensions.repair.rules import patches, protected, signatures, verdicts
from furoshiki.extensions.repair.rules.patches import Patch
from furoshiki.extensions.repair.rules.recurring import QUIET
from furoshiki.extensions.repair.rules.verdicts import Apply, Propose, Step
from furoshiki.extensions.repair.store import Job, State
from furoshiki.world import Report, World

# -- the check of a changed plugin: its own tests, or else one run of the failed script --
#
# A copy is tried in the plugins' sandbox: the installed plugin changes only after the proof, and the
# trial has no more access than a plugin. Without a sandbox nothing can be proved.


LIMITS = Limits(timeout_s=120.0, cpu_s=60, memory_mb=512)  # limits of the tests, or of the script
SAID = 2_000  # characters kept from the end of the output

NO_PYTEST = "its tests could not be run: pytest is not installed here"
_TESTS = Path(__file__).with_name("sandboxed_tests.py")


@dataclass(frozen=True)
class Checked:
    """Whether the plugin works, and how that was found out."""

    ok: bool
    words: str


def check(world: World, plugin: Path, script: str, text: str) -> Checked:
    """Try a plugin with `text` in `script` (a path in its folder)."""
    try:
        compile(text, script, "exec")
    except (SyntaxError, ValueError) as error:
        return Checked(False, f"it does not compile: {error}")
    here = probing.choose_backend(world.settings.furoshiki_plugin_sandbox)
    if here.backend is None:
        return Checked(False, f"nothing holds a plugin on this machine, so that it could not be tried: {here.words}")
    with scratch.folder(world.settings.data, "repair", world.now) as there:
        copy = there / plugin.name
        trees.copy(plugin, copy, _without_data)
        (copy / pins.OWN).mkdir()
        (copy / script).unlink()  # in case it became a link: never write through it
        (copy / script).write_text(text, encoding="utf-8", newline="")
        tested = any((copy / "tests").glob("**/test_*.py"))
        found = importlib.util.find_spec("pytest") if tested else None
        if tested and (found is None or found.origin is None):
            return Checked(False, NO_PYTEST)
        code = [copy / "PLUGIN.md", copy / "scripts", copy / "packages", running.SDK]
        imports = [copy / "packages", (copy / script).parent, running.SDK]
        if found is not None and found.origin is not None:
            packages = Path(found.origin).parents[1]
            code += [copy / "tests", _TESTS, packages]
            imports.append(packages)
        what = "its tests" if tested else "the script, run once (it has no tests),"
        layout = Layout(_TESTS if tested else copy / script, copy / pins.OWN, tuple(code), tuple(imports))
        try:
            line = command(here.backend, layout, LIMITS, hidden=(world.settings.data, ROOT))
            ended = supervise(here.backend, line, str(copy).encode() if tested else b"{}", LIMITS, layout.data)
        except CannotHold as error:
            return Checked(False, f"{what} could not be run: {error}")
        except OSError as error:
            return Checked(False, f"{what} could not be run: {in_words(error)}")
    if ended.code == 0 and not ended.excess:
        return Checked(True, f"{what} ended well")
    why = f"took too much ({ended.excess})" if ended.excess else f"ended with {ended.code}"
    printed = (ended.stdout + ended.stderr).decode("utf-8", "replace").strip()[-SAID:]
    return Checked(False, f"{what} {why}:\n{printed}")


def _without_data(folder: Path, names: list[str]) -> set[str]:
    """Return the names not to copy: the plugin's own data, and bytecode caches."""
    top = (folder / "scripts").is_dir()
    return {name for name in names if name == "__pycache__" or (top and name == pins.OWN)}


MOST_ATTEMPTS = 3  # attempts at a diagnosis, an hour apart; then the owner gets the result so far
STOPPED = f"not met again for {QUIET.days} days"  # reason for closing a job automatically

WAITS = "waits"
_WORDS = {
    "applied": "mended",
    "proposed": "laid before the owner",
    "rolled_back": "changed and taken back",
    "closed": "closed",
    WAITS: "waiting for a model",
}


async def dispatch(world: World) -> Report:
    """Create jobs for recurring errors, diagnose waiting ones, and close those that stopped."""
    made, over = _update_jobs(world)
    with world.database.read() as db:
        waiting = store.of_states(db, ("queued",))
    became: Counter[str] = Counter()
    for job in waiting:
        became.update([await _look_into(world, job) or WAITS])
    with world.database.read() as db:
        known = [job.id for job in store.of_states(db)]
    applying.let_go(world.settings.data, known)
    words = [f"{made} new" if made else "", f"{over} over" if over else ""]
    words += [f"{count} {_WORDS[state]}" for state, count in became.items()]
    counts: dict[str, int] = {"new": made, "over": over, **dict(became)}
    return Report(bool(made or over or became), ", ".join(filter(None, words)) or "seen again", counts)


def _update_jobs(world: World) -> tuple[int, int]:
    """Create and close jobs; returns the number of each."""
    now, clean = world.now, Redacting(world.settings.secrets()).clean
    with world.database.read() as db:
        errors = noticing.fresh(db, world.settings.data, now)
    safe = [replace(error, message=clean(error.message), evidence=clean(error.evidence)) for error in errors]
    with world.database.write() as db:
        made = sum(store.queue(db, error, now) is not None for error in safe)
        over = sum(store.decide(db, job, "closed", now, result=STOPPED) for job in store.read_stopped(db, now - QUIET))
    return made, over


async def _look_into(world: World, job: Job) -> State | None:
    """Process one job and return its new state; None when it keeps waiting."""
    with world.database.write() as db:
        store.attempt(db, job)
        earlier = store.earlier(db, job)
    if job.verdict == store.APPLYING and job.file is not None:
        return _go_on(world, job, job.file)
    declined = [one for one in earlier if one.state == "declined"]
    if declined:
        return _decide(world, job, "closed", result=f"its owner declined what was proposed in job {declined[-1].id}")
    data, evidence = world.settings.data, evidence_of(world, job)
    steps = _steps(data, evidence)
    file = verdicts.suspect(steps)
    text = applying.text_of(data, file) if file is not None else None
    found = await diagnosing.ask(world, job, evidence, file if text is not None else None, text or "")
    point("repair.asked")
    if found == "later" and job.attempts + 1 < MOST_ATTEMPTS:
        return None
    said = found if isinstance(found, Diagnosis) else None
    verdict = _judge(world, steps, [one.state for one in earlier], said, text)
    if isinstance(verdict, Propose):
        return _propose(world, job, evidence, _proposal(data, verdict.reason, said))
    cause = said.cause if said is not None else ""
    return _begin(world, job, Change(verdict.file, text or "", verdict.text), cause)


def evidence_of(world: World, job: Job) -> str:
    """Return the evidence, cleaned again: this process may know more secrets than the first."""
    return Redacting(world.settings.secrets()).clean(job.evidence)


def _steps(data: Path, evidence: str) -> list[Step]:
    """Return the files in the traceback, innermost last."""
    raised = signatures.of_traceback(evidence)
    files = raised.files if raised is not None else ()
    return [_step(data, Path(file)) for file in files if Path(file).is_absolute()]


def _step(data: Path, path: Path) -> Step:
    judged = protected.judge(path, data)
    home = Path(os.path.realpath(data))
    return Step(str(path), judged.protected, None if judged.refused else judged.real.relative_to(home).as_posix())


def target_of(data: Path, diff: str) -> Step | None:
    """Return the file that a diff changes; None when it is no diff of one file."""
    patch = patches.read(diff)
    return _step(data, data / patch.target) if isinstance(patch, Patch) else None


def _judge(
    world: World, steps: Sequence[Step], before: Sequence[State], result: Diagnosis | None, text: str | None
) -> Apply | Propose:
    ended = [state for state in before if state != "queued" and state != "proposed"]
    diff = result.diff if result is not None else None
    return verdicts.judge(
        steps,
        ended,
        result.defects if result is not None else None,
        diff,
        target_of(world.settings.data, diff) if diff is not None else None,
        text or "",
        world.settings.furoshiki_repair_apply,
    )


def _proposal(data: Path, why: str, result: Diagnosis | None) -> Proposal:
    if result is None:
        return Proposal(why)
    target = target_of(data, result.diff) if result.diff is not None else None
    by_us = target is not None and target.writable is not None and target.writable.endswith(".py")
    return Proposal(why, result.cause, result.diff, by_us=by_us)


def _begin(world: World, job: Job, change: Change, cause: str) -> State:
    """Record the intended change, then make it."""
    applying.keep(world.settings.data, job.id, change)
    with world.database.write() as db:
        store.intend(db, job, change.file, cause)
    point("repair.intended")
    return _go_on(world, replace(job, result=cause), change.file)


def _go_on(world: World, job: Job, file: str) -> State:
    """Continue an intended change, whatever was done before: make and prove it, or undo it."""
    data = world.settings.data
    change, now_there = applying.find_change(data, job.id, file), applying.text_of(data, file)
    if change is None or now_there not in (change.before, change.after):
        return _propose(world, job, evidence_of(world, job), Proposal(f"somebody else changed {file} meanwhile"))
    if job.attempts >= MOST_ATTEMPTS:
        take_back(world, change)
        return _report_rollback(world, job, change, "it was begun several times and never came to an end")
    checked = prove(world, change)
    point("repair.checked")
    if checked.ok:
        return _decide(world, job, "applied", verdict=checked.words, file=file)
    return _report_rollback(world, job, change, checked.words)


def _report_rollback(world: World, job: Job, change: Change, words: str) -> State:
    tried = f"{change.file} was changed and is as it was before: {words}"
    proposal = Proposal("the change could not be proved", job.result, change.diff, tried, over=True)
    return _propose(world, job, evidence_of(world, job), proposal, "rolled_back")


def prove(world: World, change: Change) -> Checked:
    """Try a change on a copy of the plugin in the sandbox; on success apply and pin it.

    A file that its owner has not approved is not changed.
    """
    data, (folder, file) = world.settings.data, _parts(change)
    if not any(pins.is_as_allowed(world, folder.name, file, text) for text in (change.before, change.after)):
        return Checked(False, "its files are not those you allowed")
    checked = check(world, data / folder, file, change.after)
    if not checked.ok:
        take_back(world, change)  # an earlier run may have applied it
        return checked
    if not applying.put(data, change.file, change.after):
        return Checked(False, "it may not be written any more")
    pins.renew(world, folder.name, file, change.before, change.after)
    point("repair.pinned")
    return checked


def take_back(world: World, change: Change) -> None:
    """Restore the file's earlier text and pin."""
    folder, file = _parts(change)
    applying.put(world.settings.data, change.file, change.before)
    pins.renew(world, folder.name, file, change.after, change.before)


def _parts(change: Change) -> tuple[PurePosixPath, str]:
    """Return the plugin's folder (in the data directory) and the file's path in it."""
    parts = PurePosixPath(change.file).parts
    depth = 3 if change.file.startswith("proposals/") else 2
    return PurePosixPath(*parts[:depth]), "/".join(parts[depth:])


def _propose(world: World, job: Job, evidence: str, proposal: Proposal, state: State = "proposed") -> State:
    file = proposing.write(world.settings.data, job, evidence, proposal)
    point("repair.proposal_written")
    return _decide(world, job, state, verdict=proposal.why, file=file)


def _decide(
    world: World, job: Job, state: State, verdict: str | None = None, file: str | None = None, result: str | None = None
) -> State:
    with world.database.write() as db:
        store.decide(db, job, state, world.now, verdict=verdict, file=file, result=result)
    point("repair.decided")
    return state
