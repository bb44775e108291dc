"""The reasons behind every code, by topic; `codes.py` joins them."""
