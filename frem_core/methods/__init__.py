"""FREM and the methods it is compared with, one file each."""
