"""What people call themselves: any script, one line, nothing invisible."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

NAME_LIMIT = 40

# Direction overrides can make one name look like another or turn the text after it around; the rest cannot be seen.
_UNSEEN = re.compile("[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]")


def clean_name(text: str, limit: int = NAME_LIMIT) -> str:
    """`text` in one line, composed (NFC), without control or invisible characters and outer blanks.

    Raises ValidationError (code `required` or `max_length`) with a sentence for the person.
    """
    text = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in str(text))
    text = "".join(c for c in _UNSEEN.sub("", text) if unicodedata.category(c) not in {"Cs", "Cn"})
    text = " ".join(unicodedata.normalize("NFC", text).split())
    if not any(unicodedata.category(c)[0] in "LNPS" for c in text):
        raise ValidationError(_("名前を入れてください。"), code="required")
    if len(text) > limit:
        raise ValidationError(
            _("%(limit)d文字までにしてください。いま%(length)d文字あります。") % {"limit": limit, "length": len(text)},
            code="max_length",
        )
    return text


def clean_username(text: str) -> str:
    """A user name as it is stored and looked up: compatibility forms unified (NFKC), so that ｔａｒｏ is taro."""
    return unicodedata.normalize("NFKC", str(text)).strip()
