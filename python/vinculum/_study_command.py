"""The command `python -m vinculum study`."""

import argparse


def _part(text):
    """The numbers of "2/8"."""
    part, _, parts = text.partition("/")
    try:
        return int(part), int(parts)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is not of the form 2/8") from None


def _pair(text):
    """Name and value of "m=2 [kg]"."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"`{text}` is not of the form NAME=VALUE")
    return name.strip(), value.strip()


def _create(study, args):
    options = {"until": args.until, "tolerance": args.tolerance, "step": args.step, "method": args.method}
    options["loads"] = args.loads_in or (True if args.loads else None)
    record = None
    if args.record:
        pairs = (one.partition("=") for one in args.record)
        record = {(label.strip() if equals else label): what.strip() or label for label, equals, what in pairs}
    made = study.create(
        args.model,
        args.design,
        args.folder,
        record=record,
        set=dict(args.set),
        rows_per_shard=args.rows_per_shard,
        **{name: value for name, value in options.items() if value is not None},
    )
    print(f"{made.folder}: {made.plan.rows} runs in {made.plan.shards} shards")
    return 0


def _work(study, args):
    part, parts = args.part
    print(study.open(args.folder).work(workers=args.workers, part=part, parts=parts))
    return 0


def _status(study, args):
    print(study.open(args.folder).status())
    return 0


def _verify(study, args):
    wrong = study.open(args.folder).verify(args.replays)
    print("\n".join(wrong) or "all files agree")
    return 1 if wrong else 0


def _collect(study, args):
    study.open(args.folder).collect(args.output)
    return 0


def _page(study, args):
    study.open(args.folder).page().write(args.output)
    return 0


def _loads(study, args):
    lines = [("on", "constraint", "peak", "run", "t [s]", "rms", "mean")]
    for one in study.open(args.folder).loads():
        if one.peak == 0:
            continue  # such as the torque of a bearing
        unit = "N" if one.kind == "force" else "N m"
        star = "" if one.is_unique else " *"
        numbers = f"{one.peak:.6g} {unit}{star}", str(one.run), f"{one.t:.6g}", f"{one.rms:.6g}", f"{one.mean:.6g}"
        lines.append((one.on, one.constraint, *numbers))
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    return 0


def _replay(study, args):
    run = study.open(args.folder).replay(args.row)
    if args.output:
        run.write(args.output)
    print(run.text, end="")
    return 0


def _run(function, args):
    from ._study import Study

    return function(Study, args)


def add_to(topics):
    """Adds the commands to a parser of commands."""
    study = topics.add_parser("study", help="many runs of one model, in a folder (docs/howto/studies.md)")
    commands = study.add_subparsers(required=True, metavar="COMMAND")

    def command(name, function, what):
        one = commands.add_parser(name, help=what, description=what)
        one.set_defaults(function=lambda args: _run(function, args))
        if name != "create":
            one.add_argument("folder", metavar="DIR", help="folder of the study")
        return one

    create = command("create", _create, "writes the folder of a new study")
    create.add_argument("model", metavar="MODEL", help="file of the model")
    create.add_argument("--design", required=True, metavar="FILE", help="CSV or Parquet; titles such as `m [kg]`")
    create.add_argument("-o", dest="folder", required=True, metavar="DIR", help="folder of the study")
    create.add_argument(
        "--record", action="append", metavar="[LABEL=]NAME", help="x, min(x), max(x) or all(x); may be repeated"
    )
    create.add_argument("--set", action="append", type=_pair, default=[], metavar="NAME=VALUE", help="for all runs")
    create.add_argument("--loads", action="store_true", help="record the loads of all constraints")
    create.add_argument("--loads-in", metavar="FRAME", help="the same, with components in a frame")
    create.add_argument("--until", type=float, metavar="T", help="end of the runs [s]")
    create.add_argument("--tolerance", type=float, metavar="TOL", help="relative tolerance of the runs")
    create.add_argument("--step", type=float, metavar="H", help="time between samples [s]")
    create.add_argument("--method", metavar="NAME", help="dop853, dp5, tsit5 or radau")
    create.add_argument("--rows-per-shard", type=int, metavar="N", help="runs per file of results; default: 1 to 10 s")
    work = command("work", _work, "computes what is missing")
    work.add_argument("--part", type=_part, default=(1, 1), metavar="I/N", help="only part I of N, for arrays of jobs")
    work.add_argument("--workers", type=int, metavar="N", help="number of processes; default: all cores")
    command("status", _status, "tells how much is computed")
    verify = command("verify", _verify, "checks all files")
    verify.add_argument("--replays", type=int, default=1, metavar="N", help="runs that are computed again (default 1)")
    collect = command("collect", _collect, "writes the results to a CSV file")
    collect.add_argument("-o", dest="output", required=True, metavar="FILE", help="CSV file")
    page = command("page", _page, "writes a page with histograms, a scatter plot and the influence of parameters")
    page.add_argument("-o", dest="output", required=True, metavar="FILE", help="HTML file, to be opened in a browser")
    command("loads", _loads, "lists the greatest load of each constraint, with its run")
    replay = command("replay", _replay, "computes one run again, with the same bits")
    replay.add_argument("row", type=int, metavar="I", help="row of the design, from 0")
    replay.add_argument("-o", dest="output", metavar="DIR", help="folder for trajectory.csv and result.json")
