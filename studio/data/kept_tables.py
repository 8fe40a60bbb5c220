"""The tables kept on this computer: open one again, see what they take, delete them."""

import streamlit as st

from frem_core.figures import plain_text, shown_text
from studio.choice import Choice, choose
from studio.loading import forget_loaded
from studio.tables import TABLE_PREFIX, KeptTable, the_tables


def show_kept_tables(current: Choice | None) -> None:
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
                st.button(
                    f"Delete {shown_text(table.name, longest=30)}",
                    key=f"delete-{table.id}",
                    icon=":material/delete:",
                    on_click=forget,
                    args=(table.id, current),
                )


def forget(table_id: str, current: Choice | None) -> None:
    """Deletes the copy of a table; where it was looked at, nothing is chosen any more."""
    the_tables().delete(table_id)
    forget_loaded()
    if current is not None and table_id in (current.table_id, current.edges):
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
        choose(Choice(TABLE_PREFIX + table_id))


def _describe(table: KeptTable) -> str:
    return (
        f"{shown_text(table.name, longest=40)} · {table.rows:,} × {table.columns:,} · "
        f"{table.kept_at:%Y-%m-%d %H:%M}"
    )
