"""A real installation. Refuses to start without a good SECRET_KEY and without ALLOWED_HOSTS.

Behind https set `TLS=1`. Without it the site still works, for a network everybody in it trusts; SECURITY.md says what
is lost, and pages that ask for a password say so too.
"""

from django.core.exceptions import ImproperlyConfigured

from trpg_site.settings.base import *  # noqa: F403
from trpg_site.settings.base import ALLOWED_HOSTS, HASHED_STATIC, env

SECRET_KEY = env.str("SECRET_KEY", default="")
if len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 8:
    raise ImproperlyConfigured(
        "SECRET_KEY must be set to at least 50 random characters, for example the output of "
        "`python -c 'import secrets; print(secrets.token_urlsafe(48))'`."
    )
if not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS must name the host(s) people use to reach the site, without '*'.")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": HASHED_STATIC,
}
