"""How allauth is bent to this house: user names only, no e-mail, our words, our client address."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.names import NAME_LIMIT, clean_name, clean_username
from accounts.network import client_address
from accounts.usernames import free_username


def user_display(user: AbstractBaseUser) -> str:
    return user.shown_name if isinstance(user, User) else str(user)


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": gettext_lazy("利用者名か合い鍵が違います。大文字・小文字も確かめてください。"),
        "too_many_login_attempts": gettext_lazy("続けて間違えたので、しばらく入れません。10分ほど待ってください。"),
        "account_inactive": gettext_lazy("このアカウントは止められています。"),
        "enter_current_password": gettext_lazy("いまの合い鍵が違います。"),
        "username_taken": gettext_lazy("この利用者名は、もう使われています。"),
    }
    # Signing in and out shows by itself; these two do not.
    said = {
        "account/messages/password_changed.txt": gettext_lazy("合い鍵を変えました。ほかの端末からは出ています。"),
        "account/messages/password_set.txt": gettext_lazy("合い鍵を決めました。"),
        "socialaccount/messages/account_connected.txt": gettext_lazy("つなぎました。次からはこの方法でも入れます。"),
        "socialaccount/messages/account_disconnected.txt": gettext_lazy("つながりを外しました。"),
        "socialaccount/messages/account_connected_other.txt": gettext_lazy(
            "その相手は、もう別のアカウントにつながっています。"
        ),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """allauth asks with `shallow` while it makes a name up for somebody who came from outside."""
        if shallow:
            return str(super().clean_username(clean_username(username), shallow=True))
        return free_username(username)

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        nickname = form.cleaned_data.get("nickname") or form.cleaned_data.get("username", "")
        user.nickname = nickname[:NAME_LIMIT]
        return super().save_user(request, user, form, commit)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        text = message or self.said.get(message_template or "")
        if text:
            messages.add_message(request, level, str(text), extra_tags=extra_tags)

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("me")

    def respond_email_verification_sent(self, request: HttpRequest, user: Any) -> HttpResponse:
        return HttpResponseRedirect(reverse("home"))


class SocialAdapter(DefaultSocialAccountAdapter):
    error_messages = {
        **DefaultSocialAccountAdapter.error_messages,
        "no_password": gettext_lazy("合い鍵を決めてからでないと、最後のつながりは外せません。"),
        "disconnect_last": gettext_lazy("合い鍵を決めてからでないと、最後のつながりは外せません。"),
        "connected_other": gettext_lazy("その相手は、もう別のアカウントにつながっています。"),
    }

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Keep what shows people which account is connected; an address or a picture the provider sent is dropped."""
        sociallogin.email_addresses = []
        kept = {"id", "sub", "username", "global_name", "name"}
        data = sociallogin.account.extra_data
        sociallogin.account.extra_data = {k: v for k, v in data.items() if k in kept} if isinstance(data, dict) else {}

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> Any:
        """Take over a name to be called by, and nothing else the provider may have sent."""
        name = data.get("name") or data.get("username") or data.get("first_name") or ""
        user = super().populate_user(request, sociallogin, {"username": data.get("username"), "name": ""})
        try:
            user.nickname = clean_name(name[:NAME_LIMIT])
        except ValidationError:
            user.nickname = ""
        return user

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        return reverse("me")
