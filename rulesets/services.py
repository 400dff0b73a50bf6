"""The small facade that web code calls. Everything about a game goes through here, by slug."""
