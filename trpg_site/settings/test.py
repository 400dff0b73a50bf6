"""The test run."""

from trpg_site.settings.base import *  # noqa: F403

DEBUG = False
SECRET_KEY = "test-key"
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
