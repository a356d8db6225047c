"""Where a plugin may go: the host, the port and the address are each judged, however they are spelled."""

from __future__ import annotations

import pytest

from furoshiki.extensions.plugins.rules.hosts import NotAllowed, Place, is_public, places, target

ALLOWED = ("api.example.org", "*.news.example", "setting:server", "exact.example:8443", "192.168.1.5")
SETTINGS = {"server": "https://cloud.example.net:8443/dav"}
LOCAL = places("nas.local:5000, 192.168.1.5,home.local")

TAKEN = [
    ("https://api.example.org/v1?q=a%20b", "api.example.org", 443, "/v1?q=a%20b"),
    ("https://API.example.ORG./", "api.example.org", 443, "/"),
    ("https://feeds.eu.news.example", "feeds.eu.news.example", 443, "/"),
    ("https://cloud.example.net:8443/x", "cloud.example.net", 8443, "/x"),
    ("https://exact.example:8443/", "exact.example", 8443, "/"),
    ("https://api.example.org/a#part", "api.example.org", 443, "/a"),
    ("http://192.168.1.5/", "192.168.1.5", 80, "/"),
]


@pytest.mark.parametrize(("url", "host", "port", "path"), TAKEN)
def test_a_host_its_owner_agreed_to_is_gone_to(url: str, host: str, port: int, path: str) -> None:
    found = target(url, ALLOWED, SETTINGS, LOCAL)
    assert (found.host, found.port, found.path) == (host, port, path)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://example.org/", "add it to permissions"),
        ("https://api.example.org.evil.example/", "add it to permissions"),
        ("https://news.example/", "add it to permissions"),
        ("https://evilnews.example/", "add it to permissions"),
        ("https://api.example.org:22/", "api.example.org:22 is not allowed"),
        ("https://a.news.example:8443/", "not allowed"),
        ("https://exact.example/", "not allowed"),
        ("https://cloud.example.net/", "not allowed"),
        ("http://api.example.org/", "https://api.example.org"),
        ("https://api.example.org@evil.example/", "user and password"),
        ("https://user:word@api.example.org/", "user and password"),
        ("https://evil.example\\@api.example.org/", "encode"),
        ("https://api.example.org/\r\nHost: evil", "encode"),
        ("https://api.example.org:99999/", "no URL"),
        ("https://[::1/", "no URL"),
        ("https://exämple.org/", "encode"),
        ("file:///etc/passwd", "https://host/path"),
        ("ftp://api.example.org/", "https://host/path"),
        ("//api.example.org/", "https://host/path"),
        ("https:///x", "https://host/path"),
        ("https://" + "a" * 5000, "shorten"),
    ],
)
def test_any_other_is_not_and_the_words_say_what_to_do(url: str, why: str) -> None:
    with pytest.raises(NotAllowed, match=why):
        target(url, ALLOWED, SETTINGS, LOCAL)


def test_a_setting_may_name_several_hosts() -> None:
    held = {"feeds": "https://one.example/a.xml  https://two.example:8443/b"}
    assert target("https://one.example/x", ["setting:feeds"], held, ()).host == "one.example"
    assert target("https://two.example:8443/x", ["setting:feeds"], held, ()).port == 8443
    for other in ("https://two.example/x", "https://three.example/"):
        with pytest.raises(NotAllowed, match="not allowed"):
            target(other, ["setting:feeds"], held, ())


def test_a_host_of_this_house_needs_its_owners_word_and_the_manifests() -> None:
    assert target("http://nas.local:5000/", ["nas.local:5000"], {}, LOCAL).local
    assert target("http://home.local/", ["setting:where"], {"where": "home.local"}, LOCAL).local
    with pytest.raises(NotAllowed, match="not allowed"):
        target("http://nas.local:5000/", ["api.example.org"], {}, LOCAL)
    with pytest.raises(NotAllowed, match="http is for"):
        target("http://nas.local:5001/", ["nas.local:5001"], {}, LOCAL)
    assert not target("https://nas.local/", ["nas.local"], {}, LOCAL).local


def test_a_list_of_hosts_is_read() -> None:
    assert places(" nas.local:80 ,[fd00::1]:8123") == (Place("nas.local", 80), Place("fd00::1", 8123))
    with pytest.raises(ValueError, match="name:port"):
        places("nas local")


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34"])
def test_an_address_of_the_internet(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254"),
        *("100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "224.0.0.1", "239.1.2.3", "240.0.0.1"),
        *("255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "fe80::1%eth0"),
        *("fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "2002:7f00:1::"),
        *("2001:0:53aa:64c::1", "2001:db8::1", "100::1", "", "localhost"),
    ],
)
def test_an_address_inside(address: str) -> None:
    assert not is_public(address)
