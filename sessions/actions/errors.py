"""How a command of the table says no: a code, a sentence, and whether the GM may set it aside with a reason."""

from __future__ import annotations

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused, not_allowed
from rulesets.engine.play import Refused

__all__ = ["ActionRefused", "CommandRefused", "closed", "not_allowed", "not_open", "refused_by_rules"]


class CommandRefused(ActionRefused):
    """A command that led to nothing. `overridable`: the GM may let it pass with a reason; `rule`: its section."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        field: str = "",
        status: int = 409,
        overridable: bool = False,
        rule: str = "",
    ) -> None:
        super().__init__(message, code=code, field=field, status=status)
        self.overridable = overridable
        self.rule = rule


def refused_by_rules(refused: Refused) -> CommandRefused:
    """The game's refusal, in the language of whoever asked."""
    return CommandRefused(
        refused.message.pick(get_language() or "ja"),
        code=refused.code,
        field=str(refused.params.get("field", "")),
        overridable=refused.overridable,
        rule=refused.rule,
    )


def closed() -> ActionRefused:
    return ActionRefused(_("この回はもう終わっています。記録は変えられません。"), code="closed", status=409)


def not_open() -> ActionRefused:
    return ActionRefused(_("この回はまだ始まっていません。"), code="not_open", status=409)
