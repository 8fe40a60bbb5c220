"""The form of the Train page without a browser: opening and reading it."""

from streamlit.testing.v1 import AppTest

from frem_core.sweeps import SweepSpec
from tests.pages.conftest import ROOT

KEY = "train-gaussian_bivariate"


def open_train(**address: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages" / "2_Train.py"), default_timeout=240)
    for name, value in address.items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def form() -> AppTest:
    app = open_train(dataset="gaussian_bivariate")
    assert not app.error
    return app


def described(app: AppTest) -> SweepSpec:
    """The sweep that the form stands for, as its file says."""
    text = next(code.value for code in app.code if "[dataset]" in code.value)
    return SweepSpec.from_toml(text)


def section(app: AppTest, method: str):
    return next(one for one in described(app).methods if one.method == method)


def labelled(widgets, label: str):
    [found] = [one for one in widgets if one.label == label]
    return found


def control(app: AppTest, key: str):
    return next(one for one in app.get("button_group") if one.key == key)


def in_address(app: AppTest, name: str) -> str:
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def errors(app: AppTest) -> str:
    return " ".join(error.value for error in app.error)


def exploring():
    """A form for a whole trade-off."""
    app = form()
    return control(app, f"{KEY}-need").set_value("explore").run()
