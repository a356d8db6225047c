"""A file sent with a message on this machine: stored in the inbox until it is answered."""

import base64
import mimetypes
from pathlib import PurePath

from furoshiki.core.settings import Settings
from furoshiki.messages.events import File
from furoshiki.messages.values import Envelope

# larger files are refused: no document of more is read, and the database holds it for a moment
MOST_BYTES = 5_000_000

_KINDS = {"image": "photo", "audio": "audio"}
# media types that vision models accept
_PICTURES = frozenset({"image/jpeg", "image/png", "image/webp", "image/gif"})


def make_attachment(name: str, data: bytes) -> tuple[str, File]:
    """Return the message kind, judged by the file's name, and the attachment."""
    name = PurePath(name.replace("\\", "/")).name[:200] or "file"
    media_type = mimetypes.guess_type(name)[0]
    kind = _KINDS.get((media_type or "").partition("/")[0], "document")
    if kind == "photo" and media_type not in _PICTURES:
        kind = "document"
    held = base64.b64encode(data).decode("ascii")
    return kind, File(name=name, media_type=media_type, size=len(data), data=held)


async def fetch(_settings: Settings, envelope: Envelope) -> bytes:
    """Return the bytes of a message's file. Raises FileNotFoundError."""
    file = None if envelope.message is None else envelope.message.attachment
    if not isinstance(file, File) or file.data is None:
        raise FileNotFoundError("there is no file with this message")
    return base64.b64decode(file.data)
