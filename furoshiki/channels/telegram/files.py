"""Downloads a file from Telegram: its path from the Bot API, then its bytes, with a size limit."""

from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.outcomes import Delivered, in_words
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.settings import Settings
from furoshiki.messages.events import File
from furoshiki.messages.values import Envelope

MOST_BYTES = 20_000_000  # the public Bot API gives bots no larger files


class FileUnavailable(FuroshikiError):
    """The file cannot be fetched; the message says why in words for its sender."""


async def fetch(api_url: str | None, token: str, file_id: str, limit_bytes: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file over a new connection. Raises FileUnavailable."""
    client = Client(token, api_url)
    try:
        return await fetch_with(client, file_id, limit_bytes)
    finally:
        await client.close()


async def fetch_with(client: Client, file_id: str, limit_bytes: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file through an existing client. Raises FileUnavailable."""
    outcome = await client.call("GetFile", file_id=file_id)
    if not isinstance(outcome, Delivered):
        raise FileUnavailable(f"Telegram does not give the file: {in_words(outcome)}")
    size, path = outcome.result.get("file_size"), outcome.result.get("file_path")
    if isinstance(size, int) and size > limit_bytes:
        raise FileUnavailable(f"the file has {size} bytes; {limit_bytes} is the most that is read")
    if not path:
        raise FileUnavailable("Telegram does not say where the file is")
    found = await client.download(str(path), limit_bytes)
    if not isinstance(found, bytes):
        raise FileUnavailable(f"the file could not be fetched: {in_words(found)}")
    return found


async def fetch_attachment(settings: Settings, envelope: Envelope) -> bytes:
    """Return the bytes of an envelope's attachment. Raises FileUnavailable, also without one."""
    token, file = settings.telegram_bot_token, None if envelope.message is None else envelope.message.attachment
    if token is None or not isinstance(file, File) or not file.file_id:
        raise FileUnavailable("there is no file with this message")
    if file.size is not None and file.size > MOST_BYTES:
        raise FileUnavailable(f"the file has {file.size} bytes; {MOST_BYTES} is the most that is read")
    return await fetch(settings.telegram_api_url, token.get_secret_value(), file.file_id)
