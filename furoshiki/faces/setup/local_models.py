"""Chooses a model of a local server, and lets Ollama download one."""

import os
import sys

from furoshiki.core.catalogue import later, say
from furoshiki.core.network.providers import Suggested
from furoshiki.faces.setup import rules
from furoshiki.faces.setup.asking import Asking
from furoshiki.faces.setup.session import Session
from furoshiki.models.choosing import model_servers
from furoshiki.models.choosing.model_servers import LEAST_WINDOW, NotPulled, Server

TO_FETCH = later("The download suggestions go by figures others published; nothing was measured here.")
SMALL = later(
    "The way it's running now, it reads {window} tokens at once, but skills, memories and a "
    "conversation together need at least {least}: {wider}, then run `furoshiki setup` again."
)


def choose_model(session: Session, asking: Asking, server: Server) -> str | None:
    """Return the name of a model, downloaded first if necessary; None: back to the list."""
    there = {model.name: model.about for model in server.models}
    which = f"  {say('Which model')}"
    to_fetch = {one.model: one for one in server.spec.suggested if one.model not in there}
    if not server.spec.suggested:
        if not there:
            return asking.value(which, lambda text: rules.parse_model(text, ()))
        known = list(there)
        session.say(f"  {', '.join(_describe_models(there))}")
        return asking.value(which, lambda text: rules.parse_model(text, known), known[0])
    if to_fetch:
        session.say(f"  {say(TO_FETCH)}")
    offered = there | {name: say("to download, {about}", about=_about(one)) for name, one in to_fetch.items()}
    first = next(iter(there), None) or suggest_model(tuple(to_fetch.values()))
    name = asking.one_of(which, offered, first)
    if name in there:
        return name
    if not asking.yes(f"  {say('Download {gb:g} GB now?', gb=to_fetch[name].size_gb)}"):
        return None
    return name if fetch_model(session, server, name) else None


def suggest_model(some: tuple[Suggested, ...]) -> str:
    """Return the largest model that fits this machine's memory, else the smallest."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    ordered = sorted(some, key=lambda one: one.memory_gb)
    return next((one.model for one in reversed(ordered) if one.memory_gb <= memory * 1.1), ordered[0].model)


def fetch_model(session: Session, server: Server, name: str) -> bool:
    """Let a server download a model, with a progress bar; on failure say why and return False."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("  {task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(file=sys.stderr), disable=not sys.stderr.isatty()) as bar:
            task = bar.add_task(name, total=None)
            for state, done, total in model_servers.pull(server.root, name):
                bar.update(task, description=f"{name}: {state}", completed=done, total=total or None)
    except NotPulled as error:
        session.say(f"  {say('{name} was not downloaded: {why}.', name=name, why=error)}")
        return False
    session.say(f"  {say('{name} is ready.', name=name)}")
    return True


def too_small(server: Server, window: int) -> str | None:
    """Say how to widen a too small context window; None if it is large enough or unknown."""
    if not 0 < window < LEAST_WINDOW:
        return None
    wider = say(server.spec.wider or later("start it with a longer context"))
    return say(SMALL, window=window, least=LEAST_WINDOW, wider=wider)


def _about(one: Suggested) -> str:
    return say("{gb:g} GB, for {memory} GB of memory", gb=one.size_gb, memory=one.memory_gb) + f": {one.measure}"


def _describe_models(there: dict[str, str]) -> list[str]:
    shown = [f"{name} ({about})" if about else name for name, about in list(there.items())[:8]]
    return [*shown, "…"] if len(there) > 8 else shown
