"""The command line: words in, data on standard output, notes on standard error.

Each command lives in a module of its own and is imported only when it is called, so that
``--help`` answers at once.
"""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import Any, cast

import click

from simlab import __version__
from simlab.errors import SimlabError, UsageError, unknown

COMMANDS = {
    "games": ("catalogue", "list the games"),
    "rules": ("catalogue", "a game's rules in our words, its options, and every ruling"),
    "policies": ("catalogue", "a game's built-in strategies and their parameters"),
    "cards": ("cards", "export a game's lists of cards to a spreadsheet, or check edited ones"),
    "run": ("run", "play many games and estimate the win rate of each policy"),
    "compare": ("compare", "the same deals under other rules or numbers: what differs?"),
    "tournament": ("tournament", "everybody meets everybody: who is how strong?"),
    "report": ("report", "a balance report to hand to a colleague: a page, tables, figures"),
    "tune": ("tune", "the parameters that make a policy strongest, judged on fresh deals"),
    "power": ("power", "how many games it takes to see a difference"),
    "status": ("folder", "how far the run in a folder is"),
    "verify": ("folder", "check a folder's files, totals, and two chunks played again"),
    "show": ("folder", "print the tables of a folder's run again"),
    "plot": ("folder", "draw a figure of a folder's run"),
    "replay": ("replay", "show single games, as a story or as a record to check"),
    "check": ("check", "check that a policy plays by the contract"),
    "warmup": ("machine", "compile everything now, so that no later run waits"),
    "bench": ("machine", "measure games a second and nanoseconds a decision"),
}
"""Name of each command to its module and its one line of help."""


class Commands(click.Group):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            raise unknown("command", cmd_name, COMMANDS)
        module = import_module(f"simlab.cli.{COMMANDS[cmd_name][0]}")
        return getattr(module, cmd_name)  # type: ignore[no-any-return]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, and refuse what click lets pass or does not tell whose it is."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            _check_words(click.Context(command, ctx, name, **command.context_settings), rest)
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _check_words(ctx: click.Context, words: list[str]) -> None:
    """Raise an error if an option comes twice: of two values one would be dropped in silence."""
    try:
        given = ctx.command.make_parser(ctx).parse_args(list(words))[2]
    except click.UsageError as error:
        error.ctx = error.ctx or ctx  # so that it names the help of this command
        raise
    for option in given:
        plain = isinstance(option, click.Option) and not (option.multiple or option.is_flag)
        if plain and given.count(option) > 1:
            raise UsageError(f"{max(option.opts, key=len)} is given twice; only one can count")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="simlab")
def cli() -> None:
    """Ask a tabletop game hard questions: millions of games, exact and repeatable numbers.

    \b
    simlab run fantastique balanced 3xgreedy
    simlab run fantastique mine.py::sniper 3xrandom --set finale=III
    simlab replay fantastique balanced 3xgreedy --format text
    """


def main(words: list[str] | None = None) -> None:
    """Run a command; every mistake becomes one line, never a traceback (but see `DEBUG`)."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = cast(Any, _warn)
            code = cli.main(words, prog_name="simlab", standalone_mode=False)
        sys.stdout.flush()
    except SimlabError as error:
        _leave(str(error), error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(2)
    except click.ClickException as error:
        where = getattr(getattr(error, "ctx", None), "command_path", "simlab")
        _leave(f"{error.format_message().rstrip('.')}; see {where} --help", 2)
    except (KeyboardInterrupt, click.Abort):
        _leave("interrupted", 130)
    except BrokenPipeError:
        # Whoever reads has read enough; nothing may be written at exit either.
        _drop_output()
        sys.exit(1)
    except OSError as error:
        if _debugging():
            raise
        _drop_output()
        _leave(f"{error.filename or 'output'}: {error.strerror or error}", 1)
    except Exception as error:
        # What nobody foresaw. A traceback says nothing to whoever plays a game.
        if _debugging():
            raise
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        _leave(f"unexpected {said}: please report; {DEBUG}=1 shows the traceback", 1)
    sys.exit(code if isinstance(code, int) else 0)


DEBUG = "SIMLAB_DEBUG"
"""Variable of the environment that shows tracebacks."""


def _debugging() -> bool:
    return os.environ.get(DEBUG, "") not in ("", "0")


def _drop_output() -> None:
    """Let what is still waiting for standard output go nowhere."""
    with suppress(OSError):  # it may be no file at all, in somebody's tests or notebook
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _warn(message: Warning | str, *where: Any, **more: Any) -> None:
    """A warning in one line, as everything else that is said."""
    click.echo(f"simlab: warning: {' '.join(str(message).split())}", err=True)


def _leave(message: str, code: int) -> Any:
    line = " ".join(message.split())
    click.echo(f"simlab: {line}", err=True)
    sys.exit(code)
