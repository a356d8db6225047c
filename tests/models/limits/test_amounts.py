"""Limits as they are written, and read again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from furoshiki.core.catalogue import say_sentence, speaking
from furoshiki.core.errors import BadSetting
from furoshiki.models.limits import home_limits, limit_file
from furoshiki.models.limits.rules import amounts
from furoshiki.models.limits.values import Limits, Spent


@pytest.mark.parametrize(
    ("name", "text", "amount", "shown"),
    [
        ("money", "0.50", 0.5, "$0.50"),
        ("money", "$2", 2.0, "$2.00"),
        ("money", "0", 0.0, "$0.00"),
        ("calls", "200", 200, "200"),
        ("at_once", "2", 2, "2"),
        ("disk", "2G", 2 * 1024**3, "2G"),
        ("disk", "1.5g", 3 * 1024**3 // 2, "1.5G"),
        ("disk", "500M", 500 * 1024**2, "500M"),
        ("cpu", "10m", 600, "10m"),
        ("cpu", "90s", 90, "1.5m"),
        ("cpu", "1h", 3600, "1h"),
        ("calls", "None", None, "no limit"),
    ],
)
def test_an_amount_is_read_as_it_is_written(name: str, text: str, amount: float | None, shown: str) -> None:
    assert amounts.parse_amount(name, text) == amount
    assert amounts.format_amount(name, amount) == shown


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("money", "cheap", "dollars a day, as in 0.50"),
        ("money", "-1", "dollars a day"),
        ("money", "1e9", "dollars a day"),
        ("calls", "1.5", "a whole number"),
        ("at_once", "0", "out of range: from 1 to 256"),
        ("disk", "2", "a size with its unit"),
        ("disk", "1k", "a size with its unit"),
        ("cpu", "2h", "out of range: from 1s to 1h"),
        ("cpu", "10", "a time with its unit"),
    ],
)
def test_what_cannot_be_a_limit_is_told_with_how_it_is_written(name: str, text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        amounts.parse_amount(name, text)


def test_a_homes_own_limits_come_before_those_of_every_home(tmp_path: Path) -> None:
    limit_file.change(tmp_path, None, {"money": 0.5, "calls": 100})
    limit_file.change(tmp_path, "anna", {"money": None, "disk": 2**30})
    assert limit_file.of_home(tmp_path, "anna") == Limits(calls=100, disk=2**30)
    assert limit_file.of_home(tmp_path, "ben") == Limits(money=0.5, calls=100)
    limit_file.change(tmp_path, None, {"calls": None})
    assert limit_file.of_home(tmp_path, "ben") == Limits(money=0.5)
    limit_file.forget(tmp_path, "anna")
    assert limit_file.of_home(tmp_path, "anna") == Limits(money=0.5)


@pytest.mark.parametrize("held", ["{", "[]", '{"*": 1}', '{"*": {"money": "much"}}', '{"*": {"calls": -1}}'])
def test_a_file_that_is_wrong_is_told_with_its_place(tmp_path: Path, held: str) -> None:
    (tmp_path / limit_file.NAME).write_text(held)
    with pytest.raises(BadSetting, match=r"limits\.json cannot be used.*repair it"):
        limit_file.of_home(tmp_path, "anna")


def test_limits_of_another_release_are_kept_and_named_and_limit_nothing(tmp_path: Path) -> None:
    host = tmp_path / ".host"
    host.mkdir()
    path = host / limit_file.NAME
    path.write_text('{"version": 2, "*": {"monny": 1, "calls": 9}, "anna": {"words": {"a_day": 5}}}')
    assert limit_file.of_home(host, "anna") == Limits(calls=9)
    limit_file.change(host, "anna", {"money": 0.5})
    limit_file.change(host, None, {"calls": None})
    assert limit_file.of_home(host, "anna") == Limits(money=0.5)
    anna = {"words": {"a_day": 5}, "money": 0.5}
    assert json.loads(path.read_text()) == {"*": {"monny": 1}, "anna": anna, "version": 2}
    assert [words.partition(": ")[2].partition(" is no")[0] for words in limit_file.strange(host)] == [
        "'monny' of '*'",
        "'words' of 'anna'",
        "'version' of 'version'",
    ]
    (tmp_path / "ben").mkdir()
    path.write_text('{"ben": "much"}')
    with pytest.raises(BadSetting, match="repair it"):
        limit_file._read(path)


def test_a_limit_is_reached_when_it_is_met() -> None:
    limits = Limits(money=1.0, calls=10)
    assert home_limits.judge(limits, Spent(0.99, 9, 99.0), 0.0) is None
    money, calls = (home_limits.judge(limits, spent, 0.0) for spent in (Spent(1.0, 9, 0.0), Spent(0.0, 10, 0.0)))
    assert money is not None and money.allowance == "free_only" and "$1.00" in money.reason
    assert calls is not None and calls.allowance == "none" and "10 calls" in calls.reason
    of_all = home_limits.judge(Limits(), Spent(0.0, 0, 5.0), 5.0)
    assert of_all is not None and of_all.allowance == "free_only" and "together" in of_all.reason


def test_a_limit_that_is_reached_is_said_in_the_language_of_who_reads_it() -> None:
    verdict = home_limits.judge(Limits(money=1234.5), Spent(1234.5, 9, 0.0), 0.0)
    assert verdict is not None
    with speaking("de"):
        assert "1.234,50 $" in say_sentence(verdict.reason) or "1234,50 $" in say_sentence(verdict.reason)
    with speaking("pt"):
        assert "US$ 1234,50" in say_sentence(verdict.reason)


def test_a_damaged_file_of_limits_leaves_those_in_force_that_could_be_read_last(tmp_path: Path) -> None:
    limit_file.change(tmp_path, None, {"money": 0.5, "calls": 3})
    assert limit_file.of_home(tmp_path, "anna").calls == 3
    for damage in ("", '{"*": {"money": 0.5,}}', "[" * 100_000):
        (tmp_path / limit_file.NAME).write_text(damage)
        limit_file._laid_over.cache_clear()
        limit_file._load.cache_clear()
        assert limit_file.of_home(tmp_path, "anna").calls == 3
    with pytest.raises(BadSetting, match="repair it"):
        limit_file.change(tmp_path, "anna", {"calls": 9})
    (tmp_path / limit_file.NAME).unlink()
    assert limit_file.of_home(tmp_path, "anna").calls is None
