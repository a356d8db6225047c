"""One place decides whose words are whose, and nobody reads what arrived as evidence past it.

The evidence readers of the domain take `Own`, which mypy sees to. Here is looked at who makes that, and who reads the
whole text of a turn or a message, in which everybody's words stand, and what for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.source import modules

DECIDES = "furoshiki/domain/testimony.py"

SUPPOSES = {
    "furoshiki/domain/facts.py": "what is read for facts already",
    "furoshiki/domain/opposition.py": "a claim, turned into the first person to be compared",
    "furoshiki/domain/reflex/hearing.py": "the situation's text: own words, put there by the turn",
    "furoshiki/mind/act/memorizing.py": "clauses of own words",
    "furoshiki/mind/act/skill.py": "nothing, where there is no turn",
    "furoshiki/mind/reflect/judging.py": "facts that were believed already",
    "furoshiki/mind/remember/forgotten_seeds.py": "what is to be forgotten: it is looked for, never kept",
}
"""Who may read words as if they had been told, and which."""

READS_ALL = {
    "furoshiki/domain/reflex/abroad.py": "the companion's replies",
    "furoshiki/domain/reflex/hearing.py": "the companion's replies",
    "furoshiki/domain/reflex/open_questions.py": "the companion's replies",
    "furoshiki/domain/reflex/looking_up.py": "handed on with its passages",
    "furoshiki/domain/reflex/wording.py": "the companion's replies",
    "furoshiki/mind/act/memorizing.py": "the companion's words, which count against a claim",
    "furoshiki/mind/helping.py": "handed on with its passages",
    "furoshiki/mind/commands/why.py": "what is shown, with its source beside it",
    "furoshiki/mind/reflect/commitments.py": "handed on with its passages",
    "furoshiki/mind/reflect/judging.py": "topics: what was spoken about, by anybody",
    "furoshiki/mind/reflect/monologue.py": "handed on with its passages",
    "furoshiki/mind/reflect/musing.py": "the companion's words, which count against a claim",
    "furoshiki/mind/reflect/keeping_sessions.py": "the companion's replies; a session in which only it spoke",
    "furoshiki/mind/reflect/post_conversation.py": "handed on with its passages",
    "furoshiki/mind/reflect/session.py": "the companion's replies",
    "furoshiki/mind/reflect/session_document.py": "what is shown, with its source beside it",
    "furoshiki/mind/remember/accessing.py": "which memory an answer used",
    "furoshiki/mind/remember/focus.py": "what the talk is about",
    "furoshiki/mind/remember/forgetting.py": "what must go",
    "furoshiki/mind/remember/gut.py": "how the whole of it feels where nothing of it is their own",
    "furoshiki/mind/remember/importing.py": "what is kept",
    "furoshiki/mind/remember/overview.py": "what is shown, with its source beside it",
    "furoshiki/mind/remember/recall.py": "what is searched",
    "furoshiki/mind/turn/commit.py": "what is kept",
    "furoshiki/mind/turn/perceive.py": "what the talk was about",
    "furoshiki/mind/turn/righting.py": "handed on with its passages",
    "furoshiki/mind/turn/recall.py": "what is searched, and how long it is",
    "furoshiki/mind/turn/situation.py": "notes on what came along; handed on with its passages",
    "furoshiki/mind/turn/percept.py": "the whole text itself",
}
"""Who reads the whole text of a turn or message, and what for: never as what somebody says of themselves."""

_TURNS = frozenset({"turn", "said", "percept", "earlier"})
_SHOWING = ("testimony.", "labelled")


def called(tree: ast.AST) -> Iterator[str]:
    """What is called."""
    return (ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call))


def named(tree: ast.AST) -> Iterator[str]:
    """Every name that is used, not only imported."""
    return (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def whole_texts(tree: ast.Module) -> Iterator[int]:
    """The lines in which the text of something said is taken, other than to be shown with marks."""
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "text" and isinstance(node.value, ast.Name):
            user = above[node]
            shows = isinstance(user, ast.Call) and ast.unparse(user.func).startswith(_SHOWING)
            if node.value.id in _TURNS and not shows:
                yield node.lineno


def test_only_one_module_makes_own_words() -> None:
    makers = {path for path, tree in modules("Own").items() if "Own" in {*called(tree)}}
    assert makers == {DECIDES}


def test_words_are_supposed_in_few_places() -> None:
    supposing = {path for path, tree in modules("as_told").items() if {"as_told", "testimony.as_told"} & {*named(tree)}}
    assert supposing - {DECIDES} == set(SUPPOSES)


def test_claims_about_a_person_are_judged_by_their_own_words() -> None:
    """`grounded` takes anybody's words: outside the rules only `said_so` is asked, which takes the person's own."""
    asking = [path for path, tree in modules("grounded").items() if "grounded" in {*called(tree)}]
    assert [path for path in asking if path.startswith("furoshiki/mind/")] == []


def test_whole_texts_are_read_only_where_they_are_no_evidence() -> None:
    found = {
        path: lines
        for path, tree in modules(".text").items()
        if path.startswith(("furoshiki/mind/", "furoshiki/domain/reflex/")) and (lines := [*whole_texts(tree)])
    }
    assert set(found) == set(READS_ALL), {path: found.get(path) for path in set(found) ^ set(READS_ALL)}
