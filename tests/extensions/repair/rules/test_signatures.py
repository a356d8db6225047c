"""The same error has the same signature, however its figures, paths and names differ; another error has another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.extensions.repair.rules import signatures
from furoshiki.extensions.repair.rules.signatures import Raised

MASKED = (
    ("no row 17", "no row <number>"),
    ("took 1.25 s, not 0,5", "took <number> s, not <number>"),
    ("at 2026-11-23T06:16:32.123+00:00", "at <number>-<number>-<number>T<number>+<number>"),
    ("cannot open '/home/ada/.furoshiki/x.json'", "cannot open <text>"),
    ('could not convert string to float: "12,5 €"', "could not convert string to float: <text>"),
    ("KeyError(“Anika”) and «Tomas»", "KeyError(<text>) and <text>"),
    ("it doesn't work, and didn't before", "it doesn't work, and didn't before"),
    ("cannot read /var/lib/f/memory/a b", "cannot read <path> b"),
    ("see ~/.furoshiki/logs/brain.log and ./x/y.py", "see <path> and <path>"),
    ("memory/longmemory.sqlite is locked", "<path> is locked"),
    ("<Plugin object at 0x7f3a2b10>", "<Plugin object at <number>>"),
    ("commit deadbeef01 is gone", "commit <number> is gone"),
    ("the facade is decade old", "the facade is decade old"),
    ("job 6f1c2b3a-0d4e-4f5a-8b6c-7d8e9f0a1b2c failed", "job <number> failed"),
    ("request msg_01XyzAbCdEfGhIjKlMn was refused", "request <number> was refused"),
    ("ada.l@example.org is no recipient", "<address> is no recipient"),
    ("GET https://api.example.org/v1/x?id=3 gave 503", "GET <url> gave <number>"),
    ("refused by 10.0.0.17:8080", "refused by <number>"),
    ("refused by fe80::1c2d:3e4f", "refused by <address>"),
    ("two\n  lines\tand more", "two lines and more"),
    ("turn:12 and turn:13", "turn:<number> and turn:<number>"),
    ("", ""),
)


@pytest.mark.parametrize(("message", "masked"), MASKED)
def test_what_differs_each_time_is_masked(message: str, masked: str) -> None:
    assert signatures.mask_message(message) == masked


SAME = (
    (("brain", "ValueError", "no row 17"), ("brain", "ValueError", "no row 4")),
    (("brain", "json.JSONDecodeError", "line 1 column 2"), ("brain", "JSONDecodeError", "line 3 column 40")),
    (("p", "OSError", "[Errno 2] No such file: '/a/b'"), ("p", "OSError", "[Errno 2] No such file: 'c'")),
)  # fmt: skip
OTHER = (
    (("brain", "ValueError", "no row 17"), ("listener", "ValueError", "no row 17")),
    (("brain", "ValueError", "no row 17"), ("brain", "KeyError", "no row 17")),
    (("brain", "ValueError", "no row 17"), ("brain", "ValueError", "no column 17")),
    (("ab", "c", ""), ("a", "bc", "")),
)


@pytest.mark.parametrize(("one", "another"), SAME)
def test_the_same_error_has_the_same_signature(one: tuple[str, str, str], another: tuple[str, str, str]) -> None:
    assert signatures.signature(*one) == signatures.signature(*another)


@pytest.mark.parametrize(("one", "another"), OTHER)
def test_another_error_has_another(one: tuple[str, str, str], another: tuple[str, str, str]) -> None:
    assert signatures.signature(*one) != signatures.signature(*another)


def test_a_signature_is_sixteen_hexadecimal_digits_and_stays_as_it_is_for_ever() -> None:
    assert signatures.signature("soul_engine", "ValueError", "no row 17") == "f6046672c3b9f6da"


@given(st.text(), st.integers(), st.integers(min_value=0))
def test_no_message_breaks_it_and_numbers_never_count(words: str, one: int, another: int) -> None:
    assert len(signatures.signature("s", "E", words)) == signatures.LENGTH
    assert signatures.mask_message(f"row {abs(one)} of {words}") == signatures.mask_message(f"row {another} of {words}")


TRACEBACK = """something broke
Traceback (most recent call last):
  File "/x/scripts/forecast.py", line 12, in <module>
    main()
  File "/x/scripts/forecast.py", line 8, in main
    return rows["Porto"]
           ~~~~^^^^^^^^^
KeyError: 'Porto'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/x/scripts/forecast.py", line 14, in <module>
    raise plugin.errors.Broken("no town") from error
plugin.errors.Broken: no town
and a second line
"""


def test_a_traceback_ends_in_what_was_raised_last() -> None:
    found = Raised("Broken", "no town\nand a second line", ("/x/scripts/forecast.py",))
    assert signatures.of_traceback(TRACEBACK) == found


def test_the_innermost_step_stands_last() -> None:
    found = signatures.of_traceback(TRACEBACK.partition("\nDuring")[0])
    assert found == Raised("KeyError", "'Porto'", ("/x/scripts/forecast.py",) * 2)


def test_a_file_that_is_no_python_has_its_own_place() -> None:
    way = 'Traceback (most recent call last):\n  File "/x/a.py", line 3\n    f(\n     ^\n'
    text = f"{way}SyntaxError: '(' was never closed\n"
    assert signatures.of_traceback(text) == Raised("SyntaxError", "'(' was never closed", ("/x/a.py",))


@pytest.mark.parametrize(
    "text", ["", "all is well", "Traceback (most recent call last):", "ValueError: but no way to it"]
)
def test_without_a_traceback_there_is_nothing(text: str) -> None:
    assert signatures.of_traceback(text) is None


SUMMARIES = (
    (1, "ValueError: no row 3", Raised("ValueError", "no row 3")),
    (1, "KeyError:", Raised("KeyError", "")),
    (4, "the database is locked: try again", Raised("exit 4", "the database is locked: try again")),
    (
        -9,
        "stopped: it took longer than its time limit",
        Raised("exit -9", "stopped: it took longer than its time limit"),
    ),
    (-11, "", Raised("exit -11", "")),
)


@pytest.mark.parametrize(("code", "summary", "raised"), SUMMARIES)
def test_a_run_tells_what_was_raised(code: int, summary: str, raised: Raised) -> None:
    assert signatures.of_summary(code, summary) == raised
