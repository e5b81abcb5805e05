"""Receipts beside a game file: what others had, and when, on their word. They may come from any letters of theirs.

A receipt changes no game. It can date a request before its beacon round, and it tells of a file that is shorter than
what somebody has seen, or another one (protocol, 2.5 and 3.9).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pbem import mail, packet, receipts, verify
from pbem.errors import Refused
from pbem.record import Receipt
from pbem.replay import Fold
from pbem.verify import Reading, Verdict


@dataclass(slots=True)
class Vouched:
    """Receipts of one game whose signatures fit, in the order of their events; what contradicts; how many were odd."""

    sound: list[Receipt] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    odd: int = 0


def lines(places: Iterable[Path]) -> Iterator[str]:
    """Every receipt line in letters, packets, mailboxes, and folders of such (`Trouble` where there are none)."""
    for place in places:
        for letter in mail.letters(place):
            for data in mail.packets(letter).packets:
                for raw in packet.read(data).of("receipt"):
                    yield raw.decode().rstrip("\n")


def take(fold: Fold, found: Iterable[str]) -> Vouched:
    """What receipts say of a game: those by other games and other keys are counted, and prove nothing."""
    done = Vouched()
    heads: dict[tuple[str, int], str] = {}
    for line in dict.fromkeys(found):
        try:
            says = receipts.read(fold, line).says
        except Refused:
            done.odd += 1
            continue
        done.sound.append(says)
        first = heads.setdefault((says.seat, says.seq), says.head)
        if first != says.head:
            done.remarks.append(f"{says.seat} has receipted two different heads of event {says.seq}")
    for (seat, seq), head in sorted(heads.items(), key=lambda one: (one[0][1], one[0][0])):
        if seq > fold.seq:
            told = f"{seat} has receipted event {seq}, head {head[:16]}"
            done.remarks.append(f"{told}: the file is shorter, or another one")
        elif head not in fold.lost_ids and head != (fold.ids.id(seq) if seq else fold.game.id):
            done.remarks.append(f"{seat} has receipted another event {seq}, head {head[:16]}")
    done.sound.sort(key=lambda says: (says.seq, says.at, says.seat))
    return done


def judge(verdict: Verdict, reading: Reading, found: Iterable[str]) -> tuple[Verdict, int]:
    """The verdict with receipts beside the file, and how many of them are of no seat of this game."""
    if reading.fold is None:
        return verdict, sum(1 for _ in found)
    vouched = take(reading.fold, found)
    if not verdict.word.startswith("VALID"):
        return verdict, vouched.odd
    dated = verify.judge(reading, vouched.sound)
    return dataclasses.replace(dated, remarks=(*dated.remarks, *vouched.remarks)), vouched.odd
