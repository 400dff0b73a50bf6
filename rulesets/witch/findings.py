"""What a check finds, in words: the problem of a code with its numbers and repairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulesets.engine.problems import Fix, Problem, Value
from rulesets.engine.text import Text, same
from rulesets.protocol import Context
from rulesets.witch.fields import field_label, field_text
from rulesets.witch.sheet import Sheet
from rulesets.witch.tables import Witch

# What a change of the group's rules may break in a sheet that was right: on a saved one these are remarks.
BY_RULES = frozenset(
    {
        *("W04", "W05", "W06", "W07", "W09", "W10", "W16", "C07", "C09"),
        *("B01", "B02", "B06", "B08", "B09", "B10", "B11", "B14", "B15", "B16"),
    }
)


@dataclass
class Findings:
    """Collects the problems of one sheet."""

    sheet: Sheet
    context: Context
    problems: list[Problem] = field(default_factory=list)

    @property
    def tables(self) -> Witch:
        return self.sheet.tables

    @property
    def npc(self) -> bool:
        return self.context.kind == "npc"

    def add(
        self,
        code: str,
        path: str = "",
        *fixes: Fix,
        needed: int | None = None,
        had: int | None = None,
        **params: object,
    ) -> None:
        """A problem of a code. Params that are values of a draft are shortened."""
        message = self.tables.messages[code]
        lapsed = self.context.saved and code in BY_RULES
        self.problems.append(
            Problem(
                code,
                "warning" if lapsed else message.level,
                path,
                message.text.format(**params),
                message.rule,
                params,
                needed,
                had,
                fixes=fixes or ((self.goto(path),) if path else ()),
                lapsed=lapsed and code not in self.context.allowed,
            )
        )

    def label(self, key: str) -> Text:
        return field_label(key, self.tables)

    # ------------------------------------------------------------ repairs

    def goto(self, path: str) -> Fix:
        return Fix(self.tables.label("fix_goto"), "goto", target=path)

    def clear(self, *keys: str) -> Fix:
        changes: Mapping[str, Value] = dict.fromkeys(key for key in keys if key in self.sheet.fields)
        return Fix(self.tables.label("fix_clear").format(label=self.label(keys[0])), changes=changes, target=keys[0])

    def set(self, key: str, value: Value) -> Fix:
        words = self.tables.label("fix_set")
        label = words.format(label=self.label(key), value=field_text(key, value, self.tables))
        return Fix(label, changes={key: value}, target=key)


def shown(value: object) -> Text:
    """A raw value in a sentence, shortened: drafts may hold anything."""
    text = str(value)
    return same(text if len(text) <= 40 else text[:39] + "…")
