"""The Data page without a browser: bringing a file and reading the page."""

from streamlit.testing.v1 import AppTest


def texts(app: AppTest) -> str:
    shown = [*app.title, *app.header, *app.subheader, *app.markdown, *app.caption, *app.info]
    return "\n".join(str(element.value) for element in shown)


def upload(app: AppTest, name: str, content: bytes) -> AppTest:
    app.file_uploader[0].set_value((name, content, "text/csv"))
    return app.run()


def address(app: AppTest, name: str) -> str | None:
    value = app.query_params.get(name)
    return value[0] if isinstance(value, list) else value


def shown_metrics(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def errors(app: AppTest) -> str:
    return "\n".join(str(error.value) for error in app.error)
