"""A template for a new plugin: it passes `furoshiki plugins check`, answers, and has a test."""

from pathlib import Path

from furoshiki.core.paths import version
from furoshiki.extensions.plugins import manifest

_TEMPLATE = Path(__file__).with_name("template")


def write(folder: Path) -> list[str]:
    """Create a plugin in a new folder, named like it; returns the files. Raises OSError."""
    files = {
        manifest.FILE: _read("PLUGIN.md").format(name=folder.name, version=version(), folder=folder),
        "scripts/main.py": _read("main.py.txt"),
        "tests/test_main.py": _read("test_main.py.txt"),
    }
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return list(files)


def _read(name: str) -> str:
    return (_TEMPLATE / name).read_text(encoding="utf-8")
