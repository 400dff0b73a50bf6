"""The live core and nothing else of the site."""

from trpg_site.settings.test import *  # noqa: F403

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "trpg_site",
    "accounts",
    "live",
    "tests.live.site",
]
MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
ROOT_URLCONF = "tests.live.site.urls"
STATICFILES_DIRS = [BASE_DIR / "static"]  # noqa: F405
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
SESSION_COOKIE_NAME = "session"
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
TEMPLATES[0]["OPTIONS"]["context_processors"] = ["django.template.context_processors.request"]  # noqa: F405
