"""Renders templates. All values are escaped; undefined names are errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup, escape

from furoshiki.core import catalogue, timestamps
from furoshiki.faces.dashboard import static_files
from furoshiki.faces.dashboard.flash import read_message
from furoshiki.faces.dashboard.frame import Frame, groups, of
from furoshiki.faces.dashboard.shared import Shared
from furoshiki.language import humanize
from furoshiki.world import World

if TYPE_CHECKING:
    from jinja2 import Environment

    from furoshiki.core.pictures.charts import Chart
    from furoshiki.core.pictures.svg import Fit

TEMPLATES = Path(__file__).parent / "templates"

# the grounds of pictures, by the pages' theme
_GROUNDS: Mapping[str, Fit] = {"dark": "dark", "light": "light"}


@cache
def environment() -> Environment:
    """Return the template environment; templates are compiled on first use."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(
        number=catalogue.format_number,
        figure=humanize.figure,
        money=humanize.dollars,
        percent=lambda value: f"{value * 100:.0f} %",
        shortened=humanize.shorten,
        plural=humanize.plural,
        spaced=lambda value: str(value).replace("_", " "),
        commands=commands,
    )
    made.globals.update(
        asset=static_files.address,
        say=_say,
        say_number=catalogue.say_number,
        spoken=catalogue.get_language,
        translate=catalogue.translate,
        long_day=_long_day,
    )
    return made


def _say(text: str, **values: object) -> Markup:
    """Translate for pages: values are escaped unless they are markup."""
    said = {
        name: catalogue.say_sentence(one) if isinstance(one, catalogue.Sentence) else one
        for name, one in values.items()
    }
    return Markup(escape(catalogue.translate(text))).format(**said)


def _long_day(local: datetime) -> str:
    """Format a date as "Saturday, 21 November 2026"."""
    return f"{humanize.weekday(local)}, {humanize.date(local, with_year=True)}"


def commands(words: str) -> Markup:
    """Escape words (not markup, which is escaped) and set `commands` between grave accents as code."""
    parts = words.split("`")
    if len(parts) % 2 == 0:  # an unclosed one
        return escape(words)
    return Markup().join(
        escape(one) if at % 2 == 0 else Markup("<code>{}</code>").format(one) for at, one in enumerate(parts)
    )


def page(request: Request, name: str, /, *, status: int = 200, at: str = "", **values: Any) -> HTMLResponse:
    """Render the page `templates/<name>.html.j2`. `at` is the address of a form's page if that is
    not its menu page."""
    flash, spent = read_message(request)
    html = _render(request, name, {"flash": flash, "again_at": at or _again_at(request), **values})
    response = HTMLResponse(html, status)
    if spent:
        response.delete_cookie(spent)
    return response


def _again_at(request: Request) -> str:
    """Return the address of the shown page with its query."""
    if request.method not in ("GET", "HEAD"):
        here = of(request.url.path)
        return here.path if here else "/"
    return _whole_path(request)


def _whole_path(request: Request) -> str:
    return f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path


def part(request: Request, name: str, /, **values: Any) -> HTMLResponse:
    """Render the fragment `templates/parts/<name>.html.j2` for live updates."""
    return HTMLResponse(_render(request, f"parts/{name}", values))


def show(request: Request, whole: str, fragment: str, /, **values: Any) -> HTMLResponse:
    """Render the page `whole`, or at an address below /parts/ only its `fragment`, fetched on changes."""
    if request.url.path.startswith("/parts/"):
        return part(request, fragment, **values)
    return page(request, whole, **values)


def render_shared(request: Request, name: str, gather: Callable[[World], Mapping[str, Any]]) -> HTMLResponse:
    """Render a fragment that is the same for all visitors, cached until data changes.

    It contains no form and nothing about the visitor. `gather` returns its values.
    """
    world: World = request.app.state.world()
    held: Shared = request.app.state.shared
    key = (request.url.path, request.url.query, catalogue.get_language())
    return HTMLResponse(held.get(world, key, lambda: _render(request, f"parts/{name}", gather(world))))


def picture(request: Request, chart: Chart) -> Response:
    """Return a chart as SVG in the chosen theme; without one it follows its viewer."""
    theme = request.cookies.get("theme", "")
    drawn = chart.svg(_GROUNDS.get(theme, "auto"))
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "private, no-cache"})


def _render(request: Request, name: str, values: Mapping[str, Any]) -> str:
    visitor = getattr(request.state, "visitor", None)
    # an error page must work without the database
    frame: Frame = request.app.state.frame(bool(visitor) and name != "error")
    now, zone = frame.now, frame.zone

    def moment(at: datetime | str) -> datetime:
        return timestamps.local(timestamps.parse(at) if isinstance(at, str) else at, zone)

    def ago(at: datetime | str) -> str:
        return humanize.ago(at, now)

    return (
        environment()
        .get_template(f"{name}.html.j2")
        .render(
            visitor=visitor,
            csrf=visitor.csrf if visitor else "",
            newest_event=frame.newest_event,
            groups=groups(frame.pages),
            here=of(request.url.path, frame.pages),
            path=request.url.path,
            whole_path=_whole_path(request),
            companion=frame.companion,
            theme=request.cookies.get("theme", ""),
            now=now,
            moment=moment,
            on_day=lambda at: humanize.date(moment(at), with_year=True),
            ago=ago,
            clock=lambda at: humanize.clock(timestamps.parse(at) if isinstance(at, str) else at, zone, now),
            **values,
        )
    )
