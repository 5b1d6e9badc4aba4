"""The command `python -m vinculum gltf`."""

import sys


def _write(args):
    from ._vinculum import Model

    model = Model.load(args.model)
    run = model.run(until=args.until, scene=True)
    print(run.gltf(args.output or f"{model.name}.glb", samples=args.samples))
    if run.stopped is None or run.stopped.kind in ("event", "terminated"):
        return 0
    print(run.stopped.text.rstrip(), file=sys.stderr)
    return 1


def add_to(topics):
    """Adds the command to a parser of commands."""
    what = "writes an animated binary glTF file of the motion, for Blender and other programs (docs/howto/gltf.md)"
    gltf = topics.add_parser("gltf", help=what, description=what)
    gltf.set_defaults(function=_write)
    gltf.add_argument("model", metavar="MODEL", help="file of the model")
    gltf.add_argument("-o", dest="output", metavar="FILE", help="the file (default: the model's name and .glb)")
    gltf.add_argument("--until", type=float, metavar="T", help="end of the run [s] (default: that of the model)")
    gltf.add_argument("--samples", default="fewest", choices=("fewest", "all"),
                      help="keyframes: as many as a drawing needs, or all (default fewest)")  # fmt: skip
