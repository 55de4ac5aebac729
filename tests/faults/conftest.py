"""The fault tests share two modules of this directory, and so do the processes they start."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
