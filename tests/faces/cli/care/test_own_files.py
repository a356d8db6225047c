"""Files that a person wrote for another release, or misspelled: the rest of them holds, and each name is said."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.app.scheduler import schedule_file
from furoshiki.app.wiring import inner_life
from furoshiki.conversation.commands.health import judge, read_records
from furoshiki.core.paths import ROOT
from furoshiki.core.settings import Settings
from furoshiki.extensions.tool_servers import configured
from furoshiki.mind.outreach import laws
from furoshiki.models.llm.plans import Plans
from furoshiki.world import World
from tests.support.shell import Command

FILES = {
    "config/inner_life.toml": "wunder = 1\n[emotions.joy]\nnatural = 0.41\nnaturel = 2\n[mood.words.grumpy]\njoy = 1\n",
    "config/outreach.toml": '[cap]\nper_day = 1\nper_wek = 3\n[later_on]\nhours = "many"\n',
    "config/furoshiki.toml": '[channels]\nconsole = "shadow"\nmatrix = "live"\n',
    "config/models.toml": "[patience]\ntries = 4\ntris = 3\n[voices]\nx = 1\n",
    "config/tool_servers.toml": '[notes]\ncommand = "/bin/true"\nsandbx = true\n',
    "memory/schedules.json": '{"jobs": [{"name": "of_another", "enabled": false}, {"name": "backup", "tone": 1}]}',
    "memory/operator_settings.json": '{"FUROSHIKI_BUBBLES": [1], "FUROSHIKI_OF_ANOTHER": 1}',
}

NAMES = (
    *(
        "wunder",
        "emotions.joy.naturel",
        "did you mean 'natural'",
        "mood.words.grumpy",
        "cap.per_wek",
        "later_on",
        "channels.matrix",
    ),
    *(
        "patience.tris",
        "voices",
        "notes.sandbx",
        "(job of_another)",
        "'tone'",
        "FUROSHIKI_BUBBLES",
        "FUROSHIKI_OF_ANOTHER",
    ),
)


def write(data: Path) -> None:
    for name, text in FILES.items():
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).write_text(text)


def test_config_check_names_each_and_the_rest_holds(command: Command, data: Path) -> None:
    write(data)
    found = command("config", "check", "--offline", "--json").json
    said = "\n".join(found["notes"])
    assert [name for name in NAMES if name not in said] == []
    assert len(found["notes"]) == len(set(found["notes"]))
    assert set(found["passed_over"]) <= set(found["notes"])
    assert inner_life(data, Settings()).emotions.natural["joy"] == 0.41
    [notes] = configured.servers(data)
    assert notes.command == "/bin/true"
    assert "of_another" not in schedule_file.read(data / "memory" / "schedules.json")
    assert command("config", "show", "FUROSHIKI_BUBBLES", "--json").json["source"] == "default"
    assert command("config", "unset", "FUROSHIKI_BUBBLES").status == 0
    assert json.loads((data / "memory/operator_settings.json").read_text()) == {"FUROSHIKI_OF_ANOTHER": 1}


def test_status_names_each(world: World) -> None:
    write(world.settings.data)
    with world.database.read() as db:
        written = read_records(db, world.now)
    found = judge(world, {"brain": True, "listener": True}, None, written, Plans({}))
    said = "\n".join(found["notes"])
    assert [name for name in NAMES if name not in said] == []
    assert laws.current(world).per_day == 1


@pytest.mark.slow
def test_the_doctor_names_each_and_asks_the_program_once(command: Command, data: Path, tmp_path: Path) -> None:
    sys.path.append(str(ROOT / "scripts"))
    from doctor_checks import configuration
    from doctor_checks.look import Look
    from doctor_checks.notebook import Notebook
    from doctor_checks.place import Place

    write(data)
    place = Place(data, {**os.environ, "FUROSHIKI_VENV": sys.prefix}, {}, checkout=ROOT)
    look = Look(place, Notebook(data, others=[]), datetime(2026, 5, 13, 12, tzinfo=UTC), 1e6, 1e6, "this start")
    first = list(configuration.check(look))
    said = "\n".join(one.words for one in first)
    assert [name for name in NAMES if name not in said] == []
    assert {one.state for one in first} == {"note", "well"}
    kept = look.notebook.part("passed_over")
    kept["found"] = ["as it was"]
    assert [one.words for one in configuration.check(look)][0] == "as it was"
