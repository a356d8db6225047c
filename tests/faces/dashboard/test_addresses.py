"""No number in an address breaks anything: what can be no row is told as such, by every page, form and resource."""

from __future__ import annotations

from itertools import chain
from urllib.parse import quote

import pytest
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Path
from fastapi.routing import APIRoute

from furoshiki.faces.dashboard.app import Late, modules, of_a_companion, router
from tests.support.dashboard import House

HOSTILE = {"2**63": str(2**63), "10**30": str(10**30), "long": "9" * 5000, "-1": "-1", "square": "²", "NUL": "\0"}
PAGING = {"before", "cursor"}
PAGES, API = "furoshiki.faces.dashboard.pages", "furoshiki.faces.dashboard.api"


def test_what_is_loaded_late_is_found_by_the_beginning_of_its_path() -> None:
    late = [part for part in of_a_companion() if isinstance(part, Late)]
    assert len(late) > 10
    for part in late:
        for path in (str(getattr(route, "path", "")) for one in part.modules for route in router(one).routes):
            assert path.startswith(part.below), f"{path} is never found: put it below {part.below}"


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_what_can_be_no_row_is_refused_everywhere(house: House, hostile: str) -> None:
    asked = 0
    for route in chain.from_iterable(router(one).routes for one in (*modules(PAGES), *modules(API))):
        assert isinstance(route, APIRoute)
        flat = get_flat_params(route.dependant)
        path = [one for one in flat if isinstance(one.field_info, Path)]
        numbers = {one.name for one in path if one.field_info.annotation is int}
        paging = PAGING & {one.name for one in flat}
        for name in sorted(numbers | paging):
            given = {one.name: hostile if one.name == name else "1" for one in path}
            assert route.methods
            [method] = route.methods
            answer = house.client.request(
                method,
                route.path_format.format(**{key: quote(value) for key, value in given.items()}),
                params={name: hostile} if name in paging else {},
                headers={"X-CSRF-Token": house.csrf},
                follow_redirects=False,
            )
            asked += 1
            assert answer.status_code in (404, 405, 422), (
                method,
                route.path,
                name,
                answer.status_code,
                answer.text[-300:],
            )
    assert asked > 30


@pytest.mark.parametrize("path", ["/memory", "/parts/memory/list"])
@pytest.mark.parametrize("name", ["q", "about", "concept"])
def test_words_with_a_nul_are_looked_for_without_it(house: House, path: str, name: str) -> None:
    assert house.client.get(path, params={name: "te\0a"}).status_code == 200
