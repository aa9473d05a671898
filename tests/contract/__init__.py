"""What users get, frozen, so that a rebuilding notices each number that it changes."""
