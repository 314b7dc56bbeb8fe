"""From numbers to a page that a person reads; nothing in here ever plays a game."""
