"""What is forgotten waits in no thought, draft or nudge, and stands in no decision and nothing said unasked."""

from __future__ import annotations

from furoshiki.archive.import_export.store import exports
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.mind.outreach import explanation
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import NewDecision
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.world import World
from tests.support.forgetting import NAME, everywhere, forget
from tests.support.unasked import in_telegram, thinks, writes_first


def remembered(world: World) -> World:
    """A life in which the name has got into everything that is said unasked."""
    owned = in_telegram(world)
    with world.database.write() as db:
        turns.add(db, NewTurn("s1", "telegram", "7", USER, f"My sister {NAME} comes on Sunday", world.now))
        turns.add(db, NewTurn("s1", "telegram", "7", USER, "The boat needs paint", world.now))
    writes_first(owned, "How the visit went", f"How was it with {NAME}?", "follow_up")
    writes_first(owned, f"Whether {NAME} got home", "Did she get home?", "question")
    boat = thinks(owned, "How the boat is", "follow_up")
    for kind in ("reply_nudge", "curiosity"):
        thinks(owned, f"{kind} about {NAME}", kind, detail=f"{NAME} again", source="needs:connection")
    with world.database.write() as db:
        drafted = mind_queue.unsaid(db, world.now)[0]
        mind_queue.keep_draft(db, drafted.id, f"I keep thinking of {NAME}")
        reason = f"they said that {NAME} is nobody's business"
        vetoed = NewDecision("thought", 4, "dropped", reason, item_id=boat, gate="polish")
        decisions.record(db, vetoed, world.now)
        tasks.add(db, "gifts", f"a scarf for {NAME}", world.now)
    return owned


def test_nothing_that_is_said_unasked_keeps_it(world: World) -> None:
    owned = remembered(world)
    world.database.checkpoint()
    assert everywhere(world.settings.data) != []
    forget(owned, NAME)
    world.database.checkpoint()
    assert everywhere(world.settings.data) == []
    with world.database.read() as db:
        assert [one.summary for one in mind_queue.unsaid(db, world.now)] in ([], ["How the boat is"])
        exported = [one for one in exports.read_records(db) if one["record"] in ("outreach", "task")]
    assert [one for one in exported if NAME in str(one)] == []
    assert len([one for one in exported if one["record"] == "outreach"]) == 3, "the figures stay"
    told = [*explanation.list_held(owned), *explanation.let_go(owned), explanation.last(owned)]
    assert NAME not in str(told)
