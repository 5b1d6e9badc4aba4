"""The command `python -m vinculum`: what the command `vinculum` leaves to Python."""

import argparse
import sys

from . import _fmu_command, _gltf_command, _study_command
from ._errors import VinculumError


def main(arguments=None):
    """Runs one command.

    :returns: the exit status: 0, 1 if something is wrong, 2 if the command was called wrongly, 130 after Ctrl-C.
    """
    parser = argparse.ArgumentParser(prog="python -m vinculum", description="Commands of the Python package.")
    topics = parser.add_subparsers(required=True, metavar="COMMAND")
    _study_command.add_to(topics)
    _fmu_command.add_to(topics)
    _gltf_command.add_to(topics)
    args = parser.parse_args(arguments)
    try:
        return args.function(args)
    except (VinculumError, ModuleNotFoundError, OSError) as error:
        is_of_file = isinstance(error, OSError) and error.filename is not None
        print(f"{error.filename}: {error.strerror}" if is_of_file else error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; work again to resume", file=sys.stderr)
        return 130
