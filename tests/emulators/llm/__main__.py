"""Runs the model emulator alone with its default answers until the end of its input; every request is printed."""

from __future__ import annotations

import argparse
import sys

from . import LLMEmulator, Request


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8082)
    arguments = parser.parse_args()
    with LLMEmulator(_told, port=arguments.port) as llm:
        print(f"ANTHROPIC_BASE_URL={llm.anthropic_url}\nOPENAI_BASE_URL={llm.openai_url}", flush=True)
        sys.stdin.read()
    return 0


def _told(request: Request) -> None:
    print(f"{request.api} {request.model}: {request.words!r}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
