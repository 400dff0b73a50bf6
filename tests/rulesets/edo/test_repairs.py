"""Repairs do what they promise: the problem is gone, nothing new is wrong, and the price is the one on the button."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesets import services
from rulesets.engine.problems import Problem, Report
from rulesets.protocol import Context, Party

TABLES = services.tables("edo", {})
SKILLS = tuple(TABLES.skills)
LIMITS = {"V01", "V02"}  # of the party, not of the sheet: a repair may cost more than is left

levels = st.integers(-1, 12) | st.integers(1, 6)
plain = st.dictionaries(st.sampled_from([s for s in SKILLS if not TABLES.skills[s].speciality]), levels, max_size=10)
kinds = st.lists(
    st.tuples(
        st.sampled_from(["geino~1", "geino~2", "shokunin~1", "yomikaki~1", "yomikaki~2"]),
        levels,
        st.sampled_from(["", "踊り", "大工", "蘭語", "オランダ語", "唐話"]),
    ),
    max_size=4,
)


@st.composite
def drafts(draw: st.DrawFn) -> dict[str, Any]:
    """Drafts with every kind of mistake a person can make in the builder."""
    fields: dict[str, Any] = {f"abilities.{a}": draw(st.integers(2, 12)) for a in ("mind", "gi", "body")}
    fields |= {f"skills.{skill}.level": level for skill, level in draw(plain).items()}
    for row, level, kind in draw(kinds):
        fields[f"skills.{row}.level"] = level
        fields |= {f"skills.{row}.speciality": kind} if kind else {}
    fields |= {f"schools.{one}": True for one in draw(st.sets(st.sampled_from(list(TABLES.schools)), max_size=2))}
    fields |= {f"perks.{one}": True for one in draw(st.sets(st.sampled_from(list(TABLES.perks)), max_size=4))}
    fields["endurance_bought"] = draw(st.integers(-1, 9))
    fields["role"] = draw(st.sampled_from(["lead", "co_lead", "support", "mook", "hero"]))
    fields["style_skill"] = draw(st.sampled_from(["kenjutsu", "kenpo", "undo", "zz"]))
    fields["names.family"] = "桐生"
    fields["status"] = draw(st.sampled_from(["townsman", "ronin", "陰陽師"]))
    fields["possessions.1.id"] = draw(st.sampled_from(["daito", "punch", "excalibur"]))
    fields["money_dice.1"] = draw(st.integers(0, 7))
    absent = draw(st.sets(st.sampled_from(sorted(fields)), max_size=6))
    return {key: value for key, value in fields.items() if key not in absent}


def applied(fields: dict[str, Any], changes: Any) -> dict[str, Any]:
    return {key: value for key, value in {**fields, **changes}.items() if value is not None}


def places(report: Report) -> set[tuple[str, str]]:
    return {(p.code, p.path) for p in report.errors if p.code not in LIMITS}


def gone(problem: Problem, after: Report) -> bool:
    return (problem.code, problem.path) not in {(p.code, p.path) for p in after.problems}


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(drafts(), st.integers(0, 400), st.sampled_from(["pc", "npc"]))
def test_every_repair_keeps_its_promise(fields: dict[str, Any], allocation: int, kind: Any) -> None:
    context = Context(kind, Party(850, 500, allocation))
    report = services.check("edo", fields, {}, context)
    before = places(report)
    for problem in report.problems:
        for fix in problem.fixes:
            if fix.kind != "set":
                continue
            after = services.check("edo", applied(fields, fix.changes), {}, context)
            assert gone(problem, after), (problem.code, fix.label.ja)
            assert places(after) <= before, (problem.code, fix.label.ja, places(after) - before)
            assert fix.cost_delta == after.spent - report.spent, (problem.code, fix.label.ja)


def test_shortest_repair_comes_first() -> None:
    fields = {"role": "support", "abilities.mind": 4, "abilities.gi": 4, "abilities.body": 4, "names.given": "佐吉"}
    fields |= {"skills.undo.level": 3, "endurance_bought": 2}
    report = services.check("edo", fields, {}, Context("pc", Party(850, 0, report_spent(fields) - 4)))
    (problem,) = report.errors
    assert problem.code == "V02"
    assert [fix.cost_delta for fix in problem.fixes if fix.kind == "set"] == [-4, -5]
    assert problem.fixes[-1].kind == "request"
    assert problem.fixes[-1].points == 4


def report_spent(fields: dict[str, Any]) -> int:
    return services.check("edo", fields, {}).spent


def test_repairs_leave_the_skill_of_a_style_alone() -> None:
    """Cutting the one skill that carries the style would only trade one problem for another."""
    fields = {"role": "support", "abilities.mind": 4, "abilities.gi": 4, "abilities.body": 4, "names.given": "佐吉"}
    fields |= {"skills.kenjutsu.level": 4, "perks.iai": True}
    report = services.check("edo", fields, {}, Context("pc", Party(850, 0, 41)))
    changes = [dict(fix.changes) for problem in report.errors for fix in problem.fixes if fix.kind == "set"]
    assert changes == [{"perks.iai": None}]


def test_several_cuts_when_one_is_not_enough() -> None:
    fields: dict[str, Any] = {"role": "support", "names.given": "佐吉"}
    fields |= {f"abilities.{a}": 4 for a in ("mind", "gi", "body")}
    fields |= {f"skills.{s}.level": 2 for s in ("undo", "suri", "gisho")}
    report = services.check("edo", fields, {}, Context("pc", Party(850, 0, 20)))
    fix = report.errors[0].fixes[0]
    assert len(fix.changes) > 1
    assert fix.cost_delta == -4
    assert services.check("edo", applied(fields, fix.changes), {}, Context("pc", Party(850, 0, 20))).legal
