"""What a game system provides. `rulesets/<slug>/system.py` holds one object of this shape.

Pure: no Django, no clock, no randomness of its own. Values at the edge are plain JSON data; inside they are
frozen dataclasses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from rulesets.engine.dice import DiceSource
from rulesets.engine.odds import Odds
from rulesets.engine.problems import Problem, Report, Value
from rulesets.engine.text import Text

Fields = Mapping[str, Value]
Kind = Literal["pc", "npc"]


@dataclass(frozen=True, slots=True)
class Credits:
    """Whose game this is. `url` is the publisher's or author's own page; "" when there is none any more."""

    title: Text
    author: str
    publisher: str
    edition: str
    url: str


@dataclass(frozen=True, slots=True)
class Party:
    """The party's budget around one character: points in the pool and what others have spent of it."""

    pool: int
    others_spent: int
    allocation: int | None = None
    allocations_on: bool = True


@dataclass(frozen=True, slots=True)
class Context:
    """Around a build: who it is for, the party (PCs only), and the field keys the GM has confirmed.

    `saved`: the fields are a revision made earlier and are looked at again after rules or pool changed; being over the
    budget is then a remark, except for what the GM let pass (`allowed`, codes). `previous`: the newest revision's
    fields, so that a problem can say what was lowered. `partner`: the fields of the character it is bound to (witch).
    `refused`: field keys with values that the GM turned down.
    """

    kind: Kind = "pc"
    party: Party | None = None
    confirmed: frozenset[str] = frozenset()
    saved: bool = False
    allowed: frozenset[str] = frozenset()
    previous: Fields | None = None
    partner: Fields | None = None
    refused: frozenset[tuple[str, Value]] = frozenset()


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One row a group may edit. `value` is what applies now; `schema` describes allowed values for a form.

    `schema["type"]`: `int` (min, max), `bool`, `choice` (choices: [{value, label}]), `text`, `table` (rows, columns).
    `alternatives` are ready-made values worth offering with one click.
    """

    id: str
    key: str
    label: Text
    help: Text
    group: Text
    schema: Mapping[str, Any]
    default: Any
    value: Any
    inferred: bool
    firmness: Literal["A", "B", "C", ""]
    section: str
    alternatives: tuple[tuple[Text, Any], ...] = ()
    ask_at_start: bool = False

    @property
    def changed(self) -> bool:
        return bool(self.value != self.default)


@dataclass(frozen=True, slots=True)
class Preset:
    """A ready-made NPC: flat build fields and how many usually appear together."""

    id: str
    name: Text
    note: Text
    fields: Fields
    typical_count: int = 1


@dataclass(frozen=True, slots=True)
class Created:
    """What a creation step rolled: new field values and the record kept as evidence."""

    changes: Fields
    faces: tuple[int, ...]
    text: Text
    record: Mapping[str, Any] = field(default_factory=dict)


class System(Protocol):
    """One game. Everything that takes `tables` takes what `tables(house_rules)` gave."""

    slug: str
    names: Text
    credits: Credits
    ruleset: str
    bcdice_ids: tuple[str, ...]
    capabilities: frozenset[str]

    def tables(self, house_rules: Mapping[str, Any]) -> Any:
        """Typed tables with a validated partial override applied. Raises `HouseRulesInvalid`."""
        ...

    def house_rules(self, overrides: Mapping[str, Any]) -> Sequence[HouseRule]:
        """Every editable row with default, current value and allowed values."""
        ...

    def check_house_rules(self, overrides: Mapping[str, Any]) -> Sequence[Problem]:
        """Problems of an override; `path` is the row's key."""
        ...

    def ruleset_hash(self, house_rules: Mapping[str, Any]) -> str:
        """`sha256:<64 hex>` of the rules data with this override: which data a build was checked against."""
        ...

    def pool_total(self, players: int, tables: Any) -> int | None:
        """Build points of a party of `players` (≥ 1); None when the game has no pool."""
        ...

    def blank(self, kind: Kind, tables: Any) -> Fields:
        """The flat fields a new character starts with."""
        ...

    def known_field(self, key: str) -> bool:
        """Whether a field key may exist in a draft of this system."""
        ...

    def parse_field(self, key: str, typed: str) -> Value:
        """The typed value of what a person typed. Unreadable text comes back as text; `check` then reports it."""
        ...

    def field_label(self, key: str, tables: Any) -> Text: ...

    def field_text(self, key: str, value: Value, tables: Any) -> Text:
        """A value as a person would say it (`準主役`, `5レベル`), for differences and conflicts."""
        ...

    def from_build(self, build: Mapping[str, Any]) -> Fields:
        """Flat fields of a build document (`interop/json-api.md` §4.4)."""
        ...

    def to_build(self, fields: Fields) -> dict[str, Any]:
        """The build document of flat fields; the inverse of `from_build` on legal builds."""
        ...

    def check_document(self, build: Mapping[str, Any]) -> Sequence[Problem]:
        """Structural problems of a foreign build document: unknown keys, wrong types. Never raises."""
        ...

    def check(self, fields: Fields, tables: Any, context: Context = Context()) -> Report:
        """Every problem at once, the costs, the derived values. Never raises, whatever the fields hold."""
        ...

    def display_name(self, fields: Fields) -> str: ...

    def presets(self, tables: Any) -> Sequence[Preset]: ...

    def create(self, step: str, fields: Fields, tables: Any, dice: DiceSource) -> Created:
        """A creation step that rolls (edo: `money`). Raises `Refusal` when the step does not apply."""
        ...

    def odds(self, question: Mapping[str, Any], tables: Any) -> Odds:
        """Exact chances for a question as the game's `odds.py` describes it. Raises `Refusal` for anything else."""
        ...

    def message(self, code: str, tables: Any, **params: object) -> Text:
        """The words of a code, for whoever finds the problem outside `check`. Raises `KeyError`."""
        ...

    def reference(self, tool: str, typed: Mapping[str, Any], tables: Any) -> Any:
        """A reference tool's answer: a result, or problems at the names of the inputs. Never raises.

        Asked only of systems with the capability `reference`.
        """
        ...


class Refusal(Exception):
    """A refused step or command, with its code and words."""

    def __init__(self, code: str, message: Text, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.params = params
