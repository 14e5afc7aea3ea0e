"""Verdicts on many positions as arrays, and as tables of pandas and Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.verdict import Bounds, Source, Value, Verdict

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Small: TypeAlias = NDArray[np.int8]

_VALUES = {value.rank: value for value in Value}
_SOURCES = (None, *Source)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Verdicts:
    """A verdict on each of many positions, in their order.

    `values` are `white`, `draw`, `black` or, where that is not known, `not-white`, `not-black` or `unknown`. `scores`
    are for the side to move, masked where they are not known. `sources` are the names of sources, empty where there is
    none. `[place]` is one of them as a Verdict.
    """

    values: NDArray[np.str_]
    scores: np.ma.MaskedArray[Any, np.dtype[np.int8]]
    sources: NDArray[np.str_]
    index: Any = None

    @classmethod
    def of_arrays(
        cls, least: Small, greatest: Small, scores: Small, has_score: NDArray[np.bool_], sources: Small, index: Any
    ) -> Verdicts:
        """Verdicts of ranks (`Value.rank`), scores, and places of sources in `Source` counted from 1, 0 for none."""
        names = np.full((3, 3), "", dtype="U9")
        for low in _VALUES:
            for high in range(low, 2):
                names[low + 1, high + 1] = str(Bounds(_VALUES[low], _VALUES[high]))
        return cls(
            names[least.astype(np.intp) + 1, greatest.astype(np.intp) + 1],
            np.ma.MaskedArray(np.where(has_score, scores, np.int8(0)), mask=~has_score, fill_value=0),
            np.array([str(source or "") for source in _SOURCES])[sources],
            index,
        )

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, place: int) -> Verdict:
        score, source = self.scores[place], str(self.sources[place])
        return Verdict(
            Bounds.parse(str(self.values[place])),
            Source(source) if source else None,
            None if score is np.ma.masked else int(score),
        )

    def __iter__(self) -> Iterator[Verdict]:
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        names, numbers = np.unique(self.values, return_counts=True)
        counts = ", ".join(f"{number} {name}" for name, number in zip(names, numbers, strict=True))
        return f"<Verdicts of {len(self)} positions{': ' if counts else ''}{counts}>"

    def to_pandas(self) -> pd.DataFrame:
        """A data frame of `value`, `score` and `source`, with the index of the column that was asked about."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install 'claimeven[pandas]'") from error
        scores = pd.array(np.ma.getdata(self.scores), dtype="Int8")
        scores[np.ma.getmaskarray(self.scores)] = pd.NA
        fields = {"value": self.values.astype(object), "score": scores, "source": self.sources.astype(object)}
        return pd.DataFrame(fields, index=self.index)

    def to_arrow(self) -> pa.Table:
        """An Arrow table of `value`, `score` and `source`."""
        try:
            import pyarrow as pa
        except ImportError as error:
            raise ImportError("to_arrow needs pyarrow: pip install 'claimeven[arrow]'") from error
        scores = pa.array(np.ma.getdata(self.scores), mask=np.ma.getmaskarray(self.scores))
        return pa.table({"value": pa.array(self.values), "score": scores, "source": pa.array(self.sources)})
