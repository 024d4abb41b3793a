"""Exit codes of the commands."""

OK, FAILED, MISUSED, INTERRUPTED = 0, 1, 2, 130
"""Success; a check failed; the command line was invalid; stopped with Ctrl-C."""
