"""Computes the shards of a study by processes that may die. Any engine may call `compute`.

Each thread that calls `compute` has a process of its own, which computes the rows (_study_runner.py). If it dies, the
shard is tried again; if it dies again, the shard is halved until the run that kills it is known.
"""

import concurrent.futures
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading

from ._errors import StudyError
from ._rows import cores
from ._study_files import read_plan

_DEATHS = 2  # of the process of a shard or of a single run, before the run is to blame
_SECONDS_IF_UNKNOWN = 0.1  # of a run, if a trial dies
_ROUNDS = 3  # of the search for runs that kill the process; fewer if each dies in each attempt


class _Died(Exception):
    """The process of a runner ended without an answer. The text says how."""


class _Runner:
    """One process that computes rows of one study."""

    def __init__(self, folder):
        package = str(pathlib.Path(__file__).resolve().parents[1])
        path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
        self.folder = folder
        self.is_stopped = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "vinculum._study_runner", folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for the process that asks
            env={**os.environ, "PYTHONPATH": path},
        )

    @property
    def is_alive(self):
        return self._process.poll() is None

    def ask(self, **request):
        """Sends a request and returns its answer.

        :raises StudyError: if the answer is an error; _Died if the process ended.
        """
        try:
            print(json.dumps(request), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        except (BrokenPipeError, ValueError):  # ValueError: `stop` has closed the pipes
            line = ""
        if self.is_stopped:
            raise StudyError("the work was ended")
        if not line:
            status = self._process.wait()
            self.stop()
            raise _Died(_words_of(status))
        answer = json.loads(line)
        if "error" in answer:
            raise StudyError(answer["error"])
        return answer

    def stop(self):
        """Ends the process. A shard that it computes is not written."""
        self.is_stopped = True
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except (BrokenPipeError, RuntimeError):  # unread bytes; another thread reads
                pass


def _words_of(status):
    if status >= 0:
        return f"the process of the run ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = "an unknown signal"
    return f"the process of the run was ended by signal {-status} ({name})"


class _Runners:
    """The runners of this process: idle ones are used again."""

    def __init__(self):
        self._lock = threading.Lock()
        self._idle = []
        self._busy = []

    def take(self, folder):
        with self._lock:
            for one in [one for one in self._idle if one.folder == folder]:
                self._idle.remove(one)
                if one.is_alive:
                    self._busy.append(one)
                    return one
                one.stop()
        runner = _Runner(folder)
        with self._lock:
            self._busy.append(runner)
        return runner

    def give_back(self, runner):
        with self._lock:
            self._busy.remove(runner)
            if not runner.is_stopped:
                self._idle.append(runner)

    def stop(self, folder):
        """Ends all runners of a study, also those that compute."""
        with self._lock:
            stopped = [one for one in self._idle + self._busy if one.folder == folder]
            self._idle = [one for one in self._idle if one.folder != folder]
        for one in stopped:
            one.stop()

    def forget(self):
        """In a forked process, runners are those of the other process."""
        self.__init__()


_runners = _Runners()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_runners.forget)


def _asked(folder, **request):
    runner = _runners.take(folder)
    try:
        return runner.ask(**request)
    finally:
        _runners.give_back(runner)


def _deaths(folder, first, last, crashes):
    """How often these rows kill their process, and the last death in words. Rows of `crashes` are left out."""
    words = ""
    wanted = _DEATHS if last - first == 1 else 1
    for count in range(wanted):
        try:
            _asked(folder, do="try", first=first, last=last, crashes=crashes)
            return count, words
        except _Died as death:
            words = str(death)
    return wanted, words


def _killers(folder, first, last, crashes):
    """Messages of the runs between these rows that kill their process, by row."""
    count, words = _deaths(folder, first, last, crashes)
    if last - first == 1:
        return {first: words} if count == _DEATHS else {}
    if count == 0:
        return {}
    middle = (first + last) // 2
    return {**_killers(folder, first, middle, crashes), **_killers(folder, middle, last, crashes)}


def compute(folder, shard):
    """Computes one shard and writes its file, unless the file is there."""
    plan = read_plan(folder)
    if plan.path_of(shard).exists():
        return
    first, last = plan.range_of(shard)
    crashes, words = {}, ""
    for _ in range(_ROUNDS):
        for _ in range(_DEATHS):
            try:
                _asked(folder, do="write", shard=shard, crashes=crashes)
                return
            except _Died as death:
                words = str(death)
        crashes.update(_killers(folder, first, last, crashes))
    raise StudyError(f"rows {first} to {last - 1} cannot be computed, but no single run is to blame: {words}")


def trial(plan, seconds):
    """Computes rows for some time: the time of one in s, and how many numbers it records. See Shards.trial.

    :raises StudyError: if an option is not possible.
    """
    folder = str(plan.folder.resolve())
    try:
        answer = _asked(folder, do="trial", seconds=seconds)
        return answer["seconds"], answer["numbers"]
    except _Died:
        return _SECONDS_IF_UNKNOWN, 1
    finally:
        _runners.stop(folder)


def _finished(futures):
    """Waits for all tasks. A task that fails does not keep the others from being computed."""
    errors = []
    for future in futures:
        try:
            future.result()
        except Exception as error:
            errors.append(error)
    if errors:
        first = errors[0]
        text = str(first) if isinstance(first, StudyError) else f"{type(first).__name__}: {first}"
        shards = "1 shard was" if len(errors) == 1 else f"{len(errors)} shards were"
        raise StudyError(f"{shards} not computed; work again to resume. {text}") from first


def compute_all(plan, executor, workers, part, parts):
    """Computes the shards of one part that are missing.

    :raises StudyError: if some could not be computed; the files of the others are there.
    """
    folder = str(plan.folder.resolve())
    present = set(plan.present())
    missing = [shard for shard in range(part - 1, plan.shards, parts) if shard not in present]
    if not missing:
        return
    start = random.SystemRandom().randrange(len(missing))  # two processes that work at once seldom compute the same
    missing = missing[start:] + missing[:start]
    own = None
    if executor is None:
        executor = own = concurrent.futures.ThreadPoolExecutor(min(workers or cores(), len(missing)))
    futures = []
    try:
        futures += [executor.submit(compute, folder, shard) for shard in missing]
        _finished(futures)
    finally:
        for future in futures:  # after KeyboardInterrupt
            future.cancel()
        _runners.stop(folder)
        if own:
            own.shutdown()
