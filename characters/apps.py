from django.apps import AppConfig


class CharactersConfig(AppConfig):
    name = "characters"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from characters.live import CampaignTopics
        from live.kinds import register

        register(CampaignTopics())
