"""People in the admin: an administrator may stop, rename and let in again; passwords are never typed for others."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialApp, SocialToken
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.actions import links
from accounts.models import OneTimeLink, User
from accounts.readonly_admin import show
from accounts.signing import person

# Nothing of these is used here: no e-mail, outside sign-ins are configured by environment, no groups.
for unused in (EmailAddress, SocialApp, SocialToken, Group):
    if admin.site.is_registered(unused):
        admin.site.unregister(unused)


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    list_display = ("username", "nickname", "is_guest", "is_active", "is_superuser", "last_login")
    list_filter = ("is_guest", "is_active", "is_superuser")
    search_fields = ("username", "nickname")
    readonly_fields = ("is_guest", "last_login", "date_joined")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "nickname", "language", "theme", "is_guest")}),
        (gettext_lazy("権限"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (gettext_lazy("日時"), {"fields": ("last_login", "date_joined")}),
    )
    actions = ["make_link"]

    def get_urls(self) -> list[Any]:
        """Without the page where one types somebody else's password: the one-time link does that."""
        return [url for url in super().get_urls() if url.name != "auth_user_password_change"]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_module_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # seats and history keep their names; `is_active` stops a person

    @admin.action(description=gettext_lazy("一度だけのリンクを作る（席または合い鍵）"))
    def make_link(self, request: HttpRequest, chosen: QuerySet[User]) -> HttpResponse | None:
        people = list(chosen[:2])
        if len(people) != 1:
            self.message_user(request, _("一人だけ選んでください。"), messages.ERROR)
            return None
        one = people[0]
        try:
            if one.is_guest:
                kind, path = links.SEAT, reverse("seat_link_open", args=[links.make_seat_link(one, by=person(request))])
            else:
                kind, path = links.RESET, reverse("reset_open", args=[links.make_reset_link(one, by=person(request))])
        except links.LinkRefused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return None
        facts = {"address": request.build_absolute_uri(path), "kind": kind.value, "back": request.get_full_path()}
        response = render(request, "account/link_made.html", facts)
        response["Cache-Control"] = "no-store, private"
        return response


show(OneTimeLink, hidden={"OneTimeLink": ("token_hash",)})
