"""An admin page that shows and never changes: game rows change through `actions/` alone, which keep their promises."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """For administrators only (superusers). `hidden` names fields that are keys and never shown."""

    hidden: tuple[str, ...] = ()
    list_per_page = 50
    show_full_result_count = False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [f.name for f in self.model._meta.fields if f.name not in self.hidden]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return self.get_fields(request, obj)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def show(*models_to_show: type[models.Model], hidden: dict[str, tuple[str, ...]] | None = None) -> None:
    """Register models read-only; `hidden` maps a model's name to the fields that are keys."""
    for model in models_to_show:
        keys = (hidden or {}).get(model.__name__, ())
        columns = [f.name for f in model._meta.fields if f.name not in keys and not isinstance(f, models.JSONField)]
        facts = {"hidden": keys, "list_display": columns[:6]}
        admin.site.register(model, type(f"{model.__name__}Admin", (ReadOnlyAdmin,), facts))
