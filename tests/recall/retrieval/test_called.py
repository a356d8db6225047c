"""Names that are on nobody's account: taken from how people greet each other."""

from __future__ import annotations

import pytest

from furoshiki.recall.retrieval import called_names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What are Kate's hobbies?", ("kate",)),
        ("Did Mika and Kate meet?", ("kate",)),
        ("what did i say", ()),
        ("When did Łukasz call?", ("łukasz",)),
    ],
)
def test_names_nobody_bears(question: str, names: tuple[str, ...]) -> None:
    assert called_names.names_asked_for(question, frozenset({"mika"})) == names


@pytest.mark.parametrize("text", ["Hey Kate!", "hello, kate", "Good morning Kate, slept well?", "thank you Kate"])
def test_greetings(text: str) -> None:
    assert called_names.greets(text, "kate")


@pytest.mark.parametrize("text", ["I met Kate", "hey there", "Hey Katerina", "Kate says hi"])
def test_no_greetings(text: str) -> None:
    assert not called_names.greets(text, "kate")


def test_a_caller_is_one_person_who_calls_often() -> None:
    assert called_names.caller(["Noor", "Noor", "Noor"]) == "Noor"
    assert called_names.caller(["Noor", "Noor"]) is None
    assert called_names.caller(["Noor", "Mika", "Noor", "Mika"]) is None
    assert called_names.caller([]) is None


@pytest.mark.parametrize(
    ("question", "code", "mentioned"),
    [
        ("Как развивались отношения с Гошей?", "ru", {1, 2}),
        ("How did things go with Gosha?", "en", {1, 2}),
        ("Was ist mit Gosha geschehen?", "de", set()),
        ("Гошей я довольна?", "ru", set()),
        ("¿qué pasó con el coche?", "es", set()),
        ("Dün Zeytin'in nesi vardı?", "tr", {4}),
        ("¿Qué me contó Li?", "es", set()),
    ],
)
def test_a_name_from_within_a_question_is_mentioned_in_any_case_and_script(
    question: str, code: str, mentioned: set[int]
) -> None:
    said = {1: "Гоша предложил съехаться", 2: "а с гошей расстались", 3: "годы идут", 4: "Zeytin balkondan düştü"}
    assert called_names.find_mentions(question, code, said) == mentioned
