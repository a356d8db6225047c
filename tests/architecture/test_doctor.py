"""The doctor works when nothing else does: it imports the standard library and itself."""

from __future__ import annotations

import ast
import sys

import pytest

from tests.architecture.source import ROOT, imported

MODULES = [ROOT / "scripts" / "doctor.py", *sorted((ROOT / "scripts" / "doctor_checks").rglob("*.py"))]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_the_doctor_imports_the_standard_library_alone(path: object) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    found = {name.partition(".")[0] for name, _ in imported(tree)}
    assert found <= {*sys.stdlib_module_names, "doctor_checks"}
