"""The owner's decision on a proposed plugin: apply exactly what they read, or decline."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from furoshiki.core import no_symlinks
from furoshiki.core.errors import FuroshikiError, in_words
from furoshiki.extensions.plugins.authoring import checking
from furoshiki.extensions.plugins.authoring.drafts import Draft
from furoshiki.extensions.plugins.authoring.rules import proposal_text
from furoshiki.extensions.plugins.authoring.rules.proposal_text import NoProposal
from furoshiki.extensions.plugins.store import jobs
from furoshiki.extensions.plugins.store.jobs import Job
from furoshiki.extensions.plugins.values import Manifest
from furoshiki.owner.agenda import proposal_files
from furoshiki.world import World

# file names of proposed plugins
NAME = re.compile(r"plugin-[a-z][a-z0-9-]{1,30}-\d{4}-\d{2}-\d{2}\.md")


class NotApplied(FuroshikiError):
    """A proposed plugin was not applied, and nothing was changed: the message says why, and what to do."""


@dataclass(frozen=True)
class Ready:
    """A proposal whose files are identical in the text that the owner reads and in the draft."""

    job: Job
    manifest: Manifest
    files: Mapping[str, str]
    text: str


def ready(world: World, typed: str) -> Ready:
    """Return the proposal in a file, as typed, if it can be applied. Raises NotApplied."""
    file, text = _text(world, typed)
    job = _find_waiting(world, file)
    try:
        held = proposal_text.read(text)
    except NoProposal as error:
        raise NotApplied(f"{file} is not as I wrote it ({error}): decline it, and wish for the plugin again") from None
    draft = Draft(world.settings.data, job.name or "")
    checked = checking.check(draft)
    differ = sorted({*held.files.items()} ^ {*checked.files.items()})
    if held.name != job.name or differ:
        which = ", ".join(dict.fromkeys(path for path, _ in differ)) or held.name
        raise NotApplied(f"{file} and the draft in drafts/ differ ({which}): decline it, and wish for the plugin again")
    if checked.manifest is None or checked.problems:
        raise NotApplied(f"{file} may not be applied: {'; '.join(checked.problems)}")
    return Ready(job, checked.manifest, checked.files, text)


def finish(world: World, done: Ready) -> None:
    """Mark the job of an installed plugin as applied and delete its draft."""
    with world.database.write() as db:
        jobs.decide(db, done.job, "applied", world.now)
    Draft(world.settings.data, done.manifest.name).remove()


def decline(world: World, typed: str) -> str:
    """Decline a proposal: delete its draft, and refuse the same wish later. Raises NotApplied."""
    job = _find_waiting(world, _file(typed))
    mark_declined(world, job)
    return "Then I'll leave it, and won't bring it up again."


def mark_declined(world: World, job: Job) -> bool:
    """Mark a proposal as declined; False when it was decided meanwhile."""
    with world.database.write() as db:
        done = jobs.decide(db, job, "declined", world.now)
    if done and job.name is not None:
        Draft(world.settings.data, job.name).remove()
    return done


def render_proposal(world: World, typed: str) -> str:
    """Return a proposal's text, with a warning if it was changed. Raises NotApplied."""
    _file_name, text = _text(world, typed)
    try:
        proposal_text.read(text)
    except NoProposal as error:
        return f"**This is not as I wrote it, and cannot be applied: {error}.**\n\n{text}"
    return text


def _find_waiting(world: World, file: str) -> Job:
    with world.database.read() as db:
        job = jobs.find_proposal(db, file)
    if job is None or job.state != "proposed":
        raise NotApplied(f"no plugin is proposed in {file}: `furoshiki plugins wishes` lists those that are")
    return job


def _file(typed: str) -> str:
    """Return the file's path in the data directory from a typed path. Raises NotApplied."""
    name = PurePosixPath(typed).name
    if NAME.fullmatch(name) is None:
        raise NotApplied(f"{typed!r} is no proposal of a plugin: `furoshiki plugins wishes` names those there are")
    return f"{proposal_files.FOLDER}/{name}"


def _text(world: World, typed: str) -> tuple[str, str]:
    file = _file(typed)
    try:
        place = no_symlinks.opened(world.settings.data, (proposal_files.FOLDER,))
        with place as folder, no_symlinks.open_file(PurePosixPath(file).name, folder) as held:
            return file, held.read(4 * proposal_text.LONGEST).decode("utf-8")
    except OSError as error:
        raise NotApplied(f"{file}: {in_words(error)}") from None
    except UnicodeDecodeError:
        raise NotApplied(f"{file} is no text any more: decline it, and wish for the plugin again") from None
