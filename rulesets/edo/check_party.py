"""The party's budget around one character (rules §3): V01, V02, V27, V28, and what to give up when it is exceeded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulesets.edo.check_skills import row_removed
from rulesets.edo.costs import ability_cost, cost_lines, skill_cost
from rulesets.edo.findings import Finding, Repair, Subject, Words, applied
from rulesets.edo.sheet import Sheet
from rulesets.edo.tables import Edo
from rulesets.engine.problems import Value
from rulesets.engine.text import Text
from rulesets.protocol import Fields, Party

MAX_REPAIRS = 3
MAX_STEPS = 60
MAX_TOGETHER = 5  # more changes than a person reads on one button
_GROUPS = ("role", "abilities", "skills", "school", "own_style", "endurance")


def find(subject: Subject) -> Iterator[Finding]:
    """NPCs never use the pool (§3.2). Whoever is over the own share by as much as the pool is hears of the share alone:
    giving that up mends both."""
    party = subject.context.party
    if party is None or subject.npc:
        return
    spent = sum(line.points for line in cost_lines(subject.sheet))
    over_pool = max(0, party.others_spent + spent - party.pool)
    limit = share(party, subject.tables)
    over_share = max(0, spent - limit) if limit is not None else 0
    if subject.context.saved:
        yield from _lapsed(subject, over_pool, over_share)
        return
    if over_pool > over_share:
        yield _over_pool(subject, party, spent, over_pool)
    if limit is not None and over_share:
        yield _over_share(subject, party, spent, limit)
    left = left_over(party, subject.tables, spent)
    if left > 0:
        yield Finding("V27", "", {"n": left}, 0, left)


def _lapsed(subject: Subject, over_pool: int, over_share: int) -> Iterator[Finding]:
    """A saved build that a pool cut or new prices left over the budget; what the GM let pass is no news."""
    allowed = subject.context.allowed
    over = max(0 if "V01" in allowed else over_pool, 0 if "V02" in allowed else over_share)
    if over:
        yield Finding("V28", "", {"over": over}, 0, over, lapsed=True)


def share(party: Party, tables: Edo) -> int | None:
    """The points promised to this character; None where the group makes no allocations."""
    return party.allocation if party.allocations_on and tables.rule.allocations else None


def left_over(party: Party, tables: Edo, spent: int) -> int:
    """Points this character may still spend: of the allocation, and never more than the pool holds."""
    room = party.pool - party.others_spent - spent
    limit = share(party, tables)
    return room if limit is None else min(room, limit - spent)


def _over_pool(subject: Subject, party: Party, spent: int, over: int) -> Finding:
    params = {"over": over, "sum": party.others_spent + spent, "pool": party.pool}
    why = {"spent": spent, "others": party.others_spent, "pool": party.pool}
    search = lambda: _cheaper(subject, over)  # noqa: E731 - a search for later
    return Finding("V01", "", params, party.pool, party.others_spent + spent, why, search=search)


def _over_share(subject: Subject, party: Party, spent: int, limit: int) -> Finding:
    over = spent - limit
    why = {
        "sum": _summands(subject),
        "spent": spent,
        "alloc": limit,
        "free": max(0, party.pool - party.others_spent - spent),
    }
    ask = Repair(subject.tables.label("fix_request"), kind="request", points=over, weight=90)
    search = lambda: _cheaper(subject, over)  # noqa: E731 - a search for later
    return Finding("V02", "", {"alloc": limit, "over": over}, limit, spent, why, repairs=(ask,), search=search)


def _summands(subject: Subject) -> Text:
    """役格50＋能力値123＋…"""
    totals = dict.fromkeys(_GROUPS, 0)
    for line in cost_lines(subject.sheet):
        totals[line.group] += line.points
    words = [subject.tables.label(f"{group}_sum").format(n=points) for group, points in totals.items() if points]
    return Text("＋".join(word.ja for word in words), " + ".join(word.en for word in words))


# ---------------------------------------------------------------- what to give up


@dataclass(frozen=True)
class Cut:
    """One thing made smaller: its name, from where to where in how many steps, and what that saves."""

    group: str
    label: Text
    changes: dict[str, Value]
    steps: int
    saves: int


def _cheaper(subject: Subject, over: int) -> Iterable[Repair]:
    """Repairs that save at least `over` points: one thing cut, the nearest to enough first; else several at once."""
    enough = [min(fitting, key=_size) for knob in _knobs(subject) if (fitting := [c for c in knob if c.saves >= over])]
    for cut in _varied(sorted(enough, key=_size)):
        yield Repair(cut.label, cut.changes, weight=cut.steps)
    together = _together(subject, over)
    if together is not None:
        yield together


def _size(cut: Cut) -> tuple[int, int]:
    return cut.steps, cut.saves


def _varied(cuts: list[Cut]) -> list[Cut]:
    """Every kind of thing before the second of a kind."""
    seen: dict[str, int] = {}
    ranked = []
    for cut in cuts:
        seen[cut.group] = seen.get(cut.group, 0) + 1
        ranked.append((seen[cut.group], cut))
    return [cut for _, cut in sorted(ranked, key=lambda row: row[0])]


def _knobs(subject: Subject) -> Iterator[list[Cut]]:
    """For each thing that costs points, the cuts that can be made in it, small ones first.

    A style keeps the skills that may carry it: cutting them would only trade one problem for another.
    """
    yield from _skill_cuts(subject)
    yield _endurance_cuts(subject)
    yield from _ability_cuts(subject)
    yield from _style_cuts(subject)
    yield _role_cuts(subject)


def _skill_cuts(subject: Subject) -> Iterator[list[Cut]]:
    sheet, tables, words = subject.sheet, subject.tables, Words(subject.tables)
    for entry in sheet.skills:
        carries = sheet.has_style and entry.skill.group == "martial"
        paid = skill_cost(tables, entry.level)
        top = min(entry.level, tables.rule.skill_level_max + 1)
        cuts = [
            Cut(
                "skills",
                words.change(entry.label, entry.level, level),
                {entry.path: level},
                entry.level - level,
                paid - skill_cost(tables, level),
            )
            for level in range(top - 1, tables.rule.style_level - 1 if carries else 0, -1)
        ]
        if not carries and entry.level:
            away = Cut("skills", words.remove(entry.label), row_removed(sheet, entry.row), entry.level, paid)
            cuts.append(away)
        yield cuts


def _endurance_cuts(subject: Subject) -> list[Cut]:
    now, each = subject.sheet.bought, subject.tables.rule.endurance_cost
    words, label = Words(subject.tables), subject.tables.label("endurance")
    return [
        Cut("endurance", words.change(label, now, n), {"endurance_bought": n or None}, now - n, (now - n) * each)
        for n in range(now - 1, -1, -1)
    ]


def _ability_cuts(subject: Subject) -> Iterator[list[Cut]]:
    tables, words = subject.tables, Words(subject.tables)
    low, high = tables.ability_range(subject.context.kind)
    for ability, value in subject.sheet.abilities.items():
        name, key, paid = tables.abilities[ability].name, f"abilities.{ability}", ability_cost(tables, value)
        yield [
            Cut("abilities", words.change(name, value, n), {key: n}, value - n, paid - ability_cost(tables, n))
            for n in range(min(value - 1, high), low - 1, -1)
        ]


def _style_cuts(subject: Subject) -> Iterator[list[Cut]]:
    sheet, words = subject.sheet, Words(subject.tables)
    for school in sheet.schools:
        away = _style_gone(sheet, f"schools.{school.id}")
        yield [Cut("school", words.remove(school.name), away, 1, school.cost)]
    paid = max(0, total := sum(perk.cost for _, perk in sheet.perk_rows))
    for key, perk in sheet.perk_rows:
        saves = paid - max(0, total - perk.cost)
        yield [Cut("own_style", words.remove(perk.name), _style_gone(sheet, key), 1, saves)]


def _style_gone(sheet: Sheet, key: str) -> dict[str, Value]:
    """One school or perk taken away, with the tie of the style when it was the last."""
    last = len(sheet.schools) + len(sheet.perk_rows) == 1
    tie: dict[str, Value] = {"style_skill": None} if last and "style_skill" in sheet.fields else {}
    return {key: None, **tie}


def _role_cuts(subject: Subject) -> list[Cut]:
    """A role is who the character is: it counts as many steps, so that everything else is offered before it."""
    role, tables, words = subject.sheet.role, subject.tables, Words(subject.tables)
    if role is None:
        return []
    lesser = [row for row in tables.roles.values() if row.rank > role.rank and not row.npc_only]
    label = tables.label("role")
    return [
        Cut("role", words.change(label, role.name, row.name), {"role": row.id}, 3 * n, role.cost - row.cost)
        for n, row in enumerate(lesser, 1)
    ]


def _together(subject: Subject, over: int) -> Repair | None:
    """Several things cut, one step at a time: the largest saving that is not too much, until it is enough."""
    fields: Fields = dict(subject.fields)
    taken: dict[str, tuple[Text, int, int]] = {}
    missing = over
    for step in range(MAX_STEPS):
        if missing <= 0:
            return _joined(subject, taken, step)
        steps = list(_single_steps(Subject(Sheet(fields, subject.tables), subject.context)))
        fitting = [one for one in steps if one.saves <= missing]
        if not steps:
            return None
        best = max(fitting, key=_saving) if fitting else min(steps, key=_saving)
        first = taken[best.key][1] if best.key in taken else best.old
        taken[best.key] = (best.label, first, best.old - 1)
        fields = applied(fields, {best.key: best.old - 1})
        missing -= best.saves
    return None


def _joined(subject: Subject, taken: Mapping[str, tuple[Text, int, int]], steps: int) -> Repair | None:
    if not 1 < len(taken) <= MAX_TOGETHER:
        return None
    labels = [Words(subject.tables).change(*row) for row in taken.values()]
    label = Text("、".join(text.ja for text in labels), ", ".join(text.en for text in labels))
    return Repair(label, {key: new or None for key, (_, _, new) in taken.items()}, weight=steps)


@dataclass(frozen=True, slots=True)
class Step:
    """A skill, endurance or ability one lower."""

    key: str
    label: Text
    old: int
    saves: int


def _saving(step: Step) -> int:
    return step.saves


def _single_steps(subject: Subject) -> Iterator[Step]:
    """Every single step down that keeps the sheet in order."""
    sheet, tables = subject.sheet, subject.tables
    floor, _ = tables.ability_range(subject.context.kind)
    for entry in sheet.skills:
        carries = sheet.has_style and entry.skill.group == "martial"
        if entry.level > (tables.rule.style_level if carries else 1):
            saves = skill_cost(tables, entry.level) - skill_cost(tables, entry.level - 1)
            yield Step(entry.path, entry.label, entry.level, saves)
    if sheet.bought > 0:
        yield Step("endurance_bought", tables.label("endurance"), sheet.bought, tables.rule.endurance_cost)
    for ability, value in sheet.abilities.items():
        held = ability == "body" and sheet.bought >= value  # endurance bought needs as much body
        if value > floor and not held:
            saves = ability_cost(tables, value) - ability_cost(tables, value - 1)
            yield Step(f"abilities.{ability}", tables.abilities[ability].name, value, saves)
