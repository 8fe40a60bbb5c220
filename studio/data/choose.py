"""Where a dataset comes from: a built-in one, a table kept before, or a file that is uploaded."""

import streamlit as st

from frem_core.datasets import available_datasets, dataset_card
from frem_core.datasets.tables.table_to_dataset import MIN_ROWS
from frem_core.figures import plain_text, shown_text
from frem_core.words import counted, per_cent
from studio.choice import UPLOAD_ERROR, Choice, choose
from studio.guard import guard, show_error
from studio.loading import forget_loaded
from studio.people import the_person
from studio.reading import ReadingJob, find_job, start_reading
from studio.rights import may_author
from studio.store import the_store
from studio.tables import KeptTable, find_table, is_kept, share, the_tables, where_tables_stay

_CARD_WIDTH = 270
_FAILED_JOB = "upload_failed_job"
_EVERY = 2.0  # seconds between two looks at a running job; each look costs other viewers a little


def show_choice_of_dataset(current: Choice | None) -> None:
    """Draws the cards; once a dataset is chosen they step aside for it."""
    if current is None:
        _show_cards(None)
        return
    needed = (
        "reading" in st.query_params
        or st.session_state.get(UPLOAD_ERROR) is not None
        or not _exists(current)
    )
    with st.expander(
        "Choose another dataset",
        expanded=needed,
        icon=":material/database:",
        key=f"cards-{needed}",
    ):
        _show_cards(current)


def _exists(choice: Choice) -> bool:
    if choice.table_id is None:
        return choice.dataset in available_datasets()
    return is_kept(choice.table_id)


def _show_cards(current: Choice | None) -> None:
    chosen = current.dataset if current else None
    st.header("Bring a table of your own", anchor=False)
    with st.container(border=True, key="upload-card"):
        _show_upload(current)
    st.header("Or take one that is built in", anchor=False)
    with st.grid(3, min_column_width=_CARD_WIDTH, border=True, key="dataset-cards") as grid:
        for name in available_datasets():
            with grid.cell():
                _show_card(name, chosen=name == chosen)


def _show_card(name: str, *, chosen: bool) -> None:
    card = dataset_card(name)
    st.subheader(plain_text(card.title), anchor=False)
    st.markdown(plain_text(card.question, longest=None))
    st.caption(plain_text(card.description, longest=None))
    st.button(
        "Chosen" if chosen else "Look at this dataset",
        key=f"choose-{name}",
        type="primary" if chosen else "secondary",
        icon=":material/check:" if chosen else None,
        help=f"Open {card.title}",
        on_click=choose,
        args=(Choice.built_in(name),),
    )


def _show_upload(current: Choice | None) -> None:
    """Draws the upload, the progress of a running one, and the tables kept before."""
    words, file = st.columns(2, gap="large")
    with words:
        st.markdown("How strongly do the columns of my own data follow an attribute I care about?")
        st.caption(
            f"The first row names the columns; at least {MIN_ROWS} more must follow. "
            f"{where_tables_stay()}"
        )
        _show_kept_tables(current)
    with file:
        job_id = st.query_params.get("reading")
        if job_id:
            _show_progress(job_id)
        elif may_author():
            _show_uploader()
        else:
            st.info("Authors bring tables; you look at results.", icon=":material/visibility:")


def _show_uploader() -> None:
    # A new key empties the widget and lets go of the bytes it holds.
    turn = st.session_state.setdefault("upload_turn", 0)
    failed = st.session_state.get(UPLOAD_ERROR)
    upload = st.file_uploader(
        f"CSV, TSV, Parquet or Excel file, up to {st.get_option('server.maxUploadSize')} MB",
        key=f"upload-{turn}",
    )
    if failed is not None:
        show_error(failed, title="This file cannot be used")
        _offer_another_try()
    if upload is not None:
        with st.spinner("Taking the file in …"):
            job = start_reading(upload)
        st.session_state["upload_turn"] = turn + 1
        st.session_state.pop(UPLOAD_ERROR, None)
        if job.is_over:
            _take_result(job)
        st.query_params["reading"] = job.id
        st.rerun()


def _offer_another_try() -> None:
    """Draws a button when reading failed for no fault of the file."""
    job = find_job(st.session_state.get(_FAILED_JOB, ""))
    if job is not None and job.can_try_again:
        st.button(
            "Try again", icon=":material/replay:", key="read-again", on_click=_again, args=(job,)
        )


def _again(job: ReadingJob) -> None:
    job.start()
    st.session_state.pop(UPLOAD_ERROR, None)
    st.query_params["reading"] = job.id


