"""``python -m gridlock`` is the command ``gridlock``."""

from gridlock.cli.main import main

if __name__ == "__main__":
    main()
