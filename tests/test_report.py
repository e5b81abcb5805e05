"""The report in its five forms, read back and looked into."""

from __future__ import annotations

from pbem.api import Area, Arrow, Counter, Grid, Label, Line, Mark, Note, Picture, View
from pbem.report import Player, Remark, Report

PLACES = {
    "Jitra": (20, 10),
    "Kota Bharu": (70, 12),
    "Kampar": (28, 38),
    "Kuantan": (82, 48),
    "Kuala Lumpur": (38, 58),
    "Endau": (86, 68),
    "Kluang": (70, 80),
    "Singapore": (76, 94),
}
TRUNK = ("Jitra", "Kampar", "Kuala Lumpur", "Kluang", "Singapore")
EASTERN = ("Kota Bharu", "Kuantan", "Endau", "Kluang")
COAST = (
    (2, -4), (6, 4), (13, 14), (15, 24), (17, 34), (16, 42), (22, 52), (28, 62), (36, 72), (48, 82), (60, 91), (70, 98),
    (80, 99), (88, 92), (91, 82), (93, 70), (92, 60), (89, 50), (91, 40), (88, 30), (84, 20), (76, 9), (62, 4), (52, 5),
    (46, -4),
)  # fmt: skip
REINFORCE = {"Kampar": 2, "Kuantan": 1, "Endau": 1, "Kluang": 1}
ALLIED = {"Kampar": 4, "Kuantan": 2, "Kuala Lumpur": 2, "Endau": 2, "Kluang": 3}
JAPANESE = {"Kampar": 6, "Kuantan": 5}


def malaya_map() -> Picture:
    marks: list[Mark] = [
        Area(((0, 0), (100, 0), (100, 100), (0, 100)), "sea"),
        Area(COAST, "land", "Malaya"),
        Label(14, 72, "Strait of Malacca", "sea", 2.6),
        Label(90, 26, "South China Sea", "sea", 2.4, "end"),
        Line(tuple(PLACES[p] for p in TRUNK), "road-trunk", "Trunk road"),
        Line(tuple(PLACES[p] for p in EASTERN), "road-eastern", "Eastern road"),
    ]
    for place, (x, y) in PLACES.items():
        marks.append(Area(box(x - 4.6, y, 8.4), "space-allied"))
        if place != "Singapore":
            marks.append(Area(box(x + 4.6, y, 8.4), "space-japanese"))
        marks.append(Label(x, y - 5.4, place, "place", 3))
        if place in REINFORCE:
            marks.append(Label(x + 11.6, y + 0.8, f"+{REINFORCE[place]}", "number", 2.2))
    for place, strength in ALLIED.items():
        x, y = PLACES[place]
        marks.append(Counter(x - 4.6, y, "allied", str(strength), "", f"{place}: Allied {strength}", strength, 7))
    for place, strength in JAPANESE.items():
        x, y = PLACES[place]
        marks.append(Counter(x + 4.6, y, "japanese", str(strength), "", f"{place}: Japanese {strength}", strength, 7))
    x1, y1, x2, y2 = *PLACES["Jitra"], *PLACES["Kampar"]
    marks.append(Arrow(x1 - 4.6, y1, x2 - 4.6, y2, "withdraw", "Jitra withdraws to Kampar"))
    marks.append(Arrow(x1 + 4.6, y1, x2 + 4.6, y2, "advance", "Trunk force advances to Kampar"))
    for turn in range(1, 7):
        marks.append(Area(box(6 + 8 * (turn - 1), 93, 7), "track", f"turn {turn}"))
        marks.append(Label(6 + 8 * (turn - 1), 94.2, str(turn), "box", 3.2))
    marks.append(Counter(14, 93, "marker", "2", "", "Turn 2", 2, 5.6))
    return Picture(
        "map",
        "Malaya, turn 2: after the battles",
        100,
        100,
        tuple(marks),
        (
            "Trunk road                      Eastern road",
            "Jitra         A -  J -          Kota Bharu    A -  J -",
            "  |                               |",
            "Kampar        A 4  J 6  (+2)    Kuantan       A 2  J 5  (+1)",
            "  |                               |",
            "Kuala Lumpur  A 2  J -          Endau         A 2  J -  (+1)",
            "  |                               |",
            "Kluang        A 3  J -  (+1)  <-+",
            "  |",
            "Singapore     A -",
        ),
        (
            ("allied", "Allied unit"),
            ("japanese", "Japanese unit"),
            ("marker", "turn"),
            ("road-trunk", "Trunk road"),
            ("road-eastern", "Eastern road"),
            ("withdraw", "withdrawal"),
            ("advance", "advance"),
            ("number", "Japanese reinforcements"),
        ),
    )


