"""Machines of a team on this one: each with a home, a host name and folders that no other sees."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

# Hides what lies in the folders of other machines, then takes a name.
_ALONE = """
for folder in $OTHERS; do mount -t tmpfs none "$folder"; done
hostname "$MACHINE"
exec "$@"
"""
# What a machine has that this one has not, or has in another way.
_PROGRAMS = {
    "sudo": '[ "$1" = -u ] && shift 2; exec "$@"',
    "scp": 'exec cp "$@"',
}


def check_separation() -> None:
    """Leaves a test out where processes cannot be kept apart."""
    tried = ["unshare", "--mount", "--uts", "sh", "-c", "mount -t tmpfs none /mnt && hostname x"]
    programs = ("unshare", "mount", "hostname", "taskset", "openssl")
    has_all = all(map(shutil.which, programs))
    if not has_all or subprocess.run(tried, capture_output=True, check=False).returncode:
        pytest.skip("folders cannot be hidden from a process here (unshare is not allowed)")


@dataclass
class Machine:
    """One machine.

    Attributes:
        name: its host name.
        site: the folder in which all machines lie.
        programs: shell scripts that it has besides the program's own environment.
        variables: what its environment says.
        is_alone: whether it sees nothing of the other machines.
    """

    name: str
    site: Path
    programs: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    is_alone: bool = True
    _started: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def __post_init__(self) -> None:
        for place in (self.home, self.folder / "bin"):
            place.mkdir(parents=True)
        for name, script in (_PROGRAMS | dict(self.programs)).items():
            program = self.folder / "bin" / name
            program.write_text(f"#!/bin/sh\n{script}\n")
            program.chmod(0o755)

    @property
    def folder(self) -> Path:
        """Where this machine's own files lie."""
        return self.site / self.name

    @property
    def home(self) -> Path:
        """The home of its user, where commands are given."""
        return self.folder / "home"

    @property
    def log(self) -> str:
        """What its programs wrote."""
        file = self.folder / "log"
        return file.read_text(errors="replace") if file.exists() else ""

    @property
    def served(self) -> "subprocess.Popen[bytes]":
        """What it was last told to serve."""
        return self._started[-1]

    @property
    def processes(self) -> list[psutil.Process]:
        """All that runs there."""
        first = [psutil.Process(one.pid) for one in self._started]
        return [*first, *(child for one in first for child in one.children(recursive=True))]

    def run(self, script: str, seconds: float = 900.0) -> str:
        """Runs commands to their end; returns what they wrote."""
        done = subprocess.run(
            self._command(script),
            env=self._environment(),
            cwd=self.home,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
        )
        assert done.returncode == 0, f"{script}\non {self.name}: {done.stdout}"
        return done.stdout

    def serve(self, script: str) -> "subprocess.Popen[bytes]":
        """Starts commands of which the last one does not end."""
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                self._command(script),
                env=self._environment(),
                cwd=self.home,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._started.append(process)
        return process

    def lose(self) -> None:
        """Takes the machine away, without a word to anybody."""
        for process in self._started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._started.clear()

    def _command(self, script: str) -> Sequence[str]:
        alone = ["unshare", "--mount", "--uts", "sh", "-c", _ALONE, "sh"] if self.is_alone else []
        return [*alone, "bash", "-ec", script]

    def _environment(self) -> dict[str, str]:
        others = [one for one in self.site.iterdir() if one.is_dir() and one != self.folder]
        programs = [self.folder / "bin", Path(sys.executable).parent]
        path = os.pathsep.join([*map(str, programs), os.environ["PATH"]])
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FREM_")}
        return kept | {
            "OTHERS": " ".join(map(str, others)),
            "MACHINE": self.name,
            "HOME": str(self.home),
            "USER": "root" if os.getuid() == 0 else str(os.getuid()),
            "PATH": path,
            **self.variables,
        }
