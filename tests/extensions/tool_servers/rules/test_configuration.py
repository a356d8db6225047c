import pytest

from furoshiki.extensions.tool_servers import bridge
from furoshiki.extensions.tool_servers.rules import configuration
from furoshiki.extensions.tool_servers.values import Server


def test_a_server_is_a_program_or_a_url():
    assert configuration.servers(
        {
            "notes": {"command": "/usr/bin/notes", "args": ["-q"], "env": {"HOME": "/tmp", "TOKEN": "setting:KEY"}},
            "search": {"url": "https://x.example/mcp", "headers": {"Authorization": "setting:KEY"}, "timeout_s": 5},
        }
    ) == (
        Server("notes", "/usr/bin/notes", ("-q",), {"HOME": "/tmp", "TOKEN": "setting:KEY"}),
        Server("search", url="https://x.example/mcp", headers={"Authorization": "setting:KEY"}, timeout_s=5),
    )


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({"Notes": {"url": "https://x.example"}}, "'Notes' is no name of a server"),
        ({"notes": {}}, "either a command"),
        ({"notes": {"command": "/a", "url": "https://x.example"}}, "and not both"),
        ({"notes": {"command": "uvx"}}, "must be a whole path"),
        ({"notes": {"command": "/a", "arg": []}}, "did you mean 'args'"),
        ({"notes": {"command": "/a", "headers": {"A": "b"}}}, "are for a url"),
        ({"notes": {"url": "file:///etc/passwd"}}, "must begin with https://"),
        ({"notes": {"url": "https://me:secret@x.example"}}, "holds a password"),
        ({"notes": {"url": "https://x.example", "headers": {"A": "Bearer x"}}}, "TOOL_NOTES_NAME"),
        ({"notes": {"command": "/a", "timeout_s": 1000}}, "between 1 and 120"),
    ],
)
def test_what_is_wrong_is_said_with_its_key(table, complaint):
    with pytest.raises(ValueError, match=complaint):
        configuration.servers(table)


def test_a_setting_is_named_after_its_server():
    server = Server("my-notes", "/a", env={"HOME": "/tmp", "TOKEN": "setting:api_key"})
    assert configuration.list_settings(server) == {"TOKEN": "TOOL_MY_NOTES_API_KEY"}


def test_another_program_is_another_server_and_another_time_limit_is_not():
    assert configuration.identity(Server("a", "/a")) == configuration.identity(Server("a", "/a", timeout_s=5))
    assert configuration.identity(Server("a", "/a")) != configuration.identity(Server("a", "/a", ("-x",)))


def test_whatever_a_tool_says_of_itself_beyond_its_pin_is_another_tool():
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    one = bridge.limit_tool("add", "Adds." + " " * 2000 + "x", schema)
    other = bridge.limit_tool("add", "Adds." + " " * 2000 + "y", schema)
    assert one and other and one.description == other.description and one.pin != other.pin
    assert bridge.limit_tool("add", "", {"enum": ["x" * 9000]}) is None


def test_values_are_shown_where_there_are_no_words():
    assert bridge.limit_answer([{"type": "text", "text": "three"}, {"type": "image"}], {"n": 3}) == (
        "three\n[image that is not text]"
    )
    assert bridge.limit_answer([], {"n": 3}) == '{"n": 3}'
    assert len(bridge.limit_answer([{"type": "text", "text": "x" * 10**6}], None)) < 17_000
