"""The scheduler: reads schedules.json, starts each script when its time has come, and sees how it ends."""
