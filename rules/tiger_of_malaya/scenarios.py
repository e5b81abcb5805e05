"""What can be played, and what is agreed on beforehand. [13.0, 14.0]"""

from __future__ import annotations

from pbem.api import Option, Scenario, Seat
from rules.tiger_of_malaya.state import ALLIES, JAPAN

SEATS = (Seat(JAPAN, "the Japanese 25th Army"), Seat(ALLIES, "the Commonwealth forces"))  # [1.0.P1]

EVERYWHERE = (
    Option("opt_13_1", ("off", "on"), "off", "nobody has more than three impulses in a row", "13.1"),
    Option("opt_13_2", ("off", "on"), "off", "chits are picked at random", "13.2"),
    Option(
        "opt_13_3", ("off", "on"), "off", "Straits Settlement troops hold the island better and must attack", "13.3"
    ),
    Option("opt_13_4", ("off", "on"), "off", "guns that helped a defence may run out of ammunition", "13.4"),
    Option("r2", ("sealed", "open"), "sealed", "chits are chosen in secret, or in the open and by Japan first", "R2"),
    Option("r8", ("jungle", "guns"), "jungle", "who helps in a JUNGLE impulse: its units alone, or every gun", "R8"),
    Option("r20", ("binds", "free"), "binds", "whether a HALF chit binds Allied units out of supply", "R20"),
    Option("r23", ("active", "both"), "active", "whose stacks are counted when an impulse ends", "R23"),
    Option("r27", ("holder", "last"), "holder", "who has a hex in both zones: its holder, or the later zone", "R27"),
    Option("r38", ("keep", "up"), "keep", "half a point of halved artillery is kept, or rounded up", "R38"),
    Option("r40", ("town", "jungle"), "town", "a town halves artillery, or jungle and swamp alone", "R40"),
    Option("r42", ("after", "before"), "after", "the cap on support holds after ground halves it, or before", "R42"),
    Option("r44", ("owner", "chance"), "owner", "who says which unit a bombardment hits: the owner, or chance", "R44"),
    Option("r54", ("wheels", "all"), "wheels", "who needs heavy boats to retreat or advance over a bare river", "R54"),
    Option("r58", ("lost", "stand"), "lost", "a unit without a way to retreat is lost, or all must stand", "R58"),
    Option("r61", ("one", "unmet"), "one", "after a defender who died: one hex at least, or the unmet ones", "R61"),
    Option("r81", ("limit", "points"), "limit", "boats take over what the far hex holds, or two units a point", "R81"),
    Option("r86", ("minus", "plus"), "minus", "what the causeway does to the die of the Allies who blow it", "R86"),
)
LATE = Option("opt_14_3_5", ("off", "on"), "off", "no reinforcements after 28-29 January", "14.3.5")
COLUMN = Option("r92", ("closed", "open"), "closed", "whether column 13 north of 1322 is closed to the Allies", "R92")
END = Option("r93", ("march", "february"), "march", "whether it ends with 23-24 March or February", "R93")

SCENARIOS = (
    Scenario(
        "muar",
        "The Battle of Muar",
        "The west coast, 14 to 23 January: five turns.",
        SEATS,
        (*EVERYWHERE, COLUMN),
    ),
    Scenario(
        "northern-johore",
        "The Loss of Northern Johore",
        "From Gemas to Kluang and Mersing, 14 to 25 January: six turns.",
        SEATS,
        EVERYWHERE,
    ),
    Scenario(
        "tiger-of-malaya",
        "Tiger of Malaya",
        "The whole campaign, 14 January to 20 February: 19 turns, or until Singapore surrenders.",
        SEATS,
        (*EVERYWHERE, LATE),
    ),
    Scenario(
        "great-base",
        "The Great Base",
        "The campaign with an earlier 18th Division and I Corps, to 24 March: 35 turns.",
        SEATS,
        (*EVERYWHERE, END),
    ),
)
