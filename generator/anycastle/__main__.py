"""`python -m anycastle`, for where the console script is not on PATH."""

from anycastle.cli import main

if __name__ == "__main__":
    main()
