from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "trpg_site"
