"""The site file: its models, its parser, and what is refused."""
