"""``python -m ordbook``: the command ``ordbook``."""

import sys

from ordbook.cli import main

if __name__ == "__main__":
    sys.exit(main())
