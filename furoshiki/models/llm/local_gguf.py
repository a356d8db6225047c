"""Models run in this process from a GGUF file, by the optional package xllamacpp (llama.cpp).

For owners who want everything at home. Measured, models below 0.5B garble what they should remember, so none is the
default. Weights stay in memory once loaded; a file is loaded at the first question put to it.
"""

import asyncio
import importlib.util
import secrets
import threading
from pathlib import Path
from typing import Any

from furoshiki.models.llm.chat_completions import conclude, messages_of, take_chunk, tools_of
from furoshiki.models.llm.failures import Failure, safe_words
from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.provider import Form, ModelOptions
from furoshiki.models.llm.values import Question

CONTEXT_TOKENS = 8192
"""Prompt and answer together; a longer window costs memory a small machine does not have."""


NOT_INSTALLED = (
    "models in this process need the package xllamacpp: run `.venv/bin/pip install -r requirements/gguf.txt` where "
    "Furoshiki lies"
)
NO_FILE = (
    "there is no model at {path}: put a GGUF file there (huggingface.co has them: look for the model's name and GGUF), "
    "or write its whole path"
)


def fault(model: str, folder: Path) -> str | None:
    """What is wrong with a `local:` model without loading it; None when nothing is."""
    path = file_of(model, folder)
    if not path.is_file():
        return NO_FILE.format(path=path)
    return NOT_INSTALLED if importlib.util.find_spec("xllamacpp") is None else None


def file_of(model: str, folder: Path) -> Path:
    """The file of a model; one without a path lies in `folder`."""
    return folder / Path(model).expanduser()


class LocalGguf:
    """A provider for models named `local:<file>.gguf`; relative names lie in `folder`."""

    name = "local"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._engines: dict[str, Any] = {}
        self._loading = threading.Lock()

    def load(self) -> None:
        """Look for the package; raises Failure when it is not installed."""
        if importlib.util.find_spec("xllamacpp") is None:
            raise Failure("missing", NOT_INSTALLED, reached=False)

    async def say(
        self, model: str, question: Question, form: Form | None, manner: ModelOptions, hearing: Hearing
    ) -> None:
        """Ask the model of a file. The engine works in a thread of its own and is stopped between two tokens."""
        self.load()
        engine = await asyncio.to_thread(self._engine, model)
        loop, chunks = asyncio.get_running_loop(), asyncio.Queue[object]()
        stopping = threading.Event()

        def on_chunk(chunk: object) -> bool:
            loop.call_soon_threadsafe(chunks.put_nowait, chunk)
            return stopping.is_set()

        body = _body(question, form, manner)
        working = asyncio.create_task(asyncio.to_thread(engine.handle_chat_completions, body, on_chunk))
        working.add_done_callback(lambda task: chunks.put_nowait(None if task.cancelled() else task.exception()))
        try:
            while isinstance(chunk := await chunks.get(), dict):
                await take_chunk(chunk, hearing)
            if chunk is not None:
                words = safe_words(chunk)
                raise Failure("request", f"the engine refused: {words}", status=400, said=words.lower())
        finally:
            # it cannot be interrupted while it reads the prompt, so it is told to stop and not waited for
            stopping.set()
        conclude(hearing)

    async def aclose(self) -> None:
        """Give the weights' memory back."""
        self._engines.clear()

    def _engine(self, model: str) -> Any:
        with self._loading:
            if model not in self._engines:
                self._engines[model] = self._open(model)
            return self._engines[model]

    def _open(self, model: str) -> Any:
        import xllamacpp

        path = file_of(model, self._folder)
        if not path.is_file():
            raise Failure("missing", NO_FILE.format(path=path), reached=False)
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.n_ctx = CONTEXT_TOKENS
        params.n_parallel = 1
        params.warmup = False
        params.verbosity = 0
        # the engine listens on loopback whether one wants it or not; nobody is told this key
        params.api_keys = [secrets.token_hex(16)]
        params.endpoint_slots = False
        params.ui = False
        try:
            return xllamacpp.Server(params)
        except RuntimeError:
            raise Failure(
                "missing", f"{path} cannot be loaded: it is not a GGUF file, or too large", reached=False
            ) from None


def _body(question: Question, form: Form | None, manner: ModelOptions) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": "local",
        "messages": messages_of(question),
        "max_tokens": manner.limit(question),
        "stream": True,
        "stream_options": {"include_usage": True},
        **manner.send,
    }
    if question.tools:
        body["tools"] = tools_of(question.tools)
    if form is not None:
        schema = {"name": form.name, "schema": dict(form.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body
