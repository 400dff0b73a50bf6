from django.urls import path

from sessions.views import commands, pages

HERE = "c/<slug:slug>/sessions/<int:number>/"

urlpatterns = [
    path("c/<slug:slug>/sessions/", commands.session_new, name="session_new"),
    path("c/<slug:slug>/parts/<slug:part>/", commands.part_new, name="part_new"),
    path(HERE, pages.session, name="session"),
    path(f"{HERE}state.json", pages.session_state, name="session_state"),
    path(f"{HERE}log/", pages.session_log, name="session_log"),
    path(f"{HERE}log.<slug:form>", pages.session_export, name="session_export"),
    path(f"{HERE}log/<int:seq>/open/", commands.entry_open, name="entry_open"),
    path(f"{HERE}edit/", commands.session_edit, name="session_edit"),
    path(f"{HERE}start/", commands.session_start, name="session_start"),
    path(f"{HERE}do/<str:name>/", commands.session_command, name="session_command"),
    path(f"{HERE}form/<str:name>/", pages.session_form, name="session_form"),
    path(f"{HERE}odds/<str:name>/", commands.session_odds, name="session_odds"),
    path(f"{HERE}say/", commands.session_say, name="session_say"),
    path(f"{HERE}undo/", commands.session_undo, name="session_undo"),
    path(f"{HERE}nudge/", commands.session_nudge, name="session_nudge"),
    path(f"{HERE}counters/", commands.session_counters, name="session_counters"),
    path(f"{HERE}counters/<int:counter>/", commands.session_counter, name="session_counter"),
    path(f"{HERE}scene/", commands.session_scene, name="session_scene"),
    path(f"{HERE}evening/", commands.session_evening, name="session_evening"),
    path(f"{HERE}cast/", commands.session_cast, name="session_cast"),
    path(f"{HERE}notes/", commands.session_notes, name="session_notes"),
    path(f"{HERE}notes/<int:note>/", commands.session_note, name="session_note"),
    path(f"{HERE}closing/", commands.session_closing, name="session_closing"),
    path(f"{HERE}carry/<str:actor>/", commands.session_carry, name="session_carry"),
]
