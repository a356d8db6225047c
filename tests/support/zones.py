"""Time zones in which something is odd."""

ZONES = (
    "UTC",
    "Europe/Lisbon",
    "America/New_York",
    "America/Santiago",  # skips and repeats midnight
    "Africa/Cairo",  # skips midnight
    "America/Nuuk",  # skips from 23:00 into the next day
    "Australia/Lord_Howe",  # moves by half an hour
    "Pacific/Apia",  # once left out a whole day
    "Asia/Kathmandu",
    "Africa/Casablanca",  # winter time during Ramadan
)
