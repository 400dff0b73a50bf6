"""A developer's machine: debug pages, plain http, the hosts of the local network."""

from trpg_site.settings.base import *  # noqa: F403
from trpg_site.settings.base import VAR_DIR, env
from trpg_site.settings.secret import local_secret

DEBUG = env.bool("DEBUG", default=True)
SECRET_KEY = env.str("SECRET_KEY", default="") or local_secret(VAR_DIR / "secret_key")
ALLOWED_HOSTS = ["*"]
