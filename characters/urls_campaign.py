from django.urls import path

from characters.views import home

urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", home.set_theme, name="set_theme"),
]
