"""In, up and out: allauth's pages with our limits. A refused form answers 422 with what was typed."""

from __future__ import annotations

from typing import Any

from allauth.account import views as account
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _

from accounts.errors import too_many
from accounts.http import SeeOther
from accounts.names import clean_username
from accounts.throttle import SIGN_INS, limited


class Refusing:
    """A form view whose refusal is a client error."""

    def form_invalid(self, form: Any) -> HttpResponse:
        response: HttpResponse = super().form_invalid(form)  # type: ignore[misc]
        response.status_code = 422
        return response


class SignInView(Refusing, account.LoginView):
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        name = clean_username(request.POST.get("login", "")).casefold()
        attempt = SIGN_INS.enter(request, name)
        if attempt.wait:
            return too_many(request, retry_after=attempt.wait)
        response: HttpResponse = super().post(request, *args, **kwargs)
        if response.status_code < 400:
            attempt.passed()
        return response


@method_decorator(limited("sign-up", "60/h"), name="dispatch")
class SignUpView(Refusing, account.SignupView):
    def form_valid(self, form: Any) -> HttpResponse:
        try:
            with transaction.atomic():
                return super().form_valid(form)  # type: ignore[no-any-return]
        except IntegrityError:  # somebody took the name between the check and now
            form.add_error("username", _("この利用者名は、もう使われています。"))
            return self.form_invalid(form)

    def closed(self) -> HttpResponse:
        return render(self.request, "account/signup_closed.html", status=403)


class PasswordChangeView(Refusing, account.PasswordChangeView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and request.user.is_guest:
            return HttpResponseRedirect(reverse("claim"))
        return super().dispatch(request, *args, **kwargs)  # type: ignore[no-any-return]


class PasswordSetView(Refusing, account.PasswordSetView):
    """For those who came by Discord or Google; a guest needs a user name as well and goes to claiming."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and request.user.is_guest:
            return HttpResponseRedirect(reverse("claim"))
        return super().dispatch(request, *args, **kwargs)  # type: ignore[no-any-return]


class SignOutView(account.LogoutView):
    """A guest who leaves cannot come back without a new seat link, so is asked once more."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = request.user
        if user.is_authenticated and user.is_guest and request.POST.get("sure") != "yes":
            return render(request, self.template_name)
        super().post(request, *args, **kwargs)
        return SeeOther(self.get_redirect_url())


sign_in = SignInView.as_view()
sign_up = SignUpView.as_view()
sign_out = SignOutView.as_view()
password_change = login_required(PasswordChangeView.as_view())
password_set = login_required(PasswordSetView.as_view())
inactive = account.account_inactive
