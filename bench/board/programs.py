"""Runs the programs of a comparison and reads their answers."""

import dataclasses
import json
import pathlib
import resource
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 120  # [s] time limit of a program; beyond it the table says so
MEMORY = 8  # [GB] memory limit of a program


@dataclasses.dataclass
class Tools:
    """Paths: the command, the benchmark programs in its folder, and a Python with the other programs."""

    vinculum: pathlib.Path
    python: str
    quick: bool

    def program(self, name):
        return self.vinculum.parent / name

    def model(self, *parts):
        return HERE.joinpath(*parts)


class Refused(Exception):
    """A program gave no answer; the text is its own error message."""


def hold_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY * 10**9, MEMORY * 10**9))


def lines_of(command, text=""):
    """The lines of JSON that a program prints."""
    if not pathlib.Path(command[0]).exists() and "/" in str(command[0]):
        raise Refused("not built")
    try:
        done = subprocess.run(
            [str(word) for word in command],
            input=text,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            preexec_fn=hold_memory,
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"more than {PATIENCE} s") from None
    if "bad_alloc" in done.stderr:
        raise Refused(f"more than {MEMORY} GB")
    if done.returncode != 0:
        ended = f"ended by signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
        said = done.stderr.strip().splitlines() or [ended]
        raise Refused(said[-1][:120])
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def in_rounds(commands, texts, rounds):
    """Runs all programs in turn, several times, so that load by other programs affects all alike.

    :param commands: {name: command}.
    :param texts: {name: standard input}.
    :returns: {name: answer}. `median` is the median of the rounds, `lowest` the least. A program that fails is not run
        again; its answer is the Refused.
    """
    answers = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            if isinstance(answers[name], Refused):
                continue
            try:
                answers[name].append(lines_of(command, texts[name])[0])
            except Refused as why:
                answers[name] = why
    return {name: found if isinstance(found, Refused) else _joined(found) for name, found in answers.items()}


def _joined(answers):
    joined = dict(answers[0])
    joined["median"] = statistics.median(each["median"] for each in answers)
    for least in {"lowest", "ready", "settled"} & set(joined):
        joined[least] = min(each[least] for each in answers)
    return joined
