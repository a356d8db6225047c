"""Checks of a changed plugin: its own tests, or else one run of the failed script.

A copy is tried in the plugins' sandbox: the installed plugin changes only after the proof, and the
trial has no more access than a plugin. Without a sandbox nothing can be proved.
"""

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
"""Limits of the tests, or of the script."""

SAID = 2_000
"""Characters kept from the end of the output."""

NO_PYTEST = "its tests could not be run: pytest is not installed here"
_TESTS = Path(__file__).with_name("held_tests.py")


@dataclass(frozen=True)
class Checked:
    """Whether the plugin works, and how that was found out."""

    ok: bool
    words: str


def check(world: World, plugin: Path, script: str, text: str, limits: Limits = LIMITS) -> Checked:
    """Try a plugin with `text` in `script` (a path in its folder)."""
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
        (copy / script).unlink()  # in case it became a link: never write through it
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
    """Return the names not to copy: the plugin's own data, and bytecode caches."""
    top = (folder / "scripts").is_dir()
    return {name for name in names if name == "__pycache__" or (top and name == pins.OWN)}
