import numpy as np
import pandas as pd
import pytest
import torch

from frem_core.errors import ConfigError
from frem_core.simulation import (
    Cell,
    EstimatorGrid,
    GaussianDesign,
    MultivariateDesign,
    collect,
    simulate,
)
from frem_core.simulation.replicates import BATCH

CELLS = [Cell(GaussianDesign(0.2), 30), Cell(MultivariateDesign(10), 20)]
GRID = EstimatorGrid(gammas=(0.5,), bins=(2,), draws=50)


def run(cells=CELLS, grid=GRID, replicates=BATCH + 3, **settings):
    return collect(simulate(cells, grid, replicates=replicates, **settings))


def test_table_is_tidy_and_complete():
    table = run()
    assert list(table) == [
        *("design", "case", "n", "estimator", "setting"),
        *("replicate", "estimate", "truth"),
    ]
    sizes = table.groupby(["design", "case", "n", "estimator", "setting"]).size()
    assert (sizes == BATCH + 3).all()
    assert len(sizes) == 2 * 3
    assert table["estimate"].between(0, 1).all()
    truths = table.groupby("case")["truth"].unique()
    for cell in CELLS:
        assert truths[cell.design.case] == [cell.design.truth()]


def test_number_of_processes_does_not_change_a_single_bit():
    pd.testing.assert_frame_equal(run(jobs=1), run(jobs=2), check_exact=True)


def test_a_replicate_depends_on_nothing_but_seed_and_cell():
    table = run()
    first = table[table["replicate"] < 4].reset_index(drop=True)
    pd.testing.assert_frame_equal(run(replicates=4), first, check_exact=True)
    alone = run(cells=CELLS[1:])
    together = table[table["design"] == "multivariate"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, together, check_exact=True)
    binning = run(grid=EstimatorGrid(bins=(2,), estimators=("binning",)))
    same = table[table["estimator"] == "binning"].reset_index(drop=True)
    pd.testing.assert_frame_equal(binning, same, check_exact=True)


def test_seeds_and_replicates_and_cells_are_independent():
    table = run()
    assert not table.duplicated("estimate").any()
    assert not np.isin(run(seed=1)["estimate"], table["estimate"]).any()


def test_all_cells_grow_together():
    seen = [set(batch["case"]) for batch in simulate(CELLS, GRID, replicates=2 * BATCH)]
    assert [len(cases) for cases in seen] == [1, 1, 1, 1]
    assert seen[0] | seen[1] == seen[2] | seen[3] == {cell.design.case for cell in CELLS}


@pytest.mark.parametrize("jobs", [1, 2])
def test_closing_the_iterator_stops_the_work(jobs):
    batches = simulate(CELLS, GRID, replicates=100_000, jobs=jobs)
    next(batches)
    batches.close()
    assert list(batches) == []


def test_the_callers_threads_are_left_as_they_were():
    before = torch.get_num_threads()
    run(replicates=1)
    assert torch.get_num_threads() == before


def test_dimensions_come_in_their_numeric_order():
    cells = [Cell(MultivariateDesign(m), 10) for m in (10, 3, 1)]
    cases = run(cells=cells, replicates=1)["case"].unique()
    assert [case.split(",")[0] for case in cases] == ["m=1", "m=3", "m=10"]


@pytest.mark.parametrize("settings", [{"replicates": 0}, {"jobs": 0}])
def test_impossible_settings_are_refused(settings):
    with pytest.raises(ConfigError, match="must be at least 1"):
        run(**settings)
    with pytest.raises(ConfigError, match="at least 3 rows"):
        Cell(GaussianDesign(), 2)
