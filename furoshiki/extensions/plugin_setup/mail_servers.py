"""IMAP and SMTP servers of common mail providers."""

_BY_DOMAIN = {
    "gmail.com googlemail.com": "imap.gmail.com:993 smtp.gmail.com:465",
    "icloud.com me.com mac.com": "imap.mail.me.com:993 smtp.mail.me.com:587",
    "yahoo.com yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.co.uk": "imap.mail.yahoo.com:993 smtp.mail.yahoo.com:465",
    "aol.com": "imap.aol.com:993 smtp.aol.com:465",
    "gmx.de gmx.net gmx.at gmx.ch": "imap.gmx.net:993 mail.gmx.net:465",
    "gmx.com": "imap.gmx.com:993 mail.gmx.com:465",
    "web.de": "imap.web.de:993 smtp.web.de:587",
    "t-online.de": "secureimap.t-online.de:993 securesmtp.t-online.de:465",
    "posteo.de posteo.net": "posteo.de:993 posteo.de:465",
    "mailbox.org": "imap.mailbox.org:993 smtp.mailbox.org:465",
    "fastmail.com fastmail.fm": "imap.fastmail.com:993 smtp.fastmail.com:465",
    "free.fr": "imap.free.fr:993 smtp.free.fr:465",
    "laposte.net": "imap.laposte.net:993 smtp.laposte.net:465",
    "libero.it": "imapmail.libero.it:993 smtp.libero.it:465",
    "yandex.ru yandex.com ya.ru": "imap.yandex.com:993 smtp.yandex.com:465",
    "mail.ru inbox.ru list.ru bk.ru": "imap.mail.ru:993 smtp.mail.ru:465",
    "qq.com": "imap.qq.com:993 smtp.qq.com:465",
    "163.com": "imap.163.com:993 smtp.163.com:465",
}
"""IMAP and SMTP servers by domain, as the providers publish them."""

_NO_PASSWORDS = frozenset({"outlook.com", "outlook.de", "hotmail.com", "hotmail.de", "live.com", "msn.com"})
"""Providers that do not allow password logins by programs."""


def find_servers(address: str) -> tuple[str, str] | None:
    """Return the IMAP and SMTP server of an address, with ports; None when unknown."""
    domain = address.rpartition("@")[2].lower()
    found = next((servers for names, servers in _BY_DOMAIN.items() if domain in names.split()), None)
    return None if found is None else (found.split()[0], found.split()[1])


def takes_passwords(address: str) -> bool:
    """Return whether an address's provider allows password logins, as far as known."""
    return address.rpartition("@")[2].lower() not in _NO_PASSWORDS
