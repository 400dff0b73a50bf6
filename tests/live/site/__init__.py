"""A small site around the live core alone, for tests with real servers: rooms where people say things."""
