"""Every registered game keeps what web code relies on; and the rules stay pure."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulesets
from rulesets import registry, services
from rulesets.engine.problems import CostLine, Problem, Report
from rulesets.engine.text import Text, same
from rulesets.protocol import Context, Fields, System
from tests.rulesets import cases, conformance, conformance_play, unlisted
from tests.rulesets.engine import toy
from tests.rulesets.toy_system import ToySystem

HERE = Path(__file__).parent
RULES = Path(rulesets.__file__).parent


PROMISES = (*conformance.PROMISES, *conformance_play.PLAY_PROMISES)


@pytest.fixture(scope="module", autouse=True)
def every_game() -> Iterator[None]:
    with unlisted.listed():
        yield


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
@pytest.mark.parametrize("slug", unlisted.slugs())
def test_promise(slug: str, promise: Callable[[System], Iterator[str]]) -> None:
    assert list(promise(registry.load(slug))) == []


@pytest.mark.parametrize("slug", unlisted.slugs())
def test_any_fields_get_a_report(slug: str) -> None:
    system = registry.load(slug)

    @settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
    @given(conformance.any_fields(system), conformance.contexts)
    def check(fields: dict[str, Any], context: Context) -> None:
        assert list(conformance.checking_is_sound(system, fields, context)) == []

    check()


@pytest.mark.parametrize("slug", unlisted.slugs())
def test_documents_of_any_shape_are_refused_in_words(slug: str) -> None:
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6)
    build = registry.load(slug).to_build({})
    keys = st.sampled_from([*build, "id", "level", "mind", "text"]) | st.text(max_size=6)
    trees = st.recursive(leaves, lambda below: st.lists(below, max_size=3) | st.dictionaries(keys, below, max_size=4))

    @settings(deadline=None, max_examples=120)
    @given(st.dictionaries(keys, trees, max_size=5))
    def check(document: dict[str, Any]) -> None:
        problems = services.check_document(slug, document)
        assert all(problem.message.ja and problem.message.en for problem in problems)
        if not problems:
            fields = services.from_build(slug, document)
            assert all(services.known_field(slug, key) for key in fields)
            services.check(slug, fields, {})

    check()


@pytest.mark.parametrize("slug", unlisted.slugs())
def test_every_game_has_its_tables_of_cases(slug: str) -> None:
    """Rules without cases are not done: checks, odds and rolls of each game run through the facade."""
    found = {case.through for case in cases.collect(HERE) if case.system == slug}
    assert {"validate", "odds", "roll"} <= found


# codes found elsewhere than in a check or a creation step: by the database when a revision or an allocation is saved
# (tests of characters/), and in live play
NOT_IN_CHECKS = {
    # all but what the builder and the questions of odds say; the draft and play have cases of their own
    "alice": re.compile(
        "(?!E_ABILITIES|E_AGE|E_BAD_(NUMBER|CHARACTER|NOTATION)|E_CARDS_FIXED|E_FIELD|E_NO_(ABILITY|CHOICE|QUESTION|STEP)|"
        "E_OCCUPATION|E_TEXT_TOO|E_UNKNOWN_FIELD|E_UNREADABLE|W_(CARDS|CONTAINS|LONG|MODIFIER|PUNCT|WEAK)).*"
    ),
    "edo": re.compile("V03a|V03b|V04|P.."),
    "ninja": re.compile("[LP].."),
    "witch": re.compile("L0[6-9]|L10|L13"),  # notes of outcomes, told in cases as words
}


@pytest.mark.parametrize("slug", unlisted.slugs())
def test_every_problem_has_a_case(slug: str) -> None:
    """Each message of a problem is expected by some case: `has`, `errors`, `warnings`, `problem` or `refused`."""
    expected: set[str] = set()
    for case in cases.collect(HERE):
        if case.system == slug:
            for part in ("has", "errors", "warnings", "problem", "problems"):
                expected |= set(case.expected.get(part, ()))
            expected.add(str(case.expected.get("refused")))
    messages = registry.load(slug).tables({}).messages
    assert {code for code in messages if not NOT_IN_CHECKS[slug].fullmatch(code)} - expected == set()


def test_facade_knows_every_game_and_no_other() -> None:
    assert [system.slug for system in services.systems()] == list(registry.SLUGS)
    for slug in ("", "zz", "../edo", "os", "EDO"):
        with pytest.raises(services.UnknownSystem):
            services.get(slug)


# ---------------------------------------------------------------- purity

FORBIDDEN = {"django", "redis", "asgiref", "trpg_site", "sessions", "characters", "live", "accounts", "gettext"}
# who may make randomness; nobody may look at a clock
RANDOM = {"secrets", "random", "uuid"}
RANDOM_ALLOWED = {"engine/dice.py", "engine/fair.py"}
CLOCKS = {
    "time": {"time", "time_ns", "monotonic", "perf_counter", "localtime", "gmtime"},
    "datetime": {"now", "utcnow", "today"},
    "date": {"today"},
}
DJANGO_ALLOWED = {"apps.py", "checks.py"}


def impurities(path: Path, name: str) -> Iterator[str]:
    """Imports and calls that rules must not have. `name` is the path below rulesets/."""
    system = name.split("/")[0] if "/" in name and not name.startswith("engine/") else ""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules: list[str] = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module or ""] if node.level == 0 else ["."]
        for module in modules:
            top = module.split(".")[0]
            if top in FORBIDDEN and name not in DJANGO_ALLOWED:
                yield f"{name} imports {module}"
            if top in RANDOM and name not in RANDOM_ALLOWED:
                yield f"{name} imports {module}"
            parts = module.split(".")
            if system and parts[0] == "rulesets" and len(parts) > 1 and parts[1] in set(registry.SLUGS) - {system}:
                yield f"{name} imports another game: {module}"
            if name.startswith("engine/") and parts[0] == "rulesets" and parts[1:2] and parts[1] in registry.SLUGS:
                yield f"the engine imports a game: {name}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = ast.unparse(node.func.value)
            if node.func.attr in CLOCKS.get(owner.split(".")[-1], ()):
                yield f"{name} looks at the clock: {owner}.{node.func.attr}()"


def test_the_rules_are_pure() -> None:
    files = sorted(RULES.rglob("*.py"))
    assert len(files) > 10
    assert [wrong for path in files for wrong in impurities(path, path.relative_to(RULES).as_posix())] == []


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("edo/build.py", "from django.utils.translation import gettext"),
        ("edo/build.py", "import random"),
        ("edo/build.py", "import characters.models"),
        ("edo/build.py", "from rulesets.alice import draft"),
        ("edo/clock.py", "import datetime\ndatetime.datetime.now()"),
        ("edo/clock.py", "import datetime\ndatetime.date.today()"),
        ("engine/odds.py", "import time\ntime.time()"),
        ("engine/odds.py", "from rulesets.edo import tables"),
    ],
)
def test_impurity_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: str) -> None:
    monkeypatch.setattr(registry, "SLUGS", ("edo", "alice"))
    path = tmp_path / "rules.py"
    path.write_text(code, encoding="utf-8")
    assert list(impurities(path, name))


# ---------------------------------------------------------------- every promise can be broken


def test_a_sound_game_keeps_every_promise() -> None:
    for promise in conformance.PROMISES:
        assert list(promise(ToySystem())) == [], promise.__name__


class BadNames(ToySystem):
    names = Text("お試し", "")


class BadCredits(ToySystem):
    credits = dataclasses.replace(ToySystem.credits, url="ftp://example.org")


class NoPool(ToySystem):
    capabilities = frozenset()


class ShrinkingPool(ToySystem):
    def pool_total(self, players: int, tables: toy.Tables) -> int | None:
        return 1000 - players


class KnowsEverything(ToySystem):
    def known_field(self, key: str) -> bool:
        return True


class KnowsNothing(ToySystem):
    def known_field(self, key: str) -> bool:
        return False


class ParsesIntoLists(ToySystem):
    def parse_field(self, key: str, typed: str) -> Any:
        return [typed]


class HasNoLabels(ToySystem):
    def field_label(self, key: str, tables: toy.Tables) -> Text:
        return same("")


class LosesLuck(ToySystem):
    def from_build(self, build: Mapping[str, Any]) -> Fields:
        return {key: value for key, value in build.items() if value is not None and key != "luck"}


class TakesAnyDocument(ToySystem):
    def check_document(self, build: Mapping[str, Any]) -> list[Problem]:
        return []


class AnswersEverything(ToySystem):
    def odds(self, question: Mapping[str, Any], tables: toy.Tables) -> Any:
        return None


class AddsUpWrong(ToySystem):
    def check(self, fields: Fields, tables: toy.Tables, context: Context = Context()) -> Report:
        report = super().check(fields, tables, context)
        return dataclasses.replace(report, costs=(*report.costs, CostLine("x", "x", same("x"), 1)))


class SpeaksHalf(ToySystem):
    def check(self, fields: Fields, tables: toy.Tables, context: Context = Context()) -> Report:
        report = super().check(fields, tables, context)
        return dataclasses.replace(report, problems=(Problem("T09", "error", "name", Text("だめ", ""), "§9"),))


class NamesNoField(ToySystem):
    def check(self, fields: Fields, tables: toy.Tables, context: Context = Context()) -> Report:
        report = super().check(fields, tables, context)
        return dataclasses.replace(report, problems=(Problem("T09", "error", "nme", same("x"), "§9"),))


class IsAlwaysLegal(ToySystem):
    def check(self, fields: Fields, tables: toy.Tables, context: Context = Context()) -> Report:
        return dataclasses.replace(super().check(fields, tables, context), problems=())


class ForgetsHouseRules(ToySystem):
    def tables(self, house_rules: Mapping[str, Any]) -> toy.Tables:
        return super().tables({})


class TakesAnyHouseRule(ToySystem):
    def check_house_rules(self, overrides: Mapping[str, Any]) -> list[Problem]:
        return []


@pytest.mark.parametrize(
    ("broken", "promise"),
    [
        (BadNames, conformance.has_names_and_credits),
        (BadCredits, conformance.has_names_and_credits),
        (NoPool, conformance.pools_grow),
        (ShrinkingPool, conformance.pools_grow),
        (KnowsEverything, conformance.fields_are_known),
        (KnowsNothing, conformance.fields_are_known),
        (ParsesIntoLists, conformance.fields_can_be_typed_and_shown),
        (HasNoLabels, conformance.fields_can_be_typed_and_shown),
        (LosesLuck, conformance.presets_are_legal_and_survive_a_file),
        (TakesAnyDocument, conformance.foreign_documents_are_read_or_refused),
        (AnswersEverything, conformance.questions_and_steps_are_refused_in_words),
        (AddsUpWrong, conformance.blanks_are_checked),
        (SpeaksHalf, conformance.blanks_are_checked),
        (NamesNoField, conformance.blanks_are_checked),
        (IsAlwaysLegal, conformance.blanks_are_checked),
        (SpeaksHalf, conformance.presets_are_legal_and_survive_a_file),
        (ForgetsHouseRules, conformance.house_rules_fit),
        (TakesAnyHouseRule, conformance.house_rules_fit),
    ],
    ids=lambda part: part.__name__,
)
def test_a_broken_promise_is_noticed(broken: type[ToySystem], promise: Callable[[System], Iterator[str]]) -> None:
    assert list(promise(broken()))


@pytest.mark.parametrize(
    ("old", "new", "promise"),
    [
        (
            '2 = { value = 3, source = "E03" }',
            '2 = { value = 3, source = "house" }',
            conformance.every_row_has_a_source,
        ),
        ("3 = 14 }", "3 = 100 }", conformance.house_rules_fit),
        ("{ 1 = 2, 2 = 6, 3 = 14 }", "{ 1 = 1 }", conformance.house_rules_fit),
        ("min = 0\nmax = 9", "min = 1\nmax = 1", conformance.house_rules_fit),
        (
            'label = { ja = "技の数", en = "Number of arts" }',
            'label = { ja = "{n}", en = "{n}" }',
            conformance.house_rules_fit,
        ),
        ('section = "§5.5"', 'section = ""', conformance.house_rules_fit),
    ],
)
def test_bad_data_is_noticed(old: str, new: str, promise: Callable[[System], Iterator[str]]) -> None:
    assert old in toy.DATA
    assert list(promise(ToySystem(toy.DATA.replace(old, new, 1))))
