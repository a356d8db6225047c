"""What a tool of somebody else's answered in JSON is said in words, and code stays."""

from __future__ import annotations

import asyncio

import pytest

from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.rules import spoken
from furoshiki.models.llm.rules.spoken import Manner

PLAIN = Manner({}, "roll two dice", plain=True)

CODE = '```python\nrequests.post(url, headers={"Accept": "text/html"}, data=[1, 2, 3])  # as `post`\n```'


SAID = [
    ('You got {"total": 9, "rolls": [4, 5]}.', "You got total: 9; rolls: 4, 5."),
    ('```json\n{"is_open": true, "until": null}\n```', "is open: yes; until: nothing"),
    ('[{"day": "Monday"}, {"day": "Tuesday"}]', "day: Monday; day: Tuesday"),
    ("It was nine. See [docs], [1] and {x}.", "It was nine. See [docs], [1] and {x}."),
    ("```\nrm -r {a,b}\n```", "```\nrm -r {a,b}\n```"),
    ('```json\n{"day": 1}\n{"day": 2}\n```', "day: 1\nday: 2"),
    ('{"broken": ', '{"broken": '),
    ('Say `{"a": 1}`: {"a": "`b`"}', 'Say `{"a": 1}`: a: `b`'),
    ("3d6+2: [4, 1, 6] + 2 = 13, or [[1, 2], [3]]", "3d6+2: [4, 1, 6] + 2 = 13, or [[1, 2], [3]]"),
    (f"So:\n{CODE}\nIt gives [1, 2].", f"So:\n{CODE}\nIt gives [1, 2]."),
    (CODE.removesuffix("```"), CODE.removesuffix("```")),
    ("```python\n[1, 2, 3]\n```", "```python\n[1, 2, 3]\n```"),
]


@pytest.mark.parametrize(("said", "words"), SAID)
def test_the_form_of_an_answer_is_said_in_words(said: str, words: str) -> None:
    assert spoken.read(said, PLAIN).text == words


@pytest.mark.parametrize(("said", "words"), SAID)
def test_however_it_is_split_the_same_is_said_and_never_more(said: str, words: str) -> None:
    async def split() -> None:
        for pieces in [*([said[:at], said[at:]] for at in range(1, len(said))), list(said)]:
            told: list[str] = []

            async def on_text(text: str, told: list[str] = told) -> None:
                told.append(text)

            hearing = Hearing(on_text, manner=PLAIN)
            for piece in pieces:
                await hearing.add_text(piece)
            assert hearing.read().text == words
            for shown in told:
                assert words.startswith(shown.rstrip()), (pieces[0], shown)

    asyncio.run(split())


def test_a_request_for_json_gets_json() -> None:
    asked = Manner({}, "give it to me as JSON", plain=True)
    assert spoken.read('{"total": 9}', asked).text == '{"total": 9}'
