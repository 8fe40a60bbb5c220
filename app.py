"""FREM Studio, Start page: what this is, an example with one click, and what has been trained.

`streamlit run` reads this file twice: once for the web server it is to start, below, and then for
every viewer of the Start page.
"""

if __name__ == "__main__":
    from studio.page import page
    from studio.start.live import go_to_dataset, show_live

    with page("FREM Studio"):
        go_to_dataset()
        show_live()
else:
    from streamlit import App

    # Seconds of imports: a server that answers has done them. Pages themselves need it to run.
    import frem_core.figures
    import frem_core.library
    import frem_core.limits  # noqa: F401
    from studio.server import MIDDLEWARE, ROUTES, collect_in_turn

    collect_in_turn()
    app = App(__file__, middleware=MIDDLEWARE, routes=ROUTES)
