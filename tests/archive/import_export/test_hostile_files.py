"""Exports that somebody made by hand: whatever stands in them, the import ends with a count or a sentence."""

from __future__ import annotations

import copy
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from furoshiki.archive.import_export.importing import Imported, NotImportable, import_file
from tests.support.exports import ANIKA, OWNER, account, chat, claude, claude_message, gpt, gpt_node, message
from tests.support.recall import Memory

DEEP = '["' + "x" * 10 + '"]'
for _ in range(2000):
    DEEP = f"[{DEEP}]"

ODD: tuple[str, ...] = (
    "null", "true", "-1", "1" + "0" * 30, "1" + "0" * 5000, "1e400", "NaN", '""', '"\\ud800\\u0000"', '"0"',
    '"' + "x" * 100_000 + '"', "[]", "{}", '[{"type": 7, "text": {"a": 1}}]', DEEP,
)  # fmt: skip
"""What stands in the place of a value, as JSON, or as something that only looks like it."""

SAMPLES: dict[str, Any] = {
    "telegram": chat(
        message(1, "2024-05-01T10:00:00", ANIKA, "Are you coming?"),
        message(3, "2024-05-01T10:01:00", OWNER, "At eight.", reply_to_message_id=1),
    ),
    "account": account(chat(message(1, "2024-05-01T10:00:00", OWNER, "At eight."))),
    "chatgpt": [
        gpt(gpt_node("a", None, "user", ["Hello"]), gpt_node("b", "a", "assistant", ["Good evening"]), current="b")
    ],
    "claude": [claude(claude_message(1, "human", "Hello"), claude_message(2, "assistant", "Good evening"))],
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where every value of a sample stands."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        yield (*path, key)
        yield from places(one, (*path, key))


def with_odd(sample: Any, path: tuple[Any, ...], odd: str) -> str:
    """The sample as JSON with something odd in one place."""
    made = copy.deepcopy(sample)
    inside = made
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = "@@odd@@"
    return json.dumps(made).replace('"@@odd@@"', odd)


def taken(memory: Memory, path: Path) -> Imported | None:
    try:
        return import_file(memory.database, path)
    except NotImportable:
        return None


@pytest.mark.parametrize("name", SAMPLES)
def test_a_value_that_is_none_is_passed_over_or_named(name: str, memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / ("result.json" if name in ("telegram", "account") else "conversations.json")
    for number, place in enumerate(places(SAMPLES[name])):
        for odd in ODD[number % 3 :: 3]:  # each place meets a third, and its neighbours the others
            path.write_text(with_odd(SAMPLES[name], place, odd))
            done = taken(memory, path)
            assert done is None or done.added <= 2, (place, odd[:40])


def packed(path: Path, body: bytes, *, method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("result.json", body)
    return bytearray(path.read_bytes())


@pytest.mark.parametrize(
    "how", ["encrypted", "cut", "damaged", "unknown method", "lying size", "bomb", "within itself"]
)
def test_an_archive_that_is_none_is_refused_in_words(how: str, memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    body = json.dumps(SAMPLES["telegram"]).encode()
    data = packed(path, b" " * 30_000_000 if how == "bomb" else body)
    at = data.index(b"PK\x01\x02")  # the entry in the directory; its local header stands at the beginning
    if how == "encrypted":
        data[6] |= 1
        data[at + 8] |= 1
    elif how == "cut":
        del data[40:80]
    elif how == "damaged":
        start = 30 + len("result.json")
        data[start : start + 20] = b"\xff" * 20
    elif how == "unknown method":
        data[8] = data[at + 10] = 77
    elif how == "lying size":
        data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    elif how == "within itself":
        data = bytearray(packed(path, bytes(data)))
    path.write_bytes(data)
    with pytest.raises(NotImportable):
        import_file(memory.database, path)
