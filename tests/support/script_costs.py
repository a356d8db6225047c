"""What a script may cost that has nothing to do."""

from __future__ import annotations

HEAVY = (
    "aiogram",
    "alembic",
    "anthropic",
    "asyncio",
    "chromadb",
    "httpx",
    "jinja2",
    "logging",
    "numpy",
    "onnxruntime",
    "openai",
    "pydantic",
    "rich",
    "sqlalchemy",
    "tokenizers",
    "torch",
)


PEAK_MB = 30
"""What chapter 11 allows. How long it takes is printed (chapter 04: 0.3 s of CPU; it takes a third of that)."""
