"""The other sides: the least a server can do. Nothing here imports the site."""
