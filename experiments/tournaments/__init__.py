"""Tournaments: who meets whom, who wins, how good each policy is, and how sure that is."""
