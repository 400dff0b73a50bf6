from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate


class AccountsConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import checks, receivers  # noqa: F401 - they register themselves

        post_migrate.connect(make_cache_table, sender=self)


def make_cache_table(using: str = "default", **_: Any) -> None:
    """`migrate` is all an operator runs: it makes the table of the database cache as well."""
    from django.core.management import call_command

    if any(c["BACKEND"] == "accounts.cache.CountingDatabaseCache" for c in settings.CACHES.values()):
        call_command("createcachetable", database=using, verbosity=0)
