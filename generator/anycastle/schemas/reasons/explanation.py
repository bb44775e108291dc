"""What a code means: the shared form, under the name that the tables here import."""

from anycastle.finding import Explanation

__all__ = ["Explanation"]
