"""What lives in one place only: SQL, Chroma, the words for language models; and no module reaches itself again."""

from __future__ import annotations

import ast
import graphlib
import re

import grimp

from tests.architecture.source import imported, modules, nodes, outside_stores

LONGEST_STRING = 300
"""Characters. Longer prose is a prompt or a document and belongs into a file of its own."""

SENTENCE_END = re.compile(r"[a-z)][.!?]\s+[A-Z\"]")
"""Two of them make prose; lists of words and patterns have none."""


def test_only_stores_execute_sql() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path, tree in outside_stores("execute").items()
        for node in nodes(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"execute", "executemany", "executescript"}
    ]
    assert not found


def test_only_stores_open_a_database() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path, tree in outside_stores("connect").items()
        for node in nodes(tree)
        if isinstance(node, ast.Attribute)
        and node.attr == "connect"
        and isinstance(node.value, ast.Name)
        and node.value.id == "sqlite3"
    ]
    assert not found


def test_chroma_is_imported_in_one_module() -> None:
    importers = {
        path for path, tree in modules("chromadb").items() for name, _ in imported(tree) if name.startswith("chromadb")
    }
    assert importers <= {"furoshiki/recall/retrieval/memoryd/chroma.py"}


def test_only_memoryd_uses_the_module_that_opens_chroma() -> None:
    users = {
        path
        for path, tree in modules("chroma").items()
        for node in nodes(tree)
        if isinstance(node, ast.ImportFrom)
        and (
            node.module == "furoshiki.recall.retrieval.memoryd.chroma"
            or (
                node.module == "furoshiki.recall.retrieval.memoryd"
                and any(alias.name == "chroma" for alias in node.names)
            )
        )
    }
    assert users
    assert all(path.startswith("furoshiki/recall/retrieval/memoryd/") for path in users), users


def test_long_texts_lie_in_files() -> None:
    found = [
        f"{path}:{node.lineno} ({len(node.value)} characters)"
        for path, tree in modules().items()
        for node in _strings_but_docstrings(tree)
        if len(node.value) > LONGEST_STRING and len(SENTENCE_END.findall(node.value)) > 1
    ]
    assert not found, "prose for a mind belongs into prompts/"


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = grimp.build_graph("furoshiki", exclude_type_checking_imports=True, cache_dir=None)
    needs = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    graphlib.TopologicalSorter(needs).prepare()


def _strings_but_docstrings(tree: ast.Module) -> list[ast.Constant]:
    """String constants that are not statements of their own, as docstrings are; SQL is not prose."""
    said = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}
    return [
        node
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said and not _is_sql(node)
    ]


def _is_sql(node: ast.Constant) -> bool:
    return str(node.value).lstrip().upper().startswith(("SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH ", "CREATE "))
