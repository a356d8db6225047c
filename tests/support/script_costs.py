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
"""What a script may have. How long it takes is printed: 0.3 s of CPU is the aim, and it takes a third of that."""
