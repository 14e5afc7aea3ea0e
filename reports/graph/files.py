"""A problem graph as the content of a file that other programs read."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx


def as_graphml(graph: nx.Graph[str]) -> bytes:
    """The graph as GraphML."""
    import networkx as nx

    buffer = BytesIO()
    nx.write_graphml(graph, buffer)
    return buffer.getvalue()


def as_node_link(graph: nx.Graph[str]) -> bytes:
    """The graph as JSON: a list of nodes and one of edges."""
    import networkx as nx

    return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1).encode()
