"""``python -m widgetcast`` is the program itself."""

import os
import subprocess
import sys

from widgetcast import find_binary

try:
    command = [find_binary(), *sys.argv[1:]]
except FileNotFoundError as error:
    sys.exit(f"widgetcast: {error}")
if sys.platform == "win32":
    # There, exec would start a second process and end this one at once.
    try:
        sys.exit(subprocess.call(command))
    except KeyboardInterrupt:
        sys.exit(130)
os.execv(command[0], command)
