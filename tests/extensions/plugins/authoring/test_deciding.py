"""Applied is exactly what the owner can read; whatever differs anywhere is refused."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from furoshiki.extensions.plugins.authoring import deciding, wishing, working
from furoshiki.extensions.plugins.authoring.deciding import NotApplied
from furoshiki.extensions.plugins.store import jobs
from furoshiki.world import World
from tests.extensions.plugins.authoring.conftest import FILES, NAME, WISH, reviews, writes
from tests.support.world import Script

pytestmark = pytest.mark.slow  # drafts are tried in the sandbox


@pytest.fixture
def proposal(world: World, model: Script) -> Path:
    """A plugin that was written and waits for its owner."""
    model.lines = [*writes(), *reviews(), *reviews()]
    with world.database.write() as db:
        wishing.wish(world, db, WISH, "command")
    asyncio.run(working.work(world))
    (found,) = (world.settings.data / "proposals").glob("plugin-*.md")
    return found


def test_what_is_applied_is_what_stands_there(world: World, proposal: Path) -> None:
    for typed in (proposal.name, f"proposals/{proposal.name}", str(proposal)):
        assert deciding.ready(world, typed).files == FILES
    done = deciding.ready(world, proposal.name)
    deciding.finish(world, done)
    assert not (world.settings.data / "drafts" / NAME).exists()
    with world.database.read() as db:
        assert [one.state for one in jobs.of_states(db)] == ["applied"]
    with pytest.raises(NotApplied, match="no plugin is proposed"):
        deciding.ready(world, proposal.name)


@pytest.mark.parametrize("changed", ["the proposal", "both", "the draft", "one file more", "a link", "the name"])
def test_what_differs_anywhere_is_refused(world: World, proposal: Path, changed: str) -> None:
    draft = world.settings.data / "drafts" / NAME
    script, typed = draft / "scripts" / "tram.py", proposal.name
    match changed:
        case "the proposal" | "both":
            proposal.write_text(proposal.read_text().replace("[:3]", "[:4]"))
            if changed == "both":
                script.write_text(script.read_text().replace("[:3]", "[:4]"))
        case "the draft":
            script.write_text(script.read_text().replace("[:3]", "[:4]"))
        case "one file more":
            (draft / "scripts" / "more.py").write_text("import os\n")
        case "a link":
            real = proposal.rename(proposal.with_name("elsewhere.md"))
            proposal.symlink_to(real)
        case "the name":
            typed = f"../{proposal.name}.sh"
    with pytest.raises(NotApplied):
        deciding.ready(world, typed)
    with world.database.read() as db:
        assert [one.state for one in jobs.of_states(db)] == ["proposed"]
