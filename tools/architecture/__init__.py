"""``python -m tools.architecture``: draws the project from its code and follows a value through it.

source.py    reads every file with `ast`: what it defines, imports and uses
layers.py    folders, who imports whom, and the way imports go
walks.py     the written walks through the code, and whether each step is really taken
picture.py   the drawing
page.py      puts picture and tables into docs/architecture.md
"""
