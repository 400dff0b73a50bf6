"""What every game's live play is built from: commands read by their shape, registered by name, facts applied and shown.

`desk` what handlers work at · `reading` the fields of a command · `registry` commands, events and odds by name ·
`facts` events applied to the state · `telling` which events show dice · `showing` what a viewer gets. A game gives its
words, codes and types; see `rulesets/edo/play`, `rulesets/alice/play`.
"""
