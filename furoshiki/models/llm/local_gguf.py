"""Models run in this process from a GGUF file, by the optional package xllamacpp (llama.cpp).

For owners who want to keep all data local. Measured, models below 0.5B garble facts, so none is a
default. A file is loaded at its first question, and its weights stay in memory.
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

# prompt and answer together; more would cost memory that a small machine lacks
CONTEXT_TOKENS = 8192


NOT_INSTALLED = (
    "models in this process need the package xllamacpp: run `.venv/bin/pip install -r "
    "requirements/gguf.txt` where Furoshiki lies"
)
NO_FILE = (
    "there is no model at {path}: put a GGUF file there (huggingface.co has them: look for the "
    "model's name and GGUF), or write its whole path"
)


def fault(model: str, folder: Path) -> str | None:
    """Return the problem with a `local:` model, without loading it; None when usable."""
    path = file_of(model, folder)
    if not path.is_file():
        return NO_FILE.format(path=path)
    return NOT_INSTALLED if importlib.util.find_spec("xllamacpp") is None else None


def file_of(model: str, folder: Path) -> Path:
    """Return the file of a model; relative paths are in `folder`."""
    return folder / Path(model).expanduser()


class LocalGguf:
    """A provider for models named `local:<file>.gguf`; relative names are in `folder`."""

    name = "local"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._engines: dict[str, Any] = {}
        self._loading = threading.Lock()

    def load(self) -> None:
        """Check that the package is installed. Raises Failure."""
        if importlib.util.find_spec("xllamacpp") is None:
            raise Failure("missing", NOT_INSTALLED, reached=False)

    async def say(
        self, model: str, question: Question, form: Form | None, manner: ModelOptions, hearing: Hearing
    ) -> None:
        """Ask the model of a file. The engine runs in a thread, stoppable between tokens."""
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
            # not interruptible while it reads the prompt: signal it and do not wait
            stopping.set()
        conclude(hearing)

    async def aclose(self) -> None:
        """Free the memory of the weights."""
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
        # the engine always listens on loopback; this key is not disclosed
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
