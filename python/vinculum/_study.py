"""Studies: many runs of one model, in files, on any number of machines."""

import dataclasses
import json
import os
import pathlib
import shutil
import uuid

import numpy

from . import __version__
from ._design import checked, from_file
from ._errors import StudyError
from ._rows import cores, named, parsed
from ._study_files import (
    Plan,
    discard_leftovers,
    files_of_model,
    publish,
    read_plan,
    sha256,
    sync,
    writing,
)
from ._vinculum import Model

try:
    from . import _study_table
    from ._study_digest import digest
    from ._study_shard import FAILED, ROW, Shards, check_unchanged, options_of, write_design
    from ._study_work import compute_all, trial
except ModuleNotFoundError as error:
    if error.name != "pyarrow":
        raise
    raise ModuleNotFoundError("studies need the package pyarrow: pip install pyarrow", name="pyarrow") from None

_OPTIONS = ("until", "tolerance", "step", "at", "loads", "method", "formulation", "inputs")
_SECONDS_PER_SHARD = 10.0  # publishing a shard takes 20 to 60 ms, and a killed process loses at most one
_LEAST_SECONDS_PER_SHARD = 1.0  # if there are few runs
_SHARDS_PER_CORE = 4  # at least, so that all cores end at about the same time
_SECONDS_OF_TRIAL = 0.5  # runs whose time is measured to choose the size of shards
_MOST_ROWS_PER_SHARD, _MOST_NUMBERS_PER_SHARD = 100_000, 1_000_000  # keep the memory of a worker below 300 MB


@dataclasses.dataclass(frozen=True)
class StudyStatus:
    """How much of a study is computed.

    rows         number of runs
    rows_done    runs whose results are there
    shards       number of files of results when the study is complete
    shards_done  files that are there
    failed       number of failed runs by kind
    """

    rows: int
    rows_done: int
    shards: int
    shards_done: int
    failed: dict

    @property
    def is_complete(self):
        return self.shards_done == self.shards

    def __str__(self):
        failed = ", ".join(f"{count} {kind}" for kind, count in sorted(self.failed.items()))
        return (
            f"{self.rows_done} of {self.rows} runs, {self.shards_done} of {self.shards} shards, "
            f"failed: {failed or 'none'}"
        )


