"""The tests of a plugin, run within its sandbox: a script of its own, which nothing of the program imports.

Standard library and pytest alone. It prints what pytest prints and leaves with its exit code.
"""

import os
import sys

if __name__ == "__main__":
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # noqa: TID251 - within the sandbox, where there is none
    import pytest

    plugin = sys.stdin.read()
    sys.exit(
        pytest.main(
            [
                *("-q", "-x", "--rootdir", f"{plugin}/tests", "--basetemp", f"{plugin}/data/tests"),
                *("-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=sys", f"{plugin}/tests"),
            ]
        )
    )
