"""Recipients of encrypted backups: public age keys and SSH keys that age supports."""

_SECRET = ("AGE-SECRET-KEY-", "-----BEGIN")
_KINDS = ("age1", "ssh-ed25519 ")
FORM = "is no recipient of age: write age1… or ssh-ed25519 …, several separated by commas (`furoshiki backup key`)"


def split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def fault(recipient: str) -> str | None:
    """Return the error of a recipient; None when it is usable.
    At most 12 characters are repeated: it may be a misplaced secret."""
    if recipient.upper().startswith(tuple(one.upper() for one in _SECRET)):
        return "is a secret key: keep it elsewhere, and write the recipient (age1…) that belongs to it"
    if not recipient.startswith(_KINDS):
        return FORM
    try:
        read(recipient)
    except ValueError:
        return f"has a recipient that cannot be read, beginning with {recipient[:12]!r}: copy it again, whole"
    return None


def read(recipient: str) -> object:
    """Return the recipient as a pyrage object. Raises ValueError."""
    import pyrage

    kind = pyrage.x25519 if recipient.startswith("age1") else pyrage.ssh
    try:
        return kind.Recipient.from_str(recipient)
    except pyrage.RecipientError as error:
        raise ValueError(str(error)) from error
