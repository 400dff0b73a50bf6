from django.urls import include, path

from trpg_site.urls import handler400, handler403, handler404, handler429, handler500
from trpg_site.urls import urlpatterns as site

__all__ = ["handler400", "handler403", "handler404", "handler429", "handler500"]
urlpatterns = [*site, path("", include("sessions.urls"))]
