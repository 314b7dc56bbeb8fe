"""What all tests share: compiled code in the usual cache, so that a second run is quick."""
