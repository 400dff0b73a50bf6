from django.urls import path

from live import views

urlpatterns = [
    path("fair/verify_fair.py", views.fair_script, name="fair_script"),
    path("fair/<str:topic>/", views.fair, name="fair"),
    path("fair/<str:topic>/record.json", views.fair_json, name="fair_json"),
    path("fair/<str:topic>/salt/", views.fair_salt, name="fair_salt"),
]
