"""The words for states, kinds and reasons: each has its word, and each table is used."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import get_args

import pytest

from furoshiki.conversation.acting.rules import confidence
from furoshiki.conversation.wandering import values as wandering
from furoshiki.core.catalogue import load_words, words
from furoshiki.extensions.plugins.store import jobs
from furoshiki.extensions.plugins.values import Permissions
from furoshiki.extensions.repair import store as repairs
from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.feelings.rules.user_needs import DIMENSIONS
from furoshiki.language import lexicon
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.models.media import values as makers
from furoshiki.owner.agenda.rules import long_tasks
from furoshiki.owner.routing.values import MODES
from tests.architecture.source import ROOT


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ("needs_about", NEEDS),
        ("needs_does", NEEDS),
        ("needs_wants", NEEDS),
        ("user_needs", DIMENSIONS),
        ("mood_causes_said", lexicon.CATEGORIES),
        ("wanderings", get_args(wandering.Action)),
        ("questions", get_args(self_questions.State)),
        ("routing_taken", MODES),
        ("second_thoughts", get_args(confidence.Trigger)),
        ("long_tasks", get_args(long_tasks.State)),
        ("repairs", repairs.STATES),
        ("plugin_wishes", jobs.STATES),
        ("not_drawn", get_args(makers.Why)),
        ("permissions", [field.name for field in fields(Permissions) if field.name != "network"]),
    ],
)
def test_each_has_its_word(table: str, named: tuple[str, ...]) -> None:
    assert set(words(table)) == set(named) and all(words(table).values())


def test_every_table_is_used() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "furoshiki").rglob("*.py"))
    assert set(re.findall(r'words\("(\w+)"\)', source)) == set(load_words())
