from django.db.backends.sqlite3.base import DatabaseWrapper  # noqa: F401
