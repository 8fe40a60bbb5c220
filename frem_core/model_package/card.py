"""The model card: what a model is, how it was judged and what it must not be used for."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from frem_core.words import counted

_LIBRARY: Final = "frem-studio"
_LIMITS: Final = (
    "Fairness was judged along one attribute on rows like those it was trained on; other "
    "attributes, other people and other times were not looked at.",
    "A low score means that predictions follow the attribute little on average; single persons "
    "may still be treated differently.",
    "Scores at or below the chance level cannot be told from independence on that many rows; "
    "that does not prove independence.",
    "The model gives a prediction, not a decision; who decides answers for it.",
)


@dataclass(frozen=True)
class Score:
    """A score on rows the model never saw.

    Attributes:
        name: its registered name.
        label: in words.
        value: on the test rows.
        low: lower end of the 95 % interval, where one was measured.
        high: upper end of it.
        unfair: the same score of the model without fairness, where there is one.
        chance: what shuffled sensitive values give, where it was measured.
        better: which way is better, in words.
    """

    name: str
    label: str
    value: float
    low: float | None = None
    high: float | None = None
    unfair: float | None = None
    chance: float | None = None
    better: str = ""


@dataclass(frozen=True, kw_only=True)
class ModelCard:
    """Everything that is known about a model beside its weights.

    Attributes:
        title: e.g. "FREM, λ 0.1 on people.csv".
        task: ``"classification"`` or ``"regression"``.
        dataset: name of the data.
        data: facts about it, in words: rows, target, source, fingerprint, what was left out.
        target: name of the target.
        classes: (negative, positive) of a classification, or more than two.
        sensitive: name of the sensitive attribute.
        protocol: how it was trained and tested, in words.
        scores: on rows the model never saw.
        score_note: how scores and intervals were measured.
        trade_off: sentences on why this setting, what it gives and what it costs.
        settings: everything that determines the training, as plain values.
        versions: of the libraries it was trained with.
        hashes: what identifies run and data.
        on_all_rows: whether it was trained on all rows, and the scores are those of its twin.
        limits: further sentences on what was not looked at.
    """

    title: str
    task: str
    dataset: str
    target: str
    sensitive: str
    classes: tuple[str, ...] | None = None
    data: Mapping[str, str] = field(default_factory=dict)
    protocol: Mapping[str, str] = field(default_factory=dict)
    scores: tuple[Score, ...] = ()
    score_note: str = ""
    trade_off: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    on_all_rows: bool = False
    limits: tuple[str, ...] = ()

    def to_json(self) -> str:
        """The card as JSON, for programs."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1, default=str) + "\n"

    def to_markdown(self, folder: Path) -> str:
        """The card as Markdown with a metadata block; names the files of its folder by hash."""
        parts = [
            _front_matter(self._metadata()),
            f"# {_text(self.title)}",
            f"Predicts **{_text(self.target)}** so that predictions do not follow "
            f"**{_text(self.sensitive)}**. {self._classes_words()}"
            "The sensitive attribute is not needed to predict.",
            *self._use(),
            *_section("Data", _facts(self.data)),
            *_section("How it was trained and tested", _facts(self.protocol)),
            *_section("Scores", [*self._score_table(), _text(self.score_note)]),
            *_section("Chosen trade-off", [_text(one) for one in self.trade_off]),
            *_section("Limits", [_bullets((*self.limits, *_LIMITS))]),
            *_section("Settings", [f"```json\n{_json(self.settings)}\n```"]),
            *_section("Versions", _facts(self.versions)),
            *_section("Hashes", _facts({**self.hashes, **_file_hashes(folder)})),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _classes_words(self) -> str:
        if self.classes is None:
            return ""
        names = [_text(one) for one in self.classes]
        if len(names) > 2:
            return (
                f"Its {len(names)} classes are {', '.join(names[:-1])} and {names[-1]}; scores are "
                "means over each class against all others. "
            )
        negative, positive = names
        return f"Its two classes are {negative} and {positive} (the positive one). "

    def _use(self) -> list[str]:
        return [
            "## Use",
            "```sh\npip install 'frem-studio[sweeps]'\n"
            "frem predict model.zip new.csv -o predictions.csv\n```",
            "or, in this folder, `python predict.py new.csv predictions.csv`, or",
            "```python\nfrom frem_core.model_package import load_model\n\n"
            'model = load_model("model.zip")\npredictions = model.predict(frame)\n```',
        ]

    def _score_table(self) -> list[str]:
        if not self.scores:
            return ["No scores were measured."]
        head = ("score", "test rows", "95 % interval", "without fairness", "chance level", "better")
        rows = [
            (
                _text(one.label),
                _number(one.value),
                "" if one.low is None else f"{_number(one.low)} to {_number(one.high)}",
                _number(one.unfair),
                _number(one.chance),
                one.better,
            )
            for one in self.scores
        ]
        lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
        return ["\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])]

    def _metadata(self) -> dict[str, Any]:
        task = f"tabular-{self.task}"
        metrics = [
            {"type": one.name, "name": one.label, "value": one.value}
            for one in self.scores
            if math.isfinite(one.value)
        ]
        result = {
            "task": {"type": task},
            "dataset": {"name": self.dataset, "type": "tabular"},
            "metrics": metrics,
        }
        return {
            "library_name": _LIBRARY,
            "pipeline_tag": task,
            "tags": ["fairness", "tabular", task, "continuous-sensitive-attribute", "safetensors"],
            "metrics": [one["type"] for one in metrics],
            "model-index": [{"name": self.title, "results": [result] if metrics else []}],
        }


def _front_matter(values: Mapping[str, Any]) -> str:
    # JSON is YAML, so names of any kind stay values.
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]
    return "\n".join(["---", *lines, "---"])


def _section(title: str, lines: list[str]) -> list[str]:
    filled = [line for line in lines if line]
    return [f"## {title}", *filled] if filled else []


def _facts(facts: Mapping[str, str]) -> list[str]:
    return [_bullets(tuple(f"{name}: {value}" for name, value in facts.items() if value))]


def _bullets(lines: tuple[str, ...]) -> str:
    return "\n".join(f"- {_text(line)}" for line in lines)


def _text(value: object) -> str:
    """Text as text: what looks like Markdown or HTML in a column's name is shown as it is."""
    line = " ".join(str(value).split())
    return "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in line)


def _json(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, indent=1, default=str).replace("```", "` ` `")


def _number(value: float | None) -> str:
    return "–" if value is None or not math.isfinite(value) else f"{value:.4f}"


def _file_hashes(folder: Path) -> dict[str, str]:
    files = [file for file in sorted(folder.iterdir()) if file.name != "README.md"]
    return {
        f"{file.name} ({counted(file.stat().st_size, 'byte')})": "SHA-256 "
        + hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
    }
