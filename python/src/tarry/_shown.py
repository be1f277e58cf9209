"""Results as Jupyter shows them: tables and pictures in HTML."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts."""
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def picture(svg: str, caption: str) -> str:
    """A picture with its caption; as an image of its own, for two SVGs in one page share names."""
    data = base64.b64encode(svg.encode()).decode()
    words = html.escape(caption)
    return f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{words}"><figcaption>{words}</figcaption></figure>'


def text(words: str) -> str:
    """Lines of text as they are."""
    return f"<pre>{html.escape(words)}</pre>" if words else ""
