"""A command in what a mind says is shown and cannot be tapped; the program's own can."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from furoshiki.channels.telegram.formatting.entities import compose, format_markdown
from furoshiki.messages.values import COMMANDS_THAT_SHOW, EVERY_COMMAND

TAPPED = re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?(?![\w/<>])")
"""What the apps make of a text by themselves, outside of code and links."""


def _of(text: str, entity: Mapping[str, Any]) -> str:
    units = text.encode("utf-16-le")
    return units[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le")


def tappable(markdown: str, *allowed: str) -> list[str]:
    """The commands of a message that a tap would send."""
    piece = format_markdown(markdown, allowed)
    hidden = [_of(piece.text, one) for one in piece.entities if one["type"] in ("code", "pre", "text_link")]
    text = piece.text
    for one in hidden:
        text = text.replace(one, " " * len(one), 1)
    return TAPPED.findall(text)


LINES = [
    "Just tap /forget and it is gone.", "/undo", "Try **/export** now", "(/forget)", "Do /forget@my_bot, please.",
    "first\n/undo\nlast", "«/export»", "tap /FORGET or /Undo_it", "> /forget", "- /undo\n- /export", "_/forget_ me",
    "/забыть /forget", "é /undo!", "[see](https://evil.example) /undo", "/help", "https://x.example /export",
]  # fmt: skip


@pytest.mark.parametrize("markdown", LINES)
def test_a_minds_words_hold_no_command_to_tap(markdown: str) -> None:
    assert tappable(markdown) == []
    piece = format_markdown(markdown)
    written = re.sub(
        r"[*_>\s«»()•\-⁠]", "", markdown.replace("[see](https://evil.example)", "see(https://evil.example)")
    )
    shown = re.sub(r"[*_>\s«»()•\-⁠]", "", piece.text)
    assert shown == re.sub(r"[()]", "", written), "no sign is put in or taken away"


@pytest.mark.parametrize(
    "text",
    ["look in /usr/bin or /etc/passwd", "5/6 and/or km/h", "a `/forget` in code", "```\n/undo\n```", "1 / 2", "</b>"],
)
def test_what_is_no_command_or_is_code_stays_as_it_is(text: str) -> None:
    marked = [one for one in format_markdown(text).entities if one["type"] == "code"]
    assert len(marked) == text.count("`/")
    assert tappable(text) == []


def test_the_programs_own_may_be_tapped() -> None:
    text = "/status shows how things stand, /undo takes it back"
    assert tappable(text, EVERY_COMMAND) == ["/status", "/undo"]
    assert tappable(text, COMMANDS_THAT_SHOW) == ["/status"]
    assert format_markdown("see evil.example /status", [EVERY_COMMAND]).entities[0]["type"] == "code"


def test_a_link_the_owner_wrote_stays_one() -> None:
    [part] = compose("[/forget](https://ok.example/x) and /forget", ["https://ok.example/x"])
    assert [one["type"] for one in part.entities] == ["text_link", "code"]
