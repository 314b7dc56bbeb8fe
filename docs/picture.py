"""Draws the README's picture and makes its example of a report: ``python docs/picture.py``."""

import shutil
import tempfile
from pathlib import Path

import simlab
from simlab.experiments.batches import play
from simlab.experiments.figures import plot_win_rates, win_rate_data
from simlab.experiments.study import Study
from simlab.experiments.summary import summarise

HERE = Path(__file__).parent
LINEUP = ["balanced", "medal-scheduler", "card-counter", "greedy"]
SIDES = ["I", "II", "III", "IV", "V", "VI"]


def picture() -> None:
    """Win rates at one table."""
    study = Study.of("fantastique", LINEUP, games="1e6", options={"finale": "random"})
    axes = plot_win_rates(win_rate_data(summarise(play(study))))
    title = "Four strategies at one table of Fantastique, a million games"
    axes.set_title(title, loc="left", pad=24)
    axes.figure.savefig(HERE / "win-rates.png", dpi=120)


def example() -> None:
    """A tournament and a comparison, written up as Markdown."""
    table = ["balanced", "card-counter", "greedy", "finale-collector"]
    with tempfile.TemporaryDirectory() as folder:
        runs = [Path(folder) / name for name in ("every-strategy", "fan-sides")]
        simlab.tournament("fantastique", "all", games=2000, finale="random", out=runs[0])
        simlab.compare("fantastique", table, vary={"finale": SIDES}, games=1e5, out=runs[1])
        made = simlab.report(runs, Path(folder) / "report").parent
        shutil.rmtree(HERE / "example", ignore_errors=True)
        (HERE / "example" / "figures").mkdir(parents=True)
        shutil.copy(made / "report.md", HERE / "example")
        for drawn in made.glob("figures/*.svg"):
            shutil.copy(drawn, HERE / "example" / "figures")


if __name__ == "__main__":
    picture()
    example()
