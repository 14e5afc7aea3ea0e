"""What can go wrong with a cluster, each as one sentence for the user."""

from __future__ import annotations


class ClusterError(Exception):
    """The work cannot go on with this cluster; what was decided before is kept."""


class MissingDaskError(ClusterError):
    """Dask is not installed here."""


class LostSchedulerError(ClusterError):
    """The scheduler does not answer any more."""


class DisagreementError(ClusterError):
    """What a worker sent back cannot be right; the sentence says why, and costs the worker its place."""
