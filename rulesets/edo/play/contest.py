"""Opposed rolls (rules §5.5): the first side wants a change, the second resists; a tie changes nothing (E20)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulesets.edo.play import reading
from rulesets.edo.play.acting import able, free_of_exchange, reveal, target_of
from rulesets.edo.play.asking import known_skill, tried
from rulesets.edo.play.checks import BEST, Made, Plan, again, against, made_total, plan, throw, turned
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.kp import bar, cost, must, unselfish
from rulesets.edo.play.masks import public
from rulesets.edo.play.options import Option
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import command, event
from rulesets.edo.play.state import Check, Contest, State
from rulesets.edo.play.words import reason, words
from rulesets.engine.outcome import Change, Outcome
from rulesets.engine.text import Text

event("contest", shows=("contest", "what", "target_what", "note"))
event("contest.rolled", shows=("contest", "check"))
event("contest.ended", shows=("contest", "winner", "ok"))

_TIES = 20  # a tie is thrown again so often at most where the group plays so


@command(
    "opposed",
    reading.actor(),
    reading.text("what", required=True),
    reading.actor("target"),
    reading.text("target_what", required=True),
    reading.number("difficulty", 0, 60, required=False),
    reading.number("target_difficulty", 0, 60, required=False),
    reading.text("text"),
    reading.FACES,
    codes=("P19", "P24", "P27", "P28", "P29", "P33", "P34", "P38", "P42", "P43", "P51"),
    rule="§5.5",
)
def opposed(desk: Desk, asked: Asked) -> None:
    """The first side rolls; the other side is asked."""
    actor = desk.own(asked)
    able(desk, actor)
    free_of_exchange(desk)
    target = target_of(desk, asked.text("target"), actor)
    person, other = desk.person(actor.id), desk.person(target.id)
    one, two = asked.number("difficulty"), asked.number("target_difficulty")
    if (one is None) != (two is None):
        raise refused("P21", label=words("field.target_difficulty" if two is None else "field.difficulty"))
    what, theirs = known_skill(desk, person, asked.text("what")), known_skill(desk, other, asked.text("target_what"))
    tried(desk, person, what)
    tried(desk, other, theirs)
    said = words("log.opposed", name=actor.name, target=target.name, what=person.means(what).name)
    begin(desk, _side(person, what, one), _side(other, theirs, two), said, note=asked.text("text"))


def begin(
    desk: Desk,
    planned: Plan,
    other: Plan,
    said: Text,
    *,
    kind: str = "",
    values: Mapping[str, Any] | None = None,
    **data: Any,
) -> None:
    """The first side rolls, the second is asked. `values`: what making the roll sets on the first side."""
    reveal(desk, planned.who, other.who)
    made = throw(desk, planned)
    waiting = _waiting(other, desk.new_id("r"))
    sides = (replace(made.check, kind="opposed"), waiting)
    contest = Contest(desk.new_id("c"), sides, kind, asked=other.who, since=desk.command.at)
    desk.emit(
        "contest",
        said,
        actor=planned.who,
        target=other.who,
        outcome=made.outcome,
        public=public(desk.state, made.outcome),
        actors={planned.who: {**(values or {}), **made.values}},
        world={"contest": contest, "step": desk.state.step + 1},
        contest=contest.id,
        what=planned.means.what,
        target_what=other.means.what,
        **data,
    )


def _side(person: Person, what: str, difficulty: int | None) -> Plan:
    means = person.means(what)
    parts = None if difficulty is None else (against("difficulty", difficulty, words("part.difficulty"), "§5.5"),)
    return plan(person, "opposed", means, parts)


def _waiting(planned: Plan, check_id: str) -> Check:
    """The side that has not rolled yet."""
    empty = Outcome(
        kind="opposed",
        title=planned.title,
        target=planned.difficulty,
        modifiers=(*planned.means.parts, *planned.penalties, *(planned.against or ())),
    )
    return Check(
        id=check_id,
        who=planned.who,
        kind="opposed",
        what=planned.means.what,
        dice=planned.means.dice,
        value=planned.value,
        difficulty=planned.difficulty,
        outcome=empty.as_json(),
    )


# ---------------------------------------------------------------- comparing


@dataclass(frozen=True, slots=True)
class Verdict:
    """`winner`: 0, 1 or None (tie); `ok`: the winner's own deed succeeds as well (unequal conditions)."""

    winner: int | None
    ok: bool


