"""House rules: the short list on the campaign page and the page where they are changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from characters.forms.rules import base_of, cell_value, cells
from characters.models import Campaign
from characters.selectors.access import CharacterAccess
from rulesets import services
from rulesets.protocol import HouseRule


def value_words(rule: HouseRule, value: Any, lang: str) -> str:
    """A value of a house rule in words; a ready-made alternative by its name."""
    for label, offered in rule.alternatives:
        if same_value(rule, offered, value):
            return label.pick(lang)
    if rule.schema["type"] == "table":
        return _("既定の表") if value == rule.default else _("この卓の表")
    return cell_words(rule.schema, value, lang)


def cell_words(schema: Mapping[str, Any], value: Any, lang: str) -> str:
    """One value in words."""
    if value is None or value == "":
        return _("なし")
    if isinstance(value, bool):
        return _("はい") if value else _("いいえ")
    for choice in schema.get("choices", ()):
        if choice["value"] == value:
            return str(choice["label"].pick(lang))
    return str(value)


def same_value(rule: HouseRule, offered: Any, value: Any) -> bool:
    """Whether an alternative (perhaps only some rows of a table) means this value."""
    return bool(filled(rule.default, offered) == value)


def filled(default: Any, override: Any) -> Any:
    """A partial override of a table with its other cells as they are by default."""
    if isinstance(default, Mapping) and isinstance(override, Mapping):
        rows = {str(key): filled(default.get(str(key)), below) for key, below in override.items()}
        return {**default, **rows}
    return override


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One line of the short list."""

    label: str
    value: str
    detail: str
    changed: bool
    inferred: bool


@dataclass(frozen=True, slots=True)
class RulesSummary:
    rows: tuple[RuleLine, ...]
    summary: str


def rules_summary(system: str, overrides: Mapping[str, Any], lang: str) -> RulesSummary:
    """What this table changed, and what is asked at the start."""
    rules = services.house_rules(system, overrides)
    shown = [rule for rule in rules if rule.changed or rule.ask_at_start]
    guessed = sum(1 for rule in rules if rule.inferred)
    changed = sum(1 for rule in rules if rule.changed)
    text = _("変えられる決めごと%(all)s件のうち、%(changed)s件を変えています。推定値は%(guessed)s件。") % {
        "all": len(rules),
        "changed": changed,
        "guessed": guessed,
    }
    return RulesSummary(tuple(_line(rule, lang) for rule in shown), text)


def _line(rule: HouseRule, lang: str) -> RuleLine:
    if rule.changed:
        detail = _("既定は「%(value)s」") % {"value": value_words(rule, rule.default, lang)}
    else:
        detail = _("既定のまま")
    return RuleLine(
        label=rule.label.pick(lang),
        value=value_words(rule, rule.value, lang),
        detail=detail,
        changed=rule.changed,
        inferred=rule.inferred and not rule.changed,
    )


# ---------------------------------------------------------------- the page


@dataclass(frozen=True, slots=True)
class Control:
    """One control. `kind`: int, text, choice, bool; `shown` is what stands in it, `choices` are (value, label)."""

    id: str
    name: str
    label: str
    kind: str
    shown: str
    choices: tuple[tuple[str, str], ...] = ()
    low: int | None = None
    high: int | None = None
    optional: bool = False
    changed: bool = False
    default: str = ""
    invalid: bool = False


