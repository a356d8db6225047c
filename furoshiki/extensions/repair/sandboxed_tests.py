"""Runs a plugin's tests in its sandbox: a separate script that the program does not import.

Standard library and pytest only. Output and exit code are pytest's.
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
