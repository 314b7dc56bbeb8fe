"""The parts of a balance report, a file each; a game adds its own in `simlab.reports.games`."""
