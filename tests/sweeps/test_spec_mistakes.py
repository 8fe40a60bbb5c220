"""Mistakes in a file that describes a sweep."""

import re

import pytest

from frem_core.errors import ConfigError
from frem_core.sweeps import SweepSpec
from tests.sweeps.crime_spec import TOML, changed


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("name = ", "not TOML"),
            ("a = " + "[" * 5000, "brackets stand within brackets"),
            ("", "has no name"),
            (changed("seeds", "seed"), "has no setting 'seed'; .* Did you mean 'seeds'?"),
            (changed("[0, 1]", "[]"), "seeds in The sweep must be"),
            (changed("[0, 1]", "[0.5]"), "seeds in The sweep must be"),
            (changed("[0, 1]", "[-1]"), "seeds in The sweep must be"),
            (changed('"dp"', '"dpp"'), "'dp' or 'eo', not 'dpp'. Did you mean 'dp'?"),
            (changed('name = "crime"', 'name = "crimes"'), "Did you mean 'crime'?"),
            (changed('name = "crime"', ""), "exactly one of name"),
            (changed('name = "crime"', 'name = "crime"\ntable = "x"'), "it gives name, table"),
            (changed('name = "crime"', 'name = "crime"\ntarget = "x"'), "are fixed"),
            (
                changed('name = "crime"', 'path = "x.csv"'),
                "with target and sensitive which",
            ),
            (changed('name = "crime"', 'nam = "crime"'), "Did you mean 'name'?"),
            (changed("epochs = 20", "epoch = 20"), "Did you mean 'epochs'?"),
            (changed("epochs = 20", "epochs = 0"), "epochs = 0"),
            (changed('"frem"', '"fram"'), "Did you mean 'frem'?"),
            (changed('method = "frem"', ""), "names no method"),
            (changed("gamma", "gama"), "FREM has no setting 'gama'; .* Did you mean 'gamma'?"),
            (changed("gamma", "fairness_wieghts"), "Did you mean 'fairness_weights'?"),
            (changed("[0.05, 0.1]", "[0.05, 99.0]"), "gamma = 99.0"),
            (changed("[0.05, 0.1]", "[]"), "empty list"),
            (changed("[0.03, 0.1]", "[]"), "at least one number"),
            (changed("[0.03, 0.1]", "[-0.1]"), "fairness_weight = -0.1"),
            (changed("[0.03, 0.1]", '"presets"'), "must be numbers"),
            (changed("gamma = [0.05, 0.1]", 'fairness = "dp"'), "once for the whole sweep"),
            (TOML.replace("[[methods]]", "[methods]", 1).split("[[methods]]")[0], "two brackets"),
            (TOML + '[split]\nkind = "randon"\n', "Did you mean 'random'?"),
            (TOML + "[split]\ntest_size = 1.5\n", "share below 1"),
            (TOML + '[split]\ntest_size = "a"\n', "must be a number"),
            (TOML + '[split]\nseed = "every"\n', "'each' or a whole number"),
            (TOML + '[gamma]\npolicy = "validate"\n', "leave out one of them"),
            (TOML + '[gamma]\npolicy = "chosen"\n', "'fixed' or 'validate'"),
            (TOML + "[gamma]\ncandidates = [0.1, inf]\n", "must be above 0, not inf"),
            (TOML + "[gamma]\ncandidates = [nan]\n", "must be above 0, not nan"),
            (changed('"dp"', '"eo"').replace('"unfair"', '"mmd"'), "equal opportunity"),
        ],
    )
    def test_each_is_named_with_its_remedy(self, text: str, words: str) -> None:
        with pytest.raises(ConfigError, match=re.compile(words, re.DOTALL)):
            SweepSpec.from_toml(text)
