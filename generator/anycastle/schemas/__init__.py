"""Schema check of every object that a repository would send to a cluster or a node.

`check` holds objects against the schemas of their kinds and against what schemas cannot see. A kind or a
field without a schema is reported as unchecked, never passed over.
"""

from anycastle.schemas.checking import check
from anycastle.schemas.codes import CODES, Explanation
from anycastle.schemas.judged import Item

__all__ = ["CODES", "Explanation", "Item", "check"]
