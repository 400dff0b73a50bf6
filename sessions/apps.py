from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """The table. The label differs from the folder because `sessions` is Django's own (`django.contrib.sessions`)."""

    name = "sessions"
    label = "game_sessions"
    default_auto_field = "django.db.models.BigAutoField"
