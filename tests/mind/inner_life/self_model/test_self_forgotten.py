"""What is forgotten goes from SELF.md, from every version before it, and from the reasons; the rest of it stays."""

from __future__ import annotations

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.self_model.deep_reflection import reflect
from furoshiki.models.llm.values import Question
from furoshiki.world import World
from tests.support.files import contents
from tests.support.weeks import NEW, ROOM, Week, asking
from tests.support.world import FrozenClock, Script

OSTRA = "They call their boat Ostra. The sound of Ostra stays with me."


@pytest.fixture
def week(world: World, model: Script, clock: FrozenClock) -> Week:
    return Week(asking(world, model), model, clock)


def forget(week: Week, what: str) -> forgetting.Forgotten:
    done = forgetting.forget(week.world, what, forgetting.look(week.world, what).token)
    assert done is not None
    return done


def everywhere(week: Week, word: str) -> list[str]:
    """Files and rows of the drift log that hold a word."""
    data = week.world.settings.data
    found = [
        path.relative_to(data).as_posix() for path, held in contents(data) if word.encode().lower() in held.lower()
    ]
    return found + [str(row["id"]) for row in week.rows("SELECT * FROM personality_drift_log") if word in str(row)]


async def lives(week: Week) -> None:
    """Two looks: the first brings up a boat, the second something else."""
    week.learns("Their boat is called Ostra.")
    (boat,) = week.writes(OSTRA)
    week.says(
        ("I like how the sound of Ostra stays with me.", [f"entry:{boat}"]),
        ("I have grown fond of a sound that stays.", [f"entry:{boat}"]),
        shifts=[("I like the sound of Ostra.", [f"entry:{boat}"])],
        themes=[("Their boat Ostra.", [f"entry:{boat}"])],
    )
    await reflect(week.world)
    week.clock.pass_(days=7)
    (room,) = week.writes(ROOM)
    week.says((NEW, [f"entry:{room}"]), shifts=[])
    await reflect(week.world)


async def test_what_is_forgotten_goes_from_every_version(week: Week) -> None:
    shipped = week.text
    await lives(week)
    assert "Ostra" in (week.file or "") and everywhere(week, "Ostra")
    done = forget(week, "Ostra")
    assert "config/SELF.md" in done.files
    assert everywhere(week, "ostra") == []
    assert week.file == f"{shipped}\n\n{NEW}\n", "what rests on the same words goes without saying the name"
    assert [look.text for look in week.looks] == [shipped, f"{shipped}\n\n{NEW}"]
    assert not description.was_edited(week.world), "it was no edit"
    assert [one.text for one in week.looks[1].reasons] == [NEW]
    assert forgetting.look(week.world, "Ostra").nothing


async def test_it_goes_from_what_the_owner_wrote_as_well(week: Week) -> None:
    await lives(week)
    path = description.path(week.world.settings.data)
    path.write_text("I am Furo. I dream of Ostra at night. I sing.\n")
    forget(week, "Ostra")
    assert week.file == "I am Furo. I sing.\n"
    assert everywhere(week, "ostra") == []
    assert description.was_edited(week.world), "and is still what they wrote"


async def test_a_proposal_forgets_too(week: Week) -> None:
    week.learns("Their boat is called Ostra.")
    (boat,) = week.writes(OSTRA)
    path = description.path(week.world.settings.data)
    path.parent.mkdir(exist_ok=True)
    path.write_text("I am Furo.\n")
    week.says(("I like how the sound of Ostra stays with me.", [f"entry:{boat}"]))
    await reflect(week.world)
    assert week.looks[0].state == "proposed" and "Ostra" in week.looks[0].text
    assert any("proposals/" in name for name in everywhere(week, "Ostra"))
    forget(week, "Ostra")
    assert everywhere(week, "ostra") == []


async def test_what_is_forgotten_while_it_thinks_is_not_thought_through(week: Week) -> None:
    week.learns("Their boat is called Ostra.")
    (boat,) = week.writes(OSTRA)
    week.writes(ROOM)
    week.says(("I have grown fond of a sound that stays.", [f"entry:{boat}"]))
    (answer,) = week.model.lines

    def meanwhile(_question: Question) -> str:
        forget(week, "Ostra")
        return str(answer)

    week.model.lines = [meanwhile]
    report = await reflect(week.world)
    assert not report.did and "forgotten" in report.summary
    assert (week.file, week.looks) == (None, [])
