"""What a series of a chart looks like and is called."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class SeriesLook:
    """Name, colour and marker of one series.

    Attributes:
        title: in the legend.
        colour: as #rrggbb.
        symbol: Plotly's name of the marker.
    """

    title: str
    colour: str
    symbol: str


def method_looks(names: Iterable[str]) -> dict[str, SeriesLook]:
    """The looks of methods by registered name, as each method declares them itself.

    >>> method_looks(["frem"])["frem"]
    SeriesLook(title='FREM', colour='#007580', symbol='star')
    """
    # Here and not above: figures without methods should not wait for torch.
    from frem_core.methods import get_method

    methods = {name: get_method(name) for name in dict.fromkeys(names)}
    return {name: SeriesLook(one.title, one.colour, one.symbol) for name, one in methods.items()}
