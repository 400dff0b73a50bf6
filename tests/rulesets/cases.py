"""Case tables: the rules as rows of TOML, each run through the public facade.

Every `tests/rulesets/<slug>/*.toml` is collected by `test_cases.py`, one pytest id per case
(`edo/building.toml::X01`). A file holds `[[case]]` and `[[grid]]` tables and nothing else.

    [[case]]
    id = "X02"                       # unique within the file
    source = "C01"                   # seed, E…, C… or a section such as "§4.9": where the expectation comes from
    about = "worked example under preset B"       # optional words
    through = "validate"    # validate | create | odds | roll | pool | reference | decide | chances | script
    [case.given]                     # keys by `through`, below
    [case.expected]                  # at least one; tables match partly, lists and single values exactly,
                                     # fractions by value ("16/216" is "2/27")

given, for all but roll and reference: `house_rules = {…}` (an override; default none).

validate -> services.check
    given: one of `preset = "N07"`, `build = {…}` (document of json-api.md §4.4), `fields = {…}`, `blank = true`; then
    `set = { "skills.kenjutsu.level" = 6 }` and `unset = ["role"]` on top, and `strange = { zz = 1 }` for keys that are
    no fields; `fix = "V26"` applies the first repair of that problem before the check that counts; `kind` ("pc", or
    "npc" for a preset unless said), `party = { pool, others_spent, allocation, allocations_on }`,
    `confirmed = ["skills.geino~1.base"]`, `saved = true`, `previous = { "abilities.body" = 7 }` (the newest revision:
    as now, but for these fields), `partner = { … }` (fields of the character it is bound to), `turned_down =
    { occupation = "…" }` (values the GM turned down).
    expected: `legal`, `spent`, `errors` / `warnings` (all their codes, sorted, repeats kept), `has` / `lacks` (codes),
    `costs.<key>` and `groups.<group>` (points), `derived.<key>` (value), `parts.<key>` (list of the summands' values),
    `inferred.<key>` (of a derived value), `open` (paths of open choices, sorted), `label.<field>` / `shown.<field>`
    (Japanese words of field and value), `name` (display name), `build` (part of the document; legal fields only),
    `problem.<code>` = part of { path, level, rule, needed, had, params, message, message_en, reason, fixes } of the
    first problem of that code; a fix is { kind, label, changes, target, points, cost_delta }.
create -> services.create
    given: as for validate, and `step = "money"`; beside it, at the top of the case, `faces = [3, 4]` and
    `orders = [[2, 0, 1]]` in the order in which they are asked for.
    expected: `changes` (part of), `text` (Japanese), `record` (part of).
odds -> services.odds
    given: `question = {…}` as the game's odds.py describes it.
    expected: part of the answer's `as_json()`: `outcomes.<word>.chance = "193/216"`,
    `outcomes.<word>.percent = "89.4"`, `also.<word>…`, `counts = { 2 = 1, … }`, `out_of`, `mean`.
roll -> services.roll
    given: `line = "2D6+1>=8"`, `system` (default: the name of the folder; a slug or BCDice id); `faces` at the top.
    expected: part of the result's `as_json()`.
pool -> services.pool_total
    given: `players = 4`. expected: `total = 1100`.
reference -> services.reference
    given: `tool = "money"`, `typed = { ryo = "1" }`. expected: part of the answer's `as_json()`: `problems = [codes]` …

decide -> services.play(…).decide
    given: `cast` (as in a script, see `rulesets.engine.script`; instead of `build` also `fields = {…}` or
    `preset = "N07"`, with `set` on top), `before = [{ actor = "A", command = "…", dice = [6, 5], … }]` (commands that
    lead there; none may be refused, each uses exactly its `dice`), `command = {…}` (the one that counts); `faces` at
    the top; `piles = [["H4", "S10", "..."], …]`, also of a command in `before`: the cards of each shuffle, top first.
    `table = "duel"` lays `house_rules`, `cast` and `before` of a `[[table]]` of the file in front. `part = "draft"`:
    what the game plays before its tables open.
    expected: `kinds` (of the events, in order), `event.<kind>` (part of the data of the first of that kind, with its
    `audience` and `faces` = every die of its outcome), `state` (part of the dump), `actors.<id>` (of its actors),
    `view.<who>` (part of the state as the GM (`gm`), a player or `spectator` sees it), `shown.<who>.<kind>` (part of
    the event as it reaches them; `shown.<who>.kinds`), `carried.<id>.<key>` (what closing would change it to).
    A refusal may have `message_en`, `overridable`, `rule`, `params` beside `message`.
chances -> services.play(…).odds
    given: as for decide, and `viewer` (default: the GM). expected: part of the answer's `as_json()`, or
    `nothing = true`.
script -> services.script
    given: as for decide, with `commands = […]` instead of `command`. expected: `kinds`, `codes` (of the refusals),
    `state`, `actors.<id>`, `views.<who>` (part of { state, events = {…} by kind }).

A refusal is expected as `refused = "code"` (of `Refusal`, `RollRefused`, or a problem of `HouseRulesInvalid`), alone or
with `message` (Japanese). An error that nobody expects fails the case.

A grid is many cases written as the table of the rules page: the value in row r and column c of `cells` is expected at
path `expect` when `down` is r and `across` is c (paths below `given`); ids become `id[r,c]`.

    [[grid]]
    id = "12.3"
    source = "§12.3"
    through = "odds"
    given = { question = { kind = "test", dice = 3 } }
    down = "question.value"
    across = "question.difficulty"
    columns = [10, 11, 12]
    expect = "outcomes.success.percent"
    cells = { 4 = ["89.4", "80.6", "68.1"], 5 = ["94.9", "89.4", "80.6"] }

A case fails when faces or orders are left over or missing. It is refused (`CaseRefused`, which fails its file) when it
expects nothing, gives nothing, holds an unknown key, or proves nothing: a `validate` whose expectation already holds
for the blank character, a `create` that changes no field, a `decide` or `script` whose expectation already holds before
the command or for an empty script, an id used twice.
"""

