"""The same emulators and the same program as the end-to-end tests."""

from __future__ import annotations

from tests.e2e.conftest import llm, program, telegram

__all__ = ["llm", "program", "telegram"]
