# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files of the repository, read once, and what a check says about them."""
from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

OUTSIDE = {".git", "unwarp-report", "__pycache__", ".venv"}


@dataclass(frozen=True, order=True)
class Complaint:
    """One thing that is not as promised; `line` 0 concerns the whole file."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.text}"


class Tree:
    """All files that belong to the repository: tracked ones and new ones that are not ignored."""

    def __init__(self, root: Path):
        self.root = root
        self._texts: dict[str, str] = {}

    @cached_property
    def paths(self) -> list[str]:
        listing = subprocess.run(
            ["git", "-C", str(self.root), "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=False
        )
        if listing.returncode == 0:
            names = [name for name in listing.stdout.decode("utf-8", "surrogateescape").split("\0") if name]
            return sorted(name for name in set(names) if (self.root / name).is_file())
        found = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = [
                name for name in folders if name not in OUTSIDE and not (name == "build" and Path(folder) == self.root)
            ]
            found += [str((Path(folder) / name).relative_to(self.root)) for name in files]
        return sorted(found)

    def under(self, *folders: str, ends: tuple[str, ...] = ("",)) -> list[str]:
        """Paths below any of the folders with any of the endings."""
        starts = tuple(folder + "/" for folder in folders)
        return [path for path in self.paths if path.startswith(starts) and path.endswith(ends)]

    def text(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def lines(self, path: str) -> list[str]:
        return self.text(path).split("\n")
