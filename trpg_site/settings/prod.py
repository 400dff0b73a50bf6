"""A real installation. Refuses to start without SECRET_KEY and ALLOWED_HOSTS."""

from trpg_site.settings.base import *  # noqa: F403
from trpg_site.settings.base import env

SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")
