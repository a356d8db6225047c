"""Two homes under one dashboard, with their owners and the operator signed in."""

from __future__ import annotations

from tests.support.roof import roof, root

__all__ = ["roof", "root"]
