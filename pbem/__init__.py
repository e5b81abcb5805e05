"""Play board wargames by e-mail with nobody in the middle.

Reading order: canon, keys, record, charter, dice, replay, table; then packet, mail, report, cli.
"""

__version__ = "0.1.0"
