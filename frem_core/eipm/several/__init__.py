"""EIPM of several sensitive attributes (`frem_core.attributes`): numbers, categories, or both.

It takes the way of one attribute, with weights on tuples of them: `kernel` says how near two tuples
are, `plan` chooses the form of the weights (groups, `weights.product`, `weights.anchors`), `sample`
brings both to a representation. `batch` is what FREM lowers in a training; `report` lists each
attribute, all together, and the worst place in words.
"""
