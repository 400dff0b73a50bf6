from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# The admin's own sign-in page would be a second door without our rate limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("live.urls")),
    path("", include("characters.urls")),
    path("", include("sessions.urls")),
]

handler400 = "accounts.errors.bad_request"
handler403 = "accounts.errors.permission_denied"
handler404 = "accounts.errors.not_found"
handler429 = "accounts.errors.too_many"  # allauth looks for it
handler500 = "accounts.errors.server_error"
