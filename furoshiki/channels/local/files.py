"""A file that comes with a message written on this machine: it lies in the inbox beside it until it is answered."""

import base64
import mimetypes
from pathlib import PurePath

from furoshiki.core.settings import Settings
from furoshiki.messages.events import File
from furoshiki.messages.values import Envelope

MOST_BYTES = 5_000_000
"""A larger file is not taken: no document of more is read, and the database holds it for a moment."""

_KINDS = {"image": "photo", "audio": "audio"}
_PICTURES = frozenset({"image/jpeg", "image/png", "image/webp", "image/gif"})
"""What models that see can look at."""


def make_attachment(name: str, data: bytes) -> tuple[str, File]:
    """A file as an attachment, and the kind of message it makes, told by its name."""
    name = PurePath(name.replace("\\", "/")).name[:200] or "file"
    media_type = mimetypes.guess_type(name)[0]
    kind = _KINDS.get((media_type or "").partition("/")[0], "document")
    if kind == "photo" and media_type not in _PICTURES:
        kind = "document"
    held = base64.b64encode(data).decode("ascii")
    return kind, File(name=name, media_type=media_type, size=len(data), data=held)


async def fetch(_settings: Settings, envelope: Envelope) -> bytes:
    """The bytes of the file that came with a message. Raises FileNotFoundError."""
    file = None if envelope.message is None else envelope.message.attachment
    if not isinstance(file, File) or file.data is None:
        raise FileNotFoundError("there is no file with this message")
    return base64.b64decode(file.data)
