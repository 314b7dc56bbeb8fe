"""Where one machine ends: the same chunks, played by the workers of a Dask cluster.

What goes out is text (the study, the sources of policies from files), what comes back are whole
numbers; the process that asked puts them together and alone writes. So nothing depends on who
played what, how often, or in which order. Dask is imported only once somebody asks for a cluster.
"""

from simlab.experiments.cluster.address import Address, read_address
from simlab.experiments.cluster.opening import open_cluster

__all__ = ["Address", "open_cluster", "read_address"]
