"""The ability draft as a live play of its own (rules §3, §4): it comes before the first table of a story.

`state` what is tracked · `order` who is 親, who is asked · `registry` commands and events · `desk` what handlers work
with · `engine` the object itself. Importing the package registers every command and event.
"""

from rulesets.alice.draft import late, offering, opening, seating, starting, views
from rulesets.alice.draft.engine import DRAFT, DraftPlay
from rulesets.alice.draft.order import parent_seat

__all__ = ["DRAFT", "DraftPlay", "late", "offering", "opening", "parent_seat", "seating", "starting", "views"]
