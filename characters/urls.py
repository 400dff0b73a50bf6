from django.urls import include, path

urlpatterns = [
    path("", include("characters.urls_campaign")),
    path("", include("characters.urls_character")),
]
