"""Diagnosis of an error by a model or a command of the owner. Its result is only a suggestion."""

import asyncio
import contextlib
import os
import shlex
import signal
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from furoshiki.core import refs
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.extensions.repair import store
from furoshiki.extensions.repair.rules import patches
from furoshiki.extensions.repair.rules.patches import NoPatch
from furoshiki.extensions.repair.rules.verdicts import Defects
from furoshiki.extensions.repair.store import Job
from furoshiki.models.llm.background import affordable, patiently
from furoshiki.models.llm.values import Question
from furoshiki.world import World

PURPOSE = "repair_diagnosis"
TIMEOUT_S = 180.0

# longer scripts (in lines) are not shown, and so cannot be changed automatically
LONGEST_FILE = 600

COMMAND_SECONDS = 600.0  # timeout of a command in seconds
PATH = "/usr/local/bin:/usr/bin:/bin"  # PATH of a command; name the command by its full path

FROM_COMMAND = "A change suggested by the command in FUROSHIKI_REPAIR_COMMAND."


class Diagnosis(BaseModel):
    """Why an error happens, and the change that would mend it."""

    cause: Annotated[str, Field(min_length=1, max_length=2_000, description="What goes wrong, where, and why")]
    defects: Annotated[
        Defects,
        Field(description="one: a single clear defect; several: more than one; unclear: it cannot be told from this"),
    ]
    diff: Annotated[
        str | None, Field(max_length=6_000, description="A unified diff of the one file that is shown, or nothing")
    ] = None


# "nobody": no model, budget or usable answer; "later": a model may be available again
Missing = Literal["nobody", "later"]


async def ask(world: World, job: Job, evidence: str, file: str | None, text: str) -> Diagnosis | Missing:
    """Ask for an error's cause. `file` is the script to repair, `text` its content."""
    lines = [f"{number}| {line}" if line else f"{number}|" for number, line in enumerate(text.split("\n"), 1)]
    material = world.prompts.render(
        "repair/evidence",
        script=job.source,
        kind=job.kind,
        message=" ".join(job.message.split()),
        times=job.times,
        evidence=evidence,
        shown={"file": file, "lines": lines} if file is not None and len(lines) <= LONGEST_FILE else None,
    )
    instructions = world.prompts.render("repair/diagnosis")
    command = world.settings.furoshiki_repair_command
    if command:
        return await _of_command(command, f"{instructions}\n\n{material}\n")
    return await _of_model(world, job, instructions, material)


async def _of_model(world: World, job: Job, instructions: str, material: str) -> Diagnosis | Missing:
    settings = world.settings
    with world.database.read() as db:
        today = store.spent(db, PURPOSE, world.now - timedelta(days=1))
    if job.cost_usd >= settings.furoshiki_repair_job_usd or today >= settings.furoshiki_repair_day_usd:
        return "nobody"
    key = refs.name("repair_jobs", job.id)
    question = Question.of(
        "deep", PURPOSE, instructions, material, Diagnosis, max_tokens=3_000, timeout_s=TIMEOUT_S, turn_key=key
    )
    try:
        answer = await patiently(world, affordable(world, question, world.now), world.now)
    except AnswerUnusable:
        return "nobody"
    except NoMindAnswered as error:
        return "later" if error.away else "nobody"
    with world.database.write() as db:
        store.paid(db, job, answer.cost_usd)
    diagnosis: Diagnosis = answer.parsed
    return diagnosis if diagnosis.diff else diagnosis.model_copy(update={"diff": None})


async def _of_command(command: str, said: str) -> Diagnosis | Missing:
    """Run a command and read a diff from its output. It gets no settings or secrets."""
    environ = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": str(Path("~").expanduser())}
    with tempfile.TemporaryDirectory() as folder:
        try:
            process = await asyncio.create_subprocess_exec(
                *shlex.split(command),
                cwd=folder,
                env=environ,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError):
            return "nobody"
        try:
            printed, _ = await asyncio.wait_for(process.communicate(said.encode()), COMMAND_SECONDS)
        except TimeoutError:
            return "nobody"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    diff = printed.decode("utf-8", "replace")
    if process.returncode != 0 or isinstance(patches.read(diff), NoPatch):
        return "nobody"
    return Diagnosis(cause=FROM_COMMAND, defects="one", diff=diff)
