"""The command `python -m vinculum fmu`."""


def _write(args):
    from ._vinculum import Model

    model = Model.load(args.model)
    binary = {"auto": None, "yes": True, "no": False}[args.binary]
    print(model.fmu(args.output or f"{model.name}.fmu", args.version, binary=binary))
    return 0


def add_to(topics):
    """Adds the command to a parser of commands."""
    what = "writes a functional mock-up unit, for programs with the interface FMI (docs/howto/fmu.md)"
    fmu = topics.add_parser("fmu", help=what, description=what)
    fmu.set_defaults(function=_write)
    fmu.add_argument("model", metavar="MODEL", help="file of the model")
    fmu.add_argument("-o", dest="output", metavar="FILE", help="the FMU (default: the model's name and .fmu)")
    fmu.add_argument("--version", default="3.0", choices=("2.0", "3.0"), help="of FMI (default 3.0)")
    fmu.add_argument("--binary", default="auto", choices=("auto", "yes", "no"),
                     help="also compile it for this machine (default auto: if a C compiler is found)")  # fmt: skip