class Study:
    """Many runs of one model, in a folder. The design is a table; row i is run i.

    folder  pathlib.Path of the study
    plan    what is computed, the content of study.json

    `Study.create` writes the folder, `work` computes what is missing, on one machine or many. Results are Parquet
    files. Needs pyarrow (extra `study` of the package). Guide: docs/howto/studies.md.
    """

    def __init__(self, plan):
        self.folder = plan.folder
        self.plan = plan
        self._shards = None

    @classmethod
    def create(cls, model, design, folder, *, record=None, set=None, backend="native", rows_per_shard=None, **options):
        """Writes the folder of a new study. If it contains the same study already, that one is opened.

        model           path of the model's file, which is copied with the files that it reads
        design          path of a CSV or Parquet file whose titles have units, such as "m [kg]"; or a table as for
                        Model.sweep
        record          names of quantities whose values at the end are recorded, or a dict of names by label. "min(x)",
                        "max(x)" and "all(x)" are the extremes and all samples of x. Default: all quantities at the end
        set             values of parameters that are the same in all runs
        rows_per_shard  number of runs per file of results; default: runs of 1 to 10 s
        options         of Model.run: until, tolerance, step, at, loads, method, formulation, inputs as arrays

        :raises StudyError: if the folder cannot be written or contains something else; DesignError if the design is
            not possible; CallError or ModelError if the model, a record or an option is wrong.
        """
        path = pathlib.Path(model)
        loaded = Model.load(path, set=set or {}, backend=backend)
        is_file = isinstance(design, (str, os.PathLike))
        values = checked(loaded, from_file(design) if is_file else design, needs_units=is_file)
        table = _study_table.of_design(loaded, values)
        record, options = _recorded(record, table), _checked_options(options)
        files = files_of_model(path)
        plan = Plan(
            folder=pathlib.Path(folder),
            version=__version__,
            file=path.name,
            files={name: sha256(content) for name, content in sorted(files.items())},
            set={name: value if isinstance(value, str) else float(value) for name, value in (set or {}).items()},
            backend=backend,
            titles=table.column_names,
            rows=table.num_rows,
            design=digest(table),
            options=options,
            record=record,
            rows_per_shard=_whole_number(rows_per_shard),
        )
        if plan.folder.exists() and (not plan.folder.is_dir() or any(plan.folder.iterdir())):
            return cls(_same(plan))
        for what in (record or {}).values():
            _study_table.check_record(loaded, what)
        return cls(_written(plan, table, files))

    @classmethod
    def open(cls, folder):
        """The study in a folder. StudyError if there is none."""
        return cls(read_plan(folder))

    def __len__(self):
        return self.plan.rows

    def __repr__(self):
        return f"<vinculum.Study of {self.plan.rows} runs of {self.plan.file} in {self.folder}>"

    @property
    def id(self):
        """SHA-256 of everything that determines the results."""
        return self.plan.id

    def work(self, executor=None, *, workers=None, part=1, parts=1):
        """Computes the shards that are missing and returns the StudyStatus.

        executor     a concurrent.futures.Executor that says where shards are computed: of threads, processes, Dask,
                     mpi4py. Default: one process per core of this machine
        workers      number of processes, if there is no executor
        part, parts  computes part 1, 2, … of `parts` only: for jobs that share the folder but no engine

        The results do not depend on the engine. Several processes may work at once, and work that was ended at any
        time is resumed by another call. A run that kills its process twice becomes a row of kind "crash".

        :raises StudyError: if shards could not be computed, the folder cannot be written, or the model has changed.
        """
        if not (isinstance(parts, int) and isinstance(part, int) and 1 <= part <= parts):
            raise StudyError(f"part {part} of {parts}: the first part is 1, the last {parts}")
        if workers is not None and not (isinstance(workers, int) and workers >= 1):
            raise StudyError(f"workers={workers!r}: state a number of processes of 1 or more")
        check_unchanged(self.plan)
        if len(self.plan.present()) < self.plan.shards:
            with writing(self.folder / "shards"):
                probe = self.folder / "shards" / f".{uuid.uuid4().hex}.tmp"
                probe.touch()
                probe.unlink(missing_ok=True)  # another process may have completed the study and removed it
            compute_all(self.plan, executor, workers, part, parts)
        if len(self.plan.present()) == self.plan.shards:
            with writing(self.folder / "shards"):
                discard_leftovers(self.folder)
        return self.status()

    def status(self):
        """The StudyStatus: how much is computed, and how many runs failed."""
        present = self.plan.present()
        ranges = [self.plan.range_of(shard) for shard in present]
        return StudyStatus(
            rows=self.plan.rows,
            rows_done=sum(last - first for first, last in ranges),
            shards=self.plan.shards,
            shards_done=len(present),
            failed=_study_table.failed(self.plan, present),
        )

    def verify(self, replays=1):
        """Checks all files against study.json and against each other. Returns sentences; none if all is well.

        replays  number of runs that are computed again and compared bit by bit
        """
        wrong = [*self.plan.changed_files(), *_study_table.wrong_files(self.plan)]
        if wrong:
            return wrong
        done = [row for shard in self.plan.present() for row in range(*self.plan.range_of(shard))]
        for row in done[:: max(1, len(done) // replays)][:replays] if replays else ():
            if not self.is_repeated(row):
                wrong.append(f"run {row} has other results when it is computed again")
        return wrong

    def is_repeated(self, row):
        """Whether the run of this row, computed again, has the results of its row bit by bit."""
        recorded = _study_table.of_row(self.plan, self._row(row))
        if recorded["failed"][0].as_py() == "crash":
            return True  # computing it would end this process
        again = self._opened().table(row, row + 1, {})
        return digest(_study_table.joined(self.plan, [recorded, again])) == digest(
            _study_table.joined(self.plan, [recorded, recorded])
        )

    def values(self, row):
        """The parameter values of a row, as Model.with_values takes them."""
        return self._opened().values(self._row(row))

    def model(self, row):
        """The Model with the values of a row."""
        return self._opened().model.with_values(self.values(row))

    def replay(self, row, **options):
        """The Trajectory of a row, with the same bits. Options of Model.run in addition, such as energy=True."""
        return self.model(row).run(**{**options_of(self.plan), **options})

    def table(self):
        """The results that are there, as a pyarrow.Table: row, the design, the records, and what failed."""
        return _study_table.whole(self.plan)

    def digest(self):
        """SHA-256 of the results. It depends on their content only: not on shards, engines or versions of pyarrow."""
        return digest(self.table())

    def loads(self):
        """A StudyLoad for each constraint on a point or body: its greatest peak in all runs. Needs the option `loads`.

        :raises StudyError: if the loads were not recorded.
        """
        from ._study_loads import loads_of

        if not self.plan.options.get("loads"):
            raise StudyError("this study has no loads: create it with loads=True or the name of a frame")
        return loads_of(self.table())

    def page(self):
        """The Page of the results that are there: histograms, a scatter plot, and the influence of each parameter.

        A click on a point shows its run, with the command that computes it again.
        """
        from ._study_page import page_of

        return page_of(self)

    def collect(self, path):
        """Writes the results that are there to a CSV file. Lists of samples are left out; Parquet files have them."""
        _study_table.write_csv(self.plan, pathlib.Path(path))

    def to_pandas(self):
        """The results that are there as a pandas.DataFrame with one line per run."""
        return self.table().to_pandas()

    def to_xarray(self):
        """The results that are there as an xarray.Dataset with the dimension "run", and "t" of recorded samples.

        If the runs have different times of samples, their dimension is "sample", and "t" is a variable.
        """
        return _study_table.to_xarray(self.table(), self.plan.titles)

    def _opened(self):
        """What computes rows. The model is read on first use."""
        if self._shards is None:
            self._shards = Shards(self.plan)
        return self._shards

    def _row(self, row):
        if not 0 <= row < self.plan.rows:
            raise StudyError(f"there is no row {row}: the study has rows 0 to {self.plan.rows - 1}")
        return row


def _recorded(record, table):
    """The records of study.json."""
    if record is None:
        return None
    record = named(record)
    if any(isinstance(what, str) and parsed(what)[0] == "all" for what in record.values()):
        if record.setdefault("t", "all(t)") != "all(t)":
            raise StudyError("record `t`: lists of samples need this name for their times; choose another label")
    for label, what in record.items():
        if not isinstance(what, str):
            raise StudyError(
                f'record `{label}`: a study records names, such as "x" or "max(x)", because study.json contains '
                "them. State an `output` in the model for anything else"
            )
        if label in (ROW, *FAILED, *table.column_names):
            raise StudyError(f"record `{label}`: a column of this name is there already")
    return record


def _checked_options(options):
    """Options of Model.run as study.json contains them."""
    for name in options:
        if name not in _OPTIONS:
            raise StudyError(f"a study has no option `{name}`: it has {', '.join(_OPTIONS)}")
    for name, record in options.get("inputs", {}).items():
        if not isinstance(record, tuple):
            raise StudyError(f'input `{name}`: give arrays, (t, values) or (t, values, "linear")')
    try:
        return json.loads(json.dumps(options, default=lambda array: numpy.asarray(array, dtype=float).tolist()))
    except (TypeError, ValueError) as error:
        raise StudyError(f"an option is not possible in study.json: {error}") from None


def _whole_number(rows_per_shard):
    """The number of rows per shard; 0 if it is to be measured."""
    if rows_per_shard is None:
        return 0
    if not isinstance(rows_per_shard, int) or rows_per_shard < 1:
        raise StudyError(f"rows_per_shard is {rows_per_shard!r}: it is a number of rows, 1 or more")
    return rows_per_shard


def _size_of_shards(seconds, numbers, rows, processes):
    """Number of rows per shard.

    seconds, numbers  of one run: its time, and how many numbers it records
    processes         that compute shards at once
    """
    shared = max(rows // (_SHARDS_PER_CORE * processes), round(_LEAST_SECONDS_PER_SHARD / seconds))
    most = min(_MOST_ROWS_PER_SHARD, _MOST_NUMBERS_PER_SHARD // numbers, rows, shared)
    return max(1, min(most, round(_SECONDS_PER_SHARD / seconds)))


def _same(plan):
    """The study that is in the folder already, if it is equal.

    :raises StudyError: if it is not, with the parts that differ.
    """
    there = read_plan(plan.folder)
    if there.id == plan.id:
        return there
    different = [
        one.name
        for one in dataclasses.fields(Plan)
        if one.name not in ("folder", "rows_per_shard") and getattr(there, one.name) != getattr(plan, one.name)
    ]
    raise StudyError(
        f"`{plan.folder}` contains another study, with different {', '.join(different)}: choose another folder"
    )


def _written(plan, table, files):
    """Writes the folder of a study under a temporary name, tries some runs, and renames the folder.

    :returns: the plan with a size of shards.
    """
    whole = plan.folder.resolve()
    part = whole.with_name(f".{whole.name}.{uuid.uuid4().hex}.tmp")
    with writing(plan.folder):
        try:
            (part / "shards").mkdir(parents=True)
            for name, content in files.items():
                copy = part / "model" / name
                copy.parent.mkdir(parents=True, exist_ok=True)
                publish(copy, lambda path, content=content: path.write_bytes(content))
            publish(part / "design.parquet", lambda path: write_design(table, path))
            tried = dataclasses.replace(plan, folder=part, rows_per_shard=plan.rows_per_shard or 1)
            publish(part / "study.json", lambda path: path.write_text(tried.json(), encoding="utf-8"))
            seconds, numbers = trial(tried, 0.0 if plan.rows_per_shard else _SECONDS_OF_TRIAL)
            size = plan.rows_per_shard or _size_of_shards(seconds, numbers, plan.rows, cores())
            plan = dataclasses.replace(plan, rows_per_shard=size)
            publish(part / "study.json", lambda path: path.write_text(plan.json(), encoding="utf-8"))
            part.rename(whole)
            sync(whole.parent)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return plan
