"""Rooms: members say things; some of it behind the screen. Rights are Django groups (`room:1`, `room:1.gm`)."""

from __future__ import annotations

from typing import Any

from live.kinds import Fragment, Projected, Viewer
from live.models import Event
from tests.live.site import counting, page


class RoomKind:
    prefix = "room"
    membership_kinds = frozenset({"left", "role"})

    def viewer(self, user: Any, topic_name: str, request_lang: str) -> Viewer | None:
        groups = set(user.groups.values_list("name", flat=True)) if user.is_authenticated else set()
        if topic_name not in groups:
            return None
        gm = f"{topic_name}.gm" in groups
        tokens = {"all", f"seat:{user.pk}"} | ({"gm"} if gm else set())
        role = "gm" if gm else "player"
        return Viewer(user.pk, frozenset(tokens), role, user.pk, request_lang, f"{role}.{request_lang}")

    def project(self, event: Event, viewer: Viewer) -> dict[str, Any] | None:
        if event.kind == "poison":
            raise ValueError("an event nobody can read")
        return event.data if event.kind in {"said", "left", "role", "poison-look"} else None

    def render(self, topic_name: str, projected: list[Projected], viewer: Viewer) -> list[Fragment]:
        counting.rendered(viewer.group)
        rows = []
        for seq, kind, data in projected:
            if kind == "poison-look":
                raise ValueError("an event nobody can draw")
            if kind == "said":
                rows.append(Fragment(f"e{seq}", page.row(seq, data["text"]), seq))
        last = projected[-1][0]
        return [*rows, Fragment("panel-last", page.panel(topic_name, last), last)]
