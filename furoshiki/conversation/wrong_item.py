"""Handle "No, the other one": undo the last change and apply it to another reminder or list item.

It works with any model, concerns the previous message only, and asks when ambiguous.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.conversation import reflex_input
from furoshiki.conversation.commands import undo
from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.skill import Place, SkillContext
from furoshiki.core import refs
from furoshiki.core.catalogue import get_language, later, say
from furoshiki.language.dates import time_changes
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import When
from furoshiki.language.reflex.reminders import rearranging, requests, selection
from furoshiki.language.reflex.reminders.open_questions import WHICH_ONE
from furoshiki.language.reflex.values import OpenItem
from furoshiki.language.reflex.wording import add_full_stop, join_sentences
from furoshiki.language.requests.correction_words import names_other, read_denial
from furoshiki.language.requests.values import MoveReminder
from furoshiki.language.testimony import Own
from furoshiki.messages.store import skill_runs, turns
from furoshiki.messages.store.skill_runs import Run
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model import user
from furoshiki.world import World

LONGEST = 80  # maximum characters of such a message

# the result keys of a run that changed one reminder, and the action of each
_ACTIONS = {"cancelled": "cancel", "ticked": "done", "moved": "move", "renamed": "rename"}
_DONE = {"check": later("Checked off: {what}."), "remove": later("Taken off: {what}.")}


async def handle(world: World, text: Own, envelope: Envelope) -> Words | None:
    """Handle the message; None for others."""
    if len(text) > LONGEST:
        return None
    denied = read_denial(text)
    with world.database.read() as db:
        said = turns.newest_said(db, envelope.channel, envelope.chat_id, 2)
        asked = len(said) > 1 and said[0].kind == "command" and names_other(said[0].own)
        if not (said and (names_other(text) or denied is not None or asked)):
            return None
        done = said[1] if asked else said[0]
        runs = [one for one in skill_runs.recent(db, undo.NOTING, 2) if one.turn_key == done.turn_key]
        zone, habits = user.zone(world, db), user.habits(world, db).writing(get_language())
        others = _find_others(db, runs[0], world) if len(runs) == 1 else []
    now = world.now.astimezone(zone)
    found = others
    if not names_other(text):
        found = selection.find_meant(denied or text, others, now, habits) if _names(denied or text) else []
    if names_other(text) and len(others) > 1:
        titles = [one.title for one in others]
        return Words(say(WHICH_ONE, first=", ".join(titles[:-1]), last=titles[-1]))
    call = _build_call(runs[0], found[0], done.own, now, habits) if len(found) == 1 else None
    if call is None:
        return None
    with world.database.write() as db:
        back = undo.undo_run(db, runs[0], world.now, zone)
        if back is None or not skill_runs.take_back(db, runs[0].id):
            return None
    skill, key = registry.SKILLS[runs[0].name], refs.name("inbox", envelope.id)
    place = Place(key, envelope.channel, envelope.chat_id, envelope.sender)
    args = skill.arguments.model_validate(call)
    result = await registry.run_once(SkillContext(world, None, place), skill, args)
    now_done = say(_DONE[call["action"]], what=found[0].title) if skill.name == "list" else add_full_stop(result.text)
    with world.database.read() as db:
        return Words(join_sentences(back, now_done), {"buttons": undo.rows_beneath(db, key)})


def _names(words: str) -> bool:
    """Return whether words identify an item ("mum", "the one at 9") and not merely a time."""
    return bool(selection.stems(words)) or words.lower().startswith("the one ")


def _find_others(db: sqlite3.Connection, ran: Run, world: World) -> Sequence[OpenItem]:
    """Return the alternatives to the single changed item."""
    data: Mapping[str, Any] = ran.result.get("data") or {}
    zone = user.zone(world, db)
    if ran.name == "list":
        ids = data.get("ids") or () if data.get("action") in _DONE else ()
        beside = tasks.in_list(db, str(data["list"])) if len(ids) == 1 else []
    else:
        ids = [int(one["id"]) for one in _changed(data)]
        beside = [one for one in tasks.in_list(db, tasks.REMINDERS) if one.due_at] if len(ids) == 1 else []
    return [reflex_input.open_item(one, zone) for one in beside if one.id not in ids]


def _changed(data: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    found = next((data[name] for name in _ACTIONS if name in data), ())
    return [found] if isinstance(found, Mapping) else found


def _build_call(ran: Run, one: OpenItem, said: Own, now: datetime, habits: Habits) -> dict[str, Any] | None:
    """Build the same call for the other item; a time keeps its clock time on the item's own day."""
    data: Mapping[str, Any] = ran.result["data"]
    if ran.name == "list":
        return {"action": data["action"], "list": data["list"], "items": [one.title]}
    action = next(_ACTIONS[name] for name in _ACTIONS if name in data)
    call: dict[str, Any] = {"action": action, "ids": [one.id]}
    for row in data.get("ticked", ()):
        if "left_out" in row:
            call |= {"action": "skip", "when": row["left_out"]}
    if action == "rename":
        call["what"] = data["renamed"]["title"]
    if action == "move":
        wanted = requests.perhaps(said, now, habits) or rearranging.parse_correction(" ".join(said.split()))
        if not isinstance(wanted, MoveReminder):
            return None
        to = time_changes.move_time(wanted.to, one.at or now, now, habits)
        if not isinstance(to, When) or to.past:
            return None
        call["when"] = to.at.isoformat(timespec="seconds")
    return call
