from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """The table. The label differs from the folder because `sessions` is Django's own (`django.contrib.sessions`)."""

    name = "sessions"
    label = "game_sessions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.db.models.signals import post_save

        from characters.models import Character, Seat
        from characters.present.campaign import register_panel
        from live.kinds import register
        from sessions.following import character_saved, seat_saved
        from sessions.live import SessionTopics
        from sessions.present.campaign import CHANGED_BY, sessions_panel

        register(SessionTopics())
        register_panel("sessions", sessions_panel, changed_by=CHANGED_BY)
        post_save.connect(seat_saved, sender=Seat, dispatch_uid="sessions.seat_saved")
        post_save.connect(character_saved, sender=Character, dispatch_uid="sessions.character_saved")
