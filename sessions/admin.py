"""Sessions, to read."""

from django.apps import apps

from accounts.readonly_admin import show

show(*apps.get_app_config("game_sessions").get_models())
