"""A manifest is read, and every problem in one says its line and what to write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.extensions.plugins.rules import names
from furoshiki.extensions.plugins.rules.manifest import judge
from furoshiki.extensions.plugins.values import EntryPoint, Permissions, PluginSetting

WHOLE = """---
name: weather-report
version: 1.0
description: Tells the weather
author: Ann
licence: MIT
min_furoshiki: 0.1.0
entry_points:
  - hook: cron
    script: scripts/fetch.py
    when: "0 7 * * *"
    timeout: 30
  - hook: pre_reflection
    script: scripts/fetch.py
    targets: [deep, morning]
    priority: 10
  - hook: callable
    script: scripts/ask.py
    tool: weather
    description: The weather of a day
    when_to_use: When somebody asks for it
    args_schema:
      type: object
      properties:
        day: {type: string, maxLength: 40}
      required: [day]
    acts: false
permissions:
  read_db: true
  network: [api.example.org, "*.example.net", "setting:SERVER"]
settings:
  - name: SERVER
    about: Whom to ask
    required: yes
requirements: [icalendar==6.3.1]
---
# Weather
"""


def problems(text: str) -> list[str]:
    manifest, found = judge(text.encode(), "0.1.0")
    assert (manifest is None) == bool(found)
    return [f"{line}: {words}" for line, words in found]


def test_a_whole_manifest() -> None:
    manifest, found = judge(WHOLE.encode(), "0.1.0")
    assert not found
    assert manifest is not None
    assert (manifest.name, manifest.version) == ("weather-report", "1.0")  # a version is no number
    assert manifest.entry_points[0] == EntryPoint("cron", "scripts/fetch.py", when="0 7 * * *", timeout_s=30)
    assert manifest.entry_points[1].targets == ("deep", "morning")
    assert manifest.entry_points[2].args_schema["required"] == ["day"]
    hosts = ("api.example.org", "*.example.net", "setting:SERVER")
    assert manifest.permissions == Permissions(read_db=True, network=hosts)
    assert manifest.settings == (PluginSetting("SERVER", "Whom to ask", required=True),)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("name: weather-report", "name: Weather", "2: name 'Weather' does not do; write two to 31 small letters"),
        ("name: weather-report\n", "", "1: name is missing; write a line `name: …`"),
        ("author: Ann", "auther: Ann", "5: 'auther' is not known here; write 'author', if you meant that"),
        ("author: Ann", "author: Ann\nauthor: Bob", "6: 'author' is there twice; write it once"),
        ("author: Ann", "author: &me Ann", "5: anchors and aliases (& and *) are not taken"),
        ("author: Ann", "author: !!python/name:os.system Ann", "5: tags (!) are not taken"),
        ("author: Ann", "author: Ann: Bob", '5: a value with ": " in it needs quotes'),
        ("author: Ann", f"author: {'[' * 40}{']' * 40}", "5: nested more than 12 levels deep"),
        ("author: Ann", "author: Ann\x07", "5: there is a control character here"),
        ("author: Ann", '"author": "Ann\\u202e"', "5: author is one line of words"),
        ("min_furoshiki: 0.1.0", "min_furoshiki: 0.2", "7: it needs Furoshiki 0.2 and this is 0.1.0; upgrade"),
        ('when: "0 7 * * *"', "when: * 7 * * *", '11: a value that begins with * needs quotes; write "* 7 * * *"'),
        ('when: "0 7 * * *"', 'when: "0 25 * * *"', "11: '0 25 * * *' is no cron expression that ever comes"),
        ('when: "0 7 * * *"', 'when: "0 0 30 2 *"', "11: '0 0 30 2 *' is no cron expression that ever comes"),
        ('when: "0 7 * * *"', "targets: [deep]", "11: 'targets' is not known here"),
        ("hook: cron", "hook: corn", "9: hook: 'corn' is not known here; write 'cron'"),
        (
            "script: scripts/ask.py",
            "script: ../ask.py",
            "18: script '../ask.py' does not do; write a file below scripts/",
        ),
        ("script: scripts/ask.py", "script: scripts/../../x.py", "18: script"),
        ("[deep, morning]", "[deep, mornings]", "15: 'mornings' is not known here; write 'morning'"),
        ("timeout: 30", "timeout: 3000", "12: timeout is a number (seconds); write one from 1 to 300"),
        ("type: string", "typo: string", "25: a schema needs a type"),
        ("maxLength", "maxLenght", "25: in a schema of type string, 'maxLenght' is not known here; write 'maxLength'"),
        ("[day]", "[night]", "26: 'night' is required, but no property"),
        ("read_db: true", "read_db: sure", "29: read_db is yes or no; write true or false"),
        ("read_db: true", "read_bd: true", "29: 'read_bd' is not known here; write 'read_db'"),
        ("api.example.org", "https://api.example.org/x", "30: 'https://api.example.org/x' is not a host"),
        ("*.example.net", "*.net", "30: '*.net' is not a host"),
        ("setting:SERVER", "setting:PLACE", "30: there is no setting 'PLACE'"),
        ("icalendar==6.3.1", "icalendar", "35: 'icalendar' is not a requirement; write a pinned package"),
        ("icalendar==6.3.1", "evil @ https://example.org/x.whl", "35: "),
        ("\n---\n# Weather", "", "1: the manifest does not end"),
        ("---\nname", "name", "1: the manifest is missing"),
    ],
)
def test_every_problem_says_its_line_and_what_to_write(before: str, after: str, said: str) -> None:
    found = problems(WHOLE.replace(before, after, 1))
    assert [one for one in found if one.startswith(said)], found


def test_all_problems_are_said_at_once_in_order() -> None:
    found = problems(WHOLE.replace("Ann", '""').replace("timeout: 30", "timeout: x").replace("read_db: true", "x: 1"))
    assert [one.partition(":")[0] for one in found] == ["5", "12", "29"]


def test_what_is_no_text_or_too_long() -> None:
    assert judge(b"---\nname: \xff\n---\n", "1")[1] == ((2, "this is not UTF-8 text; save the file as UTF-8"),)
    assert "larger than 64 KB" in judge(b"---\n" + b"#" * 70_000, "1")[1][0][1]


@given(st.text() | st.builds(lambda at, text: WHOLE[:at] + text + WHOLE[at:], st.integers(4, 800), st.text(max_size=5)))
def test_whatever_stands_there_is_judged(text: str) -> None:
    manifest, found = judge(text.encode("utf-8", "replace"), "0.1.0")
    assert (manifest is None) == bool(found)


@pytest.mark.parametrize("name", ["a", "A-b", "a/b", "..", "-rf", "a_b", "é-x", "ab\n", "a" * 32, ""])
def test_no_such_name(name: str) -> None:
    assert names.PLUGIN.fullmatch(name) is None


def test_a_newer_release() -> None:
    assert names.release("1.10") > names.release("1.9.3")
    assert names.release("1.2.0") == names.release("1.2")
