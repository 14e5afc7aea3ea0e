"""From arrays of positions to arrays of verdicts: what is asked, in which order, and what comes back.

`decided` has the words for what comes back, `by_rules` asks the nine rules and lets the checker see every proof,
`decider` goes from finished games through the rules to exact search, on the threads of this process, and `key_decider`
is the contract that it keeps, as a cluster does.
"""
