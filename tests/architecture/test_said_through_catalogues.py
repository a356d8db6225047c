"""What a person reads in the chat and on pages is said through a catalogue: no sentence stands beside `say`."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from jinja2.nodes import Call, Compare, CondExpr, Const, Getitem, Node, Output, TemplateData, Test

from furoshiki.faces.dashboard.rendering import TEMPLATES, environment
from tests.architecture.source import modules, nodes
from tests.support.said_texts import SAYING

ROOMS = (
    "furoshiki/conversation/commands/",
    "furoshiki/channels/console/",
    "furoshiki/channels/web/",
    "furoshiki/conversation/onboarding/",
    "furoshiki/conversation/promises/own_promises",
    "furoshiki/conversation/promises/rules/not_done",
    "furoshiki/core/failure_words",
    "furoshiki/extensions/plugins/descriptions",
    "furoshiki/faces/cli/language",
    "furoshiki/faces/cli/main",
    "furoshiki/faces/cli/memory/edit",
    "furoshiki/faces/cli/memory/forget",
    "furoshiki/faces/cli/memory/inspect",
    "furoshiki/faces/cli/memory/main",
    "furoshiki/faces/cli/memory/view",
    "furoshiki/faces/cli/memory/details",
    "furoshiki/faces/cli/servers",
    "furoshiki/faces/cli/services/up",
    "furoshiki/faces/cli/talk/chat",
    "furoshiki/faces/cli/talk/pair",
    "furoshiki/faces/cli/talk/tasks",
    "furoshiki/faces/cli/talk/reminder_notice",
    "furoshiki/faces/setup/",
    "furoshiki/faces/terminal/screen",
    "furoshiki/language/reflex/attachment_replies",
    "furoshiki/language/reflex/reminders/",
    "furoshiki/maintenance/setting_changes",
    "furoshiki/memory/perception/documents",
    "furoshiki/mind/outreach/",
    "furoshiki/mind/readiness/",
    "furoshiki/models/limits/room",
    "furoshiki/owner/agenda/rules/long_tasks",
    "furoshiki/owner/routing/rules/telling",
)
SINGLE = re.compile(
    r"furoshiki/(?:conversation/\w+|conversation/skills/choices|channels/telegram/\w+|channels/telegram/formatting/\w+"
    r"|host/update_routing)\.py"
)

ENGLISH_ALONE = {
    "language/reflex/reminders/answers.py": 3,
    "mind/outreach/rules/notes.py": 8,
    "mind/outreach/rules/prepared_words.py": 31,
}
"""Sentences made of English words by English grammar: in another language something else is said, or nothing."""

FOR_NOBODY = {
    "channels/telegram/bot.py": 1,
    "channels/telegram/sender.py": 4,
    "channels/telegram/session.py": 2,
    "conversation/commands/export.py": 1,
    "conversation/deliberate.py": 1,
    "conversation/onboarding/steps.py": 1,
    "conversation/worker.py": 1,
    "faces/setup/invalid_settings.py": 1,
    "mind/outreach/continuity.py": 1,
    "mind/outreach/rules/thoughts.py": 5,
    "mind/outreach/sending.py": 1,
    "mind/outreach/voice.py": 5,
    "mind/readiness/milestones.py": 1,
    "mind/readiness/rules.py": 1,
    "owner/agenda/rules/long_tasks.py": 2,
}
"""What is kept on record, noted for who runs it, or shown to a model."""

UNSEEN = SAYING | {"compile", "execute", "executemany", "Command", "info", "warning", "error", "exception", "debug"}
"""Calls whose texts are said through a catalogue, or by nobody: patterns, SQL, logs."""

OF_MAINTAINERS = re.compile(r"_?architecture|host|simulat|processes|extension_repair")
"""Pages for who runs a machine or mends the program: how it works, homes of a host, errors that came back."""

OF_JINJA = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
UNREAD = re.compile(r"<(code|pre|script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
WORDS_OF_SCRIPT = re.compile(r"""(?:textContent = |Error\(|say\()["'`][^"'`]*[A-Za-z]{2,} [A-Za-z]{2,}""")

SENTENCE = re.compile(r"\S.* .*[.:?!]\W{0,3}", re.DOTALL)
WORD = re.compile(r"[A-Za-z]{2,}")
TWO_WORDS = re.compile(r"[A-Za-z]{2,} +[A-Za-z]{2,}")


def test_no_sentence_of_the_chat_stands_beside_its_catalogue() -> None:
    found = Counter(path for path, _ in _sentences())
    assert dict(found) == ENGLISH_ALONE | FOR_NOBODY


def test_no_words_of_a_page_stand_beside_its_catalogue() -> None:
    found = {}
    for path in sorted(TEMPLATES.rglob("*.j2")):
        seen = UNREAD.sub("\n", OF_JINJA.sub("", path.read_text(encoding="utf-8")))
        if words := [line.strip() for line in seen.splitlines() if len(WORD.findall(line)) >= 2 and "hx-" not in line]:
            found[path.name] = words
    assert {name: words for name, words in found.items() if not OF_MAINTAINERS.match(name)} == {}


def test_no_words_that_a_page_chooses_or_fills_in_stand_beside_its_catalogue() -> None:
    found = {}
    for path in sorted(TEMPLATES.rglob("*.j2")):
        outputs = environment().parse(path.read_text(encoding="utf-8")).find_all(Output)
        words = [text for one in outputs for part in one.nodes for text in _chosen(part) if TWO_WORDS.search(text)]
        if words and not OF_MAINTAINERS.match(path.name):
            found[path.name] = words
    assert found == {}


def test_no_words_of_a_script_stand_beside_its_page() -> None:
    scripts = sorted((TEMPLATES.parent / "static").glob("*.js"))
    found = {path.name: WORDS_OF_SCRIPT.findall(path.read_text(encoding="utf-8")) for path in scripts}
    assert {name: words for name, words in found.items() if words} == {}


def _chosen(node: Node) -> Iterator[str]:
    """The texts of an expression of a template that may be shown as they are: not what is asked of a value."""
    if isinstance(node, Const):
        yield from [node.value] if isinstance(node.value, str) and "`" not in node.value else []
    elif isinstance(node, CondExpr):
        yield from (text for one in (node.expr1, node.expr2) if one is not None for text in _chosen(one))
    elif not isinstance(node, Compare | Test | Getitem | TemplateData):
        said = isinstance(node, Call) and getattr(node.node, "name", "") in SAYING
        yield from (text for one in (node.kwargs if said else node.iter_child_nodes()) for text in _chosen(one))


def _sentences() -> Iterator[tuple[str, str]]:
    for path, tree in modules().items():
        if not (path.startswith(ROOMS) or SINGLE.fullmatch(path)) or "/store/" in path:
            continue
        above = {below: node for node in nodes(tree) for below in ast.iter_child_nodes(node)}
        for node in nodes(tree):
            text = _text(node, above)
            if text and _is_sentence(text) and not any(_unseen(one) for one in _around(node, above)):
                yield path.removeprefix("furoshiki/"), text


def _is_sentence(text: str) -> bool:
    """Whether it ends as a sentence does, has three words, and is no pattern."""
    return bool(SENTENCE.fullmatch(text)) and "(?" not in text and len(WORD.findall(text)) >= 2


def _text(node: ast.AST, above: dict[ast.AST, ast.AST]) -> str | None:
    """A literal with its blanks; None for a docstring, and for a part of one."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return None if isinstance(above.get(node), ast.JoinedStr | ast.Expr) else node.value
    return None


def _around(node: ast.AST, above: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    while (outer := above.get(node)) is not None and not isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef):
        yield outer
        node = outer


def _unseen(node: ast.AST) -> bool:
    if isinstance(node, ast.Raise | ast.Assert):
        return True
    name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
    return name in UNSEEN
