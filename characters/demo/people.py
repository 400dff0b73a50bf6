"""The people of the demo campaigns. Their names to sign in with are ones no group would choose by chance."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth import get_user_model

from accounts.actions.guests import create_guest
from accounts.models import User

PASSWORD = "ukiyo-zoshi"  # noqa: S105  - printed by the command, refused by production settings


@dataclass(frozen=True, slots=True)
class Login:
    """How to enter as somebody of the demo."""

    nickname: str
    username: str
    role: str


LOGINS: tuple[Login, ...] = (
    Login("雪村", "demo_yukimura", "GM"),
    Login("なぎさ", "demo_nagisa", "player"),
    Login("千秋", "demo_chiaki", "player"),
    Login("灯", "demo_akari", "player"),
)
GUEST = "海斗"


def accounts(password: str) -> dict[str, User]:
    """Nickname -> account, made where missing. An account that is there keeps its password."""
    found: dict[str, User] = {}
    for login in LOGINS:
        user, made = get_user_model().objects.get_or_create(
            username=login.username, defaults={"nickname": login.nickname}
        )
        if made:
            user.set_password(password)
            user.save(update_fields=["password"])
        found[login.nickname] = user
    return found


def guest() -> User:
    """A new guest named 海斗."""
    return create_guest(GUEST)
