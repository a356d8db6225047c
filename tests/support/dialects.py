"""The two dialects of providers, spoken by an emulator."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.llm.server import Claude, Gpt, Server

CANARY = "sk-canary-1234567890abcdef"


Dialect = type[Claude] | type[Gpt]


def values(dialect: Dialect, server: Server, *, both: Server | None = None) -> dict[str, str | None]:
    model = {"anthropic": "anthropic:claude-sonnet-5-5", "openai": "openai:gpt-6-luna"}
    plan = model[dialect.name]
    env: dict[str, str | None] = {f"{dialect.name.upper()}_API_KEY": CANARY}
    env[f"{dialect.name.upper()}_BASE_URL"] = server.url
    if both is not None:
        other = "openai" if dialect is Claude else "anthropic"
        plan += f",{model[other]}"
        env |= {f"{other.upper()}_API_KEY": CANARY, f"{other.upper()}_BASE_URL": both.url}
    return {**env, "FUROSHIKI_MODEL_CHAT": plan}


@pytest.fixture(params=[Claude, Gpt], ids=["anthropic", "openai"])
def dialect(request: pytest.FixtureRequest) -> Any:
    return request.param
