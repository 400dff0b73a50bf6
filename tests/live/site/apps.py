from django.apps import AppConfig


class TestSiteConfig(AppConfig):
    name = "tests.live.site"
    label = "live_test_site"

    def ready(self) -> None:
        from live import kinds
        from tests.live.site import counting, kind

        kinds.register(kind.RoomKind())
        counting.install()
