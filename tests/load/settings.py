"""The site for the benchmark: as it runs, without limits on how often somebody may press; tables made at once."""

from __future__ import annotations

from trpg_site.settings.test import *  # noqa: F403


class _NoMigrations:
    """Every app's tables from its models: a second instead of ten."""

    def __contains__(self, app: str) -> bool:
        return True

    def __getitem__(self, app: str) -> None:
        return None


MIGRATION_MODULES = _NoMigrations()
