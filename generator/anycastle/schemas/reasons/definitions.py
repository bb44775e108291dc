"""Definitions of custom resources: rules broken, rules nobody could ask, definitions nobody could use."""

from __future__ import annotations

from anycastle.finding import Severity
from anycastle.schemas.reasons.explanation import Explanation

REASONS = (
    Explanation(
        "OBJ015",
        "An object breaks a rule of its definition",
        "Definitions carry rules across fields (CEL). The API server asks them at every write and refuses the "
        "object, so a sync stops there.",
    ),
    Explanation(
        "OBJ016",
        "Rules of a definition were not asked",
        "The rules need a library for CEL (the extra `cel`), and a library may lack a function that Kubernetes "
        "has; an object that breaks such a rule passes here and is refused by the API server.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "OBJ017",
        "A definition cannot be used",
        "A definition in the repository has no readable schema, or fetched ones are damaged or written by another "
        "version of this tool; objects of these kinds are judged by what is known here, if at all.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "OBJ018",
        "Definitions could not be fetched",
        "Without them fields and rules that this tool does not describe itself stay unchecked; nothing else "
        "depends on them.",
    ),
)
