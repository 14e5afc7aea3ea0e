"""The second checker: certificates decided from their text by kernels, to be read beside Allis 1988, §6 to §8.

It shares nothing with what finds proofs, nor with the checker in Python, which stays the reference and says in words
what is wrong with a certificate.
"""
