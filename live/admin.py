"""The log of topics, to read. A topic's master key decides every coming draw and is shown to nobody."""

from django.apps import apps

from accounts.readonly_admin import show

show(*apps.get_app_config("live").get_models(), hidden={"Topic": ("master",)})
