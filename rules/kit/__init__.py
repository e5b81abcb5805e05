"""What rule engines share, and nothing that differs from rulebook to rulebook.

Reading order: orders, data, clauses; then whatever geometry a game needs.
"""
