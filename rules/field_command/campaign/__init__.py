"""The campaign: the Mapboard, three armies, twenty-one periods; its battles are fought on the Combat Board.

Reading order: turn (the order of play), then its chapters flights, movement, guns, fighting, retreat, supply, control
and victory; cards names the chapters of Situation Cards; state and orders say what they talk about, reading how it is
typed.
"""
