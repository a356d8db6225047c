"""What an owner decides about: a plugin that ran, one that was written, a repair, a change of who it says it is."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from furoshiki.extensions.plugins import installing, package
from furoshiki.extensions.plugins.authoring import checking
from furoshiki.extensions.plugins.authoring.drafts import Draft
from furoshiki.extensions.plugins.authoring.rules import proposal_text
from furoshiki.extensions.plugins.store import jobs, runs
from furoshiki.extensions.plugins.values import Output, Run
from furoshiki.extensions.repair import proposing, store
from furoshiki.extensions.repair.proposing import Proposal
from furoshiki.extensions.repair.rules.recurring import Recurring
from furoshiki.mind.inner_life.store import drift
from furoshiki.mind.inner_life.store.drift import NewDrift
from furoshiki.owner.agenda import proposal_files
from furoshiki.world import World
from tests.extensions.plugins.authoring.conftest import FILES, NAME
from tests.support import plugins

HOSTILE = "<script>alert(1)</script>"
SCRIPT = "plugins/dice/scripts/main.py"
DIFF = f'--- a/{SCRIPT}\n+++ b/{SCRIPT}\n@@ -1 +1 @@\n-print("{{}}")\n+print("{{}}", flush=True)\n'


def installed(world: World, folder: Path, version: str = "1.0", script: str = plugins.SCRIPT, more: str = "") -> None:
    """The plugin dice, put in place and allowed."""
    source = plugins.write(folder, version=version, script=script, more=more, description=f"Rolls {HOSTILE} dice")
    installing.install(world, package.gather_files(source), "folder")


def ran(world: World, count: int = 1, **more: object) -> None:
    """So many runs of dice."""
    with world.database.write() as db:
        for number in range(count):
            values = {"status": "ok", "ms": 40.0, "cost_usd": 0.01, **more}
            run = Run("dice", "cron", output=Output(log=f"rolled {number} {HOSTILE}"), **values)  # type: ignore[arg-type]
            runs.record(db, run, None, world.now - timedelta(minutes=count - number))


def wrote(world: World) -> int:
    """A plugin the companion wrote, which waits for its owner; the number of the job."""
    draft = Draft(world.settings.data, NAME)
    draft.begin()
    for path, text in FILES.items():
        draft.write(path, text)
    checked = checking.check(draft)
    assert checked.manifest is not None and not checked.problems
    file = f"proposals/plugin-{NAME}-{world.now:%Y-%m-%d}.md"
    with world.database.write() as db:
        made = jobs.add(db, f"tell me when the tram leaves {HOSTILE}", "chat", world.now)
        job = jobs.get(db, made)
        assert job is not None
        text = proposal_text.render(
            NAME, job.wish, "chat", world.now, checked.manifest, checked.files, (), HOSTILE, 0.9, file
        )
        jobs.record_name(db, job, NAME)
        jobs.decide(db, job, "proposed", world.now, proposal=file)
    proposal_files.write(world.settings.data, file, text)
    return made


def broke(world: World) -> int:
    """An error of dice that came back, with a change that is proposed; its number."""
    error = Recurring(
        "sig", "dice", "KeyError", f"KeyError: {HOSTILE}", 3, world.now, world.now, f"Traceback … {HOSTILE}"
    )
    with world.database.write() as db:
        made = store.queue(db, error, world.now)
        assert made is not None
        job = store.get(db, made)
        assert job is not None
    proposal = Proposal("a person should look at it", "It is not flushed.", DIFF, by_us=True)
    file = proposing.write(world.settings.data, job, job.evidence, proposal)
    with world.database.write() as db:
        store.decide(db, job, "proposed", world.now, verdict="a person should look at it", file=file)
    return made


def reconsidered(world: World, before: str) -> int:
    """A change of SELF.md that waits; its number."""
    after = before + "\n\nI like trams."
    with world.database.write() as db:
        new = NewDrift(before, after, "", 0.9, 0.4, (), (), "scripted", 0, "proposed")
        return drift.add(db, new, world.now)
