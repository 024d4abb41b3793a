"""The built files of the browser client, served from memory and compressed."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from pathlib import Path
from typing import Any, NamedTuple

from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException

FOLDER = Path(__file__).parents[1] / "web"
PACKED = "is_packed"
"""Marks routes whose responses are already compressed."""
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_NOT_BUILT = (
    "The page of Golden Spike has not been built here. Run tools/web once (it needs Node, or fetches it), "
    "or play in the terminal: goldenspike play --terminal\n"
)


class StaticFile(NamedTuple):
    """A file that is the same for all clients, compressed once."""

    kind: str
    tag: str
    variants: dict[str, bytes]
    """The bytes by encoding; "" is the uncompressed file."""

    @property
    def size(self) -> int:
        """How many bytes it takes in memory."""
        return sum(map(len, self.variants.values()))


class Page:
    """The files of the built page."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files: dict[str, StaticFile] = {}
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.is_file() and path.suffix not in {".br", ".gz"}:
                self._files[path.relative_to(folder).as_posix()] = _read(path)

    @property
    def is_built(self) -> bool:
        """Whether the page was built."""
        return "index.html" in self._files

    def answer(self, name: str, request: Request[Any, Any, State]) -> Response[Any]:
        """Return a file in an encoding that the client accepts."""
        file = self._files.get(name)
        if file is None:
            text = "There is no such page.\n" if self.is_built else _NOT_BUILT
            return Response(text, status_code=404 if self.is_built else 503, media_type=MediaType.TEXT)
        return answer_static(file, request, _FOREVER if name.startswith("assets/") else _ASK_AGAIN)


def answer_static(
    file: StaticFile, request: Request[Any, Any, State], caching: str = _ASK_AGAIN
) -> Response[Any]:
    """Return a file in an encoding that the client accepts, or 304 if the client has it already."""
    headers = {"Cache-Control": caching, "ETag": file.tag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(b"", status_code=304, headers=headers)
    accepted = request.headers.get("accept-encoding", "")
    encoding = next((e for e, _ in _ENCODINGS if e in file.variants and e in accepted), "")
    if encoding:
        headers["Content-Encoding"] = encoding
    return Response(file.variants[encoding], headers=headers, media_type=file.kind)


def pack_json(data: bytes) -> StaticFile:
    """Return JSON as a compressed file."""
    return _pack("application/json", data)


def pack_text(text: str) -> StaticFile:
    """Return a text as a compressed file."""
    return _pack("text/plain; charset=utf-8", text.encode())


def _pack(kind: str, data: bytes) -> StaticFile:
    return StaticFile(kind, _tag(data), {"": data, "gzip": gzip.compress(data, mtime=0)})


def _tag(data: bytes) -> str:
    return f'"{hashlib.sha256(data).hexdigest()[:16]}"'


def _read(path: Path) -> StaticFile:
    data = path.read_bytes()
    variants = {"": data}
    for encoding, suffix in _ENCODINGS:
        packed = path.with_name(path.name + suffix)
        if packed.is_file():
            variants[encoding] = packed.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    kind = "text/javascript" if path.suffix == ".js" else kind
    return StaticFile(kind, _tag(data), variants)


@get("/", include_in_schema=False, opt={PACKED: True})
async def show_page(request: Request[Any, Any, State]) -> Response[Any]:
    """Return the page; its router uses the fragment of the URL."""
    return request.app.state.page.answer("index.html", request)


@get("/{name:path}", include_in_schema=False, opt={PACKED: True})
async def show_file(request: Request[Any, Any, State], name: Path) -> Response[Any]:
    """Return a file of the page; unknown paths under /api get a JSON error instead."""
    if name.parts[1:2] == ("api",):
        raise NotFoundException
    return request.app.state.page.answer(name.as_posix().lstrip("/"), request)
