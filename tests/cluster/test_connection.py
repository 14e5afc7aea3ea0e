"""Where the workers are, in what words, and what is said where there is no way to them."""

from __future__ import annotations

import sys

import pytest

from claimeven.cluster.connection import ClusterAddress, connect
from claimeven.cluster.errors import ClusterError, MissingDaskError
from claimeven.cluster.identity import describe_difference, own_identity


@pytest.mark.parametrize(
    "text", ["", "local:0", "local:x", "remote", "http://a:1", "scheduler:8786", "tcp://", "local:-1"]
)
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="neither local"):
        ClusterAddress.parse(text)


def test_places_are_read() -> None:
    assert ClusterAddress.parse("local:3").processes == 3
    assert ClusterAddress.parse("local").processes >= 1
    assert ClusterAddress.parse("tls://host:1").scheduler == "tls://host:1"


def test_a_scheduler_that_is_not_there_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.cluster.connection.CONNECT_SECONDS", 0.5)
    with (
        pytest.raises(ClusterError, match=r"tcp://127\.0\.0\.1:1: there is no way to the cluster"),
        connect(ClusterAddress.parse("tcp://127.0.0.1:1"), None, lambda sentence: None),
    ):
        pass


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(MissingDaskError, match=r"pip install 'claimeven\[cluster\]'"),
        connect(ClusterAddress.parse("local:1"), None, lambda sentence: None),
    ):
        pass


def test_only_the_same_version_and_sources_are_taken() -> None:
    own = own_identity()
    assert describe_difference(own.version, own.digest) is None
    assert "not installed" in str(describe_difference(None, None))
    assert "it has claimeven 0.0.1" in str(describe_difference("0.0.1", own.digest))
    assert "0123456789ab" in str(describe_difference(own.version, "0123456789abcdef"))
    assert "knows no cluster" in str(describe_difference("0.1.0", None))
