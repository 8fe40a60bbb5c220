"""Whether what a method gains on the rows it was trained on holds on new rows."""

from frem_core.ablations.ablation import Ablation, Variant, register_ablation

register_ablation(
    Ablation(
        name="train-vs-test",
        title="Training rows against test rows",
        question="Does the trade-off seen on the training rows hold on rows never seen?",
        claim="On training rows Reg-GDP is ahead of FREM, on test rows behind it: the "
        "regularisation overfits.",
        source="appendix, results on training rows",
        reading="train_vs_test",
        variants=(Variant.of_papers_frem({"gamma": 0.05}), Variant.of_method("reg_gdp")),
    )
)
