"""A record of settings: which values it takes, which it refuses, and what it hides."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from furoshiki.core.setting_rows import Misfits, Record, Row, SecretStr


def row(default: Any, **limits: Any) -> Any:
    return Row(default, "page", 1, limits=limits)


class Kitchen(Record, also={"price": (float, row(1.0, ge=0, le=100))}):
    open: bool = row(True)
    seats: int | None = row(None, ge=1, le=50)
    name: str = row("Noor", min_length=1, max_length=8)
    door: Path = row(Path("/door"))
    key: SecretStr | None = row(None)
    day: Literal["sun", "mon"] = row("sun")
    hour: str | None = row(None, pattern=r"^\d\d:\d\d$")

    def explain(self, name: str) -> str:
        return "Any value."


@pytest.mark.parametrize(
    ("name", "given", "held"),
    [
        ("open", "OFF", False),
        ("open", "yes", True),
        ("open", 0, False),
        ("seats", " 1_2 ", 12),
        ("seats", "12.0", 12),
        ("seats", 12.0, 12),
        ("seats", None, None),
        ("price", "1e1", 10.0),
        ("price", 3, 3.0),
        ("door", "/x", Path("/x")),
        ("key", "abc", SecretStr("abc")),
        ("day", "mon", "mon"),
        ("hour", "23:00", "23:00"),
    ],
)
def test_a_value_is_read_as_its_type(name: str, given: Any, held: Any) -> None:
    found = getattr(Kitchen(**{name: given}), name)
    assert (found, type(found)) == (held, type(held))


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("open", "maybe", "must be true or false"),
        ("open", 2, "must be true or false"),
        ("open", None, "must be true or false"),
        ("seats", "1.5", "must be a whole number"),
        ("seats", "٣", "must be a whole number"),
        ("seats", "9" * 5000, "must be a whole number"),
        ("seats", [3], "must be a whole number"),
        ("seats", "0", "must be at least 1"),
        ("seats", "51", "must be at most 50"),
        ("price", "much", "must be a number"),
        ("price", "nan", "must be a number"),
        ("price", "inf", "must be at most 100"),
        ("price", 10**400, "must be a number"),
        ("name", 5, "must be a text"),
        ("name", "", "must not be empty"),
        ("name", "x" * 9, "must have at most 8 characters"),
        ("door", 5, "must be the path of a file or folder"),
        ("key", 5, "must be a text"),
        ("day", "tue", "must be one of sun or mon"),
        ("hour", "23:00\n", "is not valid. It is: Any value."),
        ("cellar", 1, "is not a setting"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_is_required(name: str, given: Any, words: str) -> None:
    with pytest.raises(Misfits) as caught:
        Kitchen(**{name: given})
    assert [(one.name, one.words) for one in caught.value.problems] == [(name, words)]


def test_all_that_does_not_fit_is_named_at_once() -> None:
    with pytest.raises(Misfits) as caught:
        Kitchen(day="tue", open="x")
    assert {one.name for one in caught.value.problems} == {"day", "open"}


def test_a_record_cannot_be_changed_and_a_copy_differs_in_what_was_named() -> None:
    kitchen = Kitchen(seats=3)
    with pytest.raises(AttributeError):
        kitchen.seats = 4
    copy = kitchen.model_copy({"seats": 4})
    assert (kitchen.seats, copy.seats, copy.name) == (3, 4, "Noor")
    assert kitchen == Kitchen(seats="3") != copy
    assert list(kitchen.model_dump()) == list(Kitchen.model_fields)


def test_a_secret_is_hidden_wherever_it_is_printed() -> None:
    kitchen = Kitchen(key="canary")
    assert kitchen.key is not None and kitchen.key.get_secret_value() == "canary"
    assert "canary" not in f"{kitchen} {kitchen!r} {kitchen.key} {kitchen.key!r} {kitchen.model_dump()}"
