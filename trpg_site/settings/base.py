"""What every installation shares. Everything an operator may set comes from the environment (or `.env`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import environ
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = BASE_DIR / "var"

env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env", overwrite=False)

DEBUG = False
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "trpg_site",
    "rulesets",
    "accounts",
    "live",
    "characters",
    "sessions",
]

# The first three put their headers on every answer, also on those the later ones give by themselves.
MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "trpg_site.middleware.SiteHeaders",
    "django.middleware.security.SecurityMiddleware",
    "trpg_site.middleware.WellFormed",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # within: static files are packed beforehand
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.KeepSession",
    "accounts.middleware.Preferences",
    "accounts.middleware.CommandLimit",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
SILENCED_SYSTEM_CHECKS = ["security.W002"]  # SiteHeaders forbids frames, on more answers than Django's middleware

ROOT_URLCONF = "trpg_site.urls"
WSGI_APPLICATION = None
ASGI_APPLICATION = "trpg_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context_processors.house",
            ],
        },
    }
]

# --- Storage -------------------------------------------------------------------------------------------------------

# SQLite is the embedded default; its backend lets one write transaction run at a time, in order (DESIGN §5).
DATABASES: dict[str, Any] = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'takubiyori.sqlite3'}")
}
EMBEDDED_DATABASE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if EMBEDDED_DATABASE:
    DATABASES["default"]["ENGINE"] = "live.backends.sqlite3"
    DATABASES["default"]["CONN_MAX_AGE"] = None  # the threads live long; the last connection to close would checkpoint
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
else:
    DATABASES["default"].setdefault("CONN_MAX_AGE", 600)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

# Counters of attempts live in the cache, so it must be one for all processes: Redis, else the database; memory
# suffices for SQLite, which means a single process. Room for many entries, so that an attacker with many addresses
# cannot push counters out; less in the database, which counts its rows at every step.
REDIS_URL: str = env.str("REDIS_URL", default="")
CACHES: dict[str, dict[str, Any]]
if REDIS_URL:
    CACHES = {"default": {"BACKEND": "accounts.cache.SteadyRedisCache", "LOCATION": REDIS_URL}}
elif EMBEDDED_DATABASE:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    CACHES["default"]["OPTIONS"] = {"MAX_ENTRIES": 100_000}
else:
    CACHES = {"default": {"BACKEND": "accounts.cache.CountingDatabaseCache", "LOCATION": "cache_entries"}}
    CACHES["default"]["OPTIONS"] = {"MAX_ENTRIES": 10_000}
CACHES["default"]["TIMEOUT"] = 3600
CACHES["default"]["KEY_PREFIX"] = "takubiyori"
CACHES["memory"] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "presses",
    "OPTIONS": {"MAX_ENTRIES": 10_000},
}

# --- Accounts ------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"

ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.SignInForm",
    "signup": "accounts.forms.SignUpForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_SIGNUP_ENABLED = env.bool("SIGNUP_OPEN", default=True)
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_NOTIFICATIONS = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_USER_DISPLAY = "accounts.adapter.user_display"
# `login_failed` counts per address only: a count per user name would let strangers lock a member out.
ACCOUNT_RATE_LIMITS: Any = {"login_failed": "20/10m/ip", "signup": "20/m/ip", "login": "60/m/ip"}

# Sign-in by others exists only where the operator configured it. Neither e-mail addresses nor tokens are kept.
SOCIALACCOUNT_ADAPTER = "accounts.adapter.SocialAdapter"
SOCIALACCOUNT_FORMS = {"signup": "accounts.forms.SocialSignUpForm"}
SOCIALACCOUNT_AUTO_SIGNUP = True
SOCIALACCOUNT_QUERY_EMAIL = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_PROVIDERS: dict[str, dict[str, Any]] = {}
SOCIALACCOUNT_ORIGINS: list[str] = []  # a form's press ends there, so `form-action` must name them
for _provider, _scope, _origin in (
    ("discord", ["identify"], "https://discord.com"),
    ("google", ["profile"], "https://accounts.google.com"),
):
    _client = env.str(f"{_provider.upper()}_CLIENT_ID", default="")
    if _client:
        _app = {"client_id": _client, "secret": env.str(f"{_provider.upper()}_CLIENT_SECRET"), "key": ""}
        SOCIALACCOUNT_PROVIDERS[_provider] = {"APPS": [_app], "SCOPE": _scope}
        SOCIALACCOUNT_ORIGINS.append(_origin)
        INSTALLED_APPS.append(f"allauth.socialaccount.providers.{_provider}")

RATELIMIT_ENABLE = env.bool("RATE_LIMITS", default=True)  # off only for load tests
PRESSES_PER_MINUTE = 300  # of whatever changes something, per person (or per address)
if not RATELIMIT_ENABLE:
    ACCOUNT_RATE_LIMITS = False

# --- The wire ------------------------------------------------------------------------------------------------------

TLS: bool = env.bool("TLS", default=False)  # people reach the site by https (a proxy in front speaks it)
# How many proxies of ours stand in front; only what they wrote into X-Forwarded-For is believed.
TRUSTED_PROXIES: int = env.int("TRUSTED_PROXIES", default=1 if TLS else 0)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "form-action": ["'self'", *SOCIALACCOUNT_ORIGINS],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
        "upgrade-insecure-requests": TLS,
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "browsing-topics",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "publickey-credentials-get",
        "usb",
    )
)

SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_AGE = 180 * 24 * 60 * 60  # renewed weekly: a guest's cookie is the guest's only key
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_NAME = "__Host-session" if TLS else "session"
CSRF_COOKIE_NAME = "__Host-csrf" if TLS else "csrf"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "accounts.errors.csrf_failure"
LANGUAGE_COOKIE_NAME = "lang"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = TLS
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # what is said stays off the wire

if TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = env.bool("SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=365 * 24 * 60 * 60)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", default=False)

# Bodies: `MAX_BODY_BYTES` holds for any request, the rest for forms. A party file of 20 characters has about 200 kB.
MAX_BODY_BYTES = 5 * 1024 * 1024
MAX_HEADER_BYTES = 32 * 1024
MAX_ADDRESS_BYTES = 8 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
DATA_UPLOAD_MAX_NUMBER_FILES = 5
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# --- Language and static files -------------------------------------------------------------------------------------

LANGUAGE_CODE = "ja"
LANGUAGES = [("ja", _("日本語")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "Asia/Tokyo"
USE_I18N = True
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_ALLOW_ALL_ORIGINS = False  # our files are for our own pages
HASHED_STATIC = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}

# --- Logging: to stderr; secrets in addresses are masked on every way out --------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"mask": {"()": "accounts.logs.MaskTokens"}},
    "formatters": {
        "line": {
            "()": "accounts.logs.MaskingFormatter",
            "format": "{asctime} {levelname} {name} {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["mask"]}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="WARNING").upper()},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.server": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        # Who came in, failed guesses, changed roles: see accounts/audit.py.
        "security": {"level": "INFO"},
        # The server sets up its own handlers; the masks must be on the loggers.
        "uvicorn.access": {"filters": ["mask"]},
        "uvicorn.error": {"filters": ["mask"]},
    },
}
