"""One place decides whose words are whose, and nobody reads what arrived as evidence past it.

The evidence readers of the domain take `Own`, which mypy sees to. Here is looked at who makes that, and who reads the
whole text of a turn or a message, in which everybody's words stand, and what for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.source import is_use_case, modules, nodes

DECIDES = "furoshiki/language/testimony.py"

SUPPOSES = {
    "furoshiki/language/facts/extraction.py": "what is read for facts already",
    "furoshiki/language/facts/opposition.py": "a claim, turned into the first person to be compared",
    "furoshiki/language/reflex/hearing.py": "the situation's text: own words, put there by the turn",
    "furoshiki/conversation/skills/skill.py": "nothing, where there is no turn",
    "furoshiki/language/facts/names.py": "own words without what was taken back in them",
    "furoshiki/archive/forgetting/seeds.py": "what is to be forgotten: it is looked for, never kept",
}
"""Who may read words as if they had been told, and which."""

READS_ALL = {
    "furoshiki/conversation/reconsideration.py": "the companion's replies, whose length is counted",
    "furoshiki/language/reflex/hearing.py": "the companion's replies",
    "furoshiki/language/reflex/reminders/open_questions.py": "the companion's replies",
    "furoshiki/language/reflex/wording.py": "the companion's replies",
    "furoshiki/conversation/onboarding/introduction.py": "an answer that is kept as it was written, typed and whole",
    "furoshiki/conversation/skills/memorize.py": "handed on with its passages",
    "furoshiki/conversation/commands/look/why.py": "what is shown, with its source beside it",
    "furoshiki/mind/post_conversation/results.py": "its own replies; a document, with sources beside the words",
    "furoshiki/mind/post_conversation/after_answer.py": "the companion's words right before: whether they asked",
    "furoshiki/mind/post_conversation/imported.py": "how long it is",
    "furoshiki/mind/post_conversation/session.py": "the companion's replies",
    "furoshiki/mind/consolidation/memory_feedback.py": "which memory an answer used",
    "furoshiki/memory/exit_gate.py": "the companion's replies",
    "furoshiki/memory/focus.py": "what the talk is about",
    "furoshiki/archive/forgetting/forgetting.py": "what must go",
    "furoshiki/archive/import_export/importing.py": "what is kept",
    "furoshiki/memory/overview.py": "what is shown, with its source beside it",
    "furoshiki/recall/retrieval/recall.py": "what is searched",
    "furoshiki/recall/retrieval/late_interaction.py": "what is searched",
    "furoshiki/recall/retrieval/called_names.py": "what is searched: who greets whom by which name",
    "furoshiki/conversation/commit.py": "what is kept",
    "furoshiki/memory/perception/perceive.py": "what the talk was about",
    "furoshiki/memory/perception/authorship.py": "told apart by its style, and handed on with its passages",
    "furoshiki/memory/said_corrections.py": "handed on with its passages",
    "furoshiki/conversation/gathering.py": "what is searched, and how long it is",
    "furoshiki/conversation/window.py": "how long it is",
    "furoshiki/conversation/reflex_input.py": "notes on what came along; handed on with its passages",
    "furoshiki/memory/perception/values.py": "the whole text itself",
    "furoshiki/conversation/commands/proposals.py": "one of two times, in answer to a question",
    "furoshiki/conversation/interactions.py": "orders: commands, a plain yes or no",
    "furoshiki/conversation/worker.py": "what is quoted back to its sender",
    "furoshiki/conversation/turn.py": "how long it is",
    "furoshiki/conversation/deliberate.py": "the messages of a prompt",
}
"""Who reads the whole text of a turn or message, and what for: never as what somebody says of themselves."""

_TURNS = frozenset({"turn", "said", "percept", "earlier", "message", "envelope"})
_SHOWING = ("testimony.", "labelled")


def called(tree: ast.Module) -> Iterator[str]:
    """What is called."""
    return (ast.unparse(node.func) for node in nodes(tree) if isinstance(node, ast.Call))


def named(tree: ast.Module) -> Iterator[str]:
    """Every name that is used, not only imported."""
    return (node.id for node in nodes(tree) if isinstance(node, ast.Name))


def whole_texts(tree: ast.Module) -> Iterator[int]:
    """The lines in which the text of something said is taken, other than to be shown with marks."""
    above = {child: node for node in nodes(tree) for child in ast.iter_child_nodes(node)}
    for node in nodes(tree):
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


def test_whole_texts_are_read_only_where_they_are_no_evidence() -> None:
    found = {
        path: lines
        for path, tree in modules(".text").items()
        if (is_use_case(path) or path.startswith("furoshiki/language/reflex/")) and (lines := [*whole_texts(tree)])
    }
    assert set(found) == set(READS_ALL), {path: found.get(path) for path in set(found) ^ set(READS_ALL)}
