"""Chat commands: one typed line in, dice and an outcome out (interop/bcdice.md §1–§3, §8).

`language.py` reads and rolls a line for one game; `results.py` is what comes out; `refusals.py` what cannot be read.
One file for each kind of command; a game adds its own in `rulesets/<slug>/rolls.py`.
"""
