"""Read finished conversations once as a whole and keep what they leave behind."""

from furoshiki.app.run_job import script

script("run_post_conversation")
