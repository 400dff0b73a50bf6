"""Several editors and a shrinking pool at random (reliability F10): no edit is silently lost, no sum grows too big."""

from __future__ import annotations

import os

import pytest
from django.db.models import Sum
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from characters.actions import builds, campaigns, pool
from characters.actions.drafts import FieldEdit, edit_draft
from characters.actions.errors import ActionRefused
from characters.models import Character, Draft, Pool, Seat
from characters.selectors.builds import same_value
from live.events import verify_chain
from tests.factories import WORKED_EXAMPLE, make_table

KEYS = ("abilities.mind", "abilities.gi", "names.given", "endurance_bought", "perks.iai")
VALUES = st.sampled_from([4, 5, 7, "七", True, 1, None])


class Editors(RuleBasedStateMachine):
    """Three people with pages of different age edit one draft. Each value a person was told is saved must stand until
    somebody who had seen it changed it."""

    def __init__(self) -> None:
        super().__init__()
        self.table = make_table("nagisa")
        self.table.join("co", "co_gm")
        self.character = self.table.make("nagisa", {"abilities.mind": 4, "abilities.gi": 4})
        start = dict(self.character.draft.fields)
        self.pages = {name: dict(start) for name in ("nagisa", "gm", "co")}
        self.truth = dict(start)

    @rule(name=st.sampled_from(["nagisa", "gm", "co"]))
    def reload(self, name: str) -> None:
        self.pages[name] = dict(Draft.objects.get(pk=self.character.pk).fields)

    @rule(
        name=st.sampled_from(["nagisa", "gm", "co"]), typed=st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1)
    )
    def save(self, name: str, typed: dict) -> None:
        page = self.pages[name]
        saved = edit_draft(
            access=self.table.view(name, self.character),
            edits={key: FieldEdit(page.get(key), value) for key, value in typed.items()},
        )
        conflicts = {conflict.key: conflict for conflict in saved.conflicts}
        assert set(saved.saved) | set(conflicts) == set(typed)
        for key, value in typed.items():
            now = self.truth.get(key)
            if key in conflicts:
                assert same_value(conflicts[key].yours, value) and same_value(conflicts[key].theirs, now)
                assert not same_value(now, page.get(key)) and not same_value(now, value)
            else:
                # Only what this person had seen (or had typed alike) is overwritten.
                assert same_value(now, page.get(key)) or same_value(now, value)
                self.truth[key] = page[key] = value
                if value is None:
                    del self.truth[key]

    @invariant()
    def the_draft_is_what_was_told(self) -> None:
        assert Draft.objects.get(pk=self.character.pk).fields == self.truth


class Party(RuleBasedStateMachine):
    """Claims, offers, allocations, saves and cuts in any order: a sum above the pool never grows."""

    def __init__(self) -> None:
        super().__init__()
        self.table = make_table("a", "b", pool=700)
        campaigns.set_house_rules(access=self.table.access("gm"), overrides={"allocations": False})
        self.characters = {name: self.table.make(name, WORKED_EXAMPLE) for name in ("a", "b")}
        self.before = self._sums()

    def _try(self, act) -> None:
        try:
            act()
        except ActionRefused as refused:
            assert refused.message and 400 <= refused.status < 500

    @rule(name=st.sampled_from("ab"), points=st.integers(1, 400))
    def claim(self, name: str, points: int) -> None:
        self._try(lambda: pool.claim(access=self.table.access(name), points=points))

    @rule(name=st.sampled_from("ab"), points=st.integers(1, 400))
    def release(self, name: str, points: int) -> None:
        self._try(lambda: pool.release(access=self.table.access(name), points=points))

    @rule(name=st.sampled_from("ab"), points=st.integers(0, 800))
    def allocate(self, name: str, points: int) -> None:
        self._try(lambda: pool.allocate(access=self.table.access("gm"), seat=self.table.seat(name), points=points))

    @rule(points=st.integers(0, 800))
    def reserve(self, points: int) -> None:
        self._try(lambda: pool.set_reserve(access=self.table.access("gm"), points=points))

    @rule(points=st.integers(1, 200))
    def give(self, points: int) -> None:
        def act() -> None:
            offer = pool.make_offer(access=self.table.access("a"), receiver=self.table.seat("b"), points=points)
            pool.answer_offer(access=self.table.access("b"), offer=offer, take=True)

        self._try(act)

    @rule(total=st.integers(0, 900))
    def cut(self, total: int) -> None:
        self._try(lambda: pool.set_pool(access=self.table.access("gm"), total=total))
        self.before = self._sums()

    @rule(name=st.sampled_from("ab"), level=st.integers(0, 10))
    def save(self, name: str, level: int) -> None:
        self.table.edit(name, self.characters[name], skills__sanjutsu__level=level or None)
        self._try(lambda: builds.save_build(access=self.table.view(name, self.characters[name])))

    def _sums(self) -> tuple[int, int, int]:
        stored = Pool.objects.get(campaign=self.table.campaign)
        return stored.total, stored.allocated, stored.spent

    @invariant()
    def no_sum_grows_above_the_pool(self) -> None:
        total, allocated, spent = self._sums()
        _old_total, old_allocated, old_spent = self.before
        assert allocated <= max(total, old_allocated)
        assert spent <= max(total, old_spent)
        self.before = (total, allocated, spent)

    @invariant()
    def the_sums_are_the_sums(self) -> None:
        _total, allocated, spent = self._sums()
        seats = Seat.objects.filter(campaign=self.table.campaign)
        assert allocated == (seats.aggregate(n=Sum("allocation"))["n"] or 0)
        rows = Character.objects.filter(campaign=self.table.campaign)
        assert spent == (rows.aggregate(n=Sum("spent"))["n"] or 0)
        assert all(seat.allocation >= 0 for seat in seats)

    @invariant()
    def above_means_flagged(self) -> None:
        total, _allocated, spent = self._sums()
        for row in Character.objects.filter(campaign=self.table.campaign).exclude(revision=None):
            assert bool(row.flagged) is (spent > total)

    def teardown(self) -> None:
        assert verify_chain(self.table.campaign.topic) is None


@pytest.mark.parametrize("machine", [Editors, Party])
def test_machine(db, machine):
    # 500 for the 10 000 steps of reliability F10.
    examples = int(os.environ.get("STATEFUL_EXAMPLES", "10"))
    options = {"max_examples": examples, "stateful_step_count": 20, "deadline": None}
    run_state_machine_as_test(machine, settings=settings(**options, suppress_health_check=list(HealthCheck)))
