"""Writes a wheel: a zip with the files, their hashes, and who they are."""

import base64
import hashlib
import pathlib
import zipfile

TIME = (2020, 1, 1, 0, 0, 0)  # of every file, so that equal files are equal wheels


class Wheel:
    """A wheel that is being written."""

    def __init__(self, folder: pathlib.Path, name: str, version: str, tag: str) -> None:
        self.filename = f"{name}-{version}-py3-none-{tag}.whl"
        self.info = f"{name}-{version}.dist-info"
        self.scripts = f"{name}-{version}.data/scripts"
        self.tag = tag
        self._zip = zipfile.ZipFile(folder / self.filename, "w", zipfile.ZIP_DEFLATED)
        self._record: list[str] = []

    def add(self, name: str, data: bytes, mode: int = 0o644) -> None:
        entry = zipfile.ZipInfo(name, TIME)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(data)}")

    def close(self, metadata: str) -> str:
        """Writes what describes the wheel; gives its name."""
        self.add(f"{self.info}/METADATA", metadata.encode())
        self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tarry\nRoot-Is-Purelib: false\nTag: py3-none-{self.tag}\n".encode())
        record = "\n".join([*self._record, f"{self.info}/RECORD,,", ""])
        self._zip.writestr(zipfile.ZipInfo(f"{self.info}/RECORD", TIME), record)
        self._zip.close()
        return self.filename
