"""所持金 in 文, where the group counts it (rules §4.8, §9.1, E40)."""

from __future__ import annotations

from rulesets.edo.derived import derived_values
from rulesets.edo.play.book import Book, audience_of, write
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.reading import Asked, actor, number, text
from rulesets.edo.play.registry import command, event
from rulesets.edo.play.state import ActorState
from rulesets.edo.play.words import reason, words
from rulesets.edo.sheet import Sheet
from rulesets.engine.outcome import Outcome
from rulesets.protocol import Context

MOST = 40_000_000  # ten thousand ryo: beyond it nobody counts coins

event("money", shows=("mon",))


def starting(sheet: Sheet) -> int:
    """The cash of the sheet in 文, 0 where none was rolled (§4.8)."""
    found = derived_values(sheet, Context()).get("money")
    return found.value if found is not None and isinstance(found.value, int) else 0


def _counted(desk: Desk) -> None:
    if not desk.tables.rule.track_money:
        desk.refuse("P69")


def _enough(desk: Desk, one: ActorState, mon: int) -> None:
    if one.money_mon < mon:
        desk.refuse("P70", n=mon, m=one.money_mon)


@command(
    "money.change",
    actor(),
    number("mon", -MOST, MOST),
    text("reason", required=True),
    codes=("P46", "P69", "P70"),
    rule="§4.8",
    retractable=True,
)
def change_money(desk: Desk, asked: Asked) -> None:
    """Money earned or spent."""
    own, mon = desk.own(asked), asked.needed("mon")
    _counted(desk)
    if not mon:
        desk.refuse("P46")
    _enough(desk, own, -mon)
    why = reason("why.money", "§4.8", text=asked.text("reason"))
    book = Book(desk.tables, own)
    book.set("money_mon", own.money_mon + mon, why)
    said = words(
        "log.money_in" if mon >= 0 else "log.money_out", name=own.name, n=abs(mon), reason=asked.text("reason")
    )
    write(desk, "money", said, book, reason("title.money", "§4.8"), mon=mon)


@command(
    "money.give",
    actor(),
    actor("target"),
    number("mon", 1, MOST),
    codes=("P38", "P69", "P70"),
    rule="§4.8",
    retractable=True,
)
def give_money(desk: Desk, asked: Asked) -> None:
    """Money handed from one to another."""
    own, other, mon = desk.own(asked), desk.seen(asked.text("target")), asked.needed("mon")
    if own.id == other.id:
        desk.refuse("P38")
    _counted(desk)
    _enough(desk, own, mon)
    why = reason("why.money_given", "§4.8")
    giver, taker = Book(desk.tables, own), Book(desk.tables, other)
    giver.set("money_mon", own.money_mon - mon, why)
    taker.set("money_mon", other.money_mon + mon, why)
    outcome = Outcome("money", reason("title.money", "§4.8"), changes=(*giver.changes, *taker.changes))
    public = Outcome("money", reason("title.money", "§4.8"))
    desk.emit(
        "money",
        words("log.money_given", name=own.name, target=other.name, n=mon),
        actor=own.id,
        target=other.id,
        outcome=outcome,
        public=public if own.npc or other.npc else None,
        actors={own.id: giver.values, other.id: taker.values},
        audience=audience_of(desk, own) if own.npc and other.npc else None,
        mon=mon,
    )
