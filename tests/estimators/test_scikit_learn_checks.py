"""scikit-learn's own test suite for estimators, warnings being errors."""

import pytest
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

from frem_core import (
    FairClassifier,
    FairRegressor,
    FREMClassifier,
    FREMRegressor,
    FREMRepresentation,
)
from frem_core.methods import available_methods
from tests.estimators.self_sensitive import (
    SelfSensitiveClassifier,
    SelfSensitiveFairClassifier,
    SelfSensitiveFairRegressor,
    SelfSensitiveRegressor,
    SelfSensitiveRepresentation,
)

SMALL = {
    "fairness_weight": 0.1,
    "epochs": 40,
    "batch_size": 1000,
    "learning_rate": 0.02,
    "weight_decay": 1e-4,
    "hidden": (20, 10),
}

# The suite calls fit(X, y); without a sensitive attribute there is nothing to be fair about, so
# FREM refuses with an error that names the keyword. The same checks pass below, where it is given.
NEED_SENSITIVE_FEATURES = [
    "check_all_zero_sample_weights_error",
    "check_classifiers_one_label_sample_weights",
    "check_estimators_partial_fit_n_features",
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weights_list",
    "check_sample_weights_not_an_array",
    "check_sample_weights_not_overwritten",
    "check_sample_weights_pandas_series",
    "check_sample_weights_shape",
    "check_classifier_data_not_an_array",
    "check_classifiers_classes",
    "check_classifiers_train",
    "check_dict_unchanged",
    "check_dont_overwrite_parameters",
    "check_dtype_object",
    "check_estimators_dtypes",
    "check_estimators_fit_returns_self",
    "check_estimators_overwrite_params",
    "check_estimators_pickle",
    "check_f_contiguous_array_estimator",
    "check_fit2d_1feature",
    "check_fit2d_predict1d",
    "check_fit_check_is_fitted",
    "check_fit_idempotent",
    "check_fit_score_takes_y",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    "check_pipeline_consistency",
    "check_positive_only_tag_during_fit",
    "check_readonly_memmap_input",
    "check_regressor_data_not_an_array",
    "check_regressors_int",
    "check_regressors_no_decision_function",
    "check_regressors_train",
    "check_supervised_y_2d",
    "check_transformer_data_not_an_array",
    "check_transformer_general",
    "check_transformer_preserve_dtypes",
]


# A weight of 2 is not two rows: steps on random batches add up in another order, and fairness
# counts a row once whatever its weight.
NOT_REPETITION = {
    "check_sample_weight_equivalence_on_dense_data": "a weight is not a repeated row",
}


@parametrize_with_checks(
    [
        SelfSensitiveClassifier(**SMALL),
        SelfSensitiveRegressor(**SMALL),
        SelfSensitiveRepresentation(**{**SMALL, "epochs": 4}),
        # The other methods take the same way in and out; all of them are in the slow tests.
        SelfSensitiveFairClassifier(method="adv", **{**SMALL, "epochs": 20}),
    ],
    expected_failed_checks=lambda _: NOT_REPETITION,
)
def test_every_check_passes_when_fit_has_a_sensitive_attribute(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [
        kind(method=method, **SMALL)
        for method in available_methods()
        for kind in (SelfSensitiveFairClassifier, SelfSensitiveFairRegressor)
    ],
    expected_failed_checks=lambda _: NOT_REPETITION,
)
def test_every_check_passes_with_every_method(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "estimator",
    [
        FREMClassifier(),
        FREMRegressor(),
        FREMRepresentation(),
        FairClassifier(method="mmd"),
        FairRegressor(),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_other_checks_pass_without_any_change(estimator):
    expected = dict.fromkeys(
        NEED_SENSITIVE_FEATURES, "fit needs sensitive_features, which the suite does not pass"
    )
    results = check_estimator(
        estimator, expected_failed_checks=expected, on_fail=None, on_skip=None
    )
    by_status = {}
    for result in results:
        by_status.setdefault(result["status"], set()).add(result["check_name"])
    assert "failed" not in by_status
    assert not by_status["passed"] & set(NEED_SENSITIVE_FEATURES)
    assert by_status["skipped"] == {"check_array_api_input"}
