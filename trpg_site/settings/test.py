"""The test run. Rate limits are off here; their own tests switch them on."""

from trpg_site.settings.base import *  # noqa: F403

DEBUG = False
SECRET_KEY = "test-key"
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
RATELIMIT_ENABLE = False
ACCOUNT_RATE_LIMITS = False
WHITENOISE_AUTOREFRESH = True  # static files straight from `static/`, nothing collected
WHITENOISE_USE_FINDERS = True

if "sqlite" in DATABASES["default"]["ENGINE"]:  # noqa: F405
    # Said outright: parallel test runs recognise only Django's own engine as one that lives in memory.
    DATABASES["default"]["TEST"] = {"NAME": ":memory:"}  # noqa: F405
