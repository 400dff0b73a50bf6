"""Names for signing in: unique whatever the capitals, and never one a guest could have."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names import clean_username

GUEST_PREFIX = "guest-"


def free_username(text: str) -> str:
    """`text` as a user name nobody has (in any mixture of capitals). Raises ValidationError."""
    username = clean_username(text)
    if not username:
        raise ValidationError(_("利用者名を入れてください。"), code="required")
    field = User._meta.get_field("username")
    if len(username) > (field.max_length or 150):
        raise ValidationError(_("利用者名が長すぎます。"), code="max_length")
    for check in field.validators:
        try:
            check(username)
        except ValidationError as error:
            raise ValidationError(
                _("利用者名には、文字・数字と @ . + - _ だけを使ってください。空白は使えません。"), code="invalid"
            ) from error
    if username.casefold().startswith(GUEST_PREFIX):
        raise ValidationError(
            _("「%(prefix)s」で始まる利用者名は使えません。") % {"prefix": GUEST_PREFIX}, code="reserved"
        )
    if User.objects.filter(username__iexact=username).exists():
        raise ValidationError(_("この利用者名は、もう使われています。"), code="taken")
    return username
