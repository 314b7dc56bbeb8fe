"""Tuning: which numbers make a policy strongest, judged on deals that the search never saw."""
