import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frem_core.attributes import Attributes
from frem_core.errors import ConfigError
from frem_core.limits import SCORES, Limit


@pytest.mark.parametrize(
    ("text", "score", "value"),
    [("hgr=0.2", "hgr", 0.2), (" mi = 0.05 ", "mutual_information", 0.05), ("eipm=2", "eipm", 2.0)],
)
def test_reads_values(text, score, value):
    limit = Limit.parse(text)
    assert (limit.score, limit.keep) == (score, None)
    assert limit.at_most == pytest.approx(value)
    assert limit.value(unfair=123.0) == limit.at_most


def test_a_percentage_is_a_share():
    assert Limit.parse("gdp=30%") == Limit(score="gdp", keep=0.3)
    assert Limit.parse("20%") == Limit(keep=0.2)


@given(st.floats(1e-6, 0.999), st.sampled_from(SCORES), st.booleans())
def test_the_text_of_a_limit_is_read_back_as_the_same_limit(number, score, share):
    limit = Limit(score=score, **({"keep": number} if share else {"at_most": number}))
    assert Limit.parse(limit.text).text == limit.text
    assert Limit.parse(limit.text).value(1.0) == pytest.approx(limit.value(1.0), rel=1e-9)


@pytest.mark.parametrize("text", ["50%", "0.5", "hgr=50 %", "hgr=0.5"])
def test_reads_shares_of_the_unfair_model(text):
    limit = Limit.parse_keep(text)
    assert limit == Limit(score="hgr", keep=0.5)
    assert limit.value(unfair=0.8) == pytest.approx(0.4)
    assert limit.text == "hgr=50%"


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (Limit.parse, "0.2", "score=value"),
        (Limit.parse, "hrg=0.2", "hgr"),
        (Limit.parse, "hgr=1.5", "below 1"),
        (Limit.parse, "gdp=-1", "above 0"),
        (Limit.parse, "gdp=nan", "above 0"),
        (Limit.parse, "gdp=small", "not a number"),
        (Limit.parse_keep, "150%", "below 100%"),
        (Limit.parse_keep, "0", "above 0"),
        (Limit.parse_keep, "accuracy=50%", ", ".join(SCORES)),
    ],
)
def test_a_bad_limit_says_what_is_allowed(read, text, words):
    with pytest.raises(ConfigError, match=words):
        read(text)


def test_a_limit_is_a_value_or_a_share():
    with pytest.raises(ConfigError, match="give one of them"):
        Limit(score="hgr")
    with pytest.raises(ConfigError, match="give one of them"):
        Limit(score="hgr", at_most=0.2, keep=0.5)


def test_equal_opportunity_needs_classes():
    Limit(score="geo", keep=0.5).check_task("classification")
    with pytest.raises(ConfigError, match="not defined for regression"):
        Limit(score="geo", keep=0.5).check_task("regression")


def test_several_limits_are_one_that_is_kept_where_each_is():
    both = Limit.parse("age:hgr=0.2; sex : gdp = 30%")
    age = Limit(score="hgr", at_most=0.2, attribute="age")
    sex = Limit(score="gdp", keep=0.3, attribute="sex")
    assert both.every == (age, sex)
    assert both == Limit.together([age, sex, age])
    assert Limit.parse(both.text) == both
    assert both.text == "age:hgr=0.2; sex:gdp=30%"
    assert Limit.of_settings({"age:hgr": 0.2}, {"sex:gdp": 0.3}) == both


@pytest.mark.parametrize("text", ["age:50%", "age:hgr=50%", "age:0.5"])
def test_a_share_is_of_the_attribute_that_is_named(text):
    assert Limit.parse_keep(text) == Limit(keep=0.5, attribute="age")


def test_names_may_hold_the_signs_of_a_limit():
    limit = Limit(score="gdp", at_most=0.1, attribute="a=b: ratio")
    assert Limit.parse(limit.text) == limit


PEOPLE = Attributes(("age", "sex"), np.zeros((3, 2)), (None, ("f", "m")))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("agee:hgr=0.2", "there is age, sex"),
        ("age:hgr=0.2; sex:hgr=0.2", "sex is a category"),
        ("sex:mi=0.2", "limit gdp or eipm"),
    ],
)
def test_an_attribute_must_be_there_and_fit_its_score(text, words):
    with pytest.raises(ConfigError, match=words):
        Limit.parse(text).check_attributes(PEOPLE)
    Limit.parse("age:hgr=0.2; sex:gdp=0.1; eipm=1").check_attributes(PEOPLE)


def test_one_attribute_may_be_named_too():
    Limit.parse("age:hgr=0.2").check_attributes(None, "age")
    with pytest.raises(ConfigError, match="no sensitive attribute 'sex'"):
        Limit.parse("sex:gdp=0.2").check_attributes(None, "age")