@st.fragment(run_every=_EVERY)
@guard()
def _show_progress(job_id: str) -> None:
    job = find_job(job_id)
    if job is None:
        _finish(
            error="Reading was interrupted because the dashboard was restarted. Upload the "
            "file again."
        )
    elif job.is_over:
        _take_result(job)
    else:
        name = plain_text(job.name, longest=40)
        waits = job.state == "waiting"
        words = f"{name} waits for another table" if waits else f"Reading {name}"
        st.progress(min(job.share, 1.0), text=f"{words}: {per_cent(job.share)}")
        st.button("Stop reading", icon=":material/stop:", on_click=job.stop, key="stop-reading")


def _take_result(job: ReadingJob) -> None:
    if job.state == "done":
        choose(Choice.of_table(job.id))
        st.rerun()
    elif job.state == "stopped":
        _finish(error=None)
    else:
        st.session_state[_FAILED_JOB] = job.id
        _finish(error=job.message)


def _finish(*, error: str | None) -> None:
    st.query_params.pop("reading", None)
    st.session_state[UPLOAD_ERROR] = error
    st.rerun()


def show_too_few(table_id: str) -> bool:
    """Says where a table has too few rows: nothing that is asked about its columns could help."""
    table = find_table(table_id)
    if table.rows >= MIN_ROWS:
        return False
    show_error(
        f"{table.name} has {counted(table.rows, 'row')}; at least "
        f"{MIN_ROWS} are needed to train and to test. Choose a file with more rows. The Audit page "
        "judges predictions in smaller ones."
    )
    return True


def _show_kept_tables(current: Choice | None) -> None:
    """Draws the list; nothing when no table is kept."""
    tables = {table.id: table for table in the_tables().list()}
    if not tables:
        return
    chosen = current.table_id if current else None
    ids = [table.id for table in tables.values() if table.kind == "table"]
    st.selectbox(
        "Tables kept on this computer",
        ids,
        index=ids.index(chosen) if chosen in ids else None,
        format_func=lambda table_id: _describe(tables[table_id]),
        placeholder="Open a table again",
        key=f"kept-{chosen}",
        on_change=_open,
        args=(f"kept-{chosen}",),
    )
    total = size_words(sum(table.size for table in tables.values()))
    count = f"{len(tables):,} table{'s' if len(tables) != 1 else ''}"
    with st.popover(f"{count}, {total}", icon=":material/folder:", help="What is kept, delete it"):
        st.markdown("Copies of the files you gave. Trained models and scores are not touched.")
        for table in tables.values():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"{plain_text(table.name, longest=40)} · {size_words(table.size)}")
                _show_what_may_be_done(table, current)


def _show_what_may_be_done(table: KeptTable, current: Choice | None) -> None:
    person = the_person()
    owners = {} if person.name is None else the_store().owners.of(table.id)
    if person.name in owners:
        st.toggle(
            "Everybody may see it",
            owners[str(person.name)],
            key=f"share-{table.id}",
            help="Otherwise you alone see the table and the sweeps about it.",
            on_change=_share,
            args=(table.id,),
        )
    elif owners:
        st.caption(f"of {plain_text(', '.join(sorted(owners)), longest=60)}")
    if person.is_administrator or (person.is_author and person.name in owners):
        st.button(
            f"Delete {shown_text(table.name, longest=30)}",
            key=f"delete-{table.id}",
            icon=":material/delete:",
            on_click=forget,
            args=(table.id, current),
        )


@guard()
def _share(table_id: str) -> None:
    share(table_id, with_all=st.session_state[f"share-{table_id}"])


@guard()
def forget(table_id: str, current: Choice | None) -> None:
    """Deletes the copy of a table; where it was looked at, nothing is chosen any more."""
    the_tables().delete(table_id)
    forget_loaded()
    if current is not None and table_id in (current.table_id, current.data.edge_table):
        choose(None)


def size_words(size: int) -> str:
    """Bytes as people say them.

    >>> size_words(512), size_words(2_300_000)
    ('1 kB', '2.3 MB')
    """
    if size >= 1e9:
        return f"{size / 1e9:.1f} GB"
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(size / 1e3, 1):.0f} kB"


def _open(key: str) -> None:
    table_id = st.session_state[key]
    if table_id is not None:
        choose(Choice.of_table(table_id))


def _describe(table: KeptTable) -> str:
    return (
        f"{shown_text(table.name, longest=40)} · {table.rows:,} × {table.columns:,} · "
        f"{table.kept_at:%Y-%m-%d %H:%M}"
    )