def result(check: Check) -> int:
    """Total, or degree of success under unequal conditions."""
    return (check.total or 0) - (check.difficulty or 0)


def verdict(contest: Contest) -> Verdict:
    """Who is ahead; at a tie nothing changes, so the second side holds (E20)."""
    one, two = (result(side) for side in contest.sides)
    ok = contest.sides[0].difficulty is None or max(one, two) >= 0
    return Verdict(0 if one > two else 1 if two > one else None, ok)


End = Callable[[Desk, Contest, Verdict], None]
_ENDS: dict[str, End] = {}


def ends(kind: str) -> Callable[[End], End]:
    """Register what follows when an opposed roll of this kind is decided."""

    def register(follow: End) -> End:
        if kind in _ENDS:
            raise ValueError(f"the end of {kind} is there twice")
        _ENDS[kind] = follow
        return follow

    return register


def loser(state: State, contest: Contest) -> int | None:
    """The side that may still spend points; at a tie the one that wanted a change. None: nobody lost."""
    found = verdict(contest).winner
    if found is None:
        return 0 if state.tables.rule.tie_opposed == "no_change" else None
    return 1 - found


def needed(contest: Contest, side: int) -> int:
    """The total with which a side would have its way: above the other's for the first, equal for the second."""
    other, own = contest.sides[1 - side], contest.sides[side]
    least = result(other) + (1 if side == 0 else 0)
    if own.difficulty is not None:
        least = max(least, 0)
    return least + (own.difficulty or 0)


# ---------------------------------------------------------------- answering


def options(state: State) -> Iterator[Option]:
    """What the asked side may answer."""
    contest = state.contest
    if contest is None or not contest.asked:
        return
    person = Person(state.tables, state.actors[contest.asked])
    side = 0 if contest.sides[0].who == contest.asked else 1
    possible = contest.sides[side].value + BEST >= needed(contest, side)
    if contest.phase == "answer":
        yield Option("roll")
        closed = bar(person, "auto_success", possible=possible)
        yield Option("auto", points=cost(state.tables, "auto_success"), bar=closed)
        return
    yield Option("accept")
    yield Option("reroll", points=cost(state.tables, "reroll"), bar=bar(person, "reroll"))
    closed = bar(person, "turn_failure", possible=possible)
    yield Option("turn", points=cost(state.tables, "turn_failure"), bar=closed)


def answered(desk: Desk, asked: Asked) -> None:
    """Take the answer of the asked side and go on."""
    contest = desk.state.contest
    if contest is None:
        raise refused("P30")
    word = asked.text("answer")
    option = next((option for option in options(desk.state) if option.answer == word), None)
    if option is None:
        raise refused("P32", answer=words(f"choice.answer.{word}"))
    if option.bar is not None:
        desk.refuse(option.bar.code, **option.bar.params)
    side = 0 if contest.sides[0].who == contest.asked else 1
    person = desk.person(contest.asked)
    if option.points:
        unselfish(desk, person, asked.flag("selfish"))
    if word == "accept":
        _end(desk, contest)
        return
    made = _made(desk, contest, side, word, asked)
    sides = tuple(made.check if n == side else check for n, check in enumerate(contest.sides))
    contest = replace(contest, sides=(sides[0], sides[1]), asked="")
    said = words(f"log.did_{word}", name=person.name)
    _say(desk, contest, said, made)
    _go_on(desk, contest)


