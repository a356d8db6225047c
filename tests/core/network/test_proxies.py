"""Which proxy stands before a host, and the way through it."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator

import pytest

from furoshiki.core.network.proxies import NoRoad, Road, parse_proxy
from tests.emulators.loopback import Loopback, Reply
from tests.emulators.proxy import ProxyEmulator


@pytest.mark.parametrize(
    ("told", "address", "proxy"),
    [
        ({}, "https://api.telegram.org", None),
        ({"HTTPS_PROXY": "http://p:3128"}, "https://api.telegram.org", "http://p:3128"),
        ({"https_proxy": "p:3128", "HTTPS_PROXY": "http://q:1"}, "https://api.telegram.org", "http://p:3128"),
        ({"HTTPS_PROXY": "http://p:3128"}, "http://api.telegram.org", None),
        ({"ALL_PROXY": "socks5h://p"}, "http://api.telegram.org", "socks5://p:1080"),
        ({"ALL_PROXY": "socks5://p", "http_proxy": "http://q:1"}, "http://a.org", "http://q:1"),
        ({"FUROSHIKI_PROXY": "socks://p", "HTTPS_PROXY": "http://q:1"}, "https://a.org", "socks5://p:1080"),
        ({"FUROSHIKI_PROXY": "none", "HTTPS_PROXY": "http://q:1"}, "https://a.org", None),
        ({"ALL_PROXY": "http://[fd00::1]:8"}, "https://a.org", "http://[fd00::1]:8"),
    ],
)
def test_the_proxy_before_a_host(told: dict[str, str], address: str, proxy: str | None) -> None:
    found = Road.of(told).proxy(address)
    assert (None if found is None else str(found)) == proxy


@pytest.mark.parametrize(
    ("told", "address", "direct"),
    [
        ("example.org", "https://example.org", True),
        ("example.org", "https://api.example.org", True),
        ("example.org", "https://notexample.org", False),
        (".example.org", "https://api.example.org", True),
        ("*.example.org", "https://api.example.org", True),
        ("Example.ORG.", "https://example.org./x", True),
        ("example.org:8443", "https://example.org:8443", True),
        ("example.org:8443", "https://example.org", False),
        ("example.org:443", "https://example.org", True),
        ("10.0.0.0/8", "http://10.20.30.40:11434", True),
        ("10.0.0.0/8", "http://11.0.0.1", False),
        ("fd00::/8", "http://[fd00::5]:80", True),
        ("fd00::5", "http://[fd00::5]:80", True),
        ("[fd00::5]:81", "http://[fd00::5]:80", False),
        ("192.168.1.7", "http://192.168.1.7:8000", True),
        ("a.org, b.org c.org;d.org", "https://d.org", True),
        ("*", "https://whatever.org", True),
        ("not/a/network,", "https://a.org", False),
        ("", "http://localhost:1", True),
        ("", "http://127.9.9.9:1", True),
        ("", "http://[::1]:1", True),
        ("", "http://ollama.localhost:1", True),
        ("", "http://localhost.example.org", False),
    ],
)
@pytest.mark.parametrize("name", ["NO_PROXY", "no_proxy", "FUROSHIKI_NO_PROXY"])
def test_what_is_gone_to_directly(name: str, told: str, address: str, direct: bool) -> None:
    road = Road.of({"ALL_PROXY": "http://p:1", name: told})
    assert (road.proxy(address) is None) is direct


@pytest.mark.parametrize("text", ["ftp://p", "http://", "socks4://p:1", "http://p:notaport", "http://p:99999"])
def test_what_is_no_proxy_is_named_without_its_password(text: str) -> None:
    with pytest.raises(ValueError, match="must be like"):
        parse_proxy(text)
    with pytest.raises(NoRoad, match="^HTTPS_PROXY must be like") as caught:
        Road.of({"HTTPS_PROXY": f"{text}?user:hunter2@"}).proxy("https://a.org")
    assert "hunter2" not in str(caught.value)


def test_a_password_is_shown_to_nobody() -> None:
    proxy = parse_proxy("socks5://me:hun%40ter2@p:9")
    assert proxy.url == "socks5://me:hun%40ter2@p:9"
    assert "ter2" not in f"{proxy} {proxy!r}"


@pytest.fixture
def server() -> Iterator[Loopback]:
    made = Loopback(lambda _request: Reply(body=b"here"))
    yield made
    made.stop()


@pytest.mark.parametrize("secret", ["", "me:sesame"])
@pytest.mark.parametrize(("scheme", "how"), [("http", "forward"), ("socks5", "socks5"), ("socks5h", "socks5")])
def test_a_request_goes_through(server: Loopback, scheme: str, how: str, secret: str) -> None:
    with ProxyEmulator(secret) as proxy:
        road = Road.of({"ALL_PROXY": proxy.url(scheme)})
        with road.opened(urllib.request.Request(f"http://home.test:{server.port}/x"), 5.0) as answer:
            assert answer.read() == b"here"
        road.connect(f"http://home.test:{server.port}", 5.0).close()
        assert [to for _how, to in proxy.passed] == [f"home.test:{server.port}"] * 2
        assert proxy.passed[0][0] == how


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_why_a_proxy_does_not_let_through_is_said_without_the_password(server: Loopback, scheme: str) -> None:
    with ProxyEmulator("me:sesame") as proxy:
        road = Road.of({"ALL_PROXY": f"{scheme}://me:hunter2@127.0.0.1:{proxy.port}"})
        with pytest.raises(NoRoad) as caught:
            road.connect(f"http://home.test:{server.port}", 5.0)
    assert "hunter2" not in str(caught.value)
    with pytest.raises(NoRoad, match="cannot be reached"):
        road.connect(f"http://home.test:{server.port}", 5.0)


def test_certificates_that_cannot_be_used_are_named_by_who_names_them(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NoRoad, match="REQUESTS_CA_BUNDLE names .*nowhere"):
        Road.of({"REQUESTS_CA_BUNDLE": str(tmp_path / "nowhere")}).certificates()
    (tmp_path / "junk.pem").write_text("none")
    with pytest.raises(NoRoad, match="holds no certificates"):
        Road.of({"SSL_CERT_FILE": str(tmp_path / "junk.pem")}).certificates()
