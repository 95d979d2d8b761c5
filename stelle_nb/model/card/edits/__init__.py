"""What is changed on a card by hand: the history of edits, refitted points, formulas for free places."""
