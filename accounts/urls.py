"""Addresses of people's pages. Of allauth's only those that need no e-mail; the others answer 404."""

from allauth.socialaccount import views as social
from allauth.urls import build_provider_urlpatterns
from django.conf import settings
from django.urls import include, path

from accounts.views import entry, language, links, me

urlpatterns = [
    path("accounts/login/", entry.sign_in, name="account_login"),
    path("accounts/logout/", entry.sign_out, name="account_logout"),
    path("accounts/signup/", entry.sign_up, name="account_signup"),
    path("accounts/inactive/", entry.inactive, name="account_inactive"),
    path("accounts/password/change/", entry.password_change, name="account_change_password"),
    path("accounts/password/set/", entry.password_set, name="account_set_password"),
    path("me/", me.me, name="me"),
    path("me/claim/", me.claim, name="claim"),
    path("me/device-link/", me.device_link, name="device_link"),
    path("me/sign-out-everywhere/", me.sign_out_everywhere, name="sign_out_everywhere"),
    path("seat/<str:token>/", links.seat_link_open, name="seat_link_open"),
    path("reset/<str:token>/", links.reset_open, name="reset_open"),
    path("i18n/setlang/", language.set_language, name="set_language"),
]

if settings.SOCIALACCOUNT_PROVIDERS:
    urlpatterns += [
        path("accounts/3rdparty/login/cancelled/", social.login_cancelled, name="socialaccount_login_cancelled"),
        path("accounts/3rdparty/login/error/", social.login_error, name="socialaccount_login_error"),
        path("accounts/3rdparty/signup/", social.signup, name="socialaccount_signup"),
        path("accounts/3rdparty/", social.connections, name="socialaccount_connections"),
        path("accounts/", include(build_provider_urlpatterns())),
    ]
