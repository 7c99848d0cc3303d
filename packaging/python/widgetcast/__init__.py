"""Starts Widgetcast, a native program that this package brings along."""

import os
import sysconfig
from pathlib import Path

__all__ = ["find_binary"]


def find_binary() -> str:
    """The path of the program: ``$WIDGETCAST_BINARY``, else the one that was installed with this package.

    Raises ``FileNotFoundError`` if there is none.
    """
    override = os.environ.get("WIDGETCAST_BINARY")
    if override:
        return override
    name = "widgetcast" + (sysconfig.get_config_var("EXE") or "")
    # Where installers put scripts: of this environment, of `pip install --user`, and beside the package as
    # `pip install --target` does.
    user = sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
    places = [sysconfig.get_path("scripts"), user, Path(__file__).parents[1] / "bin"]
    for place in map(Path, places):
        if (place / name).is_file():
            return str(place / name)
    places = ", ".join(map(str, places))
    raise FileNotFoundError(f"{name} is in none of {places}; install the package again, or set WIDGETCAST_BINARY")
