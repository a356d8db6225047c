"""Whether a changed plugin still works: its own tests, or, without any, the script that failed, run once.

It is a copy that is tried, in the sandbox that plugins run in: nothing of the plugin in use changes before its change
is proved, and what is tried can reach no more than a plugin can. Where nothing holds a plugin, nothing is proved.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from furoshiki.core.errors import in_words
from furoshiki.core.paths import ROOT
from furoshiki.core.process import scratch, trees
from furoshiki.extensions.plugins import pins, running
from furoshiki.extensions.plugins.sandbox import probing
from furoshiki.extensions.plugins.sandbox.command import CannotHold, command
from furoshiki.extensions.plugins.sandbox.supervising import supervise
from furoshiki.extensions.plugins.sandbox.values import Layout, Limits
from furoshiki.world import World

LIMITS = Limits(timeout_s=120.0, cpu_s=60, memory_mb=512)
"""What the tests, or the script, may take."""

SAID = 2_000
"""Characters of what it printed that are kept, the end of it."""

NO_PYTEST = "its tests could not be run: pytest is not installed here"
_TESTS = Path(__file__).with_name("held_tests.py")


@dataclass(frozen=True)
class Checked:
    """Whether it works, and what was found out by what."""

    ok: bool
    words: str


def check(world: World, plugin: Path, script: str, text: str, limits: Limits = LIMITS) -> Checked:
    """Try a plugin in whose `script` (its path below the folder) stands `text`."""
    try:
        compile(text, script, "exec")
    except (SyntaxError, ValueError) as error:
        return Checked(False, f"it does not compile: {error}")
    here = probing.choose_backend(world.settings.furoshiki_plugin_sandbox)
    if here.backend is None:
        return Checked(False, f"nothing holds a plugin on this machine, so that it could not be tried: {here.words}")
    with scratch.folder(world.settings.data, "repair", world.now) as there:
        copy = there / plugin.name
        trees.copy(plugin, copy, _without_data)
        (copy / pins.OWN).mkdir()
        (copy / script).unlink()  # were it a link meanwhile, the copy is a link as well
        (copy / script).write_text(text, encoding="utf-8", newline="")
        tested = any((copy / "tests").glob("**/test_*.py"))
        found = importlib.util.find_spec("pytest") if tested else None
        if tested and (found is None or found.origin is None):
            return Checked(False, NO_PYTEST)
        code = [copy / "PLUGIN.md", copy / "scripts", copy / "packages", running.SDK]
        imports = [copy / "packages", (copy / script).parent, running.SDK]
        if found is not None and found.origin is not None:
            packages = Path(found.origin).parents[1]
            code += [copy / "tests", _TESTS, packages]
            imports.append(packages)
        what = "its tests" if tested else "the script, run once (it has no tests),"
        layout = Layout(_TESTS if tested else copy / script, copy / pins.OWN, tuple(code), tuple(imports))
        try:
            line = command(here.backend, layout, limits, hidden=(world.settings.data, ROOT))
            ended = supervise(here.backend, line, str(copy).encode() if tested else b"{}", limits, layout.data)
        except CannotHold as error:
            return Checked(False, f"{what} could not be run: {error}")
        except OSError as error:
            return Checked(False, f"{what} could not be run: {in_words(error)}")
    if ended.code == 0 and not ended.excess:
        return Checked(True, f"{what} ended well")
    why = f"took too much ({ended.excess})" if ended.excess else f"ended with {ended.code}"
    printed = (ended.stdout + ended.stderr).decode("utf-8", "replace").strip()[-SAID:]
    return Checked(False, f"{what} {why}:\n{printed}")


def _without_data(folder: Path, names: list[str]) -> set[str]:
    """What a copy has no need of: what the plugin wrote itself, and what Python did."""
    top = (folder / "scripts").is_dir()
    return {name for name in names if name == "__pycache__" or (top and name == pins.OWN)}
