from django.apps import AppConfig


class RulesetsConfig(AppConfig):
    """The rules of the games. Apart from this file and `checks.py` nothing in here knows Django."""

    name = "rulesets"

    def ready(self) -> None:
        import rulesets.checks  # noqa: F401
