"""The fault campaign: commands are killed, stopped and starved, files damaged, words and sources garbled.

The promise: status 0, 1, 2 or 4 (130 after an interrupt) with a sentence, never a traceback, never another verdict than
the undisturbed one, no file half written, no process left. ``python -m tests.faults --help`` runs it as long as one
wants; the test suite runs it short.
"""
