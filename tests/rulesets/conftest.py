"""Properties are not timed: on a shared machine a slow example says nothing about the rules."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
