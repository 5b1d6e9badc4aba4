"""Trees of bodies on hinges as data for other programs: the mechanisms of `sizes/` and of `models/arm_*.vin`."""

import dataclasses
import math


@dataclasses.dataclass
class Body:
    """Lengths [m], masses [kg], central inertia [kg m²] in the body's axes.

    `joint` is the position of the hinge in the axes of the parent.
    """

    parent: int
    joint: tuple
    axis: tuple
    mass: float
    center: tuple
    inertia: tuple


@dataclasses.dataclass
class Tree:
    bodies: list
    gravity: tuple
    latched: bool = False
    order: list = None  # [bodies] index of each body in the model; None: the same order

    def numbers(self):
        return self.order or range(len(self.bodies))

    def text(self, q, u):
        """Input for the programs in `peers/` (format: peers/tree.hpp); q and u are in the order of the model."""

        def number(v):
            return " ".join(repr(float(x)) for x in v)

        lines = ["gravity " + number(self.gravity)]
        for b in self.bodies:
            lines.append(
                f"body {b.parent} {number(b.joint)} {number(b.axis)} {b.mass!r} {number(b.center)} {number(b.inertia)}"
            )
        lines += ["latched"] if self.latched else []
        return "\n".join(lines + [f"state {q[i]!r} {u[i]!r}" for i in self.numbers()]) + "\n"

    def in_order_of_model(self, accelerations):
        return [value for _, value in sorted(zip(self.numbers(), accelerations))]


DOWN = (0.0, -9.81, 0.0)
# Rods of the plane models have no inertia about their own axis, because they do not turn about it. Other programs
# require a positive value.
ROD = (1 / 12, 1e-3, 1 / 12)


def chain_planar(n):
    return Tree([Body(i - 1, (0, -1 if i else 0, 0), (0, 0, 1), 1.0, (0, -0.5, 0), ROD) for i in range(n)], DOWN)


def chain_spatial(n):

    def turn(i):
        return (1, 0, 0) if i % 2 else (0, 0, 1)

    return Tree(
        [Body(i - 1, (0, -1 if i else 0, 0), turn(i), 1.0, (0, -0.5, 0), (1 / 12, 1 / 50, 1 / 10)) for i in range(n)],
        DOWN,
    )


def preorder(n):
    """Rods of the binary tree in preorder: each rod before its children, and one branch completed before the next.

    Most programs order their coordinates in this way.
    """
    order, waiting = [], [0]
    while waiting:
        rod = waiting.pop()
        order.append(rod)
        waiting += [child for child in (2 * rod + 2, 2 * rod + 1) if child < n]
    return order


def tree(n):
    order = preorder(n)
    place = {rod: i for i, rod in enumerate(order)}
    return Tree(
        [
            Body(place[(rod + 1) // 2 - 1] if rod else -1, (0, -1 if rod else 0, 0), (0, 0, 1), 1.0, (0, -0.5, 0), ROD)
            for rod in order
        ],
        DOWN,
        order=order,
    )


def state(n):
    """Angles [rad] and rates [rad/s], different for every joint."""
    return [0.3 * math.sin(1.0 + 2.0 * i) for i in range(n)], [0.2 * math.cos(3.0 * i) for i in range(n)]


def arm(latched):
    """The manipulator of the space station with seven joints (Nguyen & Hughes 1994)."""
    z, x = (0, 0, 1), (1, 0, 0)
    links = [
        ((0, 0, 0), z, 105.98, (0.25082, 0, -0.175), (3.061, 12.19, 12.19)),
        ((0.25082, 0, -0.175), x, 105.98, (0.175, 0, -0.25082), (12.19, 12.13, 3.061)),
        ((0.175, 0, -0.25082), z, 314.88, (4, 0, -0.175), (15.41, 2094.71, 2103.19)),
        ((7.61164, 0, -0.6), z, 279.2, (-3.6, 0, -0.175), (9.522, 1966.28, 1966.28)),
        ((-7.61164, 0, -0.35), (0, 0, -1), 105.98, (0, 0, 0), (8.305, 8.0386, 3.061)),
        ((-0.175, 0, -0.25082), x, 105.98, (0, 0, 0), (3.061, 12.13, 12.13)),
        ((-0.25082, 0, -0.175), z, 243.66, (0, 0, -0.5), (44.41, 44.41, 9.336)),
    ]
    return Tree([Body(i - 1, *link) for i, link in enumerate(links)], (0.0, 0.0, 0.0), latched)
