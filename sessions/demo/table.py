"""A demo's table, to act as any of its people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from characters.selectors.access import CampaignAccess, active_seat
from sessions.actions.commands import run_command
from sessions.models import CastMember, GameSession
from sessions.present.page import view_now
from sessions.selectors.access import SessionAccess
from sessions.selectors.table import TableView


@dataclass(frozen=True, slots=True)
class Table:
    """A session with its people, to act as any of them; characters go by the name they are called."""

    session: GameSession
    people: Mapping[str, User]

    def at(self, name: str) -> SessionAccess:
        session = GameSession.objects.select_related("campaign").get(pk=self.session.pk)
        seat = active_seat(self.people[name], session.campaign)
        if seat is None:
            raise LookupError(name)
        return SessionAccess(session, CampaignAccess(session.campaign, seat))

    def actor(self, called: str) -> str:
        members = CastMember.objects.filter(session=self.session)
        return next(member.actor for member in members if called in member.name)

    def do(self, name: str, command: str, **data: Any) -> None:
        step = data.pop("step", None)
        run_command(access=self.at(name), name=command, data=data, expected_step=step)

    def state(self, name: str) -> Mapping[str, Any]:
        """The game as this person sees it."""
        return self._view(name).state

    def answer(self, name: str, command: str = "answer", **data: Any) -> None:
        """Issue what the open operation waits for."""
        self.do(name, command, step=self._view(name).step, **data)

    def _view(self, name: str) -> TableView:
        access = self.at(name)
        return view_now(access.session, access.viewer())
