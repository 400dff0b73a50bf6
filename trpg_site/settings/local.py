"""`run.py play`: a group's own machine, plain http in the home network, no debug pages.

Passwords and cookies travel unencrypted here; pages that ask for a password say so (see SECURITY.md).
"""

from trpg_site.settings.base import *  # noqa: F403
from trpg_site.settings.base import HASHED_STATIC, MIDDLEWARE, VAR_DIR, env
from trpg_site.settings.secret import local_secret

SECRET_KEY = env.str("SECRET_KEY", default="") or local_secret(VAR_DIR / "secret_key")
# The table's phones come by address or by the machine's name, neither known here: LocalHosts decides.
LOCAL_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[])
ALLOWED_HOSTS = ["*"]
MIDDLEWARE = [*MIDDLEWARE]
MIDDLEWARE.insert(MIDDLEWARE.index("trpg_site.middleware.WellFormed") + 1, "trpg_site.middleware.LocalHosts")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": HASHED_STATIC,
}
