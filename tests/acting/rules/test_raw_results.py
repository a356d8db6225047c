import pytest

from furoshiki.acting.rules import raw_results

CODE = '```python\nrequests.post(url, headers={"Accept": "text/html"}, data=[1, 2, 3])  # as `post`\n```'


@pytest.mark.parametrize(
    ("said", "words"),
    [
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
    ],
)
def test_the_form_of_an_answer_is_said_in_words(said, words):
    assert raw_results.worded(said, "roll two dice") == words


def test_whoever_asks_for_json_gets_it():
    assert raw_results.worded('{"total": 9}', "give it to me as JSON") == '{"total": 9}'


def test_what_may_become_json_is_held_back_while_it_is_written():
    assert raw_results.growing('You got {"total": ', "roll") == "You got"
    assert raw_results.growing('You got {"total": 9} and', "roll") == "You got total: 9 and"
    assert raw_results.growing(f"So:\n{CODE}\nAnd ```json\n[", "roll") == f"So:\n{CODE}\nAnd"
