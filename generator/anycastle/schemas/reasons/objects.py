"""Objects as such, and their metadata."""

from __future__ import annotations

from anycastle.finding import Severity
from anycastle.schemas.reasons.explanation import Explanation

REASONS = (
    Explanation(
        "OBJ001",
        "A document is not a Kubernetes object",
        "Without apiVersion and kind no tool knows where to send it: kubectl, Argo CD and Flux stop at the "
        "whole file, and the kubelet ignores it.",
    ),
    Explanation(
        "OBJ002",
        "An object has no name",
        "The API server refuses it, and a GitOps engine cannot tell it from another one.",
    ),
    Explanation(
        "OBJ003",
        "A field does not exist",
        "The API server drops the field in silence, or refuses the object where validation is strict: "
        "either way the setting never takes effect.",
    ),
    Explanation(
        "OBJ004",
        "A value has the wrong type",
        "The API server cannot decode the object and refuses all of it; most often a number or a boolean "
        "that needs quotes, or has some too many.",
    ),
    Explanation(
        "OBJ005",
        "A required field is missing",
        "The API server refuses the object.",
    ),
    Explanation(
        "OBJ006",
        "A value is none of the allowed ones",
        "The API server refuses the object; the values are case-sensitive unless said otherwise.",
    ),
    Explanation(
        "OBJ007",
        "A number, a length or a count is out of its range",
        "The API server refuses the object.",
    ),
    Explanation(
        "OBJ008",
        "A text is malformed",
        "The API server refuses the object, or the controller behind it does later, where nobody looks.",
    ),
    Explanation(
        "OBJ009",
        "This Kubernetes release does not serve the kind",
        "A sync ends with `no matches for kind`; with Argo CD every other object of the application waits behind it.",
    ),
    Explanation(
        "OBJ010",
        "One object is described twice",
        "Two descriptions of one object overwrite each other at every sync, and pruning one of them deletes "
        "the object that the other one still wants.",
    ),
    Explanation(
        "OBJ011",
        "A kind was not checked",
        "There is no schema for it here, so a misspelt field in it would pass.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "OBJ012",
        "Some fields of a kind were not checked",
        "The schema that ships with this tool covers the kind in part; these fields are outside of it.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "OBJ013",
        "The Kubernetes release has no schemas here",
        "The nearest release was used instead: fields that came or went between the two are judged wrongly.",
        Severity.UNCHECKED,
    ),
    Explanation(
        "OBJ014",
        "A list holds the same entry twice",
        "The API server refuses repeated entries in a list that is a set.",
    ),
    Explanation(
        "OBJ101",
        "A name is not a valid DNS name",
        "Object names become parts of DNS names and URLs: the API server accepts lower-case letters, digits "
        "and `-` (and `.` for most kinds), nothing else.",
    ),
    Explanation(
        "OBJ102",
        "A namespace is not a valid DNS label",
        "No such namespace can exist, so the object can never be created.",
    ),
    Explanation(
        "OBJ103",
        "A label is malformed",
        "Label keys and values have at most 63 characters of letters, digits, `-`, `_` and `.`; the API "
        "server refuses the object otherwise.",
    ),
    Explanation(
        "OBJ104",
        "An annotation is malformed",
        "Annotation keys follow the rules of label keys, and all annotations together may hold 256 KiB; the "
        "API server refuses the object otherwise.",
    ),
    Explanation(
        "OBJ105",
        "A time stamp is malformed",
        "Times are RFC 3339 (2026-01-31T08:00:00Z); the API server cannot decode anything else.",
    ),
)
