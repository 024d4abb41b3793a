"""The OpenAPI document, made as strict as the message parser."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin

from goldenspike.server.protocol import messages


class Document(JsonRenderPlugin):
    """Renders the document as JSON, with `additionalProperties: false` for messages from clients."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the document with closed message schemas."""
        schemas = openapi_schema["components"]["schemas"]
        for name in _CLOSED & schemas.keys():
            schemas[name]["additionalProperties"] = False
        return super().render(request, openapi_schema)  # pyright: ignore[reportUnknownMemberType]


_CLOSED = {
    name
    for name, message in vars(messages).items()
    if isinstance(message, msgspec.StructMeta) and message.__struct_config__.forbid_unknown_fields
}
"""Messages that are refused if they have unknown fields."""
