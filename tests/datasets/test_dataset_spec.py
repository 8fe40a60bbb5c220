"""One description of a dataset, whichever way it is given."""

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from frem_core.cli import frem
from frem_core.commands import audit, datasets, train
from frem_core.datasets import DatasetSpec, load_table
from frem_core.datasets.dataset_spec import ADDRESS_PARAMETERS
from frem_core.errors import ConfigError, DataError
from frem_core.roles import COLUMN_LISTS, role_names
from frem_core.store import Tables
from frem_core.sweeps.submission import keep_files
from tests.datasets.people import people

ROLES = {"target": "hired", "sensitive": "age"}
NAMES = st.text(min_size=1, max_size=8).filter(lambda name: name.strip() != "")


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    people().to_csv(path, index=False)
    return path


def as_parameters(spec: DatasetSpec) -> dict[str, list[str]]:
    """What a browser hands back of an address: all values of each parameter."""
    address = spec.to_address()
    return {key: [value] if isinstance(value, str) else value for key, value in address.items()}


def test_file_address_and_keywords_lead_to_the_same_data(csv: Path, tmp_path: Path) -> None:
    tables = Tables(tmp_path / "tables")
    more = {"task": "classification", "positive_class": "no", "leave_out": ("hours",)}
    section = {"path": str(csv), **ROLES, **more, "leave_out": ["hours"]}
    from_file = DatasetSpec.from_dict(section)
    assert from_file == DatasetSpec.of(str(csv), **ROLES, **more)
    assert from_file.to_dict() == section
    kept = keep_files(from_file, tables)
    from_page = DatasetSpec(table=kept.table, **ROLES, **more)
    assert DatasetSpec.from_address(as_parameters(from_page)) == from_page
    wanted = load_table(csv, **ROLES, **more)
    assert from_file.load().fingerprint == wanted.fingerprint
    assert kept.load(tables).fingerprint == wanted.fingerprint
    assert from_page.load(tables).fingerprint == wanted.fingerprint
    assert "hours" not in wanted.features


@given(
    table=st.from_regex(r"[0-9a-f]{20}", fullmatch=True),
    target=st.none() | NAMES,
    sensitive=st.none() | NAMES,
    left_out=st.lists(NAMES, unique=True, max_size=3),
    task=st.sampled_from(["auto", "classification", "regression"]),
    positive=st.none() | NAMES,
    edges=st.none() | st.from_regex(r"[0-9a-f]{20}", fullmatch=True),
    node_id=st.none() | NAMES,
)
def test_an_address_keeps_every_description_however_incomplete(
    table, target, sensitive, left_out, task, positive, edges, node_id
) -> None:
    spec = DatasetSpec(
        table=table,
        target=target,
        sensitive=sensitive,
        leave_out=tuple(left_out),
        task=task,
        positive_class=positive,
        edge_table=edges,
        id=node_id,
    )
    parameters = as_parameters(spec)
    assert DatasetSpec.from_address(parameters) == spec
    assert set(parameters) <= set(ADDRESS_PARAMETERS)
    assert spec.is_complete == (target is not None and sensitive is not None)


def test_an_address_never_names_a_file() -> None:
    asked = {"dataset": ["/etc/passwd"], "path": ["/etc/passwd"], "edges": ["/etc/passwd"]}
    spec = DatasetSpec.from_address(asked)
    assert (spec.path, spec.edges) == (None, None)
    with pytest.raises(ConfigError, match="no built-in dataset"):
        spec.load()


def test_the_text_of_a_stored_description_stays_as_it_was() -> None:
    """Sweeps are recognised by the text of their description, so its order may not change."""
    spec = DatasetSpec(
        table="t",
        target="y",
        sensitive="s",
        edge_table="e",
        id="who",
        features=("a", "b"),
        task="regression",
        positive_class="no",
    )
    assert list(spec.to_dict().items()) == [
        ("table", "t"),
        ("target", "y"),
        ("sensitive", "s"),
        ("edge_table", "e"),
        ("id", "who"),
        ("features", ["a", "b"]),
        ("task", "regression"),
        ("positive_class", "no"),
    ]


