"""The emotion simulator for its page and the API: the rules' result with words and a picture."""

from collections.abc import Mapping
from dataclasses import dataclass

from furoshiki.core.pictures import charts
from furoshiki.core.pictures.charts import Chart
from furoshiki.faces.overview.rules import feeling_words, simulating
from furoshiki.faces.overview.rules.simulating import STEP, Simulated
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules.emotions import NAMES, Emotions
from furoshiki.mind.inner_life.rules import feelings_drawn
from furoshiki.world import World

WIDTH = 720.0


@dataclass(frozen=True)
class Need:
    """A need in [0, 1] with its level, and its effect."""

    name: str
    label: str
    value: float
    mark: str
    does: str


@dataclass(frozen=True)
class Shown:
    """The input and the result. `tone` is what the mind would be told of the mood."""

    put_in: Mapping[str, float]
    rests: Mapping[str, float]
    result: Simulated
    needs: tuple[Need, ...]
    tone: str


def run(world: World, preset: str, given: Mapping[str, float], hours: float) -> Shown:
    """Simulate from a preset (unknown: the present state), overridden by `given`."""
    laws = world.laws
    beat = heartbeat.drift(laws, world.now)(world.state.heartbeat())
    known = preset if preset in simulating.PRESETS else "now"
    begin = simulating.preset(known, beat.emotions, laws).as_mapping()
    felt = {name: round(min(1.0, max(0.0, given.get(name, begin[name]))), 2) for name in NAMES}
    result = simulating.simulate(Emotions.from_mapping(felt), hours, laws, world.now)
    needs = tuple(
        Need(name, feelings_drawn.name_need(name), value, mark, feeling_words.does(name, mark))
        for name, value in result.needs.items()
        for mark in [result.marks[name]]
    )
    tone = world.prompts.render(f"_parts/mood/{result.mood}")
    return Shown(felt, laws.emotions.natural, result, needs, " ".join(tone.split()))


def picture(world: World, shown: Shown) -> Chart:
    """Draw feelings and needs over the next day."""
    moments = shown.result.ahead
    start, end = moments[0].at, moments[-1].at
    return charts.small_plots(
        feelings_drawn.groups(moments, world.laws, STEP),
        start=start,
        end=end,
        zone=world.zone,
        title="The next 24 hours, if nothing happens",
        description=feelings_drawn.in_words(moments, world.laws),
        width=WIDTH,
        ribbon=feelings_drawn.moods(moments, end, STEP),
    )
