"""The brain as a process: settings, log, database, and stop signals."""

import os
import signal
import subprocess
import sys
from datetime import tzinfo

from furoshiki.app.run_job import clock, keep_log, notifier
from furoshiki.app.scheduler.loop import MOST_AT_ONCE, Brain, SchedulerSetup
from furoshiki.core import logs
from furoshiki.core import settings as all_settings
from furoshiki.core.database import migrate
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.process.systemd import Notifier
from furoshiki.core.settings import Settings


def brain() -> None:
    """Run until SIGTERM or SIGINT. Raises AlreadyRunning, BadSetting, StorageUnavailable."""
    settings = all_settings.load()
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    keep_log(settings, "brain")
    if migrate.current(settings.database) != migrate.HEAD:  # a process: it needs 60 MB, once
        done = subprocess.run([sys.executable, "-P", "-m", "furoshiki", "migrate"], capture_output=True, text=True)
        if done.returncode:
            raise StorageUnavailable(done.stderr.strip() or "the database could not be brought to the newest schema")
    service = build_brain(settings, MOST_AT_ONCE, notifier())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: service.stop())
    service.run()


def build_brain(settings: Settings, scripts_at_once: int, notifier: Notifier | None = None) -> Brain:
    """Build a brain for these settings that is not running yet."""

    hidden = logs.Redacting(settings.secrets())

    def zone() -> tzinfo:
        """Return the zone in the present settings; called when a settings file changed."""
        found = all_settings.reload(settings)
        logs.tune(found.furoshiki_log_level, found.secrets())
        hidden.hide(found.secrets())
        return found.zone

    around = SchedulerSetup(
        data=settings.data,
        database=settings.database,
        clock=clock,
        zone=zone,
        python=sys.executable,
        environ=os.environ,
        clean=hidden.clean,
        scripts_at_once=scripts_at_once,
        look_seconds=settings.furoshiki_brain_tick_seconds,
    )
    return Brain(around, notifier)
