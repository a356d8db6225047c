"""Static analysis of a plugin's code: findings with file and line, in plain words.

A summary for people and a reason to return a draft, not a security boundary: code can hide its
intentions. The boundary is the sandbox.
"""

import ast
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from furoshiki.extensions.plugins.values import Manifest
from furoshiki.language.words import word_set

Severity = Literal["blocking", "note"]

LONGEST_LINE = 400  # maximum characters of a line, for readability

SDK = "furoshiki_plugin"

# modules of the standard library that plugins may use, some only in parts (see below)
FREE = word_set("""
__future__ abc argparse ast base64 bisect calendar cmath collections colorsys contextlib copy csv
dataclasses datetime decimal difflib email enum fractions functools graphlib gzip hashlib heapq
hmac html io itertools json locale logging math numbers operator os pathlib pprint random re
secrets sqlite3 statistics string struct sys textwrap time tomllib traceback typing unicodedata
urllib uuid warnings xml zlib zoneinfo
""")

# further modules for the tests of a plugin
IN_TESTS = frozenset({"pytest", "runpy", "unittest", "tempfile"})

# modules of which only these parts may be used
_PARTS: Mapping[str, frozenset[str]] = {
    "os": frozenset({"path", "sep", "linesep"}),
    "sys": frozenset({"argv", "stdin", "stdout", "stderr", "exit", "maxsize", "version_info"}),
    "io": frozenset({"StringIO", "BytesIO", "TextIOWrapper"}),
    "urllib": frozenset({"parse"}),
    "operator": frozenset(
        {"itemgetter", "add", "sub", "mul", "truediv", "eq", "lt", "le", "gt", "ge", "neg", "and_", "or_"}
    ),
}

_WHY: Mapping[str, str] = {
    **dict.fromkeys(("subprocess", "multiprocessing", "pty", "concurrent", "signal"), "it starts or steers processes"),
    **dict.fromkeys(("socket", "ssl", "http", "httpx", "requests", "aiohttp", "ftplib", "smtplib", "asyncio", "select"),
                    "it opens connections; use fetch of furoshiki_plugin and permissions.network"),
    **dict.fromkeys(("ctypes", "cffi", "mmap", "resource", "fcntl", "gc", "inspect", "types", "code", "codeop", "dis"),
                    "it reaches below the language"),
    **dict.fromkeys(("pickle", "marshal", "shelve", "dill"), "what it reads can run code"),
    **dict.fromkeys(("importlib", "imp", "pkgutil", "runpy", "site", "zipimport", "builtins"), "it loads code"),
    **dict.fromkeys(("shutil", "tempfile", "glob"), "it works on files anywhere; use data_dir() and pathlib"),
}  # fmt: skip

_DYNAMIC = frozenset(
    {"eval", "exec", "compile", "__import__", "breakpoint", "globals", "locals", "vars", "__builtins__"}
)
_ATTRIBUTES = frozenset({"getattr", "setattr", "delattr", "hasattr"})
_HARMLESS_DUNDERS = frozenset(
    {"__name__", "__doc__", "__init__", "__file__", "__version__", "__post_init__", "__str__"}
)
_FILE_TRICKS = frozenset(
    {"symlink_to", "hardlink_to", "chmod", "lchmod", "enable_load_extension", "load_extension", "readlink"}
)
_WRITES = frozenset({"write_text", "write_bytes", "unlink", "rmdir", "mkdir", "touch", "rename", "replace"})
_ELSEWHERE = re.compile(
    r"(?:/(?:etc|proc|sys|dev|home|root|var|tmp|run|usr|boot|mnt|opt|srv|lib|bin)(?:/|\Z)|~|(?:.*/)?\.\.(?:/|\Z))"
)
_SECRET_NAMES = re.compile(
    r"\.env\b|\b[A-Z]{3,}_(?:API_KEY|BOT_TOKEN|SECRET)\b|operator_settings\.json|longmemory\.sqlite|\.ssh\b|id_rsa"
    r"|id_ed25519|\.aws\b|\.netrc|\bPLUGIN_[A-Z0-9_]{3,}"
)
_KEY_LIKE = re.compile(r"(?:sk|pk|ghp|gho|xox[bp]|AKIA|AIza)[-_A-Za-z0-9]{16,200}")
_FORMAT_TRICK = re.compile(r"\{[^{}]{0,80}__[^{}]{0,80}\}")
_HOST = re.compile(r"https?://([^/?#]*@)?([^/:?#@]*)[^/?#@]*([/?#]?)", re.IGNORECASE)
# the permission that each function of furoshiki_plugin needs
_CALLS: Mapping[str, str] = {
    "read_db": "read_db",
    "say_later": "write_mind_queue",
    "do": "write_db",
    "think": "llm",
    "fetch": "network",
    "find_mail": "read_mail",
    "fetch_mail": "read_mail",
    "send_mail": "send_mail",
}

