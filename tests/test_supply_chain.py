"""The lock names every requirement by hash; the audit claims no more than it looked up."""

import re
from pathlib import Path

import pytest

from tools.audit import NOT_LOOKED_UP, WEAK, verdict

ROOT = Path(__file__).parents[1]
_LINE = re.compile(r"([a-z0-9._-]+)==(\S+) --hash=sha256:[0-9a-f]{64}")


def test_the_lock_holds_every_requirement_in_its_version_with_a_hash() -> None:
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    locked = {}
    for line in lines:
        if not line.startswith("#"):
            found = _LINE.fullmatch(line)
            assert found, line
            locked[found[1].replace("_", "-")] = found[2].partition("+")[0]  # +cpu
    text = (ROOT / "requirements.txt").read_text()
    asked = re.findall(r"^([\w-]+)(?:\[\w+\])?==(\S+)$", text, re.MULTILINE)
    assert asked
    assert {name: locked.get(name.lower()) for name, _ in asked} == dict(asked)
    assert len(locked) > 2 * len(asked)  # what they need in turn is there too


def test_the_audit_does_not_call_safe_what_was_not_looked_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    fine = {"name": "a", "version": "1", "vulns": []}
    skipped = {"name": "b", "skip_reason": "not found"}
    weak = {"name": "c", "version": "2", "vulns": [{"id": "X-1", "fix_versions": ["3"]}]}
    assert verdict([fine]) == 0
    assert verdict([fine, skipped]) == NOT_LOOKED_UP
    words = capsys.readouterr().out
    assert "1 of 2 packages were looked up" in words
    assert "not known to be safe: run this where the index answers" in words
    assert verdict([fine, skipped, weak]) == WEAK
    assert "c 2: X-1, mended in 3" in capsys.readouterr().out
