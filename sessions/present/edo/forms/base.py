"""Where forms are registered, and the controls many of them share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from django.utils.translation import gettext as _

from sessions.present.edo.stage import Row, Stage, mob_name
from sessions.present.forms import Choice, Control, Sheet, hidden

Given = Mapping[str, str]
Make = Callable[[Stage, Given], Sheet | None]
FORMS: dict[str, Make] = {}


def form(name: str) -> Callable[[Make], Make]:
    """Register the form that opens under a name."""

    def register(make: Make) -> Make:
        FORMS[name] = make
        return make

    return register


def own_actor(stage: Stage, given: Given) -> Row | None:
    """Whoever a form acts for: named in the link, else the viewer's first; None for somebody else's."""
    named = given.get("actor") or given.get("field.actor") or ""
    if named in stage.groups:
        return stage.groups[named][0] if stage.gm else None
    row = stage.actors.get(named) if named else next(iter(stage.mine), None)
    return row if row is not None and row["mine"] and row["numbers"] else None


def any_actor(stage: Stage, given: Given) -> Row | None:
    """Anybody the GM acts on."""
    if not stage.gm:
        return None
    named = given.get("actor") or given.get("field.actor") or ""
    return stage.actors.get(named) or next(iter(stage.groups.get(named, ())), None)


# ---------------------------------------------------------------- controls


def selfish(stage: Stage, row: Row) -> list[Control]:
    """Leads may spend points for selfish ends only with the GM's leave (§6.4)."""
    if row["role"]["id"] != "lead":
        return []
    return [Control("check", "field.selfish", _("利己的な目的に使う"), hint=_("主役はGMの許しが要る"))]


def buy(stage: Stage, row: Row, *, left: bool) -> list[Control]:
    """Pay the action with a point when the round holds none any more."""
    if not stage.fight or left or row["role"]["id"] == "mook":
        return []
    return [Control("check", "field.buy", _("活劇点で行動を足す"), value=True, cost=_("1点"))]


def auto(stage: Stage, row: Row) -> list[Control]:
    """Success without a roll: two points, never for NPCs (§6.3)."""
    price = stage.tables.kp_uses["auto_success"].cost or 0
    if row["kind"] == "npc" or not row["numbers"] or row["numbers"]["kp"] < price:
        return []
    return [Control("check", "field.auto", _("振らずに成功する"), cost=_("%(n)s点") % {"n": price})]


def faces() -> Control:
    """Dice of the real table, in the order they fell."""
    return Control(
        "text",
        "field.faces",
        _("卓の出目"),
        hint=_("本物の賽を振ったときだけ。振った順に、例：6,5,2"),
        placeholder="6,5,2",
    )


def reason(*ideas: str) -> Control:
    return Control(
        "text", "field.reason", _("理由"), required=True, placeholder=_("記録に残ります"), hint=_("、").join(ideas)
    )


def whom(
    stage: Stage, row: Row | None, name: str, label: str, rows: Iterable[Row] | None = None, chosen: str = ""
) -> Control:
    """Somebody on stage, the other side first."""
    found = list(rows) if rows is not None else everybody(stage, row)
    choices = [Choice(one["id"], one["name"], checked=one["id"] == chosen) for one in found]
    return Control("select", name, label, choices=choices, required=True)


def everybody(stage: Stage, row: Row | None = None) -> list[Row]:
    """Who is on stage but oneself: the other side first, the living before the dead."""
    others = [one for one in stage.on_stage if row is None or one["id"] != row["id"]]
    return sorted(others, key=lambda one: (one["life"]["id"] == "dead", row is not None and one["kind"] == row["kind"]))


def party(stage: Stage) -> list[Row]:
    return [row for row in stage.on_stage if row["kind"] == "pc"]


def skills_of(stage: Stage, row: Row, chosen: str = "") -> Control:
    """What somebody can roll on: skills they have, abilities, endurance, then what they never learned."""
    return Control("select", "field.what", _("技能・能力値"), choices=list(_whats(stage, row, chosen)), required=True)


def _whats(stage: Stage, row: Row, chosen: str) -> Iterator[Choice]:
    numbers = row["numbers"]
    learned = [skill for skill in numbers["skills"] if skill["learned"]]
    for skill in learned:
        yield Choice(skill["id"], f"{stage.words(skill['name'])} {skill['value']}", checked=skill["id"] == chosen)
    for key, value in numbers["abilities"].items():
        name = stage.words(stage.tables.abilities[key].name)
        yield Choice(key, _("能力値：%(name)s %(n)s") % {"name": name, "n": value}, checked=key == chosen)
    yield Choice("endurance", _("耐久点 %(n)s") % {"n": numbers["endurance"]}, checked=chosen == "endurance")
    have = {skill["id"].partition("~")[0] for skill in learned}
    for skill in stage.tables.skills.values():
        if skill.id not in have and skill.untrained != "no":
            yield Choice(
                skill.id,
                _("%(name)s（習っていない・2個）") % {"name": stage.words(skill.name)},
                checked=skill.id == chosen,
            )


def every_skill(stage: Stage, name: str = "field.what", chosen: str = "chikaku") -> Control:
    """Any skill, ability or endurance, for a request to several."""
    choices = [Choice(s.id, stage.words(s.name), checked=s.id == chosen) for s in stage.tables.skills.values()]
    choices += [
        Choice(a.id, _("能力値：%(name)s") % {"name": stage.words(a.name)}) for a in stage.tables.abilities.values()
    ]
    choices.append(Choice("endurance", _("耐久点")))
    return Control("select", name, _("技能・能力値"), choices=choices, required=True)


def difficulty(
    chosen: int | None = 15, name: str = "pick-difficulty", field: str = "field.difficulty"
) -> list[Control]:
    """The usual steps at one press, any other by hand."""
    steps = (10, 12, 15, 18, 20)
    choices = [Choice(f"{field}={n}", str(n), checked=n == chosen) for n in steps]
    return [
        Control("seg", name, _("難易度"), choices=choices),
        Control("number", field, _("ほかの難易度"), min=0, max=60, placeholder="—"),
    ]


def secrecy(*, gm: bool) -> Control:
    """Who sees the roll."""
    words = [("open", _("皆に見せる")), ("private", _("本人とGMだけ"))]
    if gm:
        words.append(("blind", _("GMだけ")))
    choices = [Choice(value, label, checked=value == "open") for value, label in words]
    return Control("seg", "field.secrecy", _("見せ方"), choices=choices)


__all__ = ["FORMS", "Given", "Sheet", "form", "hidden", "mob_name"]
