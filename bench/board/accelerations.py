"""Accelerations of chains, trees and an arm, compared with multibody programs.

Measures the time of an evaluation, and the time from the description to the first accelerations.
"""

from . import trees
from .output import Plot, Table, seconds_text
from .programs import HERE, Refused, in_rounds

PEERS = ("Simbody", "MuJoCo", "Pinocchio", "Drake")
SIZES = {"chain_planar": trees.chain_planar, "chain_spatial": trees.chain_spatial, "tree": trees.tree}
TITLES = {
    "chain_planar": "Plane chain of N rods",
    "chain_spatial": "Spatial chain of N bodies",
    "tree": "Binary tree of N rods",
}


def commands_of(tools, model, values=()):
    built = {peer: [tools.program(peer.lower() + "_tree")] for peer in PEERS[:3]}
    drake = {"Drake": [tools.python, HERE / "peers" / "drake_tree.py"]}
    return {"Vinculum": [tools.program("tree_accelerations"), model, *values], **built, **drake}


def difference(ours, theirs):
    """Largest difference of accelerations over the largest acceleration."""
    largest = max(abs(each) for each in ours)
    return max(abs(a - b) for a, b in zip(ours, theirs)) / largest


def agreement(answers):
    """Text: difference of each program's accelerations from those of Vinculum."""
    ours = answers["Vinculum"]
    if isinstance(ours, Refused):
        return ""
    return ", ".join(
        f"{name} {difference(ours['accelerations'], answers[name]['accelerations']):.0e}"
        for name in PEERS
        if not isinstance(answers[name], Refused)
    )


def compared(answers):
    """Cells of a table row: the times of each program."""
    ours = answers["Vinculum"]
    cells = []
    for name in ("Vinculum", *PEERS):
        answer = answers[name]
        if isinstance(answer, Refused):
            cells.append(str(answer))
            continue
        times = f"{seconds_text(answer['median'])} ({seconds_text(answer['lowest'])})"
        if name != "Vinculum" and not isinstance(ours, Refused):
            times += f", {answer['lowest'] / ours['lowest']:.1f}×"
        cells.append(times)
    return cells


def versions(answers):
    return {answer["version"] for answer in answers.values() if not isinstance(answer, Refused)}


def answers_of(tools, name, tree, n, refused):
    """Answers of all programs at one size. The state is given in the order of each program's bodies.

    :param refused: programs that failed at a smaller size; they are not run again. Grows.
    """
    rounds = 1 if tools.quick or n > 300 else 3
    commands = commands_of(tools, tools.model("sizes", name + ".vin"), [f"n={n}"])
    commands = {program: command for program, command in commands.items() if program not in refused}
    state = trees.state(n)
    said = dict.fromkeys(PEERS, tree.text(*state)) | {"Vinculum": trees.Tree(tree.bodies, tree.gravity).text(*state)}
    answered = in_rounds(commands, said, rounds)
    refused |= {program: answer for program, answer in answered.items() if isinstance(answer, Refused)}
    answers = {program: (answered | refused)[program] for program in ("Vinculum", *PEERS)}
    for peer in PEERS:
        if not isinstance(answers[peer], Refused):
            answers[peer]["accelerations"] = tree.in_order_of_model(answers[peer]["accelerations"])
    return answers


def of_sizes(tools):
    """Tables and plots of chains and trees at several numbers of bodies."""
    sizes = (1, 10, 30) if tools.quick else (1, 10, 30, 100, 300, 1000, 10000)
    found = []
    for name, build in SIZES.items():
        table = Table(
            name,
            TITLES[name] + ": accelerations, median (lowest)",
            ["N", "Vinculum", *PEERS, "difference from Vinculum"],
        )
        ready = Table(
            name + "_ready",
            TITLES[name] + ": from the description to the first accelerations",
            ["N", "Vinculum (text)", *PEERS, "Vinculum, best code"],
        )
        plot = Plot(name, TITLES[name], "bodies", "processor time of an evaluation [s]")
        refused = {}
        for n in sizes:
            answers = answers_of(tools, name, build(n), n, refused)
            table.rows.append([str(n), *compared(answers), agreement(answers)])
            times = ["–" if isinstance(each, Refused) else seconds_text(each["ready"]) for each in answers.values()]
            settled = answers["Vinculum"]
            ready.rows.append(
                [str(n), *times, "–" if isinstance(settled, Refused) else seconds_text(settled["settled"])]
            )
            for program, answer in answers.items():
                if not isinstance(answer, Refused):
                    plot.add(program, n, answer["lowest"])
            table.versions |= versions(answers)
        found += [table, ready, plot]
    return found


def of_arm(tools):
    """The arm with seven joints: last link free, or fixed by six constraints."""
    table = Table(
        "arm",
        "Seven-joint arm: accelerations, median (lowest)",
        ["tip", "Vinculum", *PEERS, "difference from Vinculum"],
    )
    for tip, model in (("free", "arm_open"), ("latched, 6 rows", "arm_closed")):
        commands = commands_of(tools, HERE.parent / "models" / (model + ".vin"))
        start = in_rounds({"Vinculum": commands["Vinculum"]}, {"Vinculum": "start\n"}, 1)["Vinculum"]
        if isinstance(start, Refused):
            table.rows.append([tip, str(start)])
            continue
        q, u = start["state"][:7], start["state"][7:]
        said = dict.fromkeys(commands, trees.arm(tip != "free").text(q, u))
        answers = in_rounds(commands, said, 1 if tools.quick else 5)
        table.rows.append([tip, *compared(answers), agreement(answers)])
        table.versions |= versions(answers)
    return [table]