@dataclass(frozen=True, slots=True)
class ControlRow:
    label: str
    controls: tuple[Control, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    index: int
    label: str
    active: bool


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One house rule with its controls."""

    id: str
    key: str
    dom: str
    label: str
    help: str
    type: str
    firmness: str
    section: str
    inferred: bool
    changed: bool
    value: str
    default: str
    alternatives: tuple[Alternative, ...]
    columns: tuple[str, ...]
    rows: tuple[ControlRow, ...]
    base: str
    errors: tuple[str, ...]
    words: str  # what the search looks through

    @property
    def control(self) -> Control:
        """Of a rule with a single value."""
        return self.rows[0].controls[0]


@dataclass(frozen=True, slots=True)
class RuleGroup:
    title: str
    rows: tuple[RuleRow, ...]


@dataclass(frozen=True, slots=True)
class RulesPage:
    groups: tuple[RuleGroup, ...]
    total: int
    changed: int
    guessed: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that was not taken: what was typed and why not, with the cells at fault."""

    key: str
    typed: Mapping[str, str]
    messages: tuple[str, ...]
    at: frozenset[str] = frozenset()


def rules_page(
    system: str,
    overrides: Mapping[str, Any],
    lang: str,
    *,
    query: str = "",
    show: str = "",
    refused: Refused | None = None,
) -> RulesPage:
    """Every row in its group; `show` is "", `changed` or `guessed`, `query` a word to look for."""
    rules = services.house_rules(system, overrides)
    found: dict[str, list[RuleRow]] = {}
    for rule in rules:
        row = rule_row(rule, lang, refused if refused is not None and refused.key == rule.key else None)
        if _wanted(rule, row, query, show):
            found.setdefault(rule.group.pick(lang), []).append(row)
    return RulesPage(
        groups=tuple(RuleGroup(title, tuple(rows)) for title, rows in found.items()),
        total=len(rules),
        changed=sum(1 for rule in rules if rule.changed),
        guessed=sum(1 for rule in rules if rule.inferred),
    )


def _wanted(rule: HouseRule, row: RuleRow, query: str, show: str) -> bool:
    if show == "changed" and not rule.changed and not row.errors:
        return False
    if show == "guessed" and not rule.inferred:
        return False
    return query.casefold().strip() in row.words


def rule_row(rule: HouseRule, lang: str, refused: Refused | None = None) -> RuleRow:
    dom = "rule-" + "".join(char if char.isalnum() else "-" for char in rule.key)
    label, text = rule.label.pick(lang), rule.help.pick(lang)
    table = rule.schema["type"] == "table"
    return RuleRow(
        id=rule.id,
        key=rule.key,
        dom=dom,
        label=label,
        help=text,
        type=str(rule.schema["type"]),
        firmness=rule.firmness,
        section=rule.section,
        inferred=rule.inferred,
        changed=rule.changed,
        value=value_words(rule, rule.value, lang),
        default=value_words(rule, rule.default, lang),
        alternatives=tuple(
            Alternative(index, offered.pick(lang), _active(rule, value))
            for index, (offered, value) in enumerate(rule.alternatives)
        ),
        columns=tuple(column["label"].pick(lang) for column in rule.schema["columns"]) if table else (),
        rows=_control_rows(rule, dom, lang, refused),
        base=base_of(rule),
        errors=refused.messages if refused is not None else (),
        words=" ".join((rule.id, rule.key, label, text, rule.group.pick(lang), rule.section)).casefold(),
    )


def rule_rows(system: str, overrides: Mapping[str, Any], keys: Collection[str], lang: str) -> list[RuleRow]:
    """Some rows by key; unknown keys are left out."""
    return [rule_row(rule, lang) for rule in services.house_rules(system, overrides) if rule.key in keys]


def _active(rule: HouseRule, value: Any) -> bool:
    return bool(filled(rule.value, value) == rule.value)


def _control_rows(rule: HouseRule, dom: str, lang: str, refused: Refused | None) -> tuple[ControlRow, ...]:
    names = {row["id"]: row["label"].pick(lang) for row in rule.schema.get("rows", ())}
    rows: dict[str, list[Control]] = {}
    for cell in cells(rule):
        value = cell_value(rule, cell, rule.value)
        shown = refused.typed.get(cell.name) if refused is not None else None
        title = rule.label.pick(lang) if not cell.name else f"{names[cell.row]} {cell.schema['label'].pick(lang)}"
        rows.setdefault(cell.row, []).append(
            Control(
                id=f"{dom}-{cell.row}-{cell.column}".rstrip("-") if cell.name else f"{dom}-v",
                name=cell.control,
                label=title,
                kind=str(cell.schema["type"]),
                shown=shown if shown is not None else control_text(value),
                choices=_choices(cell.schema, lang),
                low=cell.schema.get("min"),
                high=cell.schema.get("max"),
                optional=bool(cell.schema.get("optional")),
                changed=value != cell.default,
                default=cell_words(cell.schema, cell.default, lang),
                invalid=refused is not None and (not refused.at or cell.name in refused.at),
            )
        )
    return tuple(ControlRow(names.get(row, ""), tuple(controls)) for row, controls in rows.items())


def _choices(schema: Mapping[str, Any], lang: str) -> tuple[tuple[str, str], ...]:
    return tuple((control_text(choice["value"]), choice["label"].pick(lang)) for choice in schema.get("choices", ()))


def control_text(value: Any) -> str:
    """A value as its control holds it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


# ---------------------------------------------------------------- who is affected


@dataclass(frozen=True, slots=True)
class FlaggedRow:
    name: str
    owner: str
    url: str
    codes: str


@dataclass(frozen=True, slots=True)
class FlagsView:
    checked: int
    changed: int  # house rules this table changed
    rows: tuple[FlaggedRow, ...]


def flags_view(campaign: Campaign, sheets: Sequence[tuple[CharacterAccess, Any]]) -> FlagsView:
    """Saved characters that today's rules or points no longer allow, of those this seat may see."""
    saved = [item.character for item, _draft in sheets if item.character.revision is not None]
    rows = tuple(
        FlaggedRow(
            character.name or _("名前はまだ"),
            character.owner.name,
            reverse("character", args=[character.slug]),
            _("・").join(character.flagged),
        )
        for character in saved
        if character.flagged
    )
    return FlagsView(len(saved), len(campaign.house_rules), rows)
