"""The moon of real dates, beside published phases and beside the formula of the rules (rules §6.3–§6.5)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from math import radians, sin

import pytest

from rulesets.witch.moon import DAYS, Calendar, column_of, elongation, instant, moon_day, night, nights, until
from rulesets.witch.rows import Rules
from rulesets.witch.tables import HOUSE_RULES

ZONE, HOUR = "Asia/Tokyo", 12
FIRST, LAST = date(2020, 1, 1), date(2035, 12, 31)

# Published new and full moons (UTC), to the minute.
NEW = """2020-01-24 21:42, 2020-06-21 06:41, 2020-12-14 16:17, 2021-06-10 10:53, 2021-12-04 07:43, 2022-04-30 20:28,
2022-10-25 10:49, 2023-04-20 04:13, 2023-10-14 17:55, 2024-01-11 11:57, 2024-02-09 22:59, 2024-03-10 09:00,
2024-04-08 18:21, 2024-05-08 03:22, 2024-06-06 12:38, 2024-07-05 22:57, 2024-08-04 11:13, 2024-09-03 01:55,
2024-10-02 18:49, 2024-11-01 12:47, 2024-12-01 06:21, 2024-12-30 22:27, 2025-03-29 10:58, 2025-09-21 19:54,
2026-02-17 12:01, 2026-08-12 17:37, 2027-02-06 15:56, 2027-08-02 10:05, 2028-01-26 15:12, 2028-07-22 03:02"""
FULL = """2020-01-10 19:21, 2020-06-05 19:12, 2020-11-30 09:30, 2021-05-26 11:14, 2021-11-19 08:57, 2022-05-16 04:14,
2022-11-08 11:02, 2023-05-05 17:34, 2023-10-28 20:24, 2024-01-25 17:54, 2024-02-24 12:30, 2024-03-25 07:00,
2024-04-23 23:49, 2024-05-23 13:53, 2024-06-22 01:08, 2024-07-21 10:17, 2024-08-19 18:26, 2024-09-18 02:34,
2024-10-17 11:26, 2024-11-15 21:28, 2024-12-15 09:02, 2025-03-14 06:55, 2025-09-07 18:09, 2026-03-03 11:38,
2026-08-28 04:18"""


def _moments(text: str) -> list[datetime]:
    return [datetime.fromisoformat(part.strip()).replace(tzinfo=UTC) for part in text.replace("\n", " ").split(",")]


def test_published_phases_are_at_their_elongation() -> None:
    """Within four minutes: the moon moves half a degree an hour."""
    new, full = _moments(NEW), _moments(FULL)
    assert len(new) + len(full) >= 40
    for moment in new:
        angle = elongation(moment)
        assert min(angle, 360 - angle) < 0.04, f"{moment}: {angle}"
    for moment in full:
        assert abs(elongation(moment) - 180) < 0.04, f"{moment}: {elongation(moment)}"


def test_published_phases_give_the_columns_of_their_dates() -> None:
    """At noon after a new moon the column is 1 (2 from the 26th hour on), at noon before one it is 28 (or 27)."""
    for moment in _moments(NEW):
        for days in (0, 1):
            noon = instant(moment.date() + timedelta(days=days), HOUR, ZONE)
            hours = (noon - moment).total_seconds() / 3600
            found = column_of(elongation(noon))
            assert found in ({1, 2} if hours >= 0 else {28, 27}), f"{moment} {noon}"
            if 0 <= hours < 20:
                assert found == 1


# ---------------------------------------------------------------- the formula of the rules file


def formula(moment: datetime) -> float:
    """§6.3, standard library only: the check, not the source."""
    julian = 2440587.5 + moment.timestamp() / 86400
    t = (julian + 69 / 86400 - 2451545.0) / 36525
    d = 297.8501921 + 445267.1114034 * t
    m = 357.5291092 + 35999.0502909 * t
    mp = 134.9633964 + 477198.8675055 * t
    f = 93.2720950 + 483202.0175233 * t

    def s(x: float) -> float:
        return sin(radians(x))

    moon = 6.288774 * s(mp) + 1.274027 * s(2 * d - mp) + 0.658314 * s(2 * d) + 0.213618 * s(2 * mp)
    moon += -0.185116 * s(m) - 0.114332 * s(2 * f) + 0.058793 * s(2 * d - 2 * mp) + 0.057066 * s(2 * d - m - mp)
    moon += 0.053322 * s(2 * d + mp) + 0.045758 * s(2 * d - m) - 0.040923 * s(m - mp)
    moon += -0.034720 * s(d) - 0.030383 * s(m + mp)
    sun = 1.914602 * s(m) + 0.019993 * s(2 * m) + 0.000289 * s(3 * m)
    return (d + moon - sun) % 360


def test_every_day_agrees_with_the_formula_but_at_a_boundary() -> None:
    step = 360 / DAYS
    differing = 0
    for ahead in range((LAST - FIRST).days + 1):
        noon = instant(FIRST + timedelta(days=ahead), HOUR, ZONE)
        ours, theirs = elongation(noon), formula(noon)
        apart = abs((ours - theirs + 180) % 360 - 180)
        assert apart < 0.15, f"{noon}: {ours} and {theirs}"
        if column_of(ours) != column_of(theirs):
            differing += 1
            to_boundary = min(ours % step, step - ours % step)
            assert to_boundary < 0.15, f"{noon} is no boundary"
    assert differing <= 20


def test_columns_repeat_and_skip_as_the_rules_say() -> None:
    """29 or 30 noons for 28 columns: about 6.7 % repeat, about 1.5 % skip one, none goes back."""
    columns = [
        moon_day(FIRST + timedelta(days=ahead), HOUR, ZONE, "proportional28")
        for ahead in range((LAST - FIRST).days + 1)
    ]
    steps = [(after - before) % DAYS for before, after in pairwise(columns)]
    assert set(steps) == {0, 1, 2}
    assert 0.055 < steps.count(0) / len(steps) < 0.08
    assert 0.005 < steps.count(2) / len(steps) < 0.03


# ---------------------------------------------------------------- meetings


def _rule(**overrides: object) -> Rules:
    keys = {key.replace("__", "."): value for key, value in overrides.items()}
    return HOUSE_RULES.tables(keys).rule


def test_every_cycle_has_one_sabbath_and_one_gathering_by_the_real_moon() -> None:
    """A skipped column cancels no meeting, a repeated one holds none twice (§6.5)."""
    rule = _rule(moon__mode="astronomical", calendar__event_basis="moon_day")
    found = nights(Calendar(real="2020-01-01"), rule, 5844)
    sabbaths = [at for at, one in enumerate(found) if one.sabbath]
    gatherings = [at for at, one in enumerate(found) if one.gathering]
    for days in (sabbaths, gatherings):
        gaps = {after - before for before, after in pairwise(days)}
        assert gaps <= {28, 29, 30, 31}, gaps
    assert {found[at].moon_day for at in sabbaths} == {22}


def test_a_skipped_column_is_met_by_the_next() -> None:
    """Columns near new and full moon are skipped when the moon is fast; a meeting on such a day comes the day after."""
    columns = {
        day: moon_day(day, HOUR, ZONE, "proportional28") for day in (FIRST + timedelta(days=n) for n in range(900))
    }
    skips = [
        (day, column) for day, column in columns.items() if columns.get(day - timedelta(days=1), column) == column - 2
    ]
    assert skips
    for day, column in skips:
        rule = replace(_rule(moon__mode="astronomical", calendar__event_basis="moon_day"), sabbath_day=column - 1)
        assert night(Calendar(real=day.isoformat()), rule).sabbath
        assert not night(Calendar(real=(day - timedelta(days=1)).isoformat()), rule).sabbath
        assert not night(Calendar(real=(day + timedelta(days=1)).isoformat()), rule).sabbath


@pytest.mark.parametrize("event", ["sabbath", "gathering"])
def test_in_the_story_meetings_come_every_28_nights(event: str) -> None:
    rule = _rule()
    ahead = until(Calendar(), rule, event)
    assert ahead == (21 if event == "sabbath" else 7)
    assert until(Calendar(ordinal=ahead), rule, event) == 28


def test_a_table_without_a_date_has_no_moon() -> None:
    rule = _rule(moon__mode="astronomical")
    found = night(Calendar(), rule)
    assert (found.moon_day, found.sabbath, found.gathering) == (None, False, False)


def test_zones_decide_the_moment() -> None:
    """Noon in Auckland is not noon in Honolulu: some dates have another column there."""
    days = [FIRST + timedelta(days=ahead) for ahead in range(200)]
    assert any(
        moon_day(day, HOUR, "Pacific/Auckland", "proportional28")
        != moon_day(day, HOUR, "Pacific/Honolulu", "proportional28")
        for day in days
    )


def test_old_calendar_counts_from_the_date_of_the_new_moon() -> None:
    """Lunar new year's days in Japan are day 1; the day before is 28, for 29 and 30 are shown so (§6.4)."""
    for text in ("2020-01-25", "2021-02-12", "2022-02-01", "2023-01-22", "2024-02-10", "2025-01-29", "2026-02-17"):
        day = date.fromisoformat(text)
        assert moon_day(day, HOUR, ZONE, "old_calendar") == 1, text
        assert moon_day(day - timedelta(days=1), HOUR, ZONE, "old_calendar") == 28
        assert moon_day(day + timedelta(days=14), HOUR, ZONE, "old_calendar") == 15
