"""The benchmark behind `manage.py bench`: ratios to bare servers measured in the same run. Tests do not collect it."""
