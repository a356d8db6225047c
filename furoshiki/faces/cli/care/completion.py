"""`furoshiki completion SHELL`: a script that makes a shell complete commands, verbs and options.

eval "$(furoshiki completion bash)"                              in ~/.bashrc
furoshiki completion zsh > "${fpath[1]}/_furoshiki"              once
furoshiki completion tcsh > ~/.furoshiki.tcsh, sourced           in ~/.tcshrc
"""

import argparse

import shtab

from furoshiki.faces.cli.parser import build


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    print(shtab.complete(build(), args.shell))
    return 0
