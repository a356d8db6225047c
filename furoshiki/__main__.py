"""`python -m furoshiki` is the command `furoshiki`."""

from furoshiki.faces.cli.main import main

raise SystemExit(main())
