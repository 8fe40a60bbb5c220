"""How estimators and their settings are called in tables and figures."""

ESTIMATOR_LABELS = {
    "binning": "Binning",
    "nadaraya-watson": "Nadaraya–Watson",
    "proposed": "Proposed",
    "proposed-noise-free": "Proposed, noise removed",
}


def setting_label(estimator: str, setting: float) -> str:
    """The setting in words: a bandwidth, or a number of bins.

    >>> setting_label("binning", 2.0), setting_label("proposed", 0.3)
    ('2 bins', 'γ=0.3')
    """
    return f"{setting:g} bins" if estimator == "binning" else f"γ={setting:g}"
