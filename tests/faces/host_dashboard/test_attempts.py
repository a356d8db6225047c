"""What somebody at home in one home, its operator, or nobody at all may try against another home: a test a row of the
table in docs/security.md. Nothing of Ben's is ever shown to Anna."""

from __future__ import annotations

import re
from typing import Any

from furoshiki.core.logins import links, sessions, tokens
from furoshiki.core.paths import HOST
from furoshiki.faces.dashboard.access import cookies
from furoshiki.faces.dashboard.frame import PAGES
from furoshiki.host import homes
from tests.support.init_data import signed_data
from tests.support.roof import PEOPLE, TOKEN, WORDS, Roof


def test_each_sees_what_is_theirs(roof: Roof) -> None:
    for name, said in WORDS.items():
        html = roof.of(name).get("/chat").text
        assert said in html
        assert not [words for words in WORDS.values() if words != said and words in html]
    assert set(roof.app.homes.open) == set(WORDS)


def test_a_secret_under_another_name_is_nobodys(roof: Roof) -> None:
    bare = roof.secrets["anna"].partition(".")[2]
    token = tokens.make_token(roof.ledger("anna"), "Prometheus", "admin", roof.now())
    tried = [f"ben.{bare}", bare, f".{bare}", f"../ben.{bare}", f"ben/../anna.{bare}", f"{HOST}.{bare}", f"BEN.{bare}"]
    tried += [f"anna.{roof.secrets['']}", f"anna.{roof.secrets['anna']}", f"anna.ben.{bare}", "ben." + "x" * 300]
    for secret in tried:
        answer = roof.browser(secret).get("/chat")
        assert answer.status_code == 401 and not any(words in answer.text for words in WORDS.values()), secret
    for wrong in (
        token.replace("anna", "ben"), token.replace("anna.", ""), token.removeprefix(tokens.PREFIX), f"ben.{token}",
    ):  # fmt: skip
        answer = roof.browser(None).get("/api/v1/status", headers={"authorization": f"Bearer {wrong}"})
        assert answer.status_code == 401, wrong
    assert "ben" not in roof.app.homes.open


