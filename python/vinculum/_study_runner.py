"""The process that computes shards: python -m vinculum._study_runner FOLDER. A run that kills it kills nothing else.

Requests and answers are lines of JSON. A request is {"do": "write", "shard": n, "crashes": {row: message}} or
{"do": "try", "first": a, "last": b, "crashes": …}, which computes rows without writing. The answer is {} or
{"error": text}. For {"do": "trial", "seconds": s} it is {"seconds": of a run, "numbers": that it records}.
"""

import contextlib
import json
import os
import select
import sys
import threading
import time
import traceback

from ._errors import VinculumError
from ._study_files import read_plan
from ._study_shard import Shards

IDLE = 60.0  # [s] the process ends if no request comes: its memory is of no use then


def _answered(shards, request):
    if request["do"] == "trial":
        seconds, numbers = shards.trial(request["seconds"])
        return {"seconds": seconds, "numbers": numbers}
    crashes = {int(row): message for row, message in request["crashes"].items()}
    if request["do"] == "write":
        shards.write(request["shard"], crashes)
    else:
        for _ in shards.run(request["first"], request["last"], crashes):
            pass
    return {}


def _end_with(parent):
    """Ends this process soon after the one that asks, also in the middle of a long run."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def main(folder):
    """Answers requests until the standard input is closed."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints cannot disturb the answers
    shards = None
    while select.select([sys.stdin], [], [], IDLE)[0]:
        line = sys.stdin.readline()
        if not line:
            break
        try:
            shards = shards or Shards(read_plan(folder))
            answer = _answered(shards, json.loads(line))
        except VinculumError as error:
            answer = {"error": str(error)}
        except Exception:
            answer = {"error": traceback.format_exc()}
        with contextlib.suppress(BrokenPipeError):  # the process that asks has ended
            os.write(answers, (json.dumps(answer) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1])
