"""The campaign: the Mapboard, three armies, twenty-one periods; its battles are fought on the Combat Board.

Reading order: turn (the order of play), then its chapters flights, movement, guns, fighting, retreat, supply, control
and victory; state and orders say what they talk about.
"""
