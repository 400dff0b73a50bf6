"""The site as it is, with the test's doors; nobody's presses are limited."""

from trpg_site.settings.test import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.faults.table"]  # noqa: F405
ROOT_URLCONF = "tests.faults.table.urls"
