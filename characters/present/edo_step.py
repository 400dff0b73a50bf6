"""Parts several panels of the Edo builder use."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from characters.present.board import FieldView


@dataclass(frozen=True, slots=True)
class Step:
    """A number with two buttons. `down` and `up` are payloads; "" where there is nowhere to go."""

    field: FieldView
    low: int
    high: int
    optional: bool
    label: str
    down: str
    up: str
    down_label: str
    up_label: str


@dataclass(frozen=True, slots=True)
class WordList:
    id: str
    words: tuple[str, ...]


def make_step(
    field: FieldView, low: int, high: int, name: str, *, up: int | None, down: int | None, optional: bool = False
) -> Step:
    gone = optional and down is None and field.value is not None
    return Step(
        field=field,
        low=low,
        high=high,
        optional=optional,
        label=field.label,
        down=field.set_to(None) if gone else field.set_to(down or None) if down is not None else "",
        up=field.set_to(up) if up is not None else "",
        down_label=_("%(name)sを1下げる") % {"name": name},
        up_label=_("%(name)sを1上げる") % {"name": name},
    )
