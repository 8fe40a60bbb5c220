"""How much the estimate of MI(Ŷ, S) would move on another sample of test rows."""

from frem_core.ablations.ablation import Ablation, Variant, register_ablation

register_ablation(
    Ablation(
        name="mi-stability",
        title="Stability of the information score",
        question="How far can the estimated information MI(Ŷ, S) be trusted?",
        claim="Over 1,000 bootstrap samples its standard deviation is 3 to 14 % of its mean.",
        source="appendix, stability of MI",
        reading="mi_stability",
        variants=(
            Variant.of_papers_frem({"gamma": 0.05}),
            Variant.of_method("reg_gdp"),
            Variant.of_method("mmd", cut="median"),
        ),
        weights=1,
        seeds=(0,),
    )
)
