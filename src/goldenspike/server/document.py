"""The API's own document (OpenAPI), as exact as the messages are read."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin

from goldenspike.server import messages


class Document(JsonRenderPlugin):
    """The document as JSON, which says of what people send that nothing else may be in it."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the document, made exact."""
        schemas = openapi_schema["components"]["schemas"]
        for name in _CLOSED & schemas.keys():
            schemas[name]["additionalProperties"] = False
        return super().render(request, openapi_schema)  # pyright: ignore[reportUnknownMemberType]


_CLOSED = {
    name
    for name, message in vars(messages).items()
    if isinstance(message, msgspec.StructMeta) and message.__struct_config__.forbid_unknown_fields
}
"""Messages that are refused if they hold what they have no field for."""