_DOES: Mapping[str, str] = {
    "read_db": "reads the database",
    "write_mind_queue": "puts thoughts into the mind queue",
    "write_db": "changes something in the database",
    "llm": "asks a language model",
    "network": "speaks to hosts on the network",
    "read_mail": "reads its owner's mail",
    "send_mail": "sends mail",
}


@dataclass(frozen=True, order=True)
class Finding:
    """A finding with place and words. A draft with a `blocking` finding is not proposed."""

    file: str
    line: int
    severity: Severity
    words: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.words}"


def review(files: Mapping[str, str], manifest: Manifest | None) -> tuple[Finding, ...]:
    """Return all findings for files by path, sorted by file and line, without duplicates."""
    findings = [finding for file, text in files.items() for finding in _hidden(file, text)]
    own = {part for file in files if file.endswith(".py") for part in re.split(r"[/.]", file)}
    used: dict[str, tuple[str, int]] = {}
    hosts = manifest.permissions.network if manifest is not None else ()
    for file, text in files.items():
        if file.endswith(".py"):
            reading = _Reading(file, own, hosts)
            findings += reading.of(text)
            if not file.startswith("tests/"):
                used = {**reading.used, **used}
    if manifest is not None:
        findings += _permissions(manifest, used)
    return tuple(sorted(set(findings)))


