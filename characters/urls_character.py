"""Pages of one character, and those that make one. Names and paths are stable."""

from django.urls import path

from characters.views import builder, history, imports, notes, npcs, review, sheets, tools

urlpatterns = [
    path("c/<slug:slug>/characters/new/", builder.new, name="character_new"),
    path("c/<slug:slug>/npcs/new/", npcs.new, name="npc_new"),
    path("c/<slug:slug>/import/", imports.import_page, name="import_character"),
    path("p/<slug:slug>/", sheets.sheet, name="character"),
    path("p/<slug:slug>.json", sheets.export, name="character_export"),
    path("p/<slug:slug>/print/", sheets.print_sheet, name="character_print"),
    path("p/<slug:slug>/edit/", builder.edit, name="character_edit"),
    path("p/<slug:slug>/draft/", builder.save, name="draft_save"),
    path("p/<slug:slug>/draft/fix/", builder.fix, name="draft_fix"),
    path("p/<slug:slug>/draft/roll/", builder.roll, name="draft_roll"),
    path("p/<slug:slug>/draft/wish/", builder.wish, name="draft_wish"),
    path("p/<slug:slug>/draft/backups/<int:pk>/", history.restore_backup, name="draft_backup"),
    path("p/<slug:slug>/save/", review.save_version, name="character_save"),
    path("p/<slug:slug>/ask/", review.ask, name="character_ask"),
    path("p/<slug:slug>/clear/", review.clear, name="character_clear"),
    path("p/<slug:slug>/return/", review.send_back, name="character_return"),
    path("p/<slug:slug>/remarks/", review.add_remark, name="remark_add"),
    path("p/<slug:slug>/remarks/<int:pk>/settle/", review.settle_remark, name="remark_settle"),
    path("p/<slug:slug>/confirm/", review.confirm, name="confirm_field"),
    path("p/<slug:slug>/delete/", sheets.delete, name="character_delete"),
    path("p/<slug:slug>/undelete/", sheets.undelete, name="character_restore_deleted"),
    path("p/<slug:slug>/visibility/", sheets.visibility, name="character_visibility"),
    path("p/<slug:slug>/link/", sheets.link, name="character_link"),
    path("p/<slug:slug>/count/", npcs.count, name="character_count"),
    path("p/<slug:slug>/duplicate/", npcs.duplicate, name="character_duplicate"),
    path("p/<slug:slug>/transfer/", sheets.transfer, name="character_transfer"),
    path("p/<slug:slug>/notes/", notes.new, name="note_new"),
    path("p/<slug:slug>/notes/<int:pk>/", notes.save, name="note_save"),
    path("p/<slug:slug>/notes/<int:pk>/delete/", notes.delete, name="note_delete"),
    path("p/<slug:slug>/history/", history.versions, name="character_history"),
    path("p/<slug:slug>/history/<int:number>/", history.revision, name="character_revision"),
    path("p/<slug:slug>/history/<int:number>/restore/", history.restore, name="character_restore"),
    path("s/<str:token>/", sheets.shared, name="shared_character"),
    path("s/<str:token>/print/", sheets.shared_print, name="shared_print"),
    path("s/<str:token>.json", sheets.shared_export, name="shared_export"),
    path("tools/edo/", tools.edo, name="tools"),
]
