"""`python -m furoshiki` is the command `furoshiki`."""

from furoshiki.cli.main import main

raise SystemExit(main())
