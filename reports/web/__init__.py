"""The explorer: a page and a JSON API over what store, book, rules and search know of positions.

It stands on Starlette: every answer is an object of `claimeven.solver.contract` already, so the models that FastAPI
would want would be a second description of the same, and Starlette brings one dependency where FastAPI brings a dozen.
uvicorn serves it.
"""