def _made(desk: Desk, contest: Contest, side: int, word: str, asked: Asked) -> Made:
    check = contest.sides[side]
    if word == "roll":
        return _first_throw(desk, check)
    if word == "reroll":
        return again(desk, check, cost(desk.tables, "reroll"))
    if word == "turn":
        return turned(desk, check, cost(desk.tables, "turn_failure"), needed(contest, side))
    points = must(desk, desk.person(check.who), "auto_success", selfish=asked.flag("selfish"))
    return _auto(desk, check, needed(contest, side), points)


def _first_throw(desk: Desk, check: Check) -> Made:
    person = desk.person(check.who)
    return throw(desk, _side(person, check.what, _given(check)), check_id=check.id)


def _auto(desk: Desk, check: Check, total: int, points: int) -> Made:
    """Success without rolling, possible once the other side has rolled (§6.3)."""
    person = desk.person(check.who)
    kp = person.actor.kp - points
    base = Outcome.from_json(check.outcome)
    total = made_total(desk.tables, total)
    outcome = replace(
        base,
        total=total,
        changes=(Change(check.who, "kp", person.actor.kp, kp, reason("use.auto_success", "§6.3")),),
        notes=(reason("note.auto_success", "§6.3", inferred=True),),
    )
    made = replace(check, total=total, success=None, auto=True, settled=True, outcome=outcome.as_json())
    return Made(made, outcome, {"kp": kp})


def _go_on(desk: Desk, contest: Contest) -> None:
    """Ask the side that is behind whether it spends points; else the result stands."""
    throws = 0
    while verdict(contest).winner is None and desk.tables.rule.tie_opposed == "reroll" and throws < _TIES:
        throws += 1
        for side in (0, 1):
            made = again(desk, contest.sides[side], 0)
            sides = tuple(made.check if n == side else check for n, check in enumerate(contest.sides))
            contest = replace(contest, sides=(sides[0], sides[1]))
            _say(desk, contest, words("log.tie_again", name=desk.person(made.check.who).name), made)
    behind = loser(desk.state, contest)
    if behind is None:
        _end(desk, contest)
        return
    who = contest.sides[behind].who
    asking = replace(contest, phase="window", asked=who)
    possible = contest.sides[behind].value + BEST >= needed(contest, behind)
    person = desk.person(who)
    closed = (bar(person, "reroll"), bar(person, "turn_failure", possible=possible))
    if all(one is not None for one in closed):
        _end(desk, contest)
        return
    step = desk.state.step + 1
    said = words("ask.contest", name=person.name)
    world = {"contest": asking, "step": step}
    desk.emit("asked", said, actor=who, world=world, about="contest", step=step)


def _say(desk: Desk, contest: Contest, said: Text, made: Made) -> None:
    who = made.check.who
    desk.emit(
        "contest.rolled",
        said,
        actor=who,
        outcome=made.outcome,
        public=public(desk.state, made.outcome),
        actors={who: made.values},
        world={"contest": contest},
        contest=contest.id,
        check=made.check.id,
    )


def _end(desk: Desk, contest: Contest) -> None:
    found = verdict(contest)
    names = [desk.state.actors[side.who].name for side in contest.sides]
    if found.winner is None:
        said = words("log.contest_tie", name=names[0], target=names[1])
    else:
        key = "log.contest_won" if found.ok else "log.contest_won_not_ok"
        said = words(key, name=names[found.winner], target=names[1 - found.winner])
    desk.emit(
        "contest.ended",
        said,
        actor=contest.sides[0].who,
        target=contest.sides[1].who,
        world={"contest": None, "step": desk.state.step + 1},
        contest=contest.id,
        winner=contest.sides[found.winner].who if found.winner is not None else "",
        ok=found.ok,
    )
    follow = _ENDS.get(contest.kind)
    if follow is not None:
        follow(desk, contest, found)


def _given(check: Check) -> int | None:
    """The difficulty as it was given, without the conditions that `plan` adds."""
    if check.difficulty is None:
        return None
    parts = Outcome.from_json(check.outcome).modifiers
    return next((part.value for part in parts if part.key == "difficulty"), check.difficulty)
