"""The same work on other machines: chunks of arrays go to Dask's workers, arrays of verdicts come back."""
