"""`/metrics`: figures for Prometheus, with a session or a token."""

from fastapi import APIRouter, Depends, Request, Response

from furoshiki.core.process import prometheus
from furoshiki.faces.dashboard.access.current import viewer
from furoshiki.faces.overview.metrics import Meter

router = APIRouter()


@router.get("/metrics", dependencies=[Depends(viewer)])
def metrics(request: Request) -> Response:
    """Return all metrics as Prometheus text. Counters start at the first scrape of this process."""
    state = request.app.state
    if not hasattr(state, "meter"):
        state.meter = Meter()
    families = state.meter.families(state.world())
    return Response(prometheus.render(families), media_type=prometheus.CONTENT_TYPE)
