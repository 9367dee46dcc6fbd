"""Why live connections are closed: every code that a client may see, in one table."""

from __future__ import annotations

PROTOCOL = 1002
BAD_TEXT = 1007
TOO_LARGE = 1009
FAILED = 1011
RESTART = 1012
TRY_LATER = 1013
BAD_MESSAGE = 4400
FOREIGN = 4403
NO_ROOM = 4404
TOO_MANY = 4429

REASONS = {
    PROTOCOL: "What was sent is not WebSocket.",
    BAD_TEXT: "What was sent is not UTF-8.",
    TOO_LARGE: "The message is larger than 4 kB.",
    FAILED: "No answer came to a ping, or there is a bug in gridlock: connect again.",
    RESTART: "The server closes: connect again, to it or to another.",
    TRY_LATER: "The database does not answer: try again later.",
    BAD_MESSAGE: "The message makes no sense, or no hello came in time.",
    FOREIGN: "The page of another site, or a name to which the server does not answer.",
    NO_ROOM: "There is no such room.",
    TOO_MANY: "Too many messages, connections or requests at once.",
}
"""What each code means.  Programs and the page rely on them, and documents repeat them."""

BY_CLIENT = "gridlock.closed_by_client"
"""What a scope says of whether the client has closed the connection: with any code."""

LEFT = frozenset({1000, 1001, 1005, 1006})
"""What is noted where the other side goes: it says so, its page is left, or it is cut off."""
