"""Run the command line as ``python -m goldenspike``."""

import sys

from goldenspike.cli import main

sys.exit(main())
