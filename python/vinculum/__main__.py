"""python -m vinculum study …"""

import sys

from ._study_command import main

if __name__ == "__main__":
    sys.exit(main())
