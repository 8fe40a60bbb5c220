from dataclasses import replace

from frem_core.datasets import load_dataset
from studio.words import sensitive_title, target_title, the_sensitive, the_target, with_column
from tests.pages.conftest import OpenPage


def test_columns_whose_names_say_little_are_put_into_words() -> None:
    crime = load_dataset("crime")
    assert the_sensitive(crime) == "the share of Black residents"
    assert sensitive_title(crime) == "share of Black residents"
    assert the_target(crime) == f"the {target_title(crime)}"
    words = with_column(sensitive_title(crime), crime.sensitive_name)
    assert words == "share of Black residents (racepctblack)"


def test_other_columns_keep_their_names() -> None:
    adult = load_dataset("adult")
    assert the_sensitive(adult) == sensitive_title(adult) == "age"
    assert with_column("age", "age") == "age"
    brought = replace(adult, name="people", sensitive_name="racepctblack")
    assert the_sensitive(brought) == "racepctblack"


def test_the_data_page_speaks_in_words_and_names_the_column_once(open_data: OpenPage) -> None:
    app = open_data(dataset="crime")
    assert not app.exception
    headings = [heading.value for heading in (*app.header, *app.subheader)]
    assert "How the data differs along the share of Black residents" in headings
    assert not any("racepctblack" in heading for heading in headings)
    assert any("racepctblack" in text.value for text in app.markdown)
