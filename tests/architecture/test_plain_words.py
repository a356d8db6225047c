"""What people see is said without the words of the inside: in the chat, on the pages, in `--help`. No text of ours uses
words that nobody writes today.

For the words of the inside not looked at are `--json`, logs, prompts, settings, and the documents of who maintains it.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import polib

from furoshiki.conversation.commands.registry import commands
from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.faces.cli.parser import build
from tests.architecture.source import PACKAGE
from tests.support.said_texts import OTHERS, said

INSIDE = re.compile(
    r"\b(?:vectors?|embedd\w+|index(?:ed|es)?|memoryd|cosine|heartbeat|inbox|outbox|envelope|payload|lane|schema|sqlite"
    r"|chroma|soul_engine|flush_scratch|CTranslate2|percept|arousal|valence|thresholds?|cooldown|retrieval|regex"
    r"|consolidat\w+|promoted|passed the gate)\b",
    re.IGNORECASE,
)

INSIDE_ABROAD = re.compile(
    r"vektor\w*|vecteurs?\b|vettor[ei]\b|vetor\w*|vectore?s?\b|вектор\w*|向量|embedd\w*|индекс\w*|\bindex\w*|索引"
    r"|konsolidier\w*|consolidat\w+|consolidaci\w+|consolida\w+|консолидац\w*|memoryd|sqlite|schwellenwert\w*",
    re.IGNORECASE,
)
"""The same in other languages, in which "índice" and "порог" are words of every day."""

SETTINGS = re.compile(r"FUROSHIKI_|_API_KEY\b|\.env\b")
"""What is set up in the chat is not said as a line of a file."""

OLD = re.compile(r"\b(?:who[e]ver|a[n]ew|hence[f]orth|here[b]y|what is[ ]told)\b", re.IGNORECASE)
"""Brackets keep this line from being found itself."""

SAID = ROOT / "config" / "said"

OURS = ("furoshiki", "prompts", "docs", "scripts", "bench", "tests", "plugins")

OUR_FORMS = {".py", ".md", ".sh", ".j2", ".toml", ".js", ".css"}
"""Tables (`.tsv`, `.txt`) hold what other people wrote."""

OPERATORS = {"encoder", "host"}
"""Commands for those who run machines for others."""

_NOT_SHOWN = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<(script|style|code)\b.*?</\1>|<[^>]+>", re.DOTALL)


def test_no_text_of_ours_has_words_that_nobody_writes_today() -> None:
    below = [path for folder in OURS for path in (ROOT / folder).rglob("*") if path.suffix in OUR_FORMS]
    found = [path for path in [*ROOT.glob("*.md"), *below] if OLD.search(path.read_text("utf-8"))]
    assert [str(path.relative_to(ROOT)) for path in found] == []
    assert [text for text in said() if OLD.search(text)] == []


def test_what_is_said_has_no_words_of_the_inside() -> None:
    assert [text for text in said() if INSIDE.search(text)] == []


def test_what_is_said_in_other_languages_has_none_either() -> None:
    texts = {entry.msgstr for one in OTHERS for entry in polib.pofile(str(SAID / f"{one}.po"))}
    assert [text for text in texts if INSIDE_ABROAD.search(text)] == []


def test_the_built_in_mind_says_nothing_of_them_nor_of_files() -> None:
    tables = read_toml_file(ROOT / "config" / "small_talk.toml")
    texts = [*_texts_in(tables), *_constants((PACKAGE / "language" / "reflex").rglob("*.py"))]
    assert len(texts) > 1_000
    assert [text for text in texts if INSIDE.search(text) or SETTINGS.search(text)] == []


def _texts_in(table: object) -> Iterator[str]:
    if isinstance(table, str):
        yield table
    elif isinstance(table, dict | list):
        for below in table.values() if isinstance(table, dict) else table:
            yield from _texts_in(below)


def _constants(files: Iterable[Path]) -> Iterator[str]:
    """The texts with a space in program files, what explains them left out."""
    for path in files:
        tree = ast.parse(path.read_text("utf-8"))
        explains = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in explains:
                yield from [node.value] if " " in node.value else []


def test_commands_are_described_without_them() -> None:
    assert [one.about for one in commands().values() if INSIDE.search(one.about)] == []


def test_pages_are_without_them() -> None:
    shown = {path: _NOT_SHOWN.sub(" ", path.read_text("utf-8")) for path in (PACKAGE / "faces").rglob("*.html.j2")}
    assert shown
    assert {path.name: found[0] for path, text in shown.items() if (found := INSIDE.findall(text))} == {}


def test_help_is_without_them() -> None:
    assert [words for words in _helps(build()) if INSIDE.search(words)] == []


def _helps(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield parser.description or ""
    for action in parser._actions:
        yield action.help or ""
        for one in getattr(action, "_choices_actions", ()):
            yield one.help or ""
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from _helps(below) if name not in OPERATORS else ()
