"""Options of the charter that change components: other readings of the map, and the bonus that our copy cuts off."""

from __future__ import annotations

from pbem.api import Option

MAP_OPTIONS = (
    Option(
        "opt_kowloon_objective",
        ("kowloon-point", "golden-hill", "kowloon-city"),
        "kowloon-point",
        "which space of Kowloon is an objective",
        "2.35",
    ),
    Option(
        "opt_island_objectives",
        ("victoria-gap", "victoria-stanley"),
        "victoria-gap",
        "objectives of the Island: Victoria and Wong Nai Chung Gap, or Victoria and Stanley",
        "2.35",
    ),
    Option(
        "opt_fourth_battery",
        ("belchers", "pinewood", "jubilee"),
        "belchers",
        "which is the fourth black battery of the Island",
        "2.32a",
    ),
    Option(
        "opt_kowloon_reservoir",
        ("kowloon", "shing-mun"),
        "kowloon",
        "the reservoir of Kowloon: its own space, or under the Shing Mun Redoubt",
        "2.33a",
    ),
    Option(
        "opt_island_reservoir",
        ("pok-fu-lam", "wong-nai-chung"),
        "pok-fu-lam",
        "the third reservoir of the Island",
        "2.33a",
    ),
)
"""Readings of the map that are as likely as ours; other values than the default have rows in data/alternatives.toml."""

HQ_OPTION = Option("r1", ("2", "3", "4"), "3", "defence bonus of the HQ space, which our copy does not show", "R1")
