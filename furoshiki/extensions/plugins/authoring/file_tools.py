"""A model's tools for a draft: list, read, search, write. No shell, and no other files."""

from collections.abc import Mapping
from typing import Any

from furoshiki.core.errors import in_words
from furoshiki.extensions.plugins.authoring.drafts import Draft, NotTaken
from furoshiki.models.llm.values import Tool, ToolCall

MOST_FOUND = 40  # maximum lines in a search result

_FILE = {"type": "string", "description": "Its path in the plugin, as scripts/main.py"}


def _tool(name: str, description: str, **properties: Mapping[str, Any]) -> Tool:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return Tool(name, description, schema)


# the tools of a reviewer
READING = (
    _tool("list_files", "The files of the plugin, with how many lines each has."),
    _tool("read_file", "One file, each line with its number.", file=_FILE),
    _tool("search", "The lines of all files that hold a text.", text={"type": "string"}),
)

# the tools of an author
WRITING = (
    *READING,
    _tool("write_file", "Write one file whole, in place of what it was.", file=_FILE, text={"type": "string"}),
)


def run(draft: Draft, call: ToolCall, *, may_write: bool) -> str:
    """Run a tool call and return its result for the model, whose mistakes never raise."""
    try:
        match call.name:
            case "list_files":
                found = draft.files()
                return "\n".join(f"{file} ({text.count(chr(10))} lines)" for file, text in found.items()) or "None yet."
            case "read_file":
                return _number_lines(draft.files(), str(call.args.get("file", "")))
            case "search":
                return _search(draft.files(), str(call.args.get("text", "")))
            case "write_file" if may_write:
                file, text = call.args.get("file"), call.args.get("text")
                if not isinstance(file, str) or not isinstance(text, str):
                    return "Not written: it takes `file` and `text`, both texts."
                draft.write(file, text)
                return f"Written: {file}, {len(text)} characters."
    except NotTaken as error:
        return f"Not done: {error}."
    except OSError as error:
        return f"Not done: {in_words(error)}."
    return f"There is no tool {call.name[:60]!r}."


def _number_lines(files: Mapping[str, str], file: str) -> str:
    text = files.get(file)
    if text is None:
        return f"There is no file {file[:80]!r}. There are: {', '.join(files) or 'none'}."
    return "\n".join(f"{number}| {line}".rstrip() for number, line in enumerate(text.splitlines(), 1))


def _search(files: Mapping[str, str], text: str) -> str:
    if not text:
        return "Search for some text."
    found = [
        f"{file}:{number}: {line.strip()[:200]}"
        for file, held in files.items()
        for number, line in enumerate(held.splitlines(), 1)
        if text.casefold() in line.casefold()
    ]
    more = f"\n… and {len(found) - MOST_FOUND} more" if len(found) > MOST_FOUND else ""
    return "\n".join(found[:MOST_FOUND]) + more if found else "Nowhere."
