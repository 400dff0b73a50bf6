"""Campaigns, characters, sheets and their histories, to read. What a link is made of is shown to nobody."""

from django.apps import apps

from accounts.readonly_admin import show

show(
    *apps.get_app_config("characters").get_models(),
    hidden={"Invitation": ("nonce", "token_hash"), "Character": ("link_nonce",)},
)
