"""The proposal file for the owner: the error, the suggested change, and how to apply it."""

import re
from dataclasses import dataclass
from pathlib import Path

from furoshiki.core.catalogue import words
from furoshiki.core.framing import quote_lines
from furoshiki.extensions.repair.rules import verdicts
from furoshiki.extensions.repair.store import Job
from furoshiki.owner.agenda import proposal_files

CHANGE = "## Suggested change"

IN_WORDS = words("repairs")  # the states in words

_OPENED = re.compile(r"(`{3,})diff")


@dataclass(frozen=True)
class Proposal:
    """Content of a proposal: reason for asking the owner, diagnosis, diff, and result of a trial.
    `by_us`: `furoshiki proposals accept` can apply it; `over`: nothing is left to decide."""

    why: str
    cause: str | None = None
    diff: str | None = None
    tried: str | None = None
    by_us: bool = False
    over: bool = False


def file_of(job: Job) -> str:
    """Return the path of a job's proposal in the data directory."""
    name = f"repair-{verdicts.slug(job.source, job.kind)}-job{job.id}-{job.created_at:%Y-%m-%d}.md"
    return f"{proposal_files.FOLDER}/{name}"


def write(data: Path, job: Job, evidence: str, proposal: Proposal) -> str:
    """Write the proposal, replacing an earlier one; returns its path in the data directory."""
    file = file_of(job)
    proposal_files.write(data, file, _text(job, evidence, proposal))
    return file


def read(data: Path, job: Job) -> str | None:
    """Return the text of a job's proposal, or None."""
    return proposal_files.read(data, file_of(job))


def diff_in(text: str) -> str | None:
    """Return the diff in a proposal, or None: only the first after the first heading is ours."""
    fence, held = "", list[str]()
    for line in text.partition(f"\n{CHANGE}\n")[2].split("\n"):
        if fence and line == fence:
            return "".join(f"{one}\n" for one in held)
        if fence:
            held.append(line)
        elif opened := _OPENED.fullmatch(line):
            fence = opened[1]
    return None


def _text(job: Job, evidence: str, proposal: Proposal) -> str:
    message = " ".join(job.message.split()).replace("`", "'")
    parts = [
        f"# {job.source}: {job.kind}",
        f"{job.source} failed {job.times} times in the same way between {job.first_at:%Y-%m-%d %H:%M} and "
        f"{job.last_at:%Y-%m-%d %H:%M} UTC: `{message or job.kind}`",
        f"Nothing is changed by itself because {proposal.why}.",
    ]
    if proposal.diff is not None:
        parts += [CHANGE, proposal_files.fence_code(proposal.diff, "diff")]
    parts += ["## How to apply it", _how(job, proposal)]
    if proposal.tried is not None:
        parts += ["## What was tried", proposal_files.fence_code(proposal.tried)]
    if proposal.cause is not None:
        parts += ["## Diagnosis", "In the words of the model that was asked, which nobody has checked:"]
        parts += [quote_lines(proposal.cause)]
    parts += ["## Evidence", proposal_files.fence_code(evidence)]
    return "\n\n".join(parts) + "\n"


def _how(job: Job, proposal: Proposal) -> str:
    if proposal.over:
        return "It was made, and taken back. Should the error come back, it is laid before you again."
    closing = f"`furoshiki proposals decline {job.id}` lets it be; it is not proposed again."
    if proposal.diff is None:
        return f"Nothing was found to change. {closing}"
    if proposal.by_us:
        return (
            f"`furoshiki proposals accept {job.id}` makes the change, runs the plugin's tests, and takes it back when "
            f"they fail. {closing}"
        )
    return (
        "This is nothing that may be changed for you. Look at it, save the change above as `change.diff`, and apply it "
        f"by hand: `patch -p1 < change.diff`. Then `furoshiki proposals accept {job.id}` notes that. {closing}"
    )
