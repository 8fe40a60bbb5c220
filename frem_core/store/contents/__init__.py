"""Where the contents of files lie: in a folder, in the database or in a bucket."""

from frem_core.store.contents.choice import FILES, place_of, places_of
from frem_core.store.contents.place import Content, Place

__all__ = ["FILES", "Content", "Place", "place_of", "places_of"]
