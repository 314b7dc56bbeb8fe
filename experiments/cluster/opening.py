"""Opens a cluster for as long as a command plays, and closes what it opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from simlab.errors import UsageError
from simlab.experiments.cluster.address import read_address

if TYPE_CHECKING:
    from simlab.experiments.cluster.crew import Cluster


@contextmanager
def open_cluster(word: str) -> Iterator[Cluster]:
    """Play on a cluster: what it gives goes wherever a number of workers goes.

    Parameters
    ----------
    word : str
        ``local:N`` for processes of this machine, ``tcp://host:port`` for a Dask scheduler.

    Raises
    ------
    UsageError
        If the word is neither, or Dask is not installed.

    Examples
    --------
    >>> with open_cluster("local:4") as cluster:
    ...     simlab.simulate("fantastique", ["balanced", "3xgreedy"], workers=cluster)
    """
    address = read_address(word)
    if find_spec("distributed") is None:
        raise UsageError("--scheduler needs Dask, an extra: pip install 'simlab[cluster]'")
    from simlab.experiments.cluster.crew import Cluster

    cluster = Cluster(address)
    try:
        yield cluster
    finally:
        cluster.close()
