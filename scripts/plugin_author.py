"""Write a plugin that was wished for, have it reviewed, and lay it before the owner."""

from furoshiki.app.run_job import script

script("plugin_author")
