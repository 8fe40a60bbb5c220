"""Whether many bins can replace the smoothing along S."""

from frem_core.ablations.ablation import Ablation, Variant, register_ablation
from frem_core.figures.looks import SERIES

_BINS = (3, 5, 10, 20)


def _bins(place: int, bins: int) -> Variant:
    colour, symbol, _ = SERIES[place + 1]
    return Variant(
        name=f"bins-{bins}",
        title=f"MMD, {bins} bins",
        method="mmd",
        settings={"cut": "bins", "bins": bins},
        colour=colour,
        symbol=symbol,
        # The penalty sums over bins. With two it equals that of the median cut, for which the
        # weights were found; with J it is about J/2 times as large.
        weight_scale=2 / bins,
    )


register_ablation(
    Ablation(
        name="mmd-bins",
        title="Bins instead of smoothing",
        question="Is it enough to cut the sensitive attribute into many bins and match those?",
        claim="FREM still outperforms MMD with many bins, and beyond some number (10 on Adult, 3 "
        "on Crime) more bins do not help.",
        source="comparison with MMD on bins",
        variants=(
            Variant.of_papers_frem({"gamma": 0.05}),
            Variant.of_method("mmd", cut="median"),
            *(_bins(place, bins) for place, bins in enumerate(_BINS)),
        ),
    )
)