from __future__ import annotations

from typing import Any

from rulesets import services
from rulesets.engine.dice import FacesLeft, FacesMissing, ScriptedDice, WrongFace
from rulesets.protocol import Refusal
from tests.rulesets import case_build, case_play
from tests.rulesets.case_build import house_rules_refused, refusal
from tests.rulesets.case_table import Case, CaseFailed, CaseRefused, collect, compare, read

__all__ = ["Case", "CaseFailed", "CaseRefused", "collect", "read", "run"]


def run(case: Case) -> None:
    """Run a case. Raises `CaseFailed` when the rules differ, `CaseRefused` when the case proves nothing."""
    try:
        found = _RUNNERS[case.through](case)
    except (FacesMissing, WrongFace) as error:
        raise CaseFailed(f"{case}: {error}") from error
    except FacesLeft as error:
        raise CaseFailed(f"{case}: {error}") from error
    differences = list(compare(case.expected, found))
    if differences:
        raise CaseFailed("\n".join([f"{case} {case.about}".rstrip(), *differences]))


def _odds(case: Case) -> Any:
    try:
        return services.odds(case.system, case.given["question"], case.given.get("house_rules", {})).as_json()
    except Refusal as error:
        return refusal(error.code, error.message.ja)
    except services.HouseRulesInvalid as error:
        return house_rules_refused(error, case.expected)


def _roll(case: Case) -> Any:
    dice = ScriptedDice(case.faces)
    try:
        result = services.roll(case.given.get("system", case.system), case.given["line"], dice)
    except services.RollRefused as error:
        dice.finish()
        return refusal(error.code, error.message.ja)
    dice.finish()
    return result.as_json()


def _pool(case: Case) -> dict[str, Any]:
    try:
        return {"total": services.pool_total(case.system, case.given["players"], case.given.get("house_rules", {}))}
    except services.HouseRulesInvalid as error:
        return house_rules_refused(error, case.expected)


def _reference(case: Case) -> Any:
    try:
        told = services.reference(case.system, case.given["tool"], **case.given.get("typed", {}))
    except Refusal as error:
        return refusal(error.code, error.message.ja)
    return told.as_json()


_RUNNERS = {
    "validate": case_build.validate,
    "create": case_build.create,
    "odds": _odds,
    "roll": _roll,
    "pool": _pool,
    "reference": _reference,
    "decide": case_play.decide,
    "script": case_play.script,
    "chances": case_play.chances,
}
