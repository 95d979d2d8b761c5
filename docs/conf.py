"""How the pages are built: ``make docs`` writes the site to build/docs, warnings as errors, no network."""

from __future__ import annotations

from typing import Any

import stelle_nb as st

project = "stelle_nb"
author = "stelle_nb contributors"
copyright = "stelle_nb contributors, MIT licence"
version = release = st.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_typehints = "none"  # the axes of an array stand in the text; the types in the source
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = "stelle_nb"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_theme_options: dict[str, Any] = {
    "light_css_variables": {"color-brand-primary": "#00577d", "color-brand-content": "#00577d"},
    "dark_css_variables": {"color-brand-primary": "#7cc4ea", "color-brand-content": "#7cc4ea"},
}
