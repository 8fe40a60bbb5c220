"""How runs that are drawn side by side look."""

from collections.abc import Iterable
from dataclasses import dataclass

from frem_core.figures.contrast import readable
from frem_core.figures.series_look import method_looks

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


@dataclass(frozen=True)
class RunLook:
    """Name, colour, marker and dash of one run.

    Attributes:
        title: in the legend; shown as it is given, so encode text of others first.
        colour: as #rrggbb, the method's.
        symbol: Plotly's name of the marker, the method's; hollow for the second, … run of it.
        dash: Plotly's name; no two runs of a comparison share it until there are more than six.
    """

    title: str
    colour: str
    symbol: str
    dash: str

    @property
    def tint(self) -> str:
        """The colour, mostly transparent, for areas."""
        red, green, blue = (int(self.colour[start : start + 2], 16) for start in (1, 3, 5))
        return f"rgba({red}, {green}, {blue}, 0.16)"


def run_looks(runs: Iterable[tuple[str, str]], *, dark: bool = False) -> list[RunLook]:
    """The looks of runs in their order, given (method, title) of each.

    >>> [look.dash for look in run_looks([("frem", "FREM, λ 0.1"), ("frem", "FREM, λ 1")])]
    ['solid', 'dash']
    """
    given = list(runs)
    methods = method_looks(method for method, _ in given)
    looks, seen = [], set()
    for place, (method, title) in enumerate(given):
        own = methods[method]
        symbol = f"{own.symbol}-open" if method in seen else own.symbol
        seen.add(method)
        dash = _DASHES[place % len(_DASHES)]
        looks.append(RunLook(title, readable(own.colour, dark=dark), symbol, dash))
    return looks
