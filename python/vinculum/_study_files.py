"""The folder of a study: what it contains, and how files appear in it whole or not at all.

study.json       what is computed: the model, the design, options, records; never changed
design.parquet   the table of parameter values
model/           copies of the model's file and of the files that it reads
shards/          results, one Parquet file per range of rows. A file that is present is complete.
"""

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import uuid

from ._errors import StudyError

FORMAT = "vinculum-study/1"


@dataclasses.dataclass(frozen=True)
class Plan:
    """The content of study.json.

    folder          folder of the study
    version         of Vinculum
    file            name of the model's file in the folder `model`
    files           SHA-256 by name: the model's file and the files that it reads
    set             values of parameters that are the same in all runs
    backend         of Model.load
    titles          columns of the design
    rows            number of runs
    design          SHA-256 of the content of the design
    options         keyword arguments of Model.run
    record          what is recorded, by label; None: all quantities at the end
    rows_per_shard  number of runs whose results are in one file
    """

    folder: pathlib.Path
    version: str
    file: str
    files: dict
    set: dict
    backend: str
    titles: list
    rows: int
    design: str
    options: dict
    record: "dict | None"
    rows_per_shard: int

    def json(self):
        content = {"format": FORMAT, **dataclasses.asdict(self)}
        del content["folder"]
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    @property
    def id(self):
        """SHA-256 of everything that determines the results: not of the size of shards."""
        content = dataclasses.asdict(dataclasses.replace(self, folder=None, rows_per_shard=0))
        return sha256(json.dumps([FORMAT, content], sort_keys=True).encode())

    @property
    def shards(self):
        """Number of shards."""
        return -(-self.rows // self.rows_per_shard)

    def range_of(self, shard):
        """The first row of a shard, and the row after its last."""
        return shard * self.rows_per_shard, min(self.rows, (shard + 1) * self.rows_per_shard)

    def _name_of(self, shard):
        first, last = self.range_of(shard)
        return f"{first:012d}-{last:012d}.parquet"

    def path_of(self, shard):
        """The file of the results of a shard."""
        return self.folder / "shards" / self._name_of(shard)

    def present(self):
        """Numbers of the shards whose files are there, found in one scan of the folder."""
        with reading(self.folder / "shards"):
            names = set(os.listdir(self.folder / "shards"))
        return [shard for shard in range(self.shards) if self._name_of(shard) in names]

    def changed_files(self):
        """Sentences about files of the model that differ from study.json."""
        said = []
        for name, digest in self.files.items():
            path = self.folder / "model" / name
            if not path.is_file():
                said.append(f"`{path}` is missing")
            elif sha256(path.read_bytes()) != digest:
                said.append(f"`{path}` has changed since the study was created")
        return said


def read_plan(folder):
    """The plan of an existing study.

    :raises StudyError: if there is none.
    """
    folder = pathlib.Path(folder)
    path = folder / "study.json"
    if not path.is_file():
        raise StudyError(f"`{folder}` is not a study: it has no file study.json")
    with reading(path):
        text = path.read_text(encoding="utf-8")
    try:
        content = json.loads(text)
        if content.pop("format") != FORMAT:
            raise StudyError(f"`{path}` is of another version of the format of studies than `{FORMAT}`")
        return Plan(folder, **content)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StudyError(f"`{path}` cannot be read: {error}") from None


def sha256(content):
    return hashlib.sha256(content).hexdigest()


@contextlib.contextmanager
def reading(path):
    """Turns an error of the operating system into a StudyError."""
    try:
        yield
    except OSError as error:
        raise StudyError(f"`{path}` cannot be read: {error.strerror or error}") from None


@contextlib.contextmanager
def writing(path):
    """Turns an error of the operating system into a StudyError."""
    try:
        yield
    except OSError as error:
        raise StudyError(f"`{path}` cannot be written: {error.strerror or error}") from None


def sync(path):
    """Makes a file or the entries of a folder durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def publish(path, write):
    """Writes the file `path` so that it is complete whenever it is present. `write` gets the name of a temporary file.

    :raises StudyError: if it cannot be written; then nothing is left.
    """
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    with writing(path):
        try:
            write(part)
            sync(part)
            part.replace(path)
        except FileNotFoundError:
            if not path.exists():
                raise
            return  # another process has completed the study and removed temporary files
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        sync(path.parent)


def discard_leftovers(folder):
    """Removes temporary files of processes that were killed. Only for a study whose shards are all there."""
    for part in (folder / "shards").glob(".*.tmp"):
        part.unlink(missing_ok=True)


def files_of_model(path):
    """The contents of a model's file and of the files that it reads, by their names relative to its folder.

    A model names its files in quotes and finds them in its folder or below it. A quoted text that does not name a file
    is left out; one that names a file by chance is copied too, which does no harm.
    """
    found = {}
    waiting = [pathlib.PurePosixPath(path.name)]
    while waiting:
        name = waiting.pop()
        whole = path.parent / name
        if str(name) in found or not whole.is_file():
            continue
        with reading(whole):
            found[str(name)] = whole.read_bytes()
        if name.suffix in (".csv", ".txt", ".dat"):
            continue  # tables name no files
        for quoted in re.findall(r'"([^"\n]+)"', found[str(name)].decode("utf-8", "replace")):
            other = pathlib.PurePosixPath(quoted)
            if not other.is_absolute() and ".." not in other.parts:
                waiting.append(other)
    return found
