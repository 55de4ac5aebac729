#!/bin/sh
# Where Holdfast is not installed there is nothing to remember, and nothing to complain about at every prompt.
command -v holdfast >/dev/null 2>&1 || exit 0
exec holdfast hook "$1" --client claude-code
