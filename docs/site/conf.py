"""How Sphinx makes the site of the documents: `make docs-site`. The pages are those of the repository, as they are."""

from __future__ import annotations

import tomllib
from pathlib import Path

project = "Holdfast"
author = copyright = "The Holdfast founders"  # noqa: A001 - the name that Sphinx reads
_ROOT = Path(__file__).parents[2]
version = release = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

extensions = ["myst_parser", "sphinx_copybutton"]
root_doc = "docs/site/index"
# The source is the repository itself, so that a link between two pages is the same here and in a checkout.
include_patterns = [
    *("*.md", "docs/**.md", "bench/**README.md", "training/**README.md", "web/README.md"),
    "src/holdfast/embeddings/static/MODEL_CARD.md",
]
exclude_patterns = [".*", "**/node_modules", "tests"]

myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # a console block shows output that is no shell

html_theme = "furo"
html_title = f"Holdfast {version}"
html_extra_path = ["front"]  # the page that one opens first; the sources begin further down
html_copy_source = False
html_show_sourcelink = False
# Nothing is fetched from elsewhere: the site works from a disk without a network.
html_theme_options = {"navigation_with_keys": True}
copybutton_prompt_text = "$ "
copybutton_exclude = ".linenos, .gp"
