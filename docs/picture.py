"""Draws the README's picture: ``python docs/picture.py`` plays the games and writes the file."""

from pathlib import Path

from simlab.experiments.batches import play
from simlab.experiments.figures import plot_win_rates, win_rate_data
from simlab.experiments.study import Study
from simlab.experiments.summary import summarise

LINEUP = ["balanced", "medal-scheduler", "card-counter", "greedy"]

study = Study.of("fantastique", LINEUP, games="1e6", options={"finale": "random"})
axes = plot_win_rates(win_rate_data(summarise(play(study))))
axes.set_title("Four strategies at one table of Fantastique, a million games", loc="left", pad=24)
axes.figure.savefig(Path(__file__).with_name("win-rates.png"), dpi=120)