def test_with_a_token_no_cookie_counts_and_with_two_cookies_the_first(roof: Roof) -> None:
    token = tokens.make_token(roof.ledger("anna"), "a program", "viewer", roof.now())
    answer = roof.of("ben").get("/chat", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200 and WORDS["ben"] not in answer.text
    name = cookies.plain(roof.settings)
    both = f"{name}={roof.secrets['anna']}; {name}={roof.secrets['ben']}"
    assert WORDS["ben"] not in roof.browser(None).get("/chat", headers={"cookie": both}).text


def test_no_address_and_no_header_leads_from_one_home_into_another(roof: Roof) -> None:
    for path in ("/chat?home=ben", "/ben/chat", "/homes/ben", "/chat/../ben", "/..%2fben", "/ben/../chat"):
        for more in ({}, {"x-home": "ben"}, {"x-forwarded-prefix": "/ben"}, {"x-forwarded-user": "ben"}):
            answer = roof.of("anna").get(path, headers=more)
            assert WORDS["ben"] not in answer.text and answer.status_code in (200, 404), (path, more)
    assert "ben" not in roof.app.homes.open


def test_the_csrf_token_of_another_home_is_worth_nothing(roof: Roof) -> None:
    for token in (roof.csrf("ben"), roof.csrf("")):
        answer = roof.of("anna").post("/access/tokens", data={"name": "x", "role": "admin", "csrf": token})
        assert answer.status_code == 403
    assert tokens.list_all(roof.ledger("anna")) == tokens.list_all(roof.ledger("ben")) == []


def test_a_link_lets_into_its_own_home_alone(roof: Roof) -> None:
    link = links.make_link(roof.ledger("anna"), "admin", roof.now(), base="")
    for wrong in (link.replace("anna", "ben"), link.replace("anna.", ""), link.replace("anna", HOST)):
        assert roof.browser(None).post(wrong).status_code == 410 and roof.of("ben").post(wrong).status_code == 410
    answer = roof.of("ben").post(link)  # a visitor with Anna's link is in Anna's home from then on, and out of Ben's
    assert answer.status_code == 303 and "=anna." in answer.headers["set-cookie"]
    html = roof.browser(re.findall(r"=(anna\.[0-9a-f]+)", answer.headers["set-cookie"])[0]).get("/chat").text
    assert WORDS["anna"] in html and WORDS["ben"] not in html


def test_an_event_of_another_home_is_none_of_ours(roof: Roof) -> None:
    marks = {
        name: re.findall(r'data-seen="([^"]+)"', roof.of(name).get("/access").text)[0].partition("-")[0]
        for name in WORDS
    }
    assert marks["anna"] != marks["ben"]
    hub = roof.app.homes.open["anna"].state.hub
    assert hub._after(f"{marks['ben']}-0") is None and hub._after(f"{marks['anna']}-0") is not None
    for address in ("/events", "/api/v1/events"):
        assert roof.browser(f"ben.{'0' * 64}").get(address).status_code == 401


def test_what_telegram_signed_for_anna_does_not_open_bens_home(roof: Roof) -> None:
    def sent(home: str, person: int, token: str = TOKEN) -> Any:
        given = signed_data(person, roof.now().timestamp(), token=token)
        return roof.browser(None).post(f"/app?home={home}", data={"init_data": given})

    assert sent("ben", PEOPLE["ben"], "654321:" + "B" * 35).status_code == 403
    for nobody in ("", "../ben", HOST, "cleo"):
        answer = sent(nobody, PEOPLE["ben"])
        assert answer.status_code == 403 and "set-cookie" not in answer.headers, nobody
    there, made_up = (sent(home, PEOPLE["anna"], "654321:" + "B" * 35) for home in ("ben", "cleo"))
    assert (there.status_code, there.text) == (made_up.status_code, made_up.text), "nor which homes there are"
    assert roof.app.homes.open == {}, "and none is opened before it is judged"
    assert sent("ben", PEOPLE["anna"]).status_code == 403
    answer = sent("ben", PEOPLE["ben"])
    assert answer.status_code == 303 and "=ben." in answer.headers["set-cookie"]


def test_a_visitor_who_is_not_signed_in_learns_not_even_which_homes_there_are(roof: Roof) -> None:
    there, made_up = (roof.browser(f"{name}.{'0' * 64}").get("/") for name in ("ben", "cleo"))
    assert (there.status_code, there.text) == (made_up.status_code, made_up.text)
    there, made_up = (roof.browser(None).get(f"/enter/{name}.{'0' * 64}") for name in ("ben", "cleo"))
    assert there.status_code == made_up.status_code == 410
    assert there.text == made_up.text.replace("cleo", "ben") and roof.app.homes.open == {}


def test_the_keeper_is_shown_no_words_and_no_page_of_a_home(roof: Roof) -> None:
    operator = roof.of("")
    for path in [page.path for page in PAGES if page.path not in ("/", "/access")] + ["/events", "/api/v1/status"]:
        assert operator.get(path).status_code == 404, path
    shown = [operator.get(path) for path in ("/", "/parts/host", "/homes/anna", "/api/v1/host", "/metrics", "/access")]
    assert [one.status_code for one in shown] == [200] * 6
    assert not [one for one in shown for words in WORDS.values() if words in one.text or "Clara" in one.text]
    assert 'furoshiki_host_home_messages_30_days{home="ben"}' in shown[4].text
    assert {home["name"] for home in shown[3].json()["homes"]} == set(WORDS)
    assert roof.app.homes.open == {}


def test_nobody_but_the_keeper_has_a_home_rest(roof: Roof) -> None:
    for secret, csrf in ((roof.secrets["anna"], roof.csrf("anna")), (None, "")):
        for path in ("/homes/ben/pause", "/homes/anna/pause"):
            assert roof.browser(secret).post(path, data={"csrf": csrf}).status_code in (401, 404)
    assert roof.of("anna").get("/api/v1/host").status_code == 404
    viewer = roof.sign_in("", "viewer")
    assert roof.browser(viewer).post("/homes/ben/pause", data={"csrf": roof.csrf("")}).status_code == 403
    assert roof.of("").post("/homes/ben/pause", data={"csrf": "0" * 64}).status_code == 403
    assert homes.get_home(roof.root, "ben").paused_at is None
    assert roof.of("").post("/homes/ben/pause", data={"csrf": roof.csrf("")}).status_code == 303
    assert homes.get_home(roof.root, "ben").paused_at is not None
    assert roof.of("").post("/homes/cleo/pause", data={"csrf": roof.csrf("")}).status_code == 404


def test_a_home_that_goes_is_closed_and_one_of_its_name_is_another(roof: Roof) -> None:
    assert WORDS["ben"] in roof.of("ben").get("/chat").text
    homes.remove(roof.root, "ben", roof.now())
    assert roof.of("ben").get("/chat").status_code == 401
    homes.add(roof.root, "ben", roof.now())
    assert roof.of("ben").get("/chat").status_code == 401
    roof.secrets["ben"] = roof.sign_in("ben")
    assert WORDS["ben"] not in roof.of("ben").get("/chat").text


def test_signing_out_of_one_home_signs_nobody_out_of_another(roof: Roof) -> None:
    roof.of("anna").post("/access/sessions/end-all", data={"csrf": roof.csrf("anna")})
    assert roof.of("anna").get("/").status_code == 401
    assert roof.of("ben").get("/").status_code == roof.of("").get("/").status_code == 200
    assert sessions.list_all(roof.ledger("anna"), roof.now()) == []