def test_left_out_columns_and_features_say_the_same() -> None:
    columns = ["who", "a", "b", "c", "s", "y"]
    left_out = DatasetSpec(table="t", target="y", sensitive="s", id="who", leave_out=("b",))
    features = left_out.with_features(columns)
    assert (features.features, features.leave_out) == (("a", "c"), ())
    assert features.with_left_out(columns) == left_out
    untouched = DatasetSpec(table="t", target="y", sensitive="s")
    assert untouched.with_features(columns) == untouched.with_left_out(columns) == untouched


@pytest.mark.parametrize("role", role_names())
def test_a_role_is_known_everywhere(role: str) -> None:
    for command in (train.command, audit.command, datasets.show):
        assert role in {parameter.name for parameter in command.params}
    value = {"task": "regression"}.get(role, ["x"] if role in COLUMN_LISTS else "x")
    graph = {"table": "0" * 20, "edge_table": "1" * 20, **ROLES}
    spec = DatasetSpec.from_dict(graph | {role: value})
    assert spec.to_dict()[role] == value
    assert DatasetSpec.from_address(as_parameters(spec)) == spec


@pytest.mark.parametrize(
    ("dataset", "roles", "message"),
    [
        ("crimes", {}, "Did you mean 'crime'"),
        ("crime", {"target": "x"}, "columns of 'crime' are fixed.* leave out target"),
        ("people.csv", {"target": "hired"}, "say with sensitive which columns"),
        ("people.csv", {}, "say with target and sensitive which columns"),
        ("people.csv", {**ROLES, "id": "who"}, "give edges as well"),
    ],
)
def test_a_mistake_is_one_message_in_a_file_and_on_the_command_line(
    dataset: str, roles: dict[str, str], message: str
) -> None:
    source = "path" if dataset.endswith(".csv") else "name"
    with pytest.raises(ConfigError, match=message) as in_file:
        DatasetSpec.from_dict({source: dataset, **roles})
    options = [part for role, column in roles.items() for part in (f"--{role}", column)]
    result = CliRunner().invoke(frem, ["audit", "--dataset", dataset, *options])
    assert isinstance(result.exception, ConfigError)
    assert str(result.exception) == str(in_file.value)


def test_a_kept_table_needs_to_know_where() -> None:
    with pytest.raises(DataError, match="lies in a store"):
        DatasetSpec(table="0" * 20, **ROLES).load()


def test_a_matrix_of_edges_knows_no_ids(csv: Path) -> None:
    spec = DatasetSpec(path=str(csv), edges="friends.npz", id="who", **ROLES)
    with pytest.raises(ConfigError, match="matrix joins row numbers"):
        spec.load()


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ({"leave_out": ["hors"]}, "no left-out column 'hors'.*Did you mean 'hours'"),
        ({"leave_out": ["hours"], "features": ["hours"]}, "both a feature and left out"),
        ({"sensitive": None}, "Name the target and the sensitive column"),
    ],
)
def test_roles_that_do_not_fit_the_table(roles: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_table(people(), **(ROLES | roles))


def test_a_single_feature_may_be_given_without_a_list() -> None:
    frame: pd.DataFrame = people()
    assert list(load_table(frame, **ROLES, features="hours").features) == ["hours"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("notes.txt", "Ask Anna about the data.\nShe knows.\n", "one column only.*Is it a note"),
        ("people.csv", "age,hours,hired\n", r"column names but no rows \(age, hours, hired\)"),
    ],
)
def test_notes_and_headers_without_rows_are_no_tables(
    name: str, content: str, words: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    spec = DatasetSpec.of(str(tmp_path / name), target="hired", sensitive="age")
    with pytest.raises(DataError, match=words):
        spec.load()
