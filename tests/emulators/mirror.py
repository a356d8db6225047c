"""Files on loopback as the network has them: whole or from some byte on, slowly, and cut off; and a package index."""

from __future__ import annotations

import hashlib
import threading
import zipfile
from collections.abc import Generator, Mapping
from io import BytesIO
from types import TracebackType
from typing import Self

from tests.emulators.loopback import Cut, Loopback, Reply, Request

CHUNK = 64 * 1024


class Mirror:
    """`files` by their paths, and where some have `moved` to. `asked` are the paths and ranges that were asked for. Of
    the next large answer only `cut_after` bytes come, where that is set; between two chunks pass `pace` seconds."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[tuple[str, str]] = []
        self.cut_after: int | None = None
        self.moved: dict[str, str] = {}
        self.pace = 0.0
        self.status = 200
        self.resumes = True
        self._lock = threading.Lock()
        self._server = Loopback(self._answer)
        self.url, self.offline, self.online = self._server.url, self._server.offline, self._server.online

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop()

    def hold(self, path: str, content: bytes) -> str:
        """Have a file here; its row of the table of what can be fetched."""
        self.files[path] = content
        digest = hashlib.sha256(content).hexdigest()
        return f'url = "{self.url}{path}"\nsize = {len(content)}\nsha256 = "{digest}"\n'

    def package(self, name: str, files: Mapping[str, str]) -> str:
        """Have a package in the index; the line of a lock that pins it."""
        content = wheel(name, {path: text.encode() for path, text in files.items()})
        file = f"{name}-1.0-py3-none-any.whl"
        self.files[f"/packages/{file}"] = content
        project = name.replace("_", "-")
        self.files[f"/simple/{project}/"] = f'<a href="/packages/{file}">{file}</a>'.encode()
        return f"{project}==1.0 --hash=sha256:{hashlib.sha256(content).hexdigest()}\n"

    def _answer(self, request: Request) -> Reply:
        asked = request.headers.get("range", "")
        with self._lock:
            self.asked.append((request.path, asked))
            cut, self.cut_after = self.cut_after, None
        if request.path in self.moved:
            return Reply(302, headers={"location": self.moved[request.path]})
        content = self.files.get(request.path)
        if content is None or self.status != 200:
            return Reply(404 if content is None else self.status)
        kind = "text/html" if request.path.startswith("/simple") else "application/octet-stream"
        begins = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.resumes else 0
        status = 206 if begins else 200
        return Reply(status, content_type=kind, chunks=self._chunks(content[begins:], cut, request))

    def _chunks(self, content: bytes, cut: int | None, request: Request) -> Generator[bytes, None, None]:
        for at in range(0, len(content), CHUNK):
            if cut is not None and at >= cut:
                raise Cut
            yield content[at : at + CHUNK]
            if self.pace:
                self._server.pause(self.pace, request)


def wheel(name: str, files: Mapping[str, bytes]) -> bytes:
    """A wheel that holds these files."""
    made = BytesIO()
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return made.getvalue()
