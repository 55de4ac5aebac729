"""A question comes in; what the program QMD finds for it goes out as hits of our own notes, or why it found nothing.

QMD runs as a process for each search, or as a server on this machine. Its index lies in state/qmd/ and is a cache.
"""
