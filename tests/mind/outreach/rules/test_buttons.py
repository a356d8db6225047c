"""Under what is said unasked stand the buttons that answer it, by what it comes from."""

from __future__ import annotations

import pytest

from furoshiki.conversation.commands import registry
from furoshiki.mind.outreach.rules import buttons, thoughts
from furoshiki.owner.agenda.rules.mind_queue import Waiting

PROMISE = thoughts.of_failing_promise(4, 2)
DESCRIPTION = thoughts.of_description(3, 0.4, "")
PROPOSAL = thoughts.of_proposal("ab12")
PLUGIN = thoughts.of_plugin(6, "trams", "proposed", own=False)
NUDGED_PROMISE = thoughts.of_open_question(9, "?", 1, PROMISE.key)


@pytest.mark.parametrize(
    ("kind", "source", "key", "data"),
    [
        ("delegation", "memories:7", "promotion:7", ["count.yes:7", "count.no:7"]),
        ("question", "memories:7", "promotion:7", ["count.yes:7", "count.no:7"]),  # as older versions queued it
        ("delegation", DESCRIPTION.source, DESCRIPTION.key, ["self.accept:3", "self.decline:3"]),
        ("delegation", PROPOSAL.source, PROPOSAL.key, ["do.yes:ab12", "do.no:ab12"]),
        ("delegation", PROMISE.source, PROMISE.key, ["promise.drop:4", "promise.keep:4"]),
        ("delegation", PLUGIN.source, PLUGIN.key, ["plugin.show:6", "plugin.decline:6"]),
        ("reminder", "tasks:5", "task_nudge:5:1", ["task.done:5"]),
        ("need", "tasks:5", "need:helpfulness:t", ["task.done:5"]),
        ("task_update", "tasks:5", "task_update:tasks:5", []),
        ("reply_nudge", "tasks:9", thoughts.of_open_question(9, "?", 0, "question:sea live").key, []),
        (
            "reply_nudge",
            "tasks:9",
            thoughts.of_open_question(9, "?", 0, "promotion:7").key,
            ["count.yes:7", "count.no:7"],
        ),
        (
            "reply_nudge",
            "tasks:9",
            thoughts.of_open_question(9, "?", 1, PROPOSAL.key).key,
            ["do.yes:ab12", "do.no:ab12"],
        ),
        ("reply_nudge", "tasks:9", NUDGED_PROMISE.key, ["promise.drop:4", "promise.keep:4"]),
        ("follow_up", "sessions:s1", "follow_up:s1:ask how it went", []),
        ("growth", "personality_drift_log:3", "growth:personality_drift_log:3", []),
        ("thought", "", "thought:the sea", []),
    ],
)  # fmt: skip
def test_by_what_it_comes_from(kind: str, source: str, key: str, data: list[str]) -> None:
    found = [one["data"] for row in buttons.of(Waiting(1, kind, 3, "words", source, key)) for one in row]
    assert found == data
    assert {one.partition(".")[0] for one in found} <= registry.buttons().keys()
    assert all(len(one.encode()) <= 64 for one in found), "Telegram carries no more"


@pytest.mark.parametrize(
    ("kind", "detail", "said"),
    [
        ("delegation", "add “salt”", "Shall I?\n\nadd “salt”"),
        ("delegation", "“They row.”", "May I? “They row.”"),
        ("delegation", "", "Shall I?"),
        ("skill_result", '{"found": 3}', "I found something."),
        ("follow_up", "they said so", "How was it?"),
    ],
)
def test_what_is_decided_stands_there_word_for_word_and_nothing_else_that_is_raw(
    kind: str, detail: str, said: str
) -> None:
    words = said.partition("\n")[0]
    assert buttons.with_matter(Waiting(1, kind, 3, "words", key=f"{kind}:1", detail=detail), words) == said
