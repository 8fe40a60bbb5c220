"""``python -m tools.architecture``."""

from tools.architecture.page import main

if __name__ == "__main__":
    main()
