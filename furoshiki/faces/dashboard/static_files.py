"""Styles, scripts and icons: read and compressed once, cached by browsers until they change."""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request, Response

FOLDER = Path(__file__).parent / "static"
A_YEAR_S = 365 * 24 * 3600

router = APIRouter()


@dataclass(frozen=True)
class _File:
    body: bytes
    packed: bytes
    kind: str
    mark: str


@cache
def _files() -> dict[str, _File]:
    """Return all served files by their path below `static/`."""
    found = {}
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in (".css", ".js", ".svg", ".png", ".webmanifest"):
            body = path.read_bytes()
            kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            mark = hashlib.sha256(body).hexdigest()[:12]
            found[path.relative_to(FOLDER).as_posix()] = _File(body, gzip.compress(body, 9, mtime=0), kind, mark)
    return found


def address(name: str) -> str:
    """Return a file's address, which changes with its content. Raises KeyError."""
    return f"/static/{name}?{_files()[name].mark}"


@router.get("/static/{name:path}", include_in_schema=False)
def static(name: str, request: Request) -> Response:
    """Serve a file, compressed if the browser accepts that."""
    file = _files().get(name)
    if file is None:
        raise HTTPException(404)
    packed = "gzip" in request.headers.get("accept-encoding", "") and len(file.packed) < len(file.body)
    headers = {"Cache-Control": f"public, max-age={A_YEAR_S}, immutable", "Vary": "Accept-Encoding"}
    if packed:
        headers["Content-Encoding"] = "gzip"
    return Response(file.packed if packed else file.body, media_type=file.kind, headers=headers)
