"""Read finished conversations once as a whole and keep what they leave behind."""

from furoshiki.runtime import script

script("run_post_conversation")
