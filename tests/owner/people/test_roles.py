"""Who may have what done: a row for every command, button and skill, a column for everybody who could ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import pytest

from furoshiki.conversation.commands import registry as commands
from furoshiki.conversation.commands.registry import IN_PRIVATE, OWNER_ONLY, Button, Command
from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.skill import Arguments, Result, Skill
from furoshiki.messages import roles
from furoshiki.messages.roles import OWNER, Person, Standing
from tests.support.people import Somebody
from tests.support.world import Script

YES, NO = True, False

COLUMNS: dict[str, Person] = {
    "owner": Person("owner", "telegram", "7", "7"),
    "console": OWNER,
    "member": Person("member", "telegram", "31", "31"),
    "in group": Person("member", "telegram", "31", "-100", private=False),
    "owner in group": Person("owner", "telegram", "7", "-100", private=False),
    "stranger": Person("stranger", "telegram", "99", "99"),
}

#                          owner console member in group, owner in group, stranger
COMMANDS = {
    "more": (YES, YES, YES, YES, YES, NO),
    "start": (YES, YES, YES, YES, YES, NO),
    "help": (YES, YES, YES, YES, YES, NO),
    "mood": (YES, YES, YES, YES, YES, NO),
    "remind": (YES, YES, YES, YES, YES, NO),
    "voice": (YES, YES, YES, YES, YES, NO),
    "memory": (YES, YES, YES, NO, NO, NO),
    "why": (YES, YES, YES, NO, NO, NO),
    "forget": (YES, YES, YES, NO, NO, NO),
    "tasks": (YES, YES, YES, NO, NO, NO),
    "undo": (YES, YES, YES, NO, NO, NO),
    "status": (YES, YES, NO, NO, NO, NO),
    "self": (YES, YES, NO, NO, NO, NO),
    "quiet": (YES, YES, NO, NO, NO, NO),
    "cost": (YES, YES, NO, NO, NO, NO),
    "readiness": (YES, YES, NO, NO, NO, NO),
    "promises": (YES, YES, NO, NO, NO, NO),
    "repairs": (YES, YES, NO, NO, NO, NO),
    "wish": (YES, YES, NO, NO, NO, NO),
    "mind": (YES, YES, NO, NO, NO, NO),
    "plugins": (YES, YES, NO, NO, NO, NO),
    "settings": (YES, YES, NO, NO, NO, NO),
    "export": (YES, YES, NO, NO, NO, NO),
    "dashboard": (YES, YES, NO, NO, NO, NO),
    "pictures": (YES, YES, NO, NO, NO, NO),
}
BUTTONS = {
    "dashboard": (YES, YES, NO, NO, NO, NO),
    "voice": (YES, YES, NO, NO, NO, NO),
    "task": (YES, YES, YES, YES, YES, NO),
    "remind": (YES, YES, YES, YES, YES, NO),
    "undo": (YES, YES, YES, YES, YES, NO),
    "zone": (YES, YES, YES, YES, YES, NO),
    "name": (YES, YES, YES, YES, YES, NO),
    "called": (YES, YES, NO, NO, NO, NO),
    "card": (YES, YES, NO, NO, NO, NO),
    "card_undo": (YES, YES, NO, NO, NO, NO),
    "forget": (YES, YES, YES, NO, NO, NO),
    "self": (YES, YES, NO, NO, NO, NO),
    "do": (YES, YES, YES, YES, YES, NO),
    "doubt": (YES, YES, YES, YES, YES, NO),
    "count": (YES, YES, NO, NO, NO, NO),
    "outreach": (YES, YES, NO, NO, NO, NO),
    "promise": (YES, YES, NO, NO, NO, NO),
    "plugin": (YES, YES, NO, NO, NO, NO),
    "plug": (YES, YES, NO, NO, NO, NO),
    "longtask": (YES, YES, NO, NO, NO, NO),
    "setting": (YES, YES, NO, NO, NO, NO),
    "quiet": (YES, YES, NO, NO, NO, NO),
    "begin": (YES, YES, NO, NO, NO, NO),
    "mind": (YES, YES, NO, NO, NO, NO),
    "pictures": (YES, YES, NO, NO, NO, NO),
    "know": (YES, YES, YES, NO, NO, NO),
    "why": (YES, YES, YES, NO, NO, NO),
}
SKILLS = {
    "recall": (YES, YES, YES, YES, YES, NO),
    "memorize": (YES, YES, YES, YES, YES, NO),
    "schedule": (YES, YES, YES, YES, YES, NO),
    "list": (YES, YES, YES, YES, YES, NO),
    "introspect": (YES, YES, YES, YES, YES, NO),
    "associate": (YES, YES, YES, YES, YES, NO),
    "find_tools": (YES, YES, YES, YES, YES, NO),
    "autobiography": (YES, YES, YES, NO, NO, NO),
    "focus": (YES, YES, NO, NO, NO, NO),
    "draw_picture": (YES, YES, NO, NO, NO, NO),
    "quiet": (YES, YES, NO, NO, NO, NO),
    "persistent_task": (YES, YES, NO, NO, NO, NO),
    "wish_plugin": (YES, YES, NO, NO, NO, NO),
}

Whom = Mapping[str, Command | Button | Skill]

TABLES: list[tuple[Whom, dict[str, tuple[bool, ...]]]] = [
    (commands.commands(), COMMANDS),
    (commands.buttons(), BUTTONS),
    (registry.SKILLS, SKILLS),
]


@pytest.mark.parametrize(("there", "rows"), TABLES, ids=["commands", "buttons", "skills"])
def test_everything_there_is_has_its_row(there: Whom, rows: dict[str, tuple[bool, ...]]) -> None:
    assert there.keys() == rows.keys()
    for name, row in rows.items():
        found = tuple(roles.may(there[name].who, person.standing) for person in COLUMNS.values())
        assert found == row, name


@pytest.mark.parametrize("standing", get_args(Standing))
def test_what_does_not_say_whom_it_is_for_is_the_owners_alone(standing: Standing) -> None:
    skill = Skill("new", "", Arguments, 1.0, lambda _doing, _args: Result(True, ""))
    for one in (Command("new"), Button("new", ("do",)), skill):
        assert roles.may(one.who, standing) is (standing == "owner")


def test_everybody_but_the_owner_alone_has_a_place_of_their_own() -> None:
    places = {name: person.place for name, person in COLUMNS.items()}
    assert places == {
        "owner": None,
        "console": None,
        "member": "telegram-31",
        "in group": "telegram-31-in--100",
        "owner in group": "telegram-7-in--100",
        "stranger": "telegram-99",
    }


def test_the_name_of_a_place_tells_whose_it_is() -> None:
    for person in COLUMNS.values():
        if person.place is not None and person.role == "member":
            assert roles.of_place(person.place) == person


def test_a_strange_id_makes_no_path() -> None:
    assert Person("member", "telegram", "../../x", "1").place == "telegram-______x"


@pytest.mark.parametrize("name", sorted(COMMANDS))
async def test_a_command_answers_whom_it_may_and_refuses_the_rest(
    name: str, owner: Somebody, member: Somebody, in_group: Somebody, console: Somebody, model: Script
) -> None:
    for who, column in ((owner, "owner"), (console, "console"), (member, "member"), (in_group, "in group")):
        [answer, *_] = await who.says(f"/{name}")
        allowed = COMMANDS[name][list(COLUMNS).index(column)]
        assert (answer not in (OWNER_ONLY, IN_PRIVATE)) is allowed, column
    assert model.questions == []


async def test_a_stranger_is_not_answered_even_when_the_message_was_let_in_before(
    owner: Somebody, model: Script
) -> None:
    stranger = Somebody(owner.world, owner.worker, chat_id="99", sender="99")
    for text in ("hello", "/memory", "/start"):
        assert await stranger.says(text) == []
    assert model.questions == []
    assert owner.envelope(1)["state"] == "done"


@pytest.mark.parametrize(("column", "person"), COLUMNS.items())
def test_a_model_is_offered_what_may_be_used(column: str, person: Person) -> None:
    offered = {tool.name for tool in registry.tools(person.standing, paints=True)}
    assert offered == {name for name, row in SKILLS.items() if row[list(COLUMNS).index(column)]}


async def test_help_lists_what_may_be_asked(owner: Somebody, member: Somebody) -> None:
    theirs = "\n".join([*await member.says("/help"), *await member.says("/more")])
    ours = "\n".join([*await owner.says("/help"), *await owner.says("/more")])
    assert "/export" in ours and "/status" in ours
    assert "/export" not in theirs and "/status" not in theirs and "/memory" in theirs
