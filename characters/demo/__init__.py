"""Demo campaigns, played through the same actions as everything else. Used by `manage.py demo`."""
