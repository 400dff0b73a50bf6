"""Words in both languages. Labels and messages of the rules are rows of data, never gettext."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Lang = Literal["ja", "en"]


@dataclass(frozen=True, slots=True)
class Text:
    """One label or sentence in Japanese and English; may hold `{name}` placeholders."""

    ja: str
    en: str

    def pick(self, lang: str) -> str:
        """The wording for a language code such as `ja` or `en-gb`; Japanese unless English is asked for."""
        return self.en if lang.lower().startswith("en") else self.ja

    def format(self, **params: object) -> Text:
        """Fill placeholders in both languages. A `Text` among the values is filled in its own language."""
        ja = {k: v.ja if isinstance(v, Text) else v for k, v in params.items()}
        en = {k: v.en if isinstance(v, Text) else v for k, v in params.items()}
        return Text(self.ja.format(**ja), self.en.format(**en))

    def __str__(self) -> str:
        return self.ja


def same(text: str) -> Text:
    """A word that reads the same in both languages (a name somebody typed, a number)."""
    return Text(text, text)