def list_blocking(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings for which a draft is returned to its author."""
    return tuple(finding for finding in findings if finding.severity == "blocking")


def _permissions(manifest: Manifest, used: Mapping[str, tuple[str, int]]) -> Iterator[Finding]:
    permissions = manifest.permissions
    granted = {name for name in _DOES if getattr(permissions, name)}
    for name, (file, line) in used.items():
        if name not in granted:
            yield Finding(file, line, "blocking", f"{_DOES[name]}, without the permission {name} in PLUGIN.md")
    for name in sorted(granted - set(used)):
        words = f"asks for the permission {name} and is not seen to use it; take it out"
        yield Finding("PLUGIN.md", 1, "blocking", words)
    for host in permissions.network:
        if host.startswith("*."):
            yield Finding("PLUGIN.md", 1, "note", f"may speak to every host below {host[2:]}")
    if manifest.requirements:
        words = "needs packages, whose code nobody has read here; write it with the standard library"
        yield Finding("PLUGIN.md", 1, "blocking", words)


def _hidden(file: str, text: str) -> Iterator[Finding]:
    for number, line in enumerate(text.split("\n"), 1):
        if any(char != "\t" and unicodedata.category(char) in ("Cc", "Cf", "Co", "Zl", "Zp") for char in line):
            yield Finding(file, number, "blocking", "holds characters that cannot be seen")
        if len(line) > LONGEST_LINE:
            yield Finding(file, number, "blocking", f"is longer than {LONGEST_LINE} characters: nobody reads that")
        if _KEY_LIKE.search(line):
            yield Finding(file, number, "blocking", "holds what looks like a key; a secret belongs into a setting")


class _Reading:
    """The analysis of one file. `used`: the permissions needed, with their first place."""

    def __init__(self, file: str, own: set[str], hosts: Sequence[str]) -> None:
        self.used: dict[str, tuple[str, int]] = {}
        self._file, self._own, self._hosts = file, own, hosts
        self._modules: dict[str, str] = {}
        self._found: list[Finding] = []

    def of(self, source: str) -> list[Finding]:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 1
            return [Finding(self._file, line, "blocking", f"is no Python: {getattr(error, 'msg', error)}")]
        nodes = list(ast.walk(tree))
        for node in nodes:
            if isinstance(node, ast.Import):
                for name in node.names:
                    self._import(node, name.name, name.asname or name.name.partition(".")[0])
            elif isinstance(node, ast.ImportFrom) and not node.level:
                self._from(node, node.module or "")
        for node in nodes:
            match node:
                case ast.Name():
                    self._name(node)
                case ast.Attribute():
                    self._attribute(node)
                case ast.Call():
                    self._call(node)
                case ast.Constant(value=str(text)):
                    self._text(node, text)
        return self._found

    def _say(self, node: ast.AST, words: str, severity: Severity = "blocking") -> None:
        self._found.append(Finding(self._file, getattr(node, "lineno", 1), severity, words))

    def _use(self, permission: str, node: ast.AST) -> None:
        self.used.setdefault(permission, (self._file, getattr(node, "lineno", 1)))

    def _import(self, node: ast.AST, name: str, known_as: str) -> None:
        top, _, rest = name.partition(".")
        if top == SDK:
            self._modules[known_as] = SDK
        elif not self._may(top):
            self._say(node, f"imports {top}: {_WHY.get(top, 'not one of the modules a plugin may use')}")
        elif top in _PARTS:
            self._modules[known_as] = top
            if rest and rest.partition(".")[0] not in _PARTS[top]:
                self._say(node, f"imports {name}, of which a plugin may use {', '.join(sorted(_PARTS[top]))}")

    def _from(self, node: ast.ImportFrom, name: str) -> None:
        top, _, rest = name.partition(".")
        if top != SDK and not self._may(top):
            self._import(node, name, top)
            return
        for one in node.names:
            if one.name == "*":
                self._say(node, f"imports everything of {name}, so that nobody sees what it uses")
            elif top == SDK and one.name.startswith("_"):
                self._say(node, f"uses {one.name}, which is not for plugins")
            elif top == SDK and one.name in _CALLS:
                self._use(_CALLS[one.name], node)
                self._modules[one.asname or one.name] = f"{SDK}.{one.name}"
            elif top == SDK:
                self._modules[one.asname or one.name] = f"{SDK}.{one.name}"
            elif top in _PARTS and (rest or one.name).partition(".")[0] not in _PARTS[top]:
                self._say(node, f"uses {one.name} of {top}, of which it may use {', '.join(sorted(_PARTS[top]))}")

    def _may(self, top: str) -> bool:
        return top in FREE or top in self._own or (self._file.startswith("tests/") and top in IN_TESTS)

    def _name(self, node: ast.Name) -> None:
        if node.id in _DYNAMIC:
            self._say(node, f"uses {node.id}: code that cannot be read beforehand")

    def _attribute(self, node: ast.Attribute) -> None:
        name = node.attr
        if name.startswith("__") and name.endswith("__") and name not in _HARMLESS_DUNDERS:
            self._say(node, f"reaches for {name}, behind the back of the language")
        if name in _FILE_TRICKS:
            self._say(node, f"uses {name}")
        module = self._modules.get(node.value.id, "") if isinstance(node.value, ast.Name) else ""
        if module == SDK and name in _CALLS:
            self._use(_CALLS[name], node)
        if module == SDK and name.startswith("_"):
            self._say(node, f"uses {name}, which is not for plugins")
        if module in _PARTS and name not in _PARTS[module]:
            self._say(node, f"uses {module}.{name}, of which it may use {', '.join(sorted(_PARTS[module]))}")

    def _call(self, node: ast.Call) -> None:
        name = self._get_called_name(node.func)
        if name in _ATTRIBUTES:
            wanted = node.args[1] if len(node.args) > 1 else None
            plain = isinstance(wanted, ast.Constant) and isinstance(wanted.value, str)
            if not plain or str(getattr(wanted, "value", "")).startswith("_"):
                self._say(node, f"uses {name} with a name that cannot be read beforehand")
        elif name == "type" and len(node.args) == 3:
            self._say(node, "makes a class at run time", "note")
        elif name == "open" or name in _WRITES:
            self._opens(node, name)
        elif name == f"{SDK}.fetch":
            self._fetches(node)
        elif name == f"{SDK}.read_db" and node.args and not isinstance(node.args[0], ast.Constant):
            self._say(node, "asks the database in words that are put together at run time", "note")
        elif name == f"{SDK}.answer" and any(map(_fills, node.keywords)):
            self._use("write_mind_queue", node)

    def _get_called_name(self, func: ast.expr) -> str:
        if isinstance(func, ast.Name):
            return self._modules.get(func.id, func.id)
        if isinstance(func, ast.Attribute):
            if isinstance(func.value, ast.Name) and self._modules.get(func.value.id) == SDK:
                return f"{SDK}.{func.attr}"
            return func.attr
        return ""

    def _opens(self, node: ast.Call, name: str) -> None:
        """Note work on files. Places outside the plugin's folder are found by name in `_text`."""
        if name == "open" or not isinstance(node.func, ast.Attribute) or name in ("write_text", "write_bytes"):
            self._say(node, "works on files (its own folder is all it can reach)", "note")

    def _fetches(self, node: ast.Call) -> None:
        where = node.args[0] if node.args else next((one.value for one in node.keywords if one.arg == "url"), None)
        start = where.values[0] if isinstance(where, ast.JoinedStr) and where.values else where
        if isinstance(start, ast.BinOp) and isinstance(start.op, ast.Add):
            start = start.left
        text = start.value if isinstance(start, ast.Constant) and isinstance(start.value, str) else ""
        match = _HOST.match(text)
        if match is None or not (match[3] or start is where):
            self._say(node, "fetches an address that is put together at run time", "note")
            return
        host = match[2].lower()
        if match[1] or not any(_covers(one, host) for one in self._hosts):
            self._say(node, f"fetches from {host}, which is not among the hosts in PLUGIN.md")

    def _text(self, node: ast.Constant, text: str) -> None:
        if _ELSEWHERE.match(text):
            self._say(node, f"names a place outside its folder: {text[:60]!r}")
        if _SECRET_NAMES.search(text):
            self._say(node, f"names what is secret: {text[:60]!r}")
        if _FORMAT_TRICK.search(text):
            self._say(node, "reaches for hidden names in a format string")


def _fills(keyword: ast.keyword) -> bool:
    empty = isinstance(keyword.value, ast.List | ast.Tuple) and not keyword.value.elts
    return keyword.arg == "mind_queue" and not empty


def _covers(allowed: str, host: str) -> bool:
    return host == allowed or (allowed.startswith("*.") and host.endswith(allowed[1:]))
