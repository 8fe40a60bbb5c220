"""Which settings to train next, learned from those trained so far.

The search is two-sided (predict well, be fair) and constrained (beat the best constant, keep the
user's limit). It has no state of its own: everything comes from finished and waiting runs, so it
goes on wherever a killed engine left it.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from frem_core.sweeps.search.expected_front import ExpectedFront, Trial
from frem_core.sweeps.search.search_spec import WEIGHT, SearchSpec


def next_stack(
    search: SearchSpec,
    space: Mapping[str, tuple[float, float]],
    usual: Mapping[str, float],
    trials: Sequence[Trial],
    *,
    seed: int = 0,
) -> list[dict[str, float]]:
    """Chooses the settings of the next stack: they differ in λ only.

    The first stack has the usual settings and λ over the range that promises a trade-off, the
    second the middle of what is searched. From then on Optuna proposes what a stack shares, and
    the proposal with the λ that are expected to add most to the front is trained.

    Args:
        search: what is looked for.
        space: lower and upper end by setting, as `SearchSpec.space` gives them.
        usual: the settings to begin with, without λ.
        trials: all settings of the method so far.
        seed: of the choice; the same trials and seed give the same stack.
    """
    count = min(search.side_by_side, search.trainings - len(trials))
    if count <= 0:
        return []
    if not trials:
        # The ends of the range are what it is searched up to: models as without λ, and constants.
        weights = [_rounded(one) for one in np.geomspace(*space[WEIGHT], count + 2)[1:-1]]
        return [{WEIGHT: one, **usual} for one in weights]
    known = [dict(trial.settings) for trial in trials]
    chosen: list[dict[str, float]] = []
    shared, weights = _shared_and_weights(search, space, usual, trials, count, seed)
    for weight in weights:
        # Training the same again would tell nothing, and the search would never end.
        while {WEIGHT: weight, **shared} in [*known, *chosen]:
            weight = _rounded(1.02 * weight)
        chosen.append({WEIGHT: weight, **shared})
    return chosen


def _shared_and_weights(
    search: SearchSpec,
    space: Mapping[str, tuple[float, float]],
    usual: Mapping[str, float],
    trials: Sequence[Trial],
    count: int,
    seed: int,
) -> tuple[dict[str, float], list[float]]:
    """What the next stack shares, and its λ, rising."""
    others = {name: ends for name, ends in space.items() if name != WEIGHT}
    middle = {name: _setting(name, np.sqrt(low * high)) for name, (low, high) in others.items()}
    useful = [trial for trial in trials if trial.is_useful]
    if len(trials) < 2 * search.side_by_side or len(useful) < _FEWEST:
        shared = middle if len(trials) < 2 * search.side_by_side else dict(usual)
        near = _nearest(trials, shared, space)
        return shared, spread_weights(near, space[WEIGHT], count, at_most=search.at_most)
    front = ExpectedFront.of(trials, space, search.at_most)
    candidates = np.geomspace(*space[WEIGHT], _CANDIDATES)
    best: tuple[float, dict[str, float], list[float]] | None = None
    for shared in [middle, *_proposals(search, space, trials, seed)]:
        weights, area = front.best_weights(shared, candidates, count)
        if best is None or area > best[0]:
            best = area, shared, weights
    assert best is not None
    _, shared, weights = best
    if len(weights) < count:
        near = _nearest(trials, shared, space)
        weights += spread_weights(near, space[WEIGHT], count, at_most=search.at_most)
    return shared, sorted(map(_rounded, weights[:count]))


def spread_weights(
    trials: Sequence[Trial],
    ends: tuple[float, float],
    count: int,
    *,
    at_most: float | None = None,
) -> list[float]:
    """λ from where unfairness begins to fall to a little beyond the last useful model.

    Outside of this range models are as unfair as without a weight, or no better than a constant.
    With a limit, the range is that in which unfairness passes it.

    Args:
        trials: what is known.
        ends: the range of λ.
        count: how many λ, evenly on the log scale.
        at_most: limit of the fairness score.
    """
    done = sorted(
        (trial.settings[WEIGHT], float(trial.fairness), trial.is_useful)
        for trial in trials
        if trial.fairness is not None
    )
    useful = [(weight, unfair) for weight, unfair, is_useful in done if is_useful]
    if not useful:
        top = max(done[0][0] if done else ends[1], 2 * ends[0])
        return [_rounded(one) for one in np.geomspace(ends[0] / 10, top, count)]
    most = max(unfair for _, unfair in useful)
    begins = [weight for weight, unfair in useful if unfair >= (1 - _BEGINS) * most]
    last = useful[-1][0]
    collapsed = [weight for weight, _, _ in done if weight > last]
    low = max(begins, default=useful[0][0])
    high = max(_BEYOND * last, _SHORT_OF * min(collapsed, default=0.0))
    if at_most is not None:
        low = max([weight for weight, unfair in useful if unfair > _AROUND * at_most] or [low])
        fair = [weight for weight, unfair, _ in done if unfair < at_most / _AROUND]
        high = min([weight for weight in fair if weight > low] or [high])
    high = max(high, 2 * low)
    return [_rounded(one) for one in np.geomspace(low, high, count + 1)[1:]]


def _nearest(
    trials: Sequence[Trial], shared: Mapping[str, float], space: Mapping[str, tuple[float, float]]
) -> list[Trial]:
    """The finished trials whose settings beside λ are nearest to these: λ works alike there."""
    names = [name for name in space if name != WEIGHT]

    def distance(trial: Trial) -> float:
        steps = (
            np.log(trial.settings[name] / shared[name]) / np.log(space[name][1] / space[name][0])
            for name in names
        )
        return float(sum(step**2 for step in steps))

    done = [trial for trial in trials if trial.fairness is not None]
    if not done:
        return []
    closest = min(map(distance, done))
    return [trial for trial in done if distance(trial) <= closest + 1e-9]


# So many useful trainings tell what others would give.
_FEWEST = 3
_PROPOSALS, _CANDIDATES = 40, 60
# Unfairness that has fallen by this share has begun to fall.
_BEGINS = 0.2
# How far beyond the last useful λ is looked: other settings may bear more of it. And how near to
# the first one that gave a constant.
_BEYOND, _SHORT_OF = 1.5, 0.9
# Unfairness within this factor of the limit is around it.
_AROUND = 1.3


def _proposals(
    search: SearchSpec,
    space: Mapping[str, tuple[float, float]],
    trials: Sequence[Trial],
    seed: int,
) -> list[dict[str, float]]:
    """Asks Optuna for settings that promise much, given everything so far; without λ."""
    import optuna  # here: it takes a second to load, and only a search needs it
    from optuna.distributions import FloatDistribution
    from optuna.trial import TrialState, create_trial

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    scales = {name: FloatDistribution(*ends, log=True) for name, ends in space.items()}
    sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=0, constant_liar=True)
    study = optuna.create_study(directions=["maximize", "minimize"], sampler=sampler)
    for trial in trials:
        inside = {
            name: float(np.clip(trial.settings.get(name, np.sqrt(low * high)), low, high))
            for name, (low, high) in space.items()
        }
        if trial.prediction is None or trial.fairness is None:
            study.add_trial(
                create_trial(state=TrialState.RUNNING, params=inside, distributions=dict(scales))
            )
            continue
        limits = {"constant": -trial.lead}
        if search.at_most is not None:
            limits["at_most"] = trial.fairness - search.at_most
        study.add_trial(
            create_trial(
                values=[trial.prediction, trial.fairness],
                params=inside,
                distributions=dict(scales),
                constraints=limits,
            )
        )
    asked = [study.ask(dict(scales)).params for _ in range(_PROPOSALS)]
    return [
        {name: _setting(name, value) for name, value in one.items() if name != WEIGHT}
        for one in asked
    ]


def _setting(name: str, value: float) -> float:
    return float(round(value)) if name == "width" else _rounded(value)


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")
