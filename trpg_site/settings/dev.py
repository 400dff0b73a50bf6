"""A machine of one's own: debug pages, plain http, any host name of the local network."""

from trpg_site.settings.base import *  # noqa: F403
from trpg_site.settings.base import env

DEBUG = env.bool("DEBUG", default=True)
SECRET_KEY = env.str("SECRET_KEY", default="development-only-key-never-for-a-real-table")
ALLOWED_HOSTS = ["*"]
