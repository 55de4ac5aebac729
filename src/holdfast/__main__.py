"""`python -m holdfast` is `holdfast`."""

from holdfast.surfaces.cli.main import run

if __name__ == "__main__":
    run()
