"""Start-up check: every registered system loads with its tables."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error, register


@register()
def systems_load(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    from rulesets import registry

    found: list[CheckMessage] = []
    for slug in registry.SLUGS:
        try:
            registry.load(slug).tables({})
        except Exception as error:  # any fault of a data file must be named at start-up, not at the first roll
            found.append(Error(f"game system {slug!r} does not load: {error}", id="rulesets.E001"))
    return found
