"""Makes gdb's `step` skip the functions listed in skipped.py."""

import gdb

from heed_debug import skipped

for pattern in skipped.patterns():
    gdb.execute(f"skip -rfu '{pattern}'", to_string=True)
