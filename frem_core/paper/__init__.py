"""The numbers the FREM paper prints about real data, typed in once, as tidy tables.

Every row names the table it stands in. The two simulation tables are in
:mod:`frem_core.simulation.paper_tables`.
"""

from frem_core.paper.bootstrap_table import paper_mutual_information_stability
from frem_core.paper.score_table import paper_points, paper_scores

__all__ = ["paper_mutual_information_stability", "paper_points", "paper_scores"]
