"""Forms about people. Every field says in words what is wrong, beside itself."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account
from allauth.socialaccount import forms as social
from django import forms
from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from accounts.actions.people import THEMES
from accounts.names import NAME_LIMIT, clean_name, clean_username
from accounts.worded import WordedForm, say_plainly

PASSWORD_LIMIT = 256  # more is no password, and hashing it costs time
USERNAME_LIMIT = 150


def username_field() -> forms.CharField:
    return forms.CharField(
        label=_("利用者名"),
        max_length=USERNAME_LIMIT,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )


def password_field(label: Any, autocomplete: str = "new-password", help_text: Any = "") -> forms.CharField:
    return forms.CharField(
        label=label,
        strip=False,
        max_length=PASSWORD_LIMIT,
        help_text=help_text,
        widget=forms.PasswordInput(attrs={"autocomplete": autocomplete}),
    )


NEW_PASSWORD_HINT = _("8文字以上。よくある言葉や、利用者名に似たものは使えません。")


def nickname_field(required: bool = True, help_text: Any = "") -> forms.CharField:
    # No max_length: the cleaner counts after tidying and says how many letters there are.
    return forms.CharField(
        label=_("呼び名"),
        required=required,
        help_text=help_text,
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "data-limit": str(NAME_LIMIT)}),
    )


class SignInForm(account.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = username_field()
        self.fields["password"] = password_field(_("合い鍵（パスワード）"), "current-password")
        self.order_fields(["login", "password"])
        say_plainly(self)

    def clean_login(self) -> str:
        return clean_username(self.cleaned_data["login"])


class SignUpForm(account.SignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"] = username_field()
        self.fields["username"].help_text = _("入るときに使う名前です。卓の人には見えません。")
        self.fields["nickname"] = nickname_field(False, _("卓で呼ばれる名前。空なら利用者名と同じになります。"))
        self.fields["password1"] = password_field(_("合い鍵（パスワード）"), help_text=NEW_PASSWORD_HINT)
        self.fields["password2"] = password_field(_("合い鍵をもう一度"))
        self.order_fields(["username", "nickname", "password1", "password2"])
        say_plainly(self)

    def clean_nickname(self) -> str:
        text = self.cleaned_data.get("nickname", "")
        return clean_name(text) if text.strip() else ""

    def clean(self) -> dict[str, Any]:
        return two_the_same(self, super().clean())


class SocialSignUpForm(social.SignupForm):
    """Asked only when the name the provider sent is taken here."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        initial = self.fields["username"].initial
        self.fields["username"] = username_field()
        self.fields["username"].initial = initial
        say_plainly(self)


class ChangePasswordForm(account.ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = _("いまの合い鍵")
        _tidy_new_passwords(self)


class SetPasswordForm(account.SetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _tidy_new_passwords(self)


def _tidy_new_passwords(form: forms.Form) -> None:
    form.fields["password1"].label = _("新しい合い鍵")
    form.fields["password1"].help_text = NEW_PASSWORD_HINT
    form.fields["password2"].label = _("新しい合い鍵をもう一度")
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
        field.validators.append(MaxLengthValidator(PASSWORD_LIMIT))
    say_plainly(form)


class ClaimForm(WordedForm):
    """A guest becomes an account; the action checks name and password."""

    username = username_field()
    password = password_field(_("合い鍵（パスワード）"), help_text=NEW_PASSWORD_HINT)
    password2 = password_field(_("合い鍵をもう一度"))

    def clean(self) -> dict[str, Any]:
        return two_the_same(self, super().clean() or {}, "password")


class ResetForm(WordedForm):
    """A new password behind a one-time link; the action checks it."""

    password = password_field(_("新しい合い鍵"), help_text=NEW_PASSWORD_HINT)
    password2 = password_field(_("新しい合い鍵をもう一度"))

    def clean(self) -> dict[str, Any]:
        return two_the_same(self, super().clean() or {}, "password")


class PreferencesForm(WordedForm):
    nickname = nickname_field(help_text=_("この場所で呼ばれる名前。卓ごとの名前は、それぞれの卓で変えられます。"))
    language = forms.ChoiceField(label=_("言語"), required=False)
    theme = forms.ChoiceField(label=_("明るさ"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("ブラウザに合わせる")), *settings.LANGUAGES]  # type: ignore[attr-defined]
        words = {"auto": _("自動"), "light": _("昼"), "dark": _("夜")}
        self.fields["theme"].choices = [(key, words[key]) for key in THEMES]  # type: ignore[attr-defined]

    def clean_nickname(self) -> str:
        return clean_name(self.cleaned_data["nickname"])


def two_the_same(form: forms.Form, data: dict[str, Any], first: str = "password1") -> dict[str, Any]:
    """Refuse, in our words and once, when the password and its repetition differ."""
    one, two = data.get(first), data.get("password2")
    if one and two and one != two:
        form.errors.pop("password2", None)
        form.add_error("password2", _("二つの合い鍵が違います。同じものを二度入れてください。"))
    return data
