"""How sensitive FREM is to the scale of the kernel that compares representations."""

from frem_core.ablations.ablation import Ablation, Variant, register_ablation
from frem_core.figures.looks import SERIES

_PAPER = (1.0, 0.8, 1.5)


def _variant(place: int, sigma: float | str, title: str, *, in_paper: bool = True) -> Variant:
    colour, symbol, _ = SERIES[place]
    return Variant.of_papers_frem(
        {"gamma": 0.05, "sigma": sigma},
        name=f"sigma-{sigma}",
        title=title,
        colour=colour,
        symbol=symbol,
        in_paper=in_paper,
    )


register_ablation(
    Ablation(
        name="sigma",
        title="Scale of the representation kernel",
        question="Does it matter at which distance two representations count as different (σ)?",
        claim="Performance is not sensitive to σ; values from 0.8 to 1.5 give similar results.",
        source="ablation study 3, choice of σ",
        variants=(
            *(_variant(place, sigma, f"σ = {sigma:g}") for place, sigma in enumerate(_PAPER)),
            _variant(
                len(_PAPER), "median", "σ = median distance (not in the paper)", in_paper=False
            ),
        ),
    )
)
