"""Addresses of the front door, of campaigns and of invitations."""

from django.urls import path

from characters.views import campaigns, home, joining, members, pool, rules, styleguide

urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", home.set_theme, name="set_theme"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
    path("i/", joining.invite_open, name="invite_open"),
    path("i/<str:token>/", joining.invite, name="invite"),
    path("campaigns/new/", campaigns.campaign_new, name="campaign_new"),
    path("c/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("c/<slug:slug>/edit/", campaigns.campaign_edit, name="campaign_edit"),
    path("c/<slug:slug>/rules/", rules.campaign_rules, name="campaign_rules"),
    path("c/<slug:slug>/party.json", campaigns.party_export, name="party_export"),
    path("c/<slug:slug>/ledger/", pool.campaign_ledger, name="campaign_ledger"),
    path("c/<slug:slug>/invitations/", members.invite_create, name="invite_create"),
    path("c/<slug:slug>/invitations/<int:invitation>/revoke/", members.invite_revoke, name="invite_revoke"),
    path("c/<slug:slug>/leave/", members.campaign_leave, name="campaign_leave"),
    path("c/<slug:slug>/seats/<int:seat>/role/", members.seat_role, name="seat_role"),
    path("c/<slug:slug>/seats/<int:seat>/remove/", members.seat_remove, name="seat_remove"),
    path("c/<slug:slug>/seats/<int:seat>/rename/", members.seat_rename, name="seat_rename"),
    path("c/<slug:slug>/seats/<int:seat>/link/", members.seat_link, name="seat_link"),
    path("c/<slug:slug>/seats/<int:seat>/reset/", members.seat_reset, name="seat_reset"),
    path("c/<slug:slug>/pool/set/", pool.pool_set, name="pool_set"),
    path("c/<slug:slug>/pool/reserve/", pool.pool_reserve, name="pool_reserve"),
    path("c/<slug:slug>/pool/allocate/<int:seat>/", pool.pool_allocate, name="pool_allocate"),
    path("c/<slug:slug>/pool/claim/", pool.pool_claim, name="pool_claim"),
    path("c/<slug:slug>/pool/release/", pool.pool_release, name="pool_release"),
    path("c/<slug:slug>/pool/wish/", pool.pool_wish, name="pool_wish"),
    path("c/<slug:slug>/pool/agree/", pool.pool_agree, name="pool_agree"),
    path("c/<slug:slug>/offers/", pool.offer_create, name="offer_create"),
    path("c/<slug:slug>/offers/<int:offer>/answer/", pool.offer_answer, name="offer_answer"),
    path("c/<slug:slug>/offers/<int:offer>/withdraw/", pool.offer_withdraw, name="offer_withdraw"),
]
