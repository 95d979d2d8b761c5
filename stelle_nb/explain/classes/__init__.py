"""What a class has in common and the others lack."""
