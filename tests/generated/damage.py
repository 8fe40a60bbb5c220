"""Ways in which files and settings go wrong, as hypothesis strategies."""

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st

Test = Callable[..., None]

_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]


def generated(examples: int) -> Callable[[Test], Test]:
    """The same examples every time, so many of them."""

    def decorate(test: Test) -> Test:
        limited = settings(
            max_examples=examples,
            deadline=None,
            database=None,
            print_blob=True,
            suppress_health_check=_QUIET,
        )
        return seed(20_260)(limited(test))

    return decorate


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """A file after something happened to it: cut off, bits flipped, pieces moved or replaced."""
    content = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        if not content:
            break
        place = draw(st.integers(0, len(content) - 1))
        length = draw(st.integers(1, 40))
        match draw(st.sampled_from(["cut", "flip", "replace", "remove", "insert", "repeat"])):
            case "cut":
                del content[place:]
            case "flip":
                content[place] ^= 1 << draw(st.integers(0, 7))
            case "replace":
                content[place : place + length] = draw(st.binary(max_size=40))
            case "remove":
                del content[place : place + length]
            case "insert":
                content[place:place] = draw(st.binary(max_size=40) | words)
            case _:
                content[place:place] = content[place : place + length] * draw(st.integers(1, 50))
    return bytes(content)


words = st.sampled_from(
    [
        *(b'"', b"\n", b",", b";", b"\t", b"\x00", b"\xff\xfe", b"nan", b"-inf", b"1e999", b"#"),
        *(
            "ü".encode("latin-1"),
            "名".encode(),
            b"\r\n\r\n",
            b"'",
            b"{",
            b"[[",
            b"=1+1",
            b"99" * 40,
        ),
    ]
)

plain: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(-2, 3),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(
        ["", "nan", "../../etc/passwd", "<b>x</b>", "\x1b[2J", "crime", "frem", "1e999"]
    ),
)
values: st.SearchStrategy[Any] = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