def box(x: float, y: float, size: float) -> tuple[tuple[float, float], ...]:
    half = size / 2
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


WORDS = {
    "turn": "Turn {turn} begins.",
    "withdrew": "The unit in {place} withdraws to {to} with strength {strength}.",
    "advanced": "The {road} force advances to {to}; reinforced by {number} it has strength {strength}.",
    "battle": "Battle at {place}, {choice}: Allied {allied}, Japanese {japanese}. "
    "The die shows {die}: Allied -{loss}, Japanese -{hit}.",
}


def malaya(**other: object) -> Report:
    report = {
        "engine": "battle-card-malaya",
        "game": "Battle Card: Malaya",
        "scenario": "The Malayan campaign",
        "game_id": "9f2c" * 16,
        "head": "41d7" * 16,
        "seq": 31,
        "event": 31,
        "players": (Player("allied", "the Allies", "Ann Percival"),),
        "decides": ("allied",),
        "owed": ("one withdrawal, or none",),
        "policy": "open",
        "verdict": "VALID SO FAR up to 41d741d7",
        "provenance": "12 rows printed, 31 reported, 2 reconstructed; digest 5be0c1",
        "trust": "S0 diary: the dice could have been chosen by starting again",
        "words": WORDS,
        "story": (
            (24, Note("turn", {"turn": 2}, ("BC-3.5",), anchor="T2")),
            (25, Note("withdrew", {"place": "Jitra", "to": "Kampar", "strength": 5}, ("BC-3.1.2", "BC-3.1.4"))),
            (26, Note("advanced", {"road": "Trunk", "to": "Kampar", "number": 2, "strength": 6}, ("BC-3.2.1", "R7"))),
            (
                29,
                Note(
                    "battle",
                    {
                        "place": "Kampar",
                        "choice": "defend",
                        "allied": 5,
                        "japanese": 6,
                        "die": 3,
                        "loss": 1,
                        "hit": 0,
                    },
                    ("BC-3.3.5",),
                    "t2/battle/kampar#1",
                    "T2.battle",
                ),
            ),
            (
                30,
                Note(
                    "battle",
                    {
                        "place": "Kuantan",
                        "choice": "counterattack",
                        "allied": 2,
                        "japanese": 6,
                        "die": 6,
                        "loss": 0,
                        "hit": 1,
                    },
                    ("BC-3.3.4", "BC-3.3.5"),
                    "t2/battle/kuantan#1",
                ),
            ),
        ),
        "view": View(
            "Turn 2: the line holds at Kampar, the Trunk force stands before it",
            (("Turn", "2 of 6"), ("Allied units", "5 on the map, 2 lost"), ("Air support", "Kuantan still flies")),
            (
                Grid(
                    "Locations",
                    ("Place", "Road", "Allied", "Japanese", "Reinforcement"),
                    tuple(
                        (
                            place,
                            "Trunk" if place in TRUNK else "Eastern",
                            str(ALLIED.get(place, "-")),
                            str(JAPANESE.get(place, "-")),
                            f"+{REINFORCE[place]}" if place in REINFORCE else "-",
                        )
                        for place in PLACES
                    ),
                ),
            ),
            (malaya_map(),),
        ),
        "may_write": ("withdraw LOCATION   (withdraw Kampar, withdraw Kuantan)", "no withdrawal"),
        "remarks": (Remark(27, "allied", "Bridge at Slim River blown. Tea at five."),),
        "file": "malaya.pbem",
        "position": {"units": ("A kampar 4", "J kampar 6")},
    } | other
    return Report(**report)  # type: ignore[arg-type]
