"""What each region of the linked view shows: cases, verdict, signals, score sheet, dials."""
