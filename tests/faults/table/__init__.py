"""The whole site with doors through which a test sees what is stored and how often the live core worked."""
