from __future__ import annotations

import unicodedata

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from accounts.names import clean_name, clean_username
from accounts.usernames import free_username


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("雪村", "雪村"),
        ("  雪村\n太郎\t", "雪村 太郎"),
        ("ゆ\u200bき", "ゆき"),
        ("\u202eevil", "evil"),
        ("a\x00b", "a b"),
        ("か\u3099", "が"),
        ("<b>雪</b>", "<b>雪</b>"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("x" * 40, "x" * 40),
        ("\ud800雪", "雪"),
    ],
)
def test_a_name_is_one_visible_line(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize("typed", ["", "   ", "\u200b\u202e", "\x00\x07", "\u0301"])
def test_an_invisible_name_is_refused(typed: str) -> None:
    with pytest.raises(ValidationError) as refused:
        clean_name(typed)
    assert refused.value.code == "required"


def test_a_long_name_says_how_long_it_is() -> None:
    with pytest.raises(ValidationError, match=r"40文字まで.*10000文字"):
        clean_name("あ" * 10_000)


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_name_or_a_sentence(typed: str) -> None:
    try:
        name = clean_name(typed)
    except ValidationError as refused:
        assert refused.messages[0]
        return
    assert 0 < len(name) <= 40
    assert clean_name(name) == name
    name.encode()
    assert not any(unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} for c in name)
    assert not set(name) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\ufeff")


def test_a_user_name_is_the_same_in_wide_letters() -> None:
    assert clean_username(" ｔａｒｏ１ ") == "taro1"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "required"),
        ("   ", "required"),
        ("a b", "invalid"),
        ("a\x00b", "invalid"),
        ("<script>", "invalid"),
        ("guest-1", "reserved"),
        ("GUEST-1", "reserved"),
        ("x" * 151, "max_length"),
    ],
)
def test_bad_user_names(typed: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        free_username(typed)
    assert refused.value.code == code


@pytest.mark.usefixtures("member")
@pytest.mark.parametrize("typed", ["yukimura", "Yukimura", "ＹＵＫＩＭＵＲＡ"])
def test_a_user_name_is_taken_in_any_shape(typed: str) -> None:
    with pytest.raises(ValidationError) as refused:
        free_username(typed)
    assert refused.value.code == "taken"
